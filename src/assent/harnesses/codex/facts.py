"""Codex: its names, and how we listen to it. Facts measured on client 0.166.0."""

from collections.abc import Mapping

from assent.harnesses import names
from assent.harnesses.base import Facts, Subscription, Version

NAME = "codex"
TITLE = names.TITLES[NAME]
PROGRAM = names.PROGRAMS[NAME]
TESTED: Version = (0, 166, 0)

# It adds no variables to the environment of its hooks: session and folder stand in the payload alone.
SESSION_VARIABLE = ""
PID_VARIABLE = ""
# It runs no hooks of other clients.
MARKER = ""
VARIABLES: tuple[str, ...] = ()
# How the payload says that nothing is asked, which `codex exec` does always.
BYPASS = (b'"permission_mode"', b'"bypassPermissions"')


def environment(_project: str) -> dict[str, str]:
    """No variable tells it."""
    return {}


FACTS = Facts(
    changes_input=frozenset({"PreToolUse"}),
    # Inside of its sandbox it runs what is not refused, whether or not it asks about what leaves the sandbox.
    runs_on_silence=True,
    # It would go on for ever.
    most_continuations=8,
    dialog_beside=False,
    tells_attended=False,
)

# Its hooks may take as long as their entry says. But the last one of a session is ended after 3 seconds, so ours gives
# up after 2.
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    "SessionStart": Subscription("SessionStart", "shim", 10),
    "UserPromptSubmit": Subscription("UserPromptSubmit", "shim", 10),
    "PreToolUse": Subscription("PreToolUse", "shim", 630, may_hold=True),
    "PermissionRequest": Subscription("PermissionRequest", "shim", 630, may_hold=True),
    "PostToolUse": Subscription("PostToolUse", "shim", 10),
    "PreCompact": Subscription("PreCompact", "shim", 10),
    "PostCompact": Subscription("PostCompact", "shim", 10),
    "SubagentStart": Subscription("SubagentStart", "shim", 10),
    "SubagentStop": Subscription("SubagentStop", "shim", 10),
    "Stop": Subscription("Stop", "shim", 3630, may_hold=True),
    "SessionEnd": Subscription("SessionEnd", "shim", 4),
}
