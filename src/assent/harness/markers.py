"""Variables that agents put into the environment of what they start.

Only those that stand nowhere else: an editor that tells its own terminals about an agent (``CLAUDE_CODE_SSE_PORT``,
``CURSOR_TRACE_ID``) tells it the person, too."""

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
