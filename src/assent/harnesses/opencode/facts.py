"""opencode: its names, how its plugin listens, and the programs that are placed for it. Facts measured on 1.18.33."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from assent.harnesses import names, shell_entry
from assent.harnesses.base import Facts, Program, Subscription, Trial, Unreachable, Version
from assent.harnesses.opencode.encode import replies
from assent.harnesses.site import shim_start
from assent.paths import Paths

NAME = "opencode"
TITLE = names.TITLES[NAME]
PROGRAM = names.PROGRAMS[NAME]
TESTED: Version = (1, 18, 33)

# The plugin tells everything in the payload.
SESSION_VARIABLE = ""
PID_VARIABLE = ""
# It runs no hooks of other clients.
MARKER = ""
VARIABLES: tuple[str, ...] = ()
# How the plugin says that the client would run a call without asking: it is a run without a person, or its rules allow.
BYPASS = (b'"asks"', b"false")

# Nothing ends the plugin's wait, so the configured one counts.
_ASKS = 10 * 24 * 3600
# Their names in the client, and what they become.
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    "session.created": Subscription("session.created", "shim", 10, becomes="SessionStart"),
    "chat.message": Subscription("chat.message", "shim", 10, becomes="UserPromptSubmit"),
    "tool.execute.before": Subscription("tool.execute.before", "shim", _ASKS, may_hold=True, becomes="PreToolUse"),
    "permission.asked": Subscription("permission.asked", "shim", _ASKS, may_hold=True, becomes="PermissionRequest"),
    "question.asked": Subscription("question.asked", "shim", _ASKS, may_hold=True, becomes="PermissionRequest"),
    "permission.replied": Subscription("permission.replied", "shim", 10, becomes="Notification"),
    "question.replied": Subscription("question.replied", "shim", 10, becomes="Notification"),
    "tool.execute.after": Subscription("tool.execute.after", "shim", 10, becomes="PostToolUse"),
    # A call that failed: the client has no hook for it.
    "message.part.updated": Subscription("message.part.updated", "shim", 10, becomes="PostToolUseFailure"),
    "session.idle": Subscription("session.idle", "shim", 3630, may_hold=True, becomes="Stop"),
    "session.error": Subscription("session.error", "shim", 10, becomes="StopFailure"),
    "session.compacted": Subscription("session.compacted", "shim", 10, becomes="PostCompact"),
    "session.deleted": Subscription("session.deleted", "shim", 10, becomes="SessionEnd"),
    # The client ends.
    "dispose": Subscription("dispose", "shim", 5, becomes="SessionEnd"),
}


def environment(project: str) -> dict[str, str]:  # noqa: ARG001 - no variable tells a session
    return {}


_HERE = Path(__file__).parent
# What loads the rest.
MAIN = "opencode.js"


def _as_it_is(name: str) -> Callable[[Paths, Unreachable], bytes]:
    return lambda _paths, _unreachable: (_HERE / name).read_bytes()


def _shim(paths: Paths, unreachable: Unreachable) -> bytes:
    """With what it has to know of this machine in its first line of code."""
    known = {
        "name": NAME,
        "command": shim_start(paths),
        "times": {event: _times(each) for event, each in SUBSCRIPTIONS.items()},
        "last": {
            event: {situation: json.loads(said) for situation, said in table.items() if said}
            for event, table in replies(unreachable).items()
        },
    }
    lines = (_HERE / "shim.js").read_bytes().splitlines(keepends=True)
    lines[lines.index(b"const ASSENT = {};\n")] = f"const ASSENT = {json.dumps(known)};\n".encode()
    return b"".join(lines)


def _times(subscription: Subscription) -> list[str]:
    """When the shim gives up, and after how much silence, in seconds."""
    limit = shell_entry.deadline(subscription)
    return [f"{limit:g}", f"{min(2 if subscription.becomes == 'PreToolUse' else 5, limit - 1):g}"]


FACTS = Facts(
    changes_input=frozenset({"PreToolUse"}),
    stops_with_deny=True,
    most_continuations=8,
    dialog_beside=True,
    tells_attended=True,
    tells_answers=True,
    programs=(
        Program(MAIN, _as_it_is("plugin.js")),
        Program("opencode-rules.js", _as_it_is("rules.js")),
        Program("opencode-shim.js", _shim),
    ),
)


def _settings(url: str, _project: str) -> dict[str, str]:
    """With a model of its own, and with what keeps it from fetching the package that describes plugins."""
    models = {"scripted": {"name": "scripted", "limit": {"context": 100_000, "output": 4_000}}}
    options = {"baseURL": f"{url}/v1", "apiKey": "dummy"}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": options, "models": models}
    model = "scripted/scripted"
    settings = {"model": model, "small_model": model, "share": "disabled", "provider": {"scripted": provider}}
    lock = {"packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}}
    return {
        ".config/opencode/opencode.json": json.dumps(settings),
        ".config/opencode/package-lock.json": json.dumps(lock),
        ".config/opencode/node_modules/.package-lock.json": "{}",
    }


_QUIET = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE")
TRIAL: Trial | None = Trial(
    "chat",
    runs=lambda command: ("bash", {"command": command, "description": "Tried"}),
    words=lambda prompt: ["run", prompt],
    environ=lambda _: {f"OPENCODE_DISABLE_{name}": "1" for name in _QUIET},
    files=_settings,
)
