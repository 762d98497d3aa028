"""Claude Code: its names, and how we listen to it. Facts measured on client 2.1.325."""

from collections.abc import Mapping

from assent.harnesses import names
from assent.harnesses.base import Facts, Subscription, Trial, Version
from assent.protocol import modes

NAME = names.DEFAULT
TITLE = names.TITLES[NAME]
PROGRAM = names.PROGRAMS[NAME]
TESTED: Version = (2, 1, 325)

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
PID_VARIABLE = "CLAUDE_PID"
# Others set CLAUDE_PROJECT_DIR, too, and what it starts inherits the rest.
MARKER = ""
VARIABLES: tuple[str, ...] = (
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_REMOTE",
    "CLAUDE_PROJECT_DIR",
    PID_VARIABLE,
)


def environment(project: str) -> dict[str, str]:
    """The variables by which a session that a person attends in this project is known."""
    return {
        "CLAUDE_CODE_SESSION_ATTENDED": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_PROJECT_DIR": project,
    }


FACTS = Facts(
    changes_input=frozenset({"PreToolUse", "PermissionRequest"}),
    takes_grants=True,
    suggests=True,
    approves_plans=True,
    stops_with_deny=True,
    most_continuations=8,
    # Windows of an editor or a desktop program.
    silent_hosts=frozenset({"claude-vscode", "claude-desktop"}),
    guarded_files=frozenset({".bashrc", ".zshrc", ".envrc", ".mcp.json"}),
    guarded_folders=frozenset({".git", ".claude", ".vscode"}),
    # After 120 seconds, also while a hook still works on its PermissionRequest.
    hasty_modes=frozenset({modes.AUTO, modes.BYPASS}),
)

# The client skips HTTP hooks on these without a word.
NO_HTTP = frozenset({"SessionStart", "Setup"})

_HELD = "PreToolUse PermissionRequest PermissionDenied Elicitation"
_HELD_LONG = "Stop SubagentStop"
_AT_ONCE = (
    "UserPromptSubmit SessionStart Setup ConfigChange PreCompact PreModelSwitch TeammateIdle TaskCreated TaskCompleted "
    # Not a gate, but over HTTP its failure is the last line every unattended run without a hub would print.
    "SessionEnd"
)
_OBSERVED = (
    "InstructionsLoaded UserPromptExpansion PostToolUse PostToolUseFailure Notification "
    "SubagentStart StopFailure PostCompact PostModelSwitch CwdChanged DirectoryAdded WorktreeRemove ElicitationResult"
)
# Left out on purpose: WorktreeCreate (a silent hook aborts the worktree), MessageDisplay and FileChanged (noise).
SUBSCRIPTIONS: Mapping[str, Subscription] = {
    **{name: Subscription(name, "shim", 630, may_hold=True) for name in _HELD.split()},
    **{name: Subscription(name, "shim", 3630, may_hold=True) for name in _HELD_LONG.split()},
    **{name: Subscription(name, "shim", 10) for name in _AT_ONCE.split()},
    **{name: Subscription(name, "http", 5) for name in _OBSERVED.split()},
}

# Listened to where [hub] tool_batches says so: it repeats the results before it, and costs every call a round trip.
BATCHES: Mapping[str, Subscription] = {"PostToolBatch": Subscription("PostToolBatch", "http", 5)}
# Every entry that may be ours.
KNOWN: Mapping[str, Subscription] = {**SUBSCRIPTIONS, **BATCHES}


def subscribed(*, batches: bool) -> Mapping[str, Subscription]:
    """What an install listens to."""
    return KNOWN if batches else SUBSCRIPTIONS


TRIAL: Trial | None = Trial(
    "messages",
    runs=lambda command: ("Bash", {"command": command, "description": "Tried"}),
    words=lambda prompt: ["-p", prompt],
    environ=lambda url: {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "sk-ant-dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    },
)
