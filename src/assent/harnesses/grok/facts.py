"""Grok CLI: its names, and how we listen to it. Facts measured on client 1.0.41."""

from collections.abc import Mapping

from assent.harnesses import names
from assent.harnesses.base import Facts, Subscription, Trial, Version
from assent.protocol import modes

NAME = "grok"
TITLE = names.TITLES[NAME]
PROGRAM = names.PROGRAMS[NAME]
TESTED: Version = (1, 0, 41)

SESSION_VARIABLE = "GROK_SESSION_ID"
PID_VARIABLE = ""
PROJECT_VARIABLE = "GROK_WORKSPACE_ROOT"
# Its commands have the session's id, too; this one only its hooks have.
MARKER = "GROK_HOOK_EVENT"
VARIABLES: tuple[str, ...] = (PROJECT_VARIABLE, MARKER)
BYPASS = (b'"permission_mode"', b'"bypassPermissions"')


def environment(project: str) -> dict[str, str]:
    """The variables by which a session in this project is known."""
    return {PROJECT_VARIABLE: project}


FACTS = Facts(
    changes_input=frozenset({"PreToolUse", "PermissionRequest"}),
    # An allow says only that nothing is against it: where the client asks, it goes on to ask.
    allows_in=frozenset({modes.BYPASS}),
    most_continuations=8,
    dialog_beside=False,
    tells_attended=False,
)

_OBSERVED = (
    "SessionStart UserPromptSubmit PostToolUse PostToolUseFailure PermissionDenied Notification SubagentStart "
    "StopFailure PreCompact PostCompact SessionEnd"
)
# Its default of 5 seconds is too short even for a start of the hub.
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    "PreToolUse": Subscription("PreToolUse", "shim", 630, may_hold=True),
    **{name: Subscription(name, "shim", 3630, may_hold=True) for name in ("Stop", "SubagentStop")},
    **{name: Subscription(name, "shim", 10) for name in _OBSERVED.split()},
    "StopCancelled": Subscription("StopCancelled", "shim", 10, becomes="StopFailure"),
}

_CONFIG = """
[models]
default = "scripted"
[model.scripted]
model = "scripted"
base_url = "{url}/v1"
api_key = "dummy"
api_backend = "chat_completions"
context_window = 100000
"""
TRIAL: Trial | None = Trial(
    "chat",
    runs=lambda command: ("run_terminal_command", {"command": command, "description": "Tried"}),
    words=lambda prompt: ["-p", prompt, "-m", "scripted", "--always-approve"],
    environ=lambda url: {
        "XAI_API_KEY": "dummy",
        "GROK_DISABLE_AUTOUPDATER": "1",
        "GROK_TELEMETRY_ENABLED": "0",
        "GROK_MODELS_BASE_URL": f"{url}/v1",
        "GROK_CLI_CHAT_PROXY_BASE_URL": url,
    },
    files=lambda url, _project: {".grok/config.toml": _CONFIG.format(url=url)},
)
