"""Decode what Qwen Code sends into Assent's events."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from assent.harnesses import payload as payloads
from assent.harnesses.qwen.facts import NAME, PROJECT_VARIABLE
from assent.protocol import modes
from assent.protocol.events import Event, ToolEvent, with_client, with_operation
from assent.protocol.operations import (
    Asked,
    Cell,
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

MCP = "mcp__"
_NOTHING: Mapping[str, str] = {}
_MODES = {"yolo": modes.BYPASS, "auto_edit": modes.ACCEPT_EDITS}


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:
    """The event these bytes are. ``event_name`` is what the sender claims; empty trusts the payload."""
    raw = payloads.read_object(payload)
    name = payloads.event_name(raw, "hook_event_name", event_name)
    mode = raw.get("permission_mode")
    if isinstance(mode, str):
        raw["permission_mode"] = _MODES.get(mode, mode)
    if name == "UserPromptSubmit" and not _was_typed(raw):
        # It comes with every result of a tool, too: no person said anything.
        name = raw["hook_event_name"] = "ToolResultsSubmit"
    if "crons" in raw:
        raw["session_crons"] = raw.pop("crons")
    event = payloads.event(name, raw)
    if isinstance(event, ToolEvent):
        with_operation(event, operation(event.tool_name, event.tool_input))
    return with_client(event, Client(harness=NAME, project=env.get(PROJECT_VARIABLE, "")))


def _was_typed(raw: Given) -> bool:
    typed = raw.get("submitted_prompt", raw.get("prompt"))
    return isinstance(typed, str) and bool(typed.strip())


def may_drop_prompts(_payload: bytes) -> bool:
    """A prompt that we ask for opens in every mode, or denies where it cannot be seen."""
    return False


def operation(tool: str, given: Given) -> Operation:
    """Never raises: input that does not fit leaves fields open."""
    make = _MAKERS.get(tool)
    if make is not None:
        return make(given)
    if tool.startswith(MCP):
        server, _, name = tool[len(MCP) :].partition("__")
        return Mcp(server=server, tool=name)
    return _OTHERS.get(tool, _UNKNOWN)


def main_field(tool: str) -> str | None:
    return _MAIN_FIELDS.get(tool)


def _text(given: Given, *names: str) -> str | None:
    return next((value for name in names if isinstance(value := given.get(name), str)), None)


def _edit(given: Given) -> Operation:
    new = _text(given, "new_string")
    path = _text(given, "file_path")
    if new is None:
        return Edit(path=path)
    old = _text(given, "old_string")
    if old == "":
        return Write(path=path, content=new)
    return Edit(path=path, replacements=(Replacement(old=old, new=new, everywhere=given.get("replace_all") is True),))


def _notebook_edit(given: Given) -> Operation:
    source, mode = _text(given, "new_source"), given.get("edit_mode")
    path = _text(given, "notebook_path")
    if source is None:
        return Edit(path=path)
    change: Literal["replace", "insert", "delete"] = mode if mode in ("insert", "delete") else "replace"
    return Edit(path=path, cell=Cell(id=_text(given, "cell_id"), source=source, change=change))


def _search(kind: Literal["content", "names", "list"]) -> Callable[[Given], Operation]:
    def make(given: Given) -> Operation:
        path = given.get("path")
        return Search(
            kind=kind,
            path=path if path is None or isinstance(path, str) else "",
            pattern=_text(given, "pattern") or "",
            files=_text(given, "glob") or "",
        )

    return make


def _question(given: Given) -> Operation:
    questions = given.get("questions")
    asked = [each for each in questions if isinstance(each, dict)] if isinstance(questions, list) else []
    return Question(questions=tuple(map(_asked, asked)))


def _asked(given: Given) -> Asked:
    options = given.get("options")
    choices = [each for each in options if isinstance(each, dict)] if isinstance(options, list) else []
    return Asked(
        question=_text(given, "question") or "?",
        header=_text(given, "header") or "",
        choices=tuple(
            Choice(label=_text(each, "label") or "", description=_text(each, "description") or "") for each in choices
        ),
        takes_several=given.get("multiSelect") is True,
    )


_MAKERS: dict[str, Callable[[Given], Operation]] = {
    "run_shell_command": lambda given: Shell(command=_text(given, "command")),
    "monitor": lambda given: Shell(command=_text(given, "command"), may_follow=True),
    "write_file": lambda given: Write(path=_text(given, "file_path"), content=_text(given, "content")),
    "edit": _edit,
    "notebook_edit": _notebook_edit,
    "read_file": lambda given: Read(path=_text(given, "file_path", "absolute_path")),
    "zoom_image": lambda given: Read(path=_text(given, "file_path", "absolute_path", "path")),
    "grep_search": _search("content"),
    "glob": _search("names"),
    "list_directory": _search("list"),
    "web_fetch": lambda given: Fetch(url=_text(given, "url")),
    "web_search": lambda given: Fetch(query=_text(given, "query") or ""),
    "agent": lambda given: Subagent(
        prompt=_text(given, "prompt") or "",
        kind=_text(given, "subagent_type") or "",
        description=_text(given, "description") or "",
    ),
    "ask_user_question": _question,
    "exit_plan_mode": lambda given: Plan(text=_text(given, "plan")),
    "skill": lambda given: Other(is_described=True, words=f"Use the skill {_text(given, 'skill') or '?'}"),
}
_UNKNOWN = Other()
_BOOKS = Other(does="bookkeeping")
_OTHERS: dict[str, Other] = {
    **dict.fromkeys(("list_agents", "cron_list", "tool_search", "structured_output", "report_findings"), _BOOKS),
    **dict.fromkeys(("task_create", "task_update", "task_list", "get_goal", "update_goal"), _BOOKS),
    "todo_write": Other(does="bookkeeping", words="Update the to-do list"),
    "enter_plan_mode": Other(does="bookkeeping", words="Start planning"),
    "task_stop": Other(does="ends", words="End a background task"),
    "read_mcp_resource": Other(does="resource", words="Read from a server"),
    "cron_create": Other(does="later", words="Schedule a prompt for later"),
    "loop_wakeup": Other(does="later", words="Wake up later"),
}
_MAIN_FIELDS = {
    **dict.fromkeys(("run_shell_command", "monitor"), "command"),
    **dict.fromkeys(("read_file", "edit", "write_file"), "file_path"),
    **dict.fromkeys(("grep_search", "glob", "list_directory"), "path"),
    "notebook_edit": "notebook_path",
    "web_fetch": "url",
    "web_search": "query",
}
