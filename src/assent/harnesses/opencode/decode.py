"""Decode what the plugin in opencode sends into Assent's events."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from assent.harnesses import apply_patch
from assent.harnesses import payload as payloads
from assent.harnesses.base import UnreadableError
from assent.harnesses.opencode.facts import NAME, SUBSCRIPTIONS
from assent.protocol import modes
from assent.protocol.events import AnsweredThere, Event, ToolEvent, with_answer, with_client, with_operation
from assent.protocol.operations import (
    Asked,
    Choice,
    Edit,
    Fetch,
    Mcp,
    Operation,
    Other,
    Patch,
    Question,
    Read,
    Replacement,
    Search,
    Shell,
    Subagent,
    Write,
)
from assent.protocol.record import Client
from assent.protocol.rule_words import MCP

Given = dict[str, Any]

_NOTHING: Mapping[str, str] = {}
# What the plugin's fields are called here. Those not named keep their name in what is recorded.
_FIELDS = {
    "tool": "tool_name",
    "args": "tool_input",
    "use": "tool_use_id",
    "result": "tool_response",
    "last": "last_assistant_message",
}
# They go into the client, not into the event.
_ABOUT_CLIENT = frozenset({"project", "attended"})
# Sub-agents are sessions of their own there; here they are agents of the session that started them.
_OF_SUBAGENTS = {"session.created": "SubagentStart", "session.idle": "SubagentStop"}


# A dialog of its own was answered.
_ANSWERS = ("permission.replied", "question.replied")


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:  # noqa: ARG001
    """The event these bytes are, by the name that the plugin sent them for."""
    sent = payloads.read_object(payload)
    subscription = SUBSCRIPTIONS.get(event_name)
    if not isinstance(sent.get("session_id"), str) or not event_name:
        raise UnreadableError("it names no session" if event_name else "it does not name its event")
    told = sent.get("event")
    raw = payloads.renamed({name: value for name, value in sent.items() if name not in _ABOUT_CLIENT}, _FIELDS)
    is_subagent = isinstance(sent.get("agent_id"), str)
    name = (is_subagent and _OF_SUBAGENTS.get(event_name)) or (subscription and subscription.becomes) or event_name
    if is_subagent and name == "SessionEnd":
        # Its session goes on.
        name = event_name
    raw["hook_event_name"] = name
    raw.update(_read(event_name, told) if isinstance(told, dict) else {})
    raw["permission_mode"] = _mode(sent)
    event = payloads.event(name, raw)
    if isinstance(event, ToolEvent):
        with_operation(event, operation(event.tool_name, event.tool_input))
    elif event_name in _ANSWERS:
        with_answer(event, AnsweredThere(call=str(sent.get("use") or ""), words=_answer(told)))
    attended = sent.get("attended")
    project = sent.get("project")
    return with_client(
        event,
        Client(
            harness=NAME,
            project=project if isinstance(project, str) else "",
            attended=attended if isinstance(attended, bool) else None,
        ),
    )


def _read(event_name: str, told: Given) -> Given:
    """What an event of the client says in fields of ours."""
    match event_name, told:
        case "session.error", {"error": {"data": {"message": str(message)}}}:
            return {"error": message}
        case "session.error", {"error": {"name": str(name)}}:
            return {"error": name}
        case "message.part.updated", {"error": str(error)}:
            return {"error": error}
        case "permission.replied" | "question.replied", _:
            return {"message": f"{_answer(told).capitalize()}.", "notification_type": "answered"}
    return {}


def _mode(sent: Given) -> modes.Mode:
    if sent.get("agent") == "plan":
        return modes.PLAN
    return modes.BYPASS if sent.get("asks") is False else modes.DEFAULT


def _answer(told: Any) -> str:
    """What a person answered in the client, for a sentence."""
    match told:
        case {"answers": [_, *_]}:
            return "answered in its terminal"
        case {"reply": "once"}:
            return "allowed at the terminal"
        case {"reply": "always"}:
            return "allowed at the terminal, and from now on until opencode ends"
    return "denied at the terminal"


def may_drop_prompts(payload: bytes) -> bool:
    """Whether the client would run the call without asking; where that cannot be seen, too."""
    return b'"asks":true' not in payload


# --- tools


def _text(given: Given, *names: str) -> str | None:
    return next((value for name in names if isinstance(value := given.get(name), str)), None)


def operation(tool: str, given: Given) -> Operation:
    """Never raises: input that does not fit leaves fields open."""
    if tool.startswith(MCP):
        server, _, name = tool.removeprefix(MCP).partition("__")
        return Mcp(server=server, tool=name)
    make = _MAKERS.get(tool)
    return make(given) if make is not None else _OTHERS.get(tool, _UNKNOWN)


def main_field(tool: str) -> str | None:
    return _MAIN_FIELDS.get(tool)


def _edit(given: Given) -> Operation:
    path, new = _text(given, "filePath"), _text(given, "newString")
    if new is None:
        return Edit(path=path)
    replacement = Replacement(old=_text(given, "oldString"), new=new, everywhere=given.get("replaceAll") is True)
    return Edit(path=path, replacements=(replacement,))


def _search(kind: Literal["content", "names", "list"]) -> Callable[[Given], Operation]:
    return lambda given: Search(
        kind=kind,
        path=_text(given, "path"),
        pattern=_text(given, "pattern") or "",
        files=_text(given, "include") or "",
    )


def _question(given: Given) -> Operation:
    asked = given.get("questions")
    read = [_asked(each) for each in asked] if isinstance(asked, list) else []
    # Answers go by their place, so one that cannot be read leaves all of them open.
    return Question(questions=tuple(each for each in read if each) if all(read) else ())


def _asked(given: Any) -> Asked | None:
    if not isinstance(given, dict) or (question := _text(given, "question")) is None:
        return None
    options = given.get("options")
    offered = [each for each in options if isinstance(each, dict)] if isinstance(options, list) else []
    return Asked(
        question=question,
        header=_text(given, "header") or "",
        choices=tuple(
            Choice(label=label, description=_text(each, "description") or "")
            for each in offered
            if (label := _text(each, "label"))
        ),
        takes_several=given.get("multiple") is True,
    )


def _skill(given: Given) -> Operation:
    name = _text(given, "name")
    return Other(is_described=True, names=(name,) if name else (), words=f"Use the skill {name}" if name else "")


_MAKERS: dict[str, Callable[[Given], Operation]] = {
    "bash": lambda given: Shell(command=_text(given, "command")),
    "write": lambda given: Write(path=_text(given, "filePath"), content=_text(given, "content")),
    "edit": _edit,
    "apply_patch": lambda given: Patch(files=apply_patch.files_of(_text(given, "patchText") or "")),
    "read": lambda given: Read(path=_text(given, "filePath")),
    "grep": _search("content"),
    "glob": _search("names"),
    "list": _search("list"),
    "webfetch": lambda given: Fetch(url=_text(given, "url")),
    "websearch": lambda given: Fetch(query=_text(given, "query") or ""),
    "task": lambda given: Subagent(
        prompt=_text(given, "prompt") or "",
        kind=_text(given, "subagent_type") or "",
        description=_text(given, "description") or "",
    ),
    "question": _question,
    "skill": _skill,
}
_UNKNOWN = Other()
_OTHERS: dict[str, Other] = {
    # "invalid": the client tells the model that its call does not fit, and runs nothing.
    **dict.fromkeys(("todowrite", "todoread", "invalid"), Other(does="bookkeeping")),
}
_MAIN_FIELDS = {
    "bash": "command",
    **dict.fromkeys(("write", "edit", "read"), "filePath"),
    **dict.fromkeys(("grep", "glob", "list"), "path"),
    "webfetch": "url",
}
