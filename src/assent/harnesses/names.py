"""What people call the harnesses, and the variables they put into the environment of what they start.

It imports nothing, so that every verb and screen may use it."""

DEFAULT = "claude-code"
TITLES = {
    DEFAULT: "Claude Code",
    "copilot": "Copilot CLI",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "qwen": "Qwen Code",
    "grok": "Grok CLI",
    "opencode": "opencode",
    "acp": "ACP agent",
}
# Where a sentence has little room; also for agents that are named in records of others.
SHORT = {
    DEFAULT: "Claude",
    "claude_code": "Claude",
    "copilot": "Copilot",
    "codex": "Codex",
    "gemini": "Gemini",
    "qwen": "Qwen",
    "grok": "Grok",
    "opencode": "opencode",
    "acp": "ACP agent",
}
PROGRAMS = {
    DEFAULT: "claude",
    "copilot": "copilot",
    "codex": "codex",
    "gemini": "gemini",
    "qwen": "qwen",
    "grok": "grok",
    "opencode": "opencode",
    "acp": "assent acp",
}
# The user's own settings, as they are written in a text.
SETTINGS = {
    DEFAULT: "~/.claude/settings.json",
    "copilot": "~/.copilot/hooks/assent.json",
    "codex": "~/.codex/hooks.json",
    "gemini": "~/.gemini/settings.json",
    "qwen": "~/.qwen/settings.json",
    "grok": "~/.grok/hooks/assent.json",
    "opencode": "~/.config/opencode/plugins/assent.js",
}

# Variables that move the files in which a client keeps the rules that its user wrote.
RULES_MOVED_BY = ("CLAUDE_CONFIG_DIR",)

# Tools whose name says nothing to people; the others are called as they are.
TOOLS: dict[str, dict[str, str]] = {
    DEFAULT: {
        "ExitPlanMode": "Plan",
        "EnterPlanMode": "Plan mode",
        "AskUserQuestion": "Question",
        "TodoWrite": "To-do list",
        "MultiEdit": "Edit",
        "NotebookEdit": "Edit notebook",
        "NotebookRead": "Read notebook",
        "WebFetch": "Fetch",
        "WebSearch": "Search the web",
        "ToolSearch": "Search tools",
        "SlashCommand": "Command",
        "BashOutput": "Output of a command",
        "KillShell": "End a command",
        "KillBash": "End a command",
        "Agent": "Sub-agent",
        "Task": "Sub-agent",
        "TaskCreate": "Task",
        "TaskUpdate": "Task changed",
        "TaskList": "Tasks",
        "TaskGet": "Task",
        "TaskOutput": "Output of a task",
        "TaskStop": "End a task",
        "SendMessage": "Message to an agent",
        "TeamCreate": "Team",
        "TeamDelete": "End a team",
        "EnterWorktree": "Enter worktree",
        "ExitWorktree": "Leave worktree",
        "CronCreate": "Timer",
        "CronDelete": "End a timer",
        "CronList": "Timers",
        "ListMcpResourcesTool": "Resources of a server",
        "ReadMcpResourceTool": "Read from a server",
    },
    "codex": {
        "apply_patch": "Edit",
        "view_image": "Read image",
        "spawn_agent": "Sub-agent",
        "send_input": "Message to an agent",
        "resume_agent": "Go on with an agent",
        "wait_agent": "Wait for an agent",
        "close_agent": "End an agent",
        "request_user_input": "Question",
        "update_plan": "To-do list",
        "get_goal": "Goal",
        "create_goal": "Goal",
        "update_goal": "Goal changed",
        "tool_search": "Search tools",
    },
    "gemini": {
        "run_shell_command": "Shell",
        "write_file": "Write",
        "replace": "Edit",
        "read_file": "Read",
        "read_many_files": "Read files",
        "list_directory": "List",
        "grep_search": "Search",
        "web_fetch": "Fetch",
        "google_web_search": "Search the web",
        "invoke_agent": "Sub-agent",
        "ask_user": "Question",
        "exit_plan_mode": "Plan",
        "enter_plan_mode": "Plan mode",
        "write_todos": "To-do list",
        "activate_skill": "Skill",
    },
    "qwen": {
        "run_shell_command": "Shell",
        "write_file": "Write",
        "edit": "Edit",
        "read_file": "Read",
        "grep_search": "Search",
        "glob": "Find files",
        "list_directory": "List",
        "web_fetch": "Fetch",
        "web_search": "Search the web",
        "agent": "Sub-agent",
        "todo_write": "To-do list",
        "ask_user_question": "Question",
        "exit_plan_mode": "Plan",
    },
    "grok": {
        "run_terminal_command": "Shell",
        "write": "Write",
        "search_replace": "Edit",
        "read_file": "Read",
        "grep": "Search",
        "list_dir": "List",
        "web_search": "Search the web",
        "spawn_subagent": "Sub-agent",
        "ask_user_question": "Question",
        "exit_plan_mode": "Plan",
    },
    "opencode": {
        "todowrite": "To-do list",
        "todoread": "To-do list",
        "webfetch": "Fetch",
        "websearch": "Search the web",
        "apply_patch": "Edit",
        "task": "Sub-agent",
        "invalid": "Call that does not fit",
    },
    "acp": {
        "execute": "Command",
        "terminal/create": "Command in the editor",
        "fs/write_text_file": "Write in the editor",
        "edit": "Edit",
        "delete": "Delete",
        "move": "Move",
        "read": "Read",
        "search": "Search",
        "fetch": "Fetch",
        "think": "Think",
        "switch_mode": "Plan",
        "other": "Tool",
    },
}
_MCP = "mcp__"


def tool(name: str, harness: str = DEFAULT) -> str:
    """A tool as people read it: ``mcp__github__get_issue`` is ``github: get issue``."""
    if name.startswith(_MCP):
        server, _, rest = name.removeprefix(_MCP).partition("__")
        return f"{server}: {rest.replace('_', ' ')}" if rest else server
    return TOOLS.get(base(harness), {}).get(name, name)


def base(harness: str) -> str:
    """The name of the module. What one proxy says of many agents is told apart behind a colon: ``acp:gemini-cli``."""
    return harness.partition(":")[0]


def short(harness: str) -> str:
    """What people call it where a sentence has little room; "" for one that is not known."""
    name, behind, agent = harness.partition(":")
    if not behind:
        return SHORT.get(name, "")
    plain = agent.lower()
    known = (SHORT.get(each) for each in (plain, plain.removesuffix("-cli"), plain.removesuffix("-code")))
    return f"{next(filter(None, known), agent)} ({name.upper()})"


# Of the harness that is meant where none is named.
TITLE, AGENT, PROGRAM = TITLES[DEFAULT], SHORT[DEFAULT], PROGRAMS[DEFAULT]


def filled(text: str | None) -> str | None:
    """A help text with these names in it."""
    if text is None:
        return None
    for mark, name in (("{title}", TITLE), ("{program}", PROGRAM), ("{settings}", SETTINGS[DEFAULT])):
        text = text.replace(mark, name)
    return text


MARKERS: dict[str, str] = {
    "AI_AGENT": "several agents",
    "CLAUDECODE": "Claude Code",
    "CLAUDE_PID": "Claude Code",
    "CLAUDE_CODE_CHILD_SESSION": "Claude Code",
    "CLAUDE_CODE_SESSION_ID": "Claude Code",
    "CLAUDE_CODE_SESSION_ATTENDED": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "GEMINI_CLI": "Gemini CLI",
    "QWEN_CODE": "Qwen Code",
    "CURSOR_AGENT": "Cursor",
    "AUGMENT_AGENT": "Augment",
    "OPENCODE": "opencode",
    "CLINE_ACTIVE": "Cline",
    "GOOSE_TERMINAL": "Goose",
    "COPILOT_CLI": "Copilot CLI",
    "GROK_AGENT": "Grok CLI",
}
