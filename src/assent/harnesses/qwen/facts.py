"""Qwen Code: its names, and how we listen to it. Facts measured on client 0.24.4."""

import json
from collections.abc import Mapping

from assent.harnesses import names
from assent.harnesses.base import Facts, Subscription, Trial, Version

NAME = "qwen"
TITLE = names.TITLES[NAME]
PROGRAM = names.PROGRAMS[NAME]
TESTED: Version = (0, 24, 4)

# It names the session in its payloads alone, and no variable tells its process.
SESSION_VARIABLE = ""
PID_VARIABLE = ""
PROJECT_VARIABLE = "QWEN_PROJECT_DIR"
MARKER = PROJECT_VARIABLE
VARIABLES: tuple[str, ...] = (PROJECT_VARIABLE,)
BYPASS = (b'"permission_mode"', b'"yolo"')
# With one of these it runs no hooks. It takes them from a ``.env`` of the project, too.
NO_HOOK_VARIABLES = ("QWEN_CODE_SIMPLE", "QWEN_CODE_SAFE_MODE")


def environment(project: str) -> dict[str, str]:
    """The variables by which a session in this project is known."""
    return {PROJECT_VARIABLE: project}


FACTS = Facts(
    # Where it asks for a permission; the last look before a call takes no other input.
    changes_input=frozenset({"PermissionRequest"}),
    approves_plans=True,
    permission_first=True,
    most_continuations=8,
    dialog_beside=False,
    tells_attended=False,
)

_HELD = "PermissionRequest PreToolUse"
_AT_ONCE = "SessionStart SessionEnd UserPromptSubmit PreCompact"
_OBSERVED = (
    "PostToolUse PostToolUseFailure PermissionDenied Notification SubagentStart SubagentStop StopFailure PostCompact "
    "InstructionsLoaded"
)
# Left out: MessageDisplay and PostToolBatch, which repeat what others say, and those about its lists and its own files.
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    **{name: Subscription(name, "shim", 630, may_hold=True) for name in _HELD.split()},
    "Stop": Subscription("Stop", "shim", 3630, may_hold=True),
    **{name: Subscription(name, "shim", 10) for name in (*_AT_ONCE.split(), *_OBSERVED.split())},
}

_SETTINGS = {
    "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
    "telemetry": {"enabled": False},
    "model": {"name": "scripted"},
}
TRIAL: Trial | None = Trial(
    "chat",
    runs=lambda command: ("run_shell_command", {"command": command, "description": "Tried", "is_background": False}),
    # Without this it declines what it would ask about, and no hook hears of it.
    words=lambda prompt: ["-p", prompt, "--yolo"],
    environ=lambda url: {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "scripted"},
    files=lambda _url, _project: {".qwen/settings.json": json.dumps(_SETTINGS, indent=4)},
)
