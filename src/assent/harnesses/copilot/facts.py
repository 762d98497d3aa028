"""GitHub Copilot CLI: its names, and how we listen to it. Facts measured on client 1.0.102."""

from collections.abc import Mapping

from assent.harnesses import names
from assent.harnesses.base import Facts, Subscription, Trial, Version

NAME = "copilot"
TITLE = names.TITLES[NAME]
PROGRAM = names.PROGRAMS[NAME]
TESTED: Version = (1, 0, 102)

# It names the session in its payloads alone, and no variable tells its process.
SESSION_VARIABLE = ""
PID_VARIABLE = ""
PROJECT_VARIABLE = "COPILOT_PROJECT_DIR"
MARKER = "COPILOT_CLI"
VARIABLES: tuple[str, ...] = (PROJECT_VARIABLE, MARKER)
# No payload says that tools run unasked (--allow-all-tools): these bytes stand in none.
BYPASS = (b"-", b"-")


def environment(project: str) -> dict[str, str]:
    """The variables by which a session in this project is known."""
    return {MARKER: "1", PROJECT_VARIABLE: project}


FACTS = Facts(
    # Before a call it takes other input, but not from the answer to its permission request, where people are asked.
    changes_input=frozenset(),
    stops_with_deny=True,
    most_continuations=8,
    dialog_beside=False,
    tells_attended=False,
    # Escape ends the turn, and the hook lives on. Calls of one answer of the model come side by side.
    ends_hooks=False,
)

# Their names in the client, and what they become. subagentStop is left out: agentStop comes for sub-agents, too.
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    "sessionStart": Subscription("sessionStart", "shim", 10, becomes="SessionStart"),
    "userPromptSubmitted": Subscription("userPromptSubmitted", "shim", 10, becomes="UserPromptSubmit"),
    "preToolUse": Subscription("preToolUse", "shim", 630, may_hold=True, becomes="PreToolUse"),
    "permissionRequest": Subscription("permissionRequest", "shim", 630, may_hold=True, becomes="PermissionRequest"),
    "postToolUse": Subscription("postToolUse", "shim", 10, becomes="PostToolUse"),
    "postToolUseFailure": Subscription("postToolUseFailure", "shim", 10, becomes="PostToolUseFailure"),
    "agentStop": Subscription("agentStop", "shim", 3630, may_hold=True, becomes="Stop"),
    "subagentStart": Subscription("subagentStart", "shim", 10, becomes="SubagentStart"),
    "notification": Subscription("notification", "shim", 10, becomes="Notification"),
    "preCompact": Subscription("preCompact", "shim", 10, becomes="PreCompact"),
    "errorOccurred": Subscription("errorOccurred", "shim", 10, becomes="StopFailure"),
    "sessionEnd": Subscription("sessionEnd", "shim", 10, becomes="SessionEnd"),
}

TRIAL: Trial | None = Trial(
    "chat",
    runs=lambda command: ("bash", {"command": command, "description": "Tried"}),
    words=lambda prompt: ["-p", prompt, "--no-color"],
    environ=lambda url: {
        "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
        "COPILOT_PROVIDER_API_KEY": "dummy",
        "COPILOT_MODEL": "gpt-4.1",
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
    },
)
