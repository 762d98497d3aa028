"""Claude Code: what it sends, what it honours, how we listen to it. Facts measured on client 2.1.325."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from assent.harness.base import Subscription, UnreadableError
from assent.harness.claude_code_encode import HONOURED, encode, encode_safely
from assent.protocol.decision import Decision, Deny, NoOpinion, Prompt
from assent.protocol.envelope import CLAUDE_CODE, SILENT, Output
from assent.protocol.events import EVENTS, Event, PreToolUse, UnknownEvent, with_raw

__all__ = [
    "HONOURED",
    "MANAGED_FOLDER",
    "NAME",
    "NO_HTTP",
    "SUBSCRIPTIONS",
    "SettingsScope",
    "decode",
    "encode",
    "encode_safely",
    "managed_files",
    "settings_file",
    "settings_files",
    "settings_here",
    "unreadable",
]

NAME = CLAUDE_CODE
SettingsScope = Literal["managed", "user", "project", "local"]
_ROOT = Path("/")
MANAGED_FOLDER = "Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "etc/claude-code"

# The client skips HTTP hooks on these without a word.
NO_HTTP = frozenset({"SessionStart", "Setup"})

_HELD = "PreToolUse PermissionRequest Elicitation"
_HELD_LONG = "Stop SubagentStop"
_AT_ONCE = (
    "UserPromptSubmit SessionStart Setup ConfigChange PreCompact PreModelSwitch TeammateIdle TaskCreated TaskCompleted "
    # Not a gate, but over HTTP its failure is the last line every unattended run without a hub would print.
    "SessionEnd"
)
_OBSERVED = (
    "InstructionsLoaded UserPromptExpansion PermissionDenied PostToolUse PostToolUseFailure PostToolBatch Notification "
    "SubagentStart StopFailure PostCompact PostModelSwitch CwdChanged DirectoryAdded WorktreeRemove ElicitationResult"
)
# Left out on purpose: WorktreeCreate (a silent hook aborts the worktree), MessageDisplay and FileChanged (noise).
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    **{name: Subscription(name, "shim", 630, may_hold=True) for name in _HELD.split()},
    **{name: Subscription(name, "shim", 3630, may_hold=True) for name in _HELD_LONG.split()},
    **{name: Subscription(name, "shim", 10) for name in _AT_ONCE.split()},
    **{name: Subscription(name, "http", 5) for name in _OBSERVED.split()},
}

# Deeper payloads are nobody's tool call, and would exhaust the stack of whoever handles them later.
_MAX_DEPTH = 100
_MAX_NAME = 100

_json = msgspec.json.Decoder()


def decode(payload: bytes, *, event_name: str) -> Event:
    """The event these bytes are. ``event_name`` is what the sender claims; empty trusts the payload."""
    raw = _object(payload)
    name = raw.get("hook_event_name")
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= _MAX_NAME:
        raise UnreadableError("it does not name its event")
    if event_name and name != event_name:
        raise UnreadableError(f"it says it is {_known(name)}, but was sent for {_known(event_name)}")
    kind = EVENTS.get(name, UnknownEvent)
    try:
        event = msgspec.convert(raw, kind)
    except msgspec.ValidationError:
        event = _without_misfits(raw, kind)
    return with_raw(event, raw)


def _object(payload: bytes) -> dict[str, Any]:
    try:
        raw = _json.decode(payload)
    except RecursionError:
        raise UnreadableError("it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        # The cause would quote the payload, and this sentence is shown and logged.
        raise UnreadableError("it is not JSON") from None
    if not isinstance(raw, dict):
        raise UnreadableError("it is not a JSON object")
    # Brackets inside strings count too: this only spares short payloads the walk.
    if payload.count(b"{") + payload.count(b"[") > _MAX_DEPTH and _is_deep(raw):
        raise UnreadableError("it is nested too deeply")
    return raw


def _is_deep(raw: dict[str, Any]) -> bool:
    level: list[Any] = [raw]
    for _ in range(_MAX_DEPTH):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _known(name: str) -> str:
    return name if name in EVENTS else "an event this version does not know"


def _without_misfits(raw: dict[str, Any], kind: type[Event]) -> Event:
    """The event without optional fields that changed their type; they stay in ``raw``."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    kept = {"hook_event_name": raw["hook_event_name"]}
    for name in raw.keys() & fields.keys():
        try:
            kept[name] = msgspec.convert(raw[name], fields[name].type)
        except msgspec.ValidationError:
            if fields[name].required:
                raise UnreadableError(f"its {name} is not of the right type") from None
    missing = sorted(name for name, field in fields.items() if field.required and name not in kept)
    if missing:
        raise UnreadableError(f"it has no {missing[0]}")
    return msgspec.convert(kept, kind)


def unreadable(
    event_name: str,
    why: str,
    *,
    cause: Literal["bad_input", "too_large"] = "bad_input",
    may_drop_prompts: bool = False,
) -> tuple[Decision, Output]:
    """A tool call nobody could read goes to the person at the terminal; for the rest silence changes nothing."""
    if event_name != "PreToolUse":
        return NoOpinion(cause), SILENT
    reason = f"Assent could not read this tool call: {why}."
    decision = Deny(reason) if may_drop_prompts else Prompt(reason)
    return decision, encode(PreToolUse(session_id="", tool_name="", tool_input={}), decision)


def settings_file(
    scope: Literal["user", "project", "local"], *, home: Path, project: Path, config_dir: Path | None
) -> Path:
    """Where the client reads its settings; ``config_dir`` is CLAUDE_CONFIG_DIR, which moves only the user's own."""
    if scope == "user":
        return (config_dir or home / ".claude") / "settings.json"
    return project / ".claude" / ("settings.json" if scope == "project" else "settings.local.json")


def settings_files(
    *, home: Path, project: Path, config_dir: Path | None, root: Path = _ROOT
) -> list[tuple[SettingsScope, Path]]:
    """Every file whose permission rules the client obeys, the strongest first."""
    scopes: tuple[Literal["user", "project", "local"], ...] = ("local", "project", "user")
    own = [(scope, settings_file(scope, home=home, project=project, config_dir=config_dir)) for scope in scopes]
    return [*(("managed", path) for path in managed_files(root)), *own]


def settings_here(project: Path) -> list[tuple[SettingsScope, Path]]:
    """The same for a session of the user this process runs for."""
    moved = os.environ.get("CLAUDE_CONFIG_DIR")
    home = Path(os.environ.get("HOME") or Path.home())
    return settings_files(home=home, project=project, config_dir=Path(moved) if moved else None)


def managed_files(root: Path = _ROOT) -> list[Path]:
    """What an administrator set for this machine, as far as it lies in files."""
    folder = root / MANAGED_FOLDER
    return [folder / "managed-settings.json", *sorted((folder / "managed-settings.d").glob("*.json"))]
