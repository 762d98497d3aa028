"""Decode what Grok CLI sends into Assent's events. It writes most fields twice, in two spellings."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from assent.harnesses import payload as payloads
from assent.harnesses.base import UnreadableError
from assent.harnesses.grok.facts import BYPASS, NAME, PROJECT_VARIABLE
from assent.protocol import modes
from assent.protocol.events import Event, ToolEvent, with_client, with_operation
from assent.protocol.operations import (
    Asked,
    Choice,
    Edit,
    Fetch,
    Mcp,
    Operation,
    Other,
    Plan,
    Question,
    Read,
    Replacement,
    Search,
    Shell,
    Subagent,
    Write,
)
from assent.protocol.record import Client

Given = dict[str, Any]

_NOTHING: Mapping[str, str] = {}
# In its own spelling. Those above the line it writes in both.
_FIELDS = {
    "sessionId": "session_id",
    "transcriptPath": "transcript_path",
    "permissionMode": "permission_mode",
    "toolName": "tool_name",
    "toolInput": "tool_input",
    "toolResult": "tool_response",
    "toolUseId": "tool_use_id",
    "durationMs": "duration_ms",
    # ---
    "promptId": "prompt_id",
    "subagentType": "agent_type",
    "subagentId": "agent_id",
    "notificationType": "notification_type",
    "stopHookActive": "stop_hook_active",
    "lastAssistantMessage": "last_assistant_message",
    "backgroundTasks": "background_tasks",
    "sessionCrons": "session_crons",
    "errorDetails": "error_details",
    "customInstructions": "custom_instructions",
}
_SOURCES = {"new": "startup"}
# How a turn ended that did not come to its end.
_CANCELLED = {
    "user_interrupt": "stopped at the terminal",
    "permission_rejected": "a call was refused at the terminal",
    "permission_cancelled": "a call was not allowed",
    "max_turns": "too many rounds",
    "no_progress": "it made no progress",
}


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:
    """The event these bytes are. ``event_name`` is what the sender claims; empty trusts the payload."""
    sent = payloads.read_object(payload)
    name = payloads.event_name(sent, "hook_event_name", event_name)
    if sent.get("toolInputTruncated") is True and name == "PreToolUse":
        raise UnreadableError("the client cut its input off")
    # Of the name of the event the two differ: the other is that of its own table.
    sent.pop("hookEventName", None)
    raw = payloads.renamed(sent, _FIELDS)
    mode = raw.get("permission_mode")
    if isinstance(mode, str):
        raw["permission_mode"] = modes.canonical(mode)
    raw["hook_event_name"] = _kind(name, raw)
    event = payloads.event(raw["hook_event_name"], raw)
    if isinstance(event, ToolEvent):
        with_operation(event, operation(event.tool_name, event.tool_input))
    root = sent.get("workspaceRoot")
    project = env.get(PROJECT_VARIABLE) or (root if isinstance(root, str) else "")
    return with_client(event, Client(harness=NAME, project=project.rstrip("/") or project))


def _kind(name: str, raw: Given) -> str:
    """The name of the event that it is to us."""
    reason = raw.get("reason")
    if name == "Stop" and reason != "end_turn":
        # The session ends, and the turn had ended before.
        return "StopAtShutdown"
    if name == "StopCancelled":
        raw["error"] = _CANCELLED.get(str(reason), "cancelled")
        return "StopFailure"
    if name == "UserPromptSubmit" and "agent_type" in raw:
        # The task that its parent gave it: no person said this.
        return "SubagentPrompt"
    if name == "SessionStart" and isinstance(source := raw.get("source"), str):
        raw["source"] = _SOURCES.get(source, source)
    return name


def is_own(payload: bytes) -> bool:
    """By a key that stands at the top of all it sends."""
    if b'"hookEventName"' not in payload:
        return False
    try:
        sent = payloads.read_object(payload)
    except UnreadableError:
        return False
    return isinstance(sent.get("hookEventName"), str) and isinstance(sent.get("workspaceRoot"), str)


def may_drop_prompts(payload: bytes) -> bool:
    """In this mode it answers its own prompts with yes."""
    return BYPASS[1] in payload


def operation(tool: str, given: Given) -> Operation:
    """Never raises: input that does not fit leaves fields open."""
    make = _MAKERS.get(tool)
    if make is not None:
        return make(given)
    server, separator, name = tool.partition("__")
    return Mcp(server=server, tool=name) if separator else _OTHERS.get(tool, _UNKNOWN)


def main_field(tool: str) -> str | None:
    return _MAIN_FIELDS.get(tool)


def _text(given: Given, *names: str) -> str | None:
    return next((value for name in names if isinstance(value := given.get(name), str)), None)


def _edit(given: Given) -> Operation:
    new, path = _text(given, "new_string"), _text(given, "file_path")
    if new is None:
        return Edit(path=path)
    old = _text(given, "old_string")
    if old == "":
        return Write(path=path, content=new)
    return Edit(path=path, replacements=(Replacement(old=old, new=new, everywhere=given.get("replace_all") is True),))


def _search(kind: Literal["content", "list"], field: str) -> Callable[[Given], Operation]:
    def make(given: Given) -> Operation:
        path = given.get(field)
        return Search(
            kind=kind,
            path=path if path is None or isinstance(path, str) else "",
            pattern=_text(given, "pattern") or "",
            files=_text(given, "glob") or "",
        )

    return make


def _use_tool(given: Given) -> Operation:
    """One tool for those of all servers; the name it passes on is ``server__tool``."""
    server, separator, name = (_text(given, "tool_name") or "").partition("__")
    return Mcp(server=server, tool=name) if separator else _UNKNOWN


def _question(given: Given) -> Operation:
    questions = given.get("questions")
    asked = [each for each in questions if isinstance(each, dict)] if isinstance(questions, list) else []
    return Question(questions=tuple(map(_asked, asked)))


def _asked(given: Given) -> Asked:
    options = given.get("options")
    choices = [each for each in options if isinstance(each, dict)] if isinstance(options, list) else []
    return Asked(
        question=_text(given, "question") or "?",
        choices=tuple(
            Choice(
                label=_text(each, "label") or "",
                description=_text(each, "description") or "",
                preview=_text(each, "preview") or "",
            )
            for each in choices
        ),
        takes_several=given.get("multiSelect") is True,
    )


_MAKERS: dict[str, Callable[[Given], Operation]] = {
    "run_terminal_command": lambda given: Shell(command=_text(given, "command")),
    "monitor": lambda given: Shell(command=_text(given, "command"), may_follow=True),
    "write": lambda given: Write(path=_text(given, "file_path"), content=_text(given, "content")),
    "search_replace": _edit,
    "read_file": lambda given: Read(path=_text(given, "target_file")),
    "grep": _search("content", "path"),
    "list_dir": _search("list", "target_directory"),
    "web_search": lambda given: Fetch(query=_text(given, "query") or ""),
    "web_fetch": lambda given: Fetch(url=_text(given, "url")),
    "spawn_subagent": lambda given: Subagent(
        prompt=_text(given, "prompt") or "",
        kind=_text(given, "subagent_type") or "",
        description=_text(given, "description") or "",
    ),
    "use_tool": _use_tool,
    "ask_user_question": _question,
    "exit_plan_mode": lambda given: Plan(text=_text(given, "plan")),
}
_UNKNOWN = Other()
_BOOKS = Other(does="bookkeeping")
_OTHERS: dict[str, Other] = {
    **dict.fromkeys(("get_command_or_subagent_output", "scheduler_list", "search_tool"), _BOOKS),
    "todo_write": Other(does="bookkeeping", words="Update the to-do list"),
    "enter_plan_mode": Other(does="bookkeeping", words="Start planning"),
    "kill_command_or_subagent": Other(does="ends", words="End a background command"),
    "scheduler_create": Other(does="later", words="Schedule a prompt for later"),
}
_MAIN_FIELDS = {
    **dict.fromkeys(("run_terminal_command", "monitor"), "command"),
    **dict.fromkeys(("write", "search_replace"), "file_path"),
    "read_file": "target_file",
    "list_dir": "target_directory",
    "grep": "path",
    "web_search": "query",
    "web_fetch": "url",
}
