"""What an install writes for Grok CLI: a file of its own, so nothing of anyone else's is touched."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from assent.harnesses import shell_entry
from assent.harnesses.base import Change, Loads, Place, SettingsError, Unreachable, Version
from assent.harnesses.grok.encode import replies
from assent.harnesses.grok.facts import BYPASS, NAME, SUBSCRIPTIONS
from assent.harnesses.hook_table import handlers
from assent.harnesses.site import Check, Finding, Scope, Site, Situation, Transport, program_version
from assent.paths import Paths

OWN = "assent.json"
REQUIREMENTS = Path("/etc/grok/requirements.toml")
# Where the client keeps which single hooks a person switched off.
SWITCHED_OFF = "disabled-hooks"
_GATE = "PreToolUse"


def _folder(site: Site) -> Path:
    return Path(site.environ.get("GROK_HOME") or site.home / ".grok")


def places(site: Site) -> list[Place]:
    return [
        Place("user", _folder(site) / "hooks" / OWN),
        Place("project", site.project / ".grok" / "hooks" / OWN),
        Place("managed", site.root / REQUIREMENTS.relative_to("/")),
    ]


def plan(
    site: Site,
    scope: Scope,
    before: bytes | None,
    *,
    transport: Transport,  # noqa: ARG001 - the shim does everything HTTP could, and starts the hub
    token: str,  # noqa: ARG001 - nothing goes over HTTP
    with_telemetry: bool,  # noqa: ARG001 - the client's telemetry is not read
) -> Change:
    if before is not None and before.strip() and not armed_events(before.decode(errors="replace")):
        raise SettingsError(" this file is not Assent's, though it has its name")
    fallback = replies(cast("Unreachable", site.unreachable))
    entries = {
        event: [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": shell_entry.line(
                            site.paths,
                            NAME,
                            fitted,
                            fallback.get(event, {}).get("unreachable", b""),
                            in_bypass=(BYPASS[1], fallback.get(event, {}).get("unreachable_bypass", b"")),
                            in_a_run=fallback.get(event, {}).get("run", b""),
                        ),
                        "timeout": fitted.timeout,
                    }
                ]
            }
        ]
        for event, subscription in SUBSCRIPTIONS.items()
        for fitted in [shell_entry.fitting(subscription, site.wait)]
    }
    notes = ["Grok runs hooks of a repository only where its folder is trusted."] if scope == "project" else []
    return Change(_written({"hooks": entries}), tuple(SUBSCRIPTIONS), tuple(notes))


def remove(before: bytes, original: bytes | None) -> Change:  # noqa: ARG001 - the file is ours alone
    try:
        settings = json.loads(before)
    except ValueError:
        raise SettingsError(" it is not JSON") from None
    events = tuple(dict.fromkeys(at[1] for at, handler in handlers(settings) if is_ours(handler)))
    if not events:
        return Change(before)
    left = {}
    for event, groups in settings["hooks"].items():
        kept = [{**group, "hooks": theirs} for group in groups if (theirs := _not_ours(group))]
        if kept:
            left[event] = kept
    return Change(_written({**settings, "hooks": left}), events, is_empty=not left)


def _not_ours(group: Any) -> list[Any]:
    entries = group.get("hooks") if isinstance(group, dict) else None
    return [entry for entry in entries if not is_ours(entry)] if isinstance(entries, list) else []


def is_ours(handler: Any) -> bool:
    return isinstance(handler, dict) and shell_entry.is_ours(handler.get("command"), NAME)


def armed_events(text: str | None) -> set[str]:
    return {at[1] for at, handler in handlers(_lenient(text)) if is_ours(handler)}


def _written(settings: dict[str, Any]) -> bytes:
    return (json.dumps(settings, indent=2) + "\n").encode()


def _lenient(text: str | None) -> Any:
    try:
        return json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


# --- looking after it

MANAGED: Path | None = None


def managed_hooks(site: Site) -> Path | None:
    """What an organisation enforces runs whatever a user switches off."""
    path = places(site)[-1].path
    return path if shell_entry.is_ours(_read(path), NAME) else None


def watched(folder: str) -> list[str]:
    """The file of ours, in a home or in a project."""
    return [str(Path(folder, f".grok/hooks/{OWN}"))]


def reads(file: str) -> bool:
    return file.endswith(f"/.grok/hooks/{OWN}")


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:
    if installed and not managed and _GATE not in armed_events(text):
        return "holds no hook of Assent's any more"
    return None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:  # noqa: ARG001
    """Commands of hooks that are not ours: they run on every event, as the user."""
    settings = _lenient(text)
    if not isinstance(settings, dict):
        return None
    return {
        f"hook:{at[1]}:{json.dumps(handler, sort_keys=True)}": f"a hook that runs on {at[1]}"
        for at, handler in handlers(settings)
        if not is_ours(handler)
    }


def version(program: str, path: str) -> Version | None:
    return program_version(program, path, {"GROK_DISABLE_AUTOUPDATER": "1", "GROK_TELEMETRY_ENABLED": "0"})


def _hooks(situation: Situation) -> Iterator[Finding]:
    site = situation.site
    own, *_ = places(site)
    armed = armed_events(_read(own.path))
    missing = sorted(SUBSCRIPTIONS.keys() - armed)
    if not armed:
        text = f"Grok has no hooks of Assent's in {own.path}; it runs those of Claude Code, where they are installed."
        yield Finding("grok-hooks", "warning", text, "assent install --harness grok")
        return
    if missing:
        text = f"{own.path} lacks hooks for {', '.join(missing)}."
        yield Finding("grok-hooks", "problem", text, "assent install --harness grok")
    else:
        yield Finding("grok-hooks", "ok", f"Grok's hooks stand in {own.path}.")
    off = _folder(site) / SWITCHED_OFF
    if f"/{Path(OWN).stem}:" in (_read(off) or ""):
        yield Finding("grok-disabled", "problem", f"{off} switches hooks of Assent's off.", "switch them on in /hooks.")


CHECKS: Mapping[str, tuple[Check, ...]] = {"hooks": (_hooks,)}
