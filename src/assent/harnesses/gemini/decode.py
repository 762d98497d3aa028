"""Decode what Gemini CLI sends into Assent's events."""

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from assent.harnesses import payload as payloads
from assent.harnesses.base import UnreadableError
from assent.harnesses.gemini import process
from assent.harnesses.gemini.facts import CI_VARIABLES, GO_ON, NAME, PID_VARIABLE, PROJECT_VARIABLE, SUBSCRIPTIONS
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
_NOTIFICATIONS = {"ToolPermission": "permission_prompt"}
_MCP, _OWN_MCP = "mcp__", "mcp_"
_URL = re.compile(r"https?://[^\s\"'<>)\]]+")


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:
    """The event these bytes are. A payload on record has Assent's names already."""
    raw = payloads.read_object(payload)
    name = payloads.event_name(raw, "hook_event_name", event_name)
    if not isinstance(raw.get("session_id"), str):
        raise UnreadableError("it names no session")
    subscription = SUBSCRIPTIONS.get(name)
    raw["hook_event_name"] = subscription.becomes if subscription else name
    if subscription is not None and (adapt := _ADAPTED.get(name)) is not None:
        adapt(raw)
    event = payloads.event(raw["hook_event_name"], raw)
    if isinstance(event, ToolEvent):
        with_operation(event, operation(event.tool_name, event.tool_input))
    return with_client(event, _client(env))


def _client(env: Mapping[str, str]) -> Client:
    number = env.get(PID_VARIABLE, "")[:10]
    pid = int(number) if number.isascii() and number.isdigit() else None
    attended = process.is_attended(pid) if pid is not None else None
    if attended and any(env.get(name) == "true" for name in CI_VARIABLES):
        attended = False
    return Client(harness=NAME, project=env.get(PROJECT_VARIABLE, ""), pid=pid, attended=attended)


# --- events in our names


def _prompt(raw: Given) -> None:
    """Words of ours that kept a turn going come back as a prompt, which no person typed."""
    if isinstance(prompt := raw.get("prompt"), str) and prompt.startswith(GO_ON):
        raw["hook_event_name"] = "BeforeAgent"


def _call(raw: Given) -> None:
    context, given = raw.get("mcp_context"), raw.get("tool_input")
    if isinstance(context, dict):
        server, tool = context.get("server_name"), context.get("tool_name")
        if isinstance(server, str) and isinstance(tool, str):
            # In the name alone nothing tells where the server's name ends.
            raw["tool_name"] = f"{_MCP}{server}__{tool}"
    if raw.get("tool_name") == "run_shell_command" and isinstance(given, dict):
        folder, cwd = given.get("dir_path"), raw.get("cwd")
        if isinstance(folder, str) and isinstance(cwd, str):
            # Where it runs is where it is judged.
            raw["cwd"] = os.path.normpath(os.path.join(cwd, folder))  # noqa: PTH118 - text, on every event


def _result(raw: Given) -> None:
    _call(raw)
    response = raw.get("tool_response")
    error = response.get("error") if isinstance(response, dict) else None
    if error:
        raw["hook_event_name"] = "PostToolUseFailure"
        raw["error"] = str(error.get("message") or error.get("type") or "") if isinstance(error, dict) else str(error)


def _turn_end(raw: Given) -> None:
    raw["last_assistant_message"] = raw.pop("prompt_response", None)


def _notification(raw: Given) -> None:
    kind = raw.get("notification_type")
    if isinstance(kind, str):
        raw["notification_type"] = _NOTIFICATIONS.get(kind, kind)


_ADAPTED: dict[str, Callable[[Given], None]] = {
    "BeforeAgent": _prompt,
    "BeforeTool": _call,
    "AfterTool": _result,
    "AfterAgent": _turn_end,
    "Notification": _notification,
}


def may_drop_prompts(_payload: bytes) -> bool:
    """A prompt that we ask for opens in every mode; where it could not be seen we ask for none."""
    return False


# --- calls


def _text(given: Given, *names: str) -> str | None:
    return next((value for name in names if isinstance(value := given.get(name), str)), None)


def operation(tool: str, given: Given) -> Operation:
    """Never raises: input that does not fit leaves fields open."""
    if tool.startswith(_MCP):
        server, _, name = tool.removeprefix(_MCP).partition("__")
        return Mcp(server=server, tool=name)
    make = _MAKERS.get(tool)
    if make is not None:
        return make(given)
    if tool.startswith(_OWN_MCP):
        server, _, name = tool.removeprefix(_OWN_MCP).partition("_")
        return Mcp(server=server, tool=name)
    return _OTHERS.get(tool, _UNKNOWN)


def main_field(tool: str) -> str | None:
    return _MAIN_FIELDS.get(tool)


def _replace(given: Given) -> Operation:
    path, old, new = _text(given, "file_path"), _text(given, "old_string"), _text(given, "new_string")
    if new is None:
        return Edit(path=path)
    if old == "":
        return Write(path=path, content=new)
    change = Replacement(old=old, new=new, everywhere=given.get("allow_multiple") is True)
    return Edit(path=path, replacements=(change,))


def _fetch(given: Given) -> Operation:
    """Older versions name a page, newer ones a text with pages in it; of several none stands for all."""
    if (url := _text(given, "url")) is not None:
        return Fetch(url=url)
    pages = set(_URL.findall(_text(given, "prompt") or ""))
    return Fetch(url=pages.pop() if len(pages) == 1 else None)


def _question(given: Given) -> Operation:
    questions = given.get("questions")
    return Question(
        questions=tuple(
            Asked(
                question=_text(each, "question") or "",
                header=_text(each, "header") or "",
                choices=tuple(_choices(each.get("options"))),
                takes_several=each.get("multiSelect") is True,
            )
            for each in (questions if isinstance(questions, list) else ())
            if isinstance(each, dict)
        )
    )


def _choices(options: object) -> list[Choice]:
    return [
        Choice(label=_text(each, "label") or "", description=_text(each, "description") or "")
        for each in (options if isinstance(options, list) else ())
        if isinstance(each, dict)
    ]


_MAKERS: dict[str, Callable[[Given], Operation]] = {
    "run_shell_command": lambda given: Shell(command=_text(given, "command")),
    "write_file": lambda given: Write(path=_text(given, "file_path"), content=_text(given, "content")),
    "replace": _replace,
    "read_file": lambda given: Read(path=_text(given, "file_path", "absolute_path")),
    "list_directory": lambda given: Search(kind="list", path=_text(given, "dir_path", "path")),
    "glob": lambda given: Search(
        kind="names", path=_text(given, "dir_path", "path"), pattern=_text(given, "pattern") or ""
    ),
    "grep_search": lambda given: Search(
        kind="content",
        path=_text(given, "dir_path", "path"),
        pattern=_text(given, "pattern") or "",
        files=_text(given, "include_pattern", "include") or "",
    ),
    "web_fetch": _fetch,
    "google_web_search": lambda given: Fetch(query=_text(given, "query")),
    "invoke_agent": lambda given: Subagent(prompt=_text(given, "prompt") or "", kind=_text(given, "agent_name") or ""),
    "ask_user": _question,
    "exit_plan_mode": lambda given: Plan(file=_text(given, "plan_filename", "plan_path")),
    "activate_skill": lambda given: Other(is_described=True, names=tuple(filter(None, [_text(given, "name")]))),
}
_UNKNOWN = Other()
_BOOKS = Other(does="bookkeeping")
_OTHERS: dict[str, Other] = {
    **dict.fromkeys(
        (
            "write_todos",
            "update_topic",
            "complete_task",
            "enter_plan_mode",
            "get_internal_docs",
            "tracker_create_task",
            "tracker_update_task",
            "tracker_get_task",
            "tracker_list_tasks",
            "tracker_add_dependency",
            "tracker_visualize",
        ),
        _BOOKS,
    ),
    **dict.fromkeys(("list_mcp_resources", "read_mcp_resource"), Other(does="resource")),
}
_MAIN_FIELDS = {
    "run_shell_command": "command",
    **dict.fromkeys(("write_file", "replace", "read_file"), "file_path"),
    **dict.fromkeys(("list_directory", "glob", "grep_search"), "dir_path"),
    "google_web_search": "query",
}
