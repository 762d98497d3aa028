"""What people call the harnesses, and the variables they put into the environment of what they start.

It imports nothing, so that every verb and screen may use it."""

DEFAULT = "claude-code"
TITLES = {DEFAULT: "Claude Code"}
# Where a sentence has little room; also for agents that are named in records of others.
SHORT = {DEFAULT: "Claude", "claude_code": "Claude", "codex": "Codex", "gemini": "Gemini"}
PROGRAMS = {DEFAULT: "claude"}
# The user's own settings, as they are written in a text.
SETTINGS = {DEFAULT: "~/.claude/settings.json"}

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
    "OPENCODE": "OpenCode",
    "CLINE_ACTIVE": "Cline",
    "GOOSE_TERMINAL": "Goose",
    "COPILOT_CLI": "Copilot CLI",
}
