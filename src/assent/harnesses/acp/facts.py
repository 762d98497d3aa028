"""The Agent Client Protocol: its names, and what the proxy tells the hub. Facts measured on protocol version 1."""

from collections.abc import Mapping

from assent.harnesses import names
from assent.harnesses.base import Facts, Subscription, Trial, Version
from assent.protocol import modes
from assent.protocol.modes import Mode

NAME = "acp"
TITLE = names.TITLES[NAME]
# What people start in place of the agent.
PROGRAM = names.PROGRAMS[NAME]
TESTED: Version = (1, 0, 0)
TRIAL: Trial | None = None

# The proxy names session and process in its payloads; it starts no hook that would have an environment.
SESSION_VARIABLE = ""
PID_VARIABLE = ""
MARKER = ""
VARIABLES: tuple[str, ...] = ()
BYPASS = (b'"permission_mode"', b'"bypass"')


def environment(_project: str) -> dict[str, str]:
    """No variable tells that a session runs behind the proxy."""
    return {}


FACTS = Facts(
    # An answer selects one of the agent's options and carries nothing else.
    changes_input=frozenset(),
    stops_with_deny=False,
    permission_first=True,
    # The end of a turn is the answer to the editor's own request.
    most_continuations=0,
    # The editor's dialog stands open while a person is asked elsewhere.
    dialog_beside=True,
    tells_attended=False,
)

PERMISSION = "session/request_permission"
WRITE, TERMINAL = "fs/write_text_file", "terminal/create"
STARTS = ("session/new", "session/load", "session/resume")
PROMPT = "session/prompt"
# Not messages of the protocol, but what the proxy makes of several.
CALLED, ENDED_CALL, ENDED_TURN, ENDED, DIALOG = (
    "tool_call",
    "tool_call_update",
    "prompt_result",
    "session_end",
    "dialog",
)

SUBSCRIPTIONS: Mapping[str, Subscription] = {
    PERMISSION: Subscription(PERMISSION, "shim", 3630, may_hold=True, becomes="PermissionRequest"),
    # What the agent has the editor do: refused with an error, where it must not be.
    WRITE: Subscription(WRITE, "shim", 630, may_hold=True, becomes="PreToolUse"),
    TERMINAL: Subscription(TERMINAL, "shim", 630, may_hold=True, becomes="PreToolUse"),
    # What it only reports.
    CALLED: Subscription(CALLED, "shim", 10, becomes="PreToolUse"),
    ENDED_CALL: Subscription(ENDED_CALL, "shim", 10, becomes="PostToolUse"),
    **{start: Subscription(start, "shim", 10, becomes="SessionStart") for start in STARTS},
    PROMPT: Subscription(PROMPT, "shim", 10, becomes="UserPromptSubmit"),
    ENDED_TURN: Subscription(ENDED_TURN, "shim", 10, becomes="Stop"),
    DIALOG: Subscription(DIALOG, "shim", 10, becomes="Notification"),
    ENDED: Subscription(ENDED, "shim", 10, becomes="SessionEnd"),
}

# Agents whose permission requests have no input, and the whole command as their title; read in their source.
TITLE_IS_COMMAND = frozenset({"gemini-cli"})

_MODES: dict[str, Mode] = {
    "default": modes.DEFAULT,
    "ask": modes.DEFAULT,
    "manual": modes.DEFAULT,
    "plan": modes.PLAN,
    "architect": modes.PLAN,
    "acceptedits": modes.ACCEPT_EDITS,
    "autoedit": modes.ACCEPT_EDITS,
    "auto": modes.AUTO,
    "dontask": modes.PREAPPROVED_ONLY,
    **dict.fromkeys(
        ("yolo", "bypass", "bypasspermissions", "autoapprove", "alwaysapprove", "fullaccess"), modes.BYPASS
    ),
}


def mode(wire: str) -> str:
    """An agent's mode in our words; its own word where we have none."""
    # Some name it by an address, with the mode behind the mark.
    plain = "".join(letter for letter in wire.rpartition("#")[2].lower() if letter.isalnum())
    return _MODES.get(plain, wire)
