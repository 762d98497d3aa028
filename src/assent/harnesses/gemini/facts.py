"""Gemini CLI: its names, and how we listen to it. Facts measured on client 0.61.0."""

import json
from collections.abc import Mapping

from assent.harnesses import names
from assent.harnesses.base import Facts, Subscription, Trial, Version

NAME = "gemini"
TITLE = names.TITLES[NAME]
PROGRAM = names.PROGRAMS[NAME]
TESTED: Version = (0, 61, 0)

SESSION_VARIABLE = "GEMINI_SESSION_ID"
PROJECT_VARIABLE = "GEMINI_PROJECT_DIR"
# Set by our entry to the process that started it; the client sets no such variable.
PID_VARIABLE = "ASSENT_GEMINI_PID"
# Only its hooks have it.
MARKER = PROJECT_VARIABLE
# With one of these the client shows no screen of its own, whatever it is started with.
CI_VARIABLES = ("CI", "GITHUB_ACTIONS")
VARIABLES: tuple[str, ...] = (PROJECT_VARIABLE, PID_VARIABLE, *CI_VARIABLES)
# No payload says that tools run unasked (--yolo): these bytes stand in none.
BYPASS = (b"-", b"-")


def environment(project: str) -> dict[str, str]:
    """The variables by which a session in this project is known."""
    return {PROJECT_VARIABLE: project}


FACTS = Facts(
    changes_input=frozenset({"PreToolUse", "PermissionRequest"}),
    runs_on_silence=True,
    stops_with_deny=True,
    most_continuations=8,
    dialog_beside=False,
    tells_attended=False,
    approves=False,
    ends_hooks=False,
)

# Their names in the client, and what they become. PreCompress is left out: it comes before every request to the model.
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    "SessionStart": Subscription("SessionStart", "shim", 10, becomes="SessionStart"),
    "BeforeAgent": Subscription("BeforeAgent", "shim", 10, becomes="UserPromptSubmit"),
    "BeforeTool": Subscription("BeforeTool", "shim", 630, may_hold=True, becomes="PreToolUse"),
    "AfterTool": Subscription("AfterTool", "shim", 10, becomes="PostToolUse"),
    "AfterAgent": Subscription("AfterAgent", "shim", 3630, may_hold=True, becomes="Stop"),
    "Notification": Subscription("Notification", "shim", 10, becomes="Notification"),
    "SessionEnd": Subscription("SessionEnd", "shim", 10, becomes="SessionEnd"),
}

# Without a sign-in and reports.
_QUIET = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "model": {"name": "gemini-2.5-flash"},
}
TRIAL: Trial | None = Trial(
    "gemini",
    runs=lambda command: ("run_shell_command", {"command": command, "description": "Tried"}),
    # Without it the model is offered no tool that runs commands.
    words=lambda prompt: ["-p", prompt, "--yolo"],
    environ=lambda url: {
        "GEMINI_API_KEY": "dummy",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    },
    files=lambda _, __: {".gemini/settings.json": json.dumps(_QUIET)},
)
# Before words of ours that keep a turn going: the client sends them back as a prompt, and no person typed that.
GO_ON = "[Assent] "
