"""Decode what Copilot CLI sends into Assent's events."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from assent.harnesses import apply_patch
from assent.harnesses import payload as payloads
from assent.harnesses.base import UnreadableError
from assent.harnesses.copilot.facts import NAME, PROJECT_VARIABLE, SUBSCRIPTIONS
from assent.harnesses.patches import from_unified
from assent.protocol.events import Event, ToolEvent, with_client, with_operation
from assent.protocol.operations import (
    Asked,
    Choice,
    Edit,
    Fetch,
    Operation,
    Other,
    Patch,
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

# What its fields are called here. Those not named keep their name in what is recorded.
_FIELDS = {
    "sessionId": "session_id",
    "transcriptPath": "transcript_path",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolInput": "tool_input",
    "toolResult": "tool_response",
    "agentId": "agent_id",
    "agentType": "agent_type",
    "customInstructions": "custom_instructions",
    "permissionSuggestions": "permission_suggestions",
}
_NOTHING: Mapping[str, str] = {}
# Where the text of a patch stands here.
PATCH = "patch"
_SOURCES = {"new": "startup"}


def decode(payload: bytes, *, event_name: str, env: Mapping[str, str] = _NOTHING) -> Event:
    """The event these bytes are. Most payloads do not name their event, so the name we are started with counts."""
    sent = payloads.read_object(payload)
    subscription = SUBSCRIPTIONS.get(event_name)
    sent.pop("hook_event_name", None)
    raw = payloads.renamed(sent, _FIELDS)
    raw["hook_event_name"] = subscription.becomes if subscription else event_name
    if not isinstance(raw.get("session_id"), str) or not event_name:
        raise UnreadableError("it names no session" if event_name else "it does not name its event")
    _below_its_parent(raw, event_name)
    if isinstance(given := raw.get("tool_input"), str):
        # Of this tool alone the input is a text, and no object.
        raw["tool_input"] = {PATCH: given} if raw.get("tool_name") == "apply_patch" else _parsed(given)
    if isinstance(error := raw.get("error"), dict):
        raw["error"] = str(error.get("message") or error.get("name") or "")
    if event_name == "sessionStart" and isinstance(source := raw.get("source"), str):
        raw["source"] = _SOURCES.get(source, source)
    event = payloads.event(raw["hook_event_name"], raw)
    if isinstance(event, ToolEvent):
        with_operation(event, operation(event.tool_name, event.tool_input))
    return with_client(event, Client(harness=NAME, project=env.get(PROJECT_VARIABLE, "")))


def _below_its_parent(raw: Given, event_name: str) -> None:
    """Sub-agents are sessions of their own there; here they are agents of the session that started them."""
    parent = raw.get("parentAgentId")
    if not isinstance(raw.get("agent_id"), str) or not isinstance(parent, str):
        return
    raw["session_id"] = parent
    if event_name == "agentStop":
        raw["hook_event_name"] = "SubagentStop"
    elif event_name == "userPromptSubmitted":
        # The task that its parent gave it: no person said this.
        raw["hook_event_name"] = event_name


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _text(given: Given, *names: str) -> str | None:
    return next((value for name in names if isinstance(value := given.get(name), str)), None)


def operation(tool: str, given: Given) -> Operation:
    """Never raises: input that does not fit leaves fields open."""
    make = _MAKERS.get(tool)
    return make(given) if make is not None else _OTHERS.get(tool, _UNKNOWN)


def main_field(tool: str) -> str | None:
    return _MAIN_FIELDS.get(tool)


def may_drop_prompts(_payload: bytes) -> bool:
    """A prompt that we ask for opens, or denies where it cannot be seen, whatever runs unasked."""
    return False


def _edit(given: Given) -> Operation:
    """As it is called, or as its permission request shows it: with the change as a diff."""
    path = _text(given, "path", "file_path")
    diff = given.get("diff")
    if isinstance(diff, str) and path is not None:
        files = from_unified(diff, path)
        if not files:
            return Edit(path=path)
        return Write(path=path, content=files[0].new) if files[0].old is None else Patch(files=files)
    new = _text(given, "new_str", "insert_line_text")
    if new is None:
        return Edit(path=path)
    return Edit(path=path, replacements=(Replacement(old=_text(given, "old_str"), new=new),))


def _editor(given: Given) -> Operation:
    """One tool for several things, told apart by a word."""
    match given.get("command"):
        case "view":
            return Read(path=_text(given, "path"))
        case "create":
            return _create(given)
    return _edit(given)


def _create(given: Given) -> Operation:
    return Write(path=_text(given, "path"), content=_text(given, "file_text"))


def _question(given: Given) -> Operation:
    asked, choices = _text(given, "question", "message"), given.get("choices")
    if asked is None:
        return Question()
    offered = [each for each in choices if isinstance(each, str)] if isinstance(choices, list) else []
    return Question(questions=(Asked(question=asked, choices=tuple(Choice(label=each) for each in offered)),))


def _search(given: Given) -> Operation:
    return Search(
        kind="content",
        path=_text(given, "path"),
        pattern=_text(given, "pattern") or "",
        files=_text(given, "glob") or "",
    )


_MAKERS: dict[str, Callable[[Given], Operation]] = {
    "bash": lambda given: Shell(command=_text(given, "command")),
    "write_bash": lambda given: Shell(command=_text(given, "input"), may_follow=True),
    "create": _create,
    "apply_patch": lambda given: Patch(files=apply_patch.files_of(_text(given, PATCH) or "")),
    "edit": _edit,
    "str_replace": _edit,
    "str_replace_editor": _editor,
    "view": lambda given: Read(path=_text(given, "path")),
    "grep": _search,
    "rg": _search,
    "glob": lambda given: Search(kind="names", path=_text(given, "path"), pattern=_text(given, "pattern") or ""),
    "web_fetch": lambda given: Fetch(url=_text(given, "url")),
    "task": lambda given: Subagent(
        prompt=_text(given, "prompt") or "",
        kind=_text(given, "agent_type") or "",
        description=_text(given, "description") or "",
    ),
    "ask_user": _question,
    "exit_plan_mode": lambda given: Plan(text=_text(given, "summary")),
}
_UNKNOWN = Other()
_BOOKS = Other(does="bookkeeping")
_OTHERS: dict[str, Other] = {
    **dict.fromkeys(("report_intent", "update_todo", "read_bash", "list_bash", "read_agent", "list_agents"), _BOOKS),
    "stop_bash": Other(does="ends", words="End a background command"),
}
_MAIN_FIELDS = {
    "bash": "command",
    **dict.fromkeys(("create", "edit", "str_replace", "view", "grep", "glob"), "path"),
    "web_fetch": "url",
}
