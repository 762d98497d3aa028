"""Decode what Codex sends into Assent's events: names as they are, tools as what they do."""

from collections.abc import Callable, Mapping
from typing import Any

from assent.harnesses import apply_patch
from assent.harnesses import payload as payloads
from assent.harnesses.codex.facts import BYPASS, NAME
from assent.protocol import modes
from assent.protocol.events import Event, ToolEvent, with_client, with_operation
from assent.protocol.operations import (
    Asked,
    Choice,
    Mcp,
    Operation,
    Other,
    Patch,
    Question,
    Read,
    Shell,
    Subagent,
)
from assent.protocol.record import Client

Given = dict[str, Any]

MCP = "mcp__"
_NOTHING: Mapping[str, str] = {}
_CLIENT = Client(harness=NAME)


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:  # noqa: ARG001
    """The event these bytes are. ``event_name`` is what the sender claims; empty trusts the payload."""
    raw = payloads.read_object(payload)
    name = payloads.event_name(raw, "hook_event_name", event_name)
    mode, given = raw.get("permission_mode"), raw.get("tool_input")
    if isinstance(mode, str):
        raw["permission_mode"] = modes.canonical(mode)
    if name == "UserPromptSubmit" and isinstance(raw.get("agent_id"), str):
        # The task of a sub-agent, which its parent wrote: no person said this.
        raw["hook_event_name"] = name = "SubagentPrompt"
    if raw.get("tool_name") == "apply_patch" and isinstance(given, dict) and isinstance(given.get("command"), str):
        # It asks about the same patch without the line break at its end.
        raw["tool_input"] = {**given, "command": given["command"].rstrip("\n")}
    event = payloads.event(name, raw)
    if isinstance(event, ToolEvent):
        with_operation(event, operation(event.tool_name, event.tool_input))
    return with_client(event, _CLIENT)


def may_drop_prompts(payload: bytes) -> bool:
    """Whether a payload that could not be read may be of a session in which nothing is asked."""
    return BYPASS[1] in payload


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


def _text(given: Given, name: str) -> str | None:
    value = given.get(name)
    return value if isinstance(value, str) else None


def _shell(given: Given) -> Operation:
    """A line that only hands over a patch is the patch: the client does it without starting a shell."""
    command = _text(given, "command")
    files = apply_patch.in_command(command) if command is not None else None
    # A second tool types into what runs already, and comes with no event.
    return Shell(command=command, typed_unseen=True) if files is None else Patch(files=files)


def _question(given: Given) -> Operation:
    questions = given.get("questions")
    entries = [each for each in questions if isinstance(each, dict)] if isinstance(questions, list) else []
    return Question(
        questions=tuple(
            Asked(question=asked, header=_text(each, "header") or "", choices=_choices(each.get("options")))
            for each in entries
            if (asked := _text(each, "question")) is not None
        )
    )


def _choices(options: object) -> tuple[Choice, ...]:
    entries = [each for each in options if isinstance(each, dict)] if isinstance(options, list) else []
    return tuple(
        Choice(label=label, description=_text(each, "description") or "")
        for each in entries
        if (label := _text(each, "label")) is not None
    )


_MAKERS: dict[str, Callable[[Given], Operation]] = {
    "Bash": _shell,
    "apply_patch": lambda given: Patch(files=apply_patch.files_of(_text(given, "command") or "")),
    "view_image": lambda given: Read(path=_text(given, "path")),
    "spawn_agent": lambda given: Subagent(prompt=_text(given, "message") or "", kind=_text(given, "agent_type") or ""),
    "request_user_input": _question,
}
_UNKNOWN = Other()
_BOOKS = Other(does="bookkeeping")
_OTHERS: dict[str, Other] = {
    **dict.fromkeys(("update_plan", "get_goal", "create_goal", "update_goal", "tool_search", "wait_agent"), _BOOKS),
    "close_agent": Other(does="ends", words="End a sub-agent"),
    "resume_agent": Other(is_described=True, words="Go on with a sub-agent"),
    "send_input": Other(is_described=True, words="Send a message to a sub-agent"),
}
_MAIN_FIELDS = {"Bash": "command", "view_image": "path"}
