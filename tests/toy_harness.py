"""A harness that exists in tests alone: the proof that a new one needs no line outside of its own module.

Its client, Abacus, has its own names for events, tools, modes and fields, sends no ids, and asks for a permission
before it says that a tool is about to run. It keeps its hooks in ``~/.abacus/beads.json``."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from assent.harnesses import payload as payloads
from assent.harnesses import without
from assent.harnesses.base import (
    Change,
    Encoded,
    Facts,
    Loads,
    NotHonouredError,
    Place,
    Replies,
    SettingsError,
    Subscription,
    Trial,
    Unreachable,
    UnreadableError,
    Version,
)
from assent.harnesses.site import Check, Scope, Site, Transport, shim_command
from assent.paths import Paths
from assent.protocol import events, modes
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event, ToolEvent, with_client, with_operation
from assent.protocol.operations import Asked, Operation, Other, Question, Read, Shell, Write
from assent.protocol.record import Client

NAME = "abacus"
TITLE = "Abacus"
PROGRAM = "abacus"
TESTED: Version = (1, 0, 0)
TRIAL: Trial | None = None
FACTS = Facts(permission_first=True, most_continuations=0)
HONOURED: Mapping[type[Event], frozenset[type[Decision]]] = {
    **dict.fromkeys((*events.EVENTS.values(), events.UnknownEvent), frozenset({NoOpinion})),
    events.PermissionRequest: frozenset({NoOpinion, Allow, Deny}),
    events.PreToolUse: frozenset({NoOpinion, Deny}),
}
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    "opened": Subscription("opened", "shim", 10, becomes="SessionStart"),
    "may_i": Subscription("may_i", "shim", 600, may_hold=True, becomes="PermissionRequest"),
    "about_to": Subscription("about_to", "shim", 60, may_hold=True, becomes="PreToolUse"),
    "did": Subscription("did", "shim", 10, becomes="PostToolUse"),
    "idle": Subscription("idle", "shim", 10, becomes="Stop"),
}
SESSION_VARIABLE = "ABACUS_CHAT"
VARIABLES: tuple[str, ...] = ("ABACUS_FOLDER", "ABACUS_SEATED")
PID_VARIABLE = ""
MARKER = ""
BYPASS = (b'"style"', b'"wild"')
CHECKS: Mapping[str, tuple[Check, ...]] = {}
MANAGED: Path | None = None

_FIELDS = {"chat": "session_id", "place": "cwd", "tool": "tool_name", "with": "tool_input", "gave": "tool_response"}
_MODES = {"careful": modes.DEFAULT, "dreaming": modes.PLAN, "wild": modes.BYPASS}
_NOTHING: Mapping[str, str] = {}


def version(program: str, path: str) -> Version | None:
    return TESTED


managed_hooks = without.sandbox


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:
    raw = payloads.read_object(payload)
    name = payloads.event_name(raw, "what", event_name)
    subscription = SUBSCRIPTIONS.get(name)
    known = {_FIELDS.get(field, field): value for field, value in raw.items() if field not in ("what", "style")}
    known["hook_event_name"] = subscription.becomes if subscription else name
    if isinstance(style := raw.get("style"), str):
        known["permission_mode"] = _MODES.get(style, style)
    if "session_id" not in known:
        raise UnreadableError("it names no chat")
    event = payloads.event(known["hook_event_name"], known)
    if isinstance(event, ToolEvent):
        with_operation(event, operation(event.tool_name, event.tool_input))
    seated = env.get("ABACUS_SEATED")
    attended = None if seated is None else seated == "yes"
    return with_client(event, Client(harness=NAME, project=env.get("ABACUS_FOLDER", ""), attended=attended))


def operation(tool: str, given: dict[str, Any]) -> Operation:
    def text(field: str) -> str | None:
        value = given.get(field)
        return value if isinstance(value, str) else None

    match tool:
        case "reckon":
            return Shell(command=text("line"))
        case "put":
            return Write(path=text("file"), content=text("says"))
        case "look":
            return Read(path=text("file"))
        case "wonder":
            return Question(questions=(Asked(question=text("about") or "?"),))
    return Other()


def main_field(tool: str) -> str | None:
    return {"reckon": "line", "put": "file", "look": "file"}.get(tool)


def may_drop_prompts(payload: bytes) -> bool:
    return b'"wild"' in payload


def encode(event: Event, decision: Decision) -> Output:
    if type(decision) not in HONOURED.get(type(event), ()):
        raise NotHonouredError(f"Abacus does not honour {decision.word} on {event.name}")
    match decision:
        case Allow(updated_input=None, grants=()):
            return _said("go")
        case Deny(reason=reason):
            return _said("stay", reason)
        case NoOpinion():
            return SILENT
    raise NotHonouredError("Abacus takes an allow and nothing beside it")


def encode_safely(event: Event, decision: Decision) -> Encoded:
    try:
        return Encoded(encode(event, decision))
    except NotHonouredError as error:
        return Encoded(SILENT, (f"{error}.",))


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,
) -> tuple[Decision, Output]:
    if event_name != "about_to" or not may_drop_prompts:
        return NoOpinion(cause), SILENT
    return Deny(why), _said("stay", why)


def _said(word: str, because: str = "") -> Output:
    return Output(action="json_output", stdout_json={"bead": word, **({"because": because} if because else {})})


# --- the shim


def environment(project: str) -> dict[str, str]:
    return {"ABACUS_FOLDER": project, "ABACUS_SEATED": "yes"}


def replies(unreachable: Unreachable) -> Replies:
    return {"about_to": {"unreachable": b'{"bead":"stay"}'}} if unreachable == "deny" else {}


# --- its settings file: {"beads": {event: [command line, …]}}


def _file(home: Path) -> Path:
    return home / ".abacus" / "beads.json"


def places(site: Site) -> list[Place]:
    return [Place("user", _file(site.home))]


def plan(
    site: Site,
    scope: Scope,
    before: bytes | None,
    *,
    transport: Transport,
    token: str,
    with_telemetry: bool,
) -> Change:
    beads = _beads(before)
    for name, each in SUBSCRIPTIONS.items():
        line = " ".join(shim_command(site.paths, NAME, name, each.timeout - 10 if each.may_hold else 2, 5))
        beads[name] = [*(other for other in beads.get(name, []) if not _is_ours(other)), line]
    return Change(after=_written(beads), events=tuple(SUBSCRIPTIONS))


def remove(before: bytes, original: bytes | None) -> Change:
    beads = _beads(before)
    gone = tuple(name for name, lines in beads.items() if any(map(_is_ours, lines)))
    if not gone:
        return Change(before)
    left = {name: kept for name, lines in beads.items() if (kept := [line for line in lines if not _is_ours(line)])}
    return Change(after=_written(left), events=gone, is_empty=not left and original is None)


def _beads(content: bytes | None) -> dict[str, list[str]]:
    try:
        settings = json.loads(content or b"{}")
        beads: dict[str, list[str]] = settings.get("beads", {})
    except (ValueError, AttributeError):
        raise SettingsError("beads.json is not a JSON object") from None
    return dict(beads)


def _written(beads: dict[str, list[str]]) -> bytes:
    return json.dumps({"beads": beads} if beads else {}).encode()


def _is_ours(line: str) -> bool:
    return f"hook.py {line.partition('hook.py ')[2].partition(' ')[0]} {NAME} " in line


# --- looking after it


def watched(folder: str) -> list[str]:
    return [str(_file(Path(folder)))]


def reads(file: str) -> bool:
    return file.endswith("beads.json")


def disarmed(text: str | None, *, installed: bool, managed: bool) -> str | None:
    lines = [line for found in _beads((text or "{}").encode()).values() for line in found]
    return "holds no entry of Assent's" if installed and not any(map(_is_ours, lines)) else None


def powers(text: str | None, paths: Paths, loads: Loads) -> dict[str, str] | None:
    return {}


# --- what it does not have

check_run = without.check_run
context = without.context
fault = without.fault
grant_files = without.grant_files
is_own = without.is_own
prints_only = without.prints_only
read_logs = without.read_logs
read_metrics = without.read_metrics
read_results = without.read_results
results_file = without.results_file
rule_files = without.rule_files
rules = without.rules
run_plan = without.run_plan
said_before = without.said_before
sandbox = without.sandbox
session_of = without.session_of
summary = without.summary
transcripts = without.transcripts
with_notice = without.with_notice
with_rule = without.with_rule
without_directory = without.without_directory
without_rule = without.without_rule
