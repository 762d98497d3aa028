"""The client's telemetry sent to the hub: variables in the ``env`` table of its settings.

These win over what stands in a shell, so they are written only where no telemetry is set up."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from assent.harnesses.claude_code.facts import NAME
from assent.harnesses.claude_code.settings import own_file, places, read_leniently
from assent.harnesses.json_edit import Document
from assent.harnesses.site import Scope, Site, Transport

FIXED = {
    "CLAUDE_CODE_ENABLE_TELEMETRY": "1",
    "OTEL_LOGS_EXPORTER": "otlp",
    "OTEL_METRICS_EXPORTER": "otlp",
    "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
    # An answer given in the terminal should reach the other screens within a second.
    "OTEL_LOGS_EXPORT_INTERVAL": "500",
}
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
# By this our variables are known again, whatever the port and the token.
MARK = f"Assent-Harness={NAME}"

_LOOPBACK = re.compile(r"http://127\.0\.0\.1:\d+")
_ABOUT = re.compile(
    r"OTEL_|CLAUDE_CODE_(ENABLE|ENHANCED)_TELEMETRY|CLAUDE_CODE_OTEL_|\w*BETA_TRACING|ENABLE_ENHANCED_TEL"
)
_HELPER = "otelHeadersHelper"

OFFERED = (
    "The client can also report to the hub, on this machine only, what you answer in its terminal and what a session "
    "costs; no prompts, no output. Without that, a Yes in the terminal is noticed only when the call ends, and costs "
    "are not known."
)

LEFT = (
    "Telemetry is set up already ({}) and stays as it is: answers given in the terminal are noticed a little later, "
    "and what a session costs is not known."
)


def variables(port: int, token: str) -> dict[str, str]:
    return {
        **FIXED,
        ENDPOINT: f"http://127.0.0.1:{port}",
        HEADERS: f"Authorization=Bearer {token},{MARK}",
    }


def may_stand(scope: Scope, transport: Transport) -> bool:
    """It needs a token, and a hub that is always reached at the same port."""
    return scope == "user" and transport != "shim"


def ours(settings: Any) -> dict[str, str]:
    """Those variables that are as we would write them."""
    env = _env(settings)
    if MARK not in str(env.get(HEADERS)):
        return {}
    return {name: value for name, value in env.items() if FIXED.get(name) == value or _is_ours(name, value)}


def reports_to(settings: Any, token: str | None) -> bool:
    """Whether the client reports to the hub of this token, on this machine, and nowhere else."""
    env = _env(settings)
    is_ours = token is not None and env.get(HEADERS) == variables(0, token)[HEADERS]
    return is_ours and _is_ours(ENDPOINT, env.get(ENDPOINT))


def elsewhere(site: Site) -> str | None:
    """Where other telemetry is set up, and by what."""
    own = ours(read_leniently(own_file(site, "user")))
    for place in places(site):
        for name in _set_up(read_leniently(place.path)):
            return f"{name} in {place.path}"
    # What our own variables make the client pass on to its commands is no set-up of its own.
    names = sorted(name for name, value in site.environ.items() if _ABOUT.match(name) and own.get(name) != value)
    return f"{names[0]} in your environment" if names else None


def put(doc: Document, wanted: Mapping[str, str]) -> Document:
    """Our variables after all others, each once."""
    if doc.get(("env",)) is None:
        return doc.add((), "env", dict(wanted))
    for name, value in wanted.items():
        node = doc.get(("env", name))
        if node is None:
            doc = doc.add(("env",), name, value)
        elif node.value != value:
            doc = doc.replace(("env", name), value)
    return doc


def take_out(doc: Document, original: Any = None) -> Document:
    """Without our variables, and without a table that only they were in, unless it stood in the original file."""
    own = ours(doc.root.value)
    had_table = isinstance(original, dict) and "env" in original
    if own and not had_table and own.keys() == _env(doc.root.value).keys():
        return doc.remove(("env",))
    for name in own:
        doc = doc.remove(("env", name))
    return doc


def _is_ours(name: str, value: object) -> bool:
    return name == HEADERS or (name == ENDPOINT and _LOOPBACK.fullmatch(str(value)) is not None)


def _set_up(settings: Any) -> Iterator[str]:
    if not isinstance(settings, dict):
        return
    if _HELPER in settings:
        yield _HELPER
    if "env" in settings and not isinstance(settings["env"], dict):
        yield "env"
    own = variables(0, "") if ours(settings) else {}
    yield from (name for name in _env(settings) if _ABOUT.match(name) and name not in own)


def _env(settings: Any) -> dict[str, Any]:
    env = settings.get("env") if isinstance(settings, dict) else None
    return env if isinstance(env, dict) else {}
