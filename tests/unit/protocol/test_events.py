"""The structs against what the real client sends."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from assent.harnesses.claude_code import tools
from assent.harnesses.claude_code.tools import McpTool, OtherTool
from assent.protocol.events import (
    EVENTS,
    Event,
    PermissionRequest,
    PreToolUse,
    ToolCall,
    ToolEvent,
    UnknownEvent,
    WorktreeCreate,
    with_operation,
    with_raw,
)
from assent.protocol.operations import Shell
from assent.protocol.permission import SetMode, ToolAlwaysAllow
from tests.captured import payload, payloads

# Objects in formats of others, which reach us whole: the tool's, the MCP server's, the person's answers.
OPEN_BY_DESIGN = {
    "PostToolUse.tool_response",
    "PostToolBatch.tool_calls.tool_response",
    "PostToolBatch.tool_calls.tool_input.arguments",
    "PreToolUse.tool_input.arguments",
    "PermissionRequest.tool_input.arguments",
    "PostToolUse.tool_input.arguments",
    "PostToolUseFailure.tool_input.arguments",
    "Elicitation.requested_schema",
    "ElicitationResult.content",
    "PostToolUse.tool_input.answers",
    "PostToolUse.tool_input.annotations",
}
# Tools of the client's own household; no decision depends on their fields, so they stay open.
TOOLS_WITHOUT_A_TYPE = {"CronCreate", "EnterWorktree", "Monitor", "Skill", "TaskCreate", "TaskList", "TaskUpdate"}


def read(kind: type[Event], raw: dict[str, Any]) -> Event:
    return with_raw(msgspec.convert(raw, kind), raw)


def findings(at: str, raw: Any, value: Any) -> Iterator[tuple[str, str]]:
    """Walk a payload beside its struct: what no field took ('unread'), and what a field took whole ('open')."""
    if isinstance(value, OtherTool):
        yield "untyped", value.name
    elif isinstance(value, McpTool):
        assert value.arguments == raw
        yield "open", f"{at}.arguments"
    elif isinstance(value, Struct):
        fields = {field.encode_name: field.name for field in msgspec.structs.fields(value)}
        tag = value.__struct_config__.tag_field
        for key, child in raw.items():
            if key == tag:
                assert child == value.__struct_config__.tag
            elif key not in fields:
                yield "unread", f"{at}.{key}"
            elif key == "tool_input" and isinstance(value, ToolEvent | ToolCall):
                yield from findings(f"{at}.tool_input", child, tools.parse(value.tool_name, value.tool_input))
            else:
                yield from findings(f"{at}.{key}", child, getattr(value, fields[key]))
    elif isinstance(value, tuple) and any(isinstance(each, Struct) for each in value):
        for raw_each, each in zip(raw, value, strict=True):
            yield from findings(at, raw_each, each)
    else:
        assert value == (tuple(raw) if isinstance(value, tuple) else raw), at
        if any(isinstance(each, dict) for each in (raw if isinstance(raw, list) else [raw])):
            yield "open", at


def test_payloads_cover_every_event() -> None:
    """All 33 events of the client were captured, 302 payloads in all."""
    seen = Counter(each["hook_event_name"] for each in payloads())
    assert seen.keys() == EVENTS.keys()
    assert len(EVENTS) == 33
    assert seen.total() == 302


def test_payloads_leave_no_field_only_in_raw() -> None:
    """Every field of every captured payload is read, nested ones included, or stands in a table above."""
    found = {
        finding
        for raw in payloads()
        for finding in findings(raw["hook_event_name"], raw, read(EVENTS[raw["hook_event_name"]], raw))
    }
    assert {at for kind, at in found if kind == "unread"} == set()
    assert {at for kind, at in found if kind == "open"} == OPEN_BY_DESIGN
    assert {name for kind, name in found if kind == "untyped"} == TOOLS_WITHOUT_A_TYPE


def test_findings_see_what_no_field_took() -> None:
    """The walk above does notice a new field, at the top, in a nested object and in a tool's input."""
    raw = payload("PreToolUse", "Bash")
    grown = {**raw, "new": 1, "effort": {"level": "low", "new": 1}, "tool_input": {"command": "ls", "new": 1}}
    unread = {at for _, at in findings("PreToolUse", grown, read(PreToolUse, grown))}
    assert unread == {"PreToolUse.new", "PreToolUse.effort.new", "PreToolUse.tool_input.new"}


@pytest.mark.parametrize("name", EVENTS)
def test_event_names_itself_as_on_the_wire(name: str) -> None:
    """An event's class, name and hook_event_name are one word."""
    event = read(EVENTS[name], payload(name))
    assert (type(event).__name__, event.name, event.hook_event_name) == (name, name, name)


def test_event_keeps_unknown_fields_in_raw() -> None:
    """A field a later client adds is not lost."""
    event = read(PreToolUse, {**payload("PreToolUse"), "new_field": {"deep": 1}})
    assert event.raw["new_field"] == {"deep": 1}


def test_raw_is_no_part_of_equality_or_json() -> None:
    """Two events with the same fields are equal, whatever else their payloads said."""
    raw = payload("PreToolUse", "Bash")
    event = read(PreToolUse, {**raw, "new_field": 1})
    assert event == read(PreToolUse, raw)
    assert b"new_field" not in msgspec.json.encode(event)


def test_raw_of_an_event_made_by_hand_is_its_payload() -> None:
    """An event that came from no payload has the one it would have come from."""
    event = PreToolUse(session_id="s", tool_name="Bash", tool_input={"command": "ls"})
    assert event.raw == {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }
    assert read(PreToolUse, event.raw) == event


def test_unknown_event_keeps_its_name() -> None:
    """An event without a struct is still called by its name."""
    event = UnknownEvent(session_id="s", hook_event_name="PreTeleport")
    assert (event.name, event.hook_event_name) == ("PreTeleport", "PreTeleport")


def test_tool_event_gives_the_operation_it_was_decoded_with() -> None:
    """An event that was made by hand has none."""
    event = PreToolUse(session_id="s", tool_name="Bash", tool_input={"command": "ls"})
    assert event.decoded_operation is None
    assert with_operation(event, Shell(command="ls")).decoded_operation == Shell(command="ls")


def test_permission_request_keeps_suggestions_it_does_not_know() -> None:
    """One unknown or broken suggestion costs neither the event nor the others."""
    mode = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
    new = {"type": "grantWings", "destination": "session"}
    odd_place = {**mode, "destination": "theMoon"}
    event = msgspec.convert(
        {
            "session_id": "s",
            "tool_name": "Bash",
            "tool_input": {},
            "permission_suggestions": [mode, new, odd_place, {"type": "toolAlwaysAllow", "tool": "Bash"}, "text"],
        },
        PermissionRequest,
    )
    assert event.permission_suggestions == (
        SetMode(mode="acceptEdits", destination="session"),
        new,
        odd_place,
        ToolAlwaysAllow(tool="Bash"),
        {},
    )


@pytest.mark.parametrize("suggestions", [None, "text", 7, {"type": "setMode"}])
def test_permission_request_reads_odd_suggestions_as_none(suggestions: object) -> None:
    """Suggestions that are no list are no suggestions."""
    raw = {"session_id": "s", "tool_name": "Bash", "tool_input": {}, "permission_suggestions": suggestions}
    assert msgspec.convert(raw, PermissionRequest).permission_suggestions == ()


def test_worktree_name_does_not_shadow_the_event_name() -> None:
    """The wire's ``name`` of a worktree is another thing than the name of the event."""
    event = msgspec.convert({"session_id": "s", "name": "feature-x"}, WorktreeCreate)
    assert (event.name, event.worktree_name) == ("WorktreeCreate", "feature-x")
