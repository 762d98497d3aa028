"""Payloads captured from the real Codex 0.166.0, as Assent's events."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.harnesses.base import UnreadableError
from assent.harnesses.codex import decode, main_field, may_drop_prompts, operation
from assent.protocol import events
from assent.protocol.operations import (
    Asked,
    Choice,
    FileChange,
    Mcp,
    Operation,
    Other,
    Patch,
    Question,
    Read,
    Shell,
    Subagent,
)

CAPTURED = Path(__file__).parents[3] / "fixtures" / "codex"
# Told by the client, and of no use to us; it stays in what is recorded.
UNUSED = {"turn_id", "model"}


def captured(name: str) -> bytes:
    return (CAPTURED / f"{name}.json").read_bytes()


def read(name: str) -> events.Event:
    return decode(captured(name), event_name=name.partition("-")[0])


@pytest.mark.parametrize("name", sorted(file.stem for file in CAPTURED.glob("*.json")))
def test_every_captured_payload_is_read_with_no_field_left_over(name: str) -> None:
    """What has no field of ours is on the list above, so that a new one is noticed."""
    event = read(name)
    known = {field.encode_name for field in msgspec.structs.fields(type(event))} | {"hook_event_name"}
    if isinstance(event, events.UnknownEvent):
        known.add("prompt")
    assert event.raw.keys() - known - UNUSED == set()
    assert event.client.harness == "codex"


def test_mode_is_in_our_words() -> None:
    """Nothing is asked in `codex exec`."""
    assert read("PreToolUse-Bash").permission_mode == "bypass"
    assert read("PermissionRequest-Bash").permission_mode == "default"


def test_task_of_a_sub_agent_is_no_prompt_of_a_person() -> None:
    """Its parent wrote it."""
    assert isinstance(read("UserPromptSubmit-in_subagent"), events.UnknownEvent)
    assert isinstance(read("UserPromptSubmit"), events.UserPromptSubmit)


def test_patch_is_the_same_where_it_is_asked_about() -> None:
    """The client leaves out the last line break there."""
    called, asked = read("PreToolUse-apply_patch"), read("PermissionRequest-apply_patch")
    assert isinstance(called, events.PreToolUse)
    assert isinstance(asked, events.PermissionRequest)
    assert called.tool_input == asked.tool_input
    assert called.decoded_operation == Patch(files=(FileChange(path="new.txt", new="hello\n"),))


@pytest.mark.parametrize(
    ("payload", "event_name"),
    [
        (b"[]", "PreToolUse"),
        (b"{", "PreToolUse"),
        (b"{}", "PreToolUse"),
        (b'{"hook_event_name": "Stop", "session_id": "s"}', "PreToolUse"),
    ],
)
def test_what_cannot_be_read_is_said(payload: bytes, event_name: str) -> None:
    with pytest.raises(UnreadableError):
        decode(payload, event_name=event_name)


def test_unread_payload_of_a_session_that_asks_nothing_is_known() -> None:
    assert may_drop_prompts(captured("PreToolUse-Bash"))
    assert not may_drop_prompts(captured("PermissionRequest-Bash"))


DELETES = "*** Begin Patch\n*** Delete File: a\n*** End Patch"


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("Bash", {"command": "ls"}, Shell(command="ls", typed_unseen=True)),
        ("Bash", {}, Shell(command=None, typed_unseen=True)),
        ("Bash", {"command": f"apply_patch <<'EOF'\n{DELETES}\nEOF"}, Patch(files=(FileChange(path="a"),))),
        ("Bash", {"command": f"cd b && apply_patch <<EOF\n{DELETES}\nEOF"}, Patch(files=(FileChange(path="b/a"),))),
        ("Bash", {"command": f"true; apply_patch <<'EOF'\n{DELETES}\nEOF"}, Patch(files=())),
        ("apply_patch", {"command": DELETES}, Patch(files=(FileChange(path="a"),))),
        ("apply_patch", {"command": "no patch"}, Patch(files=())),
        ("apply_patch", {"command": 1}, Patch(files=())),
        ("mcp__lab__shout", {"text": "abc"}, Mcp(server="lab", tool="shout")),
        ("view_image", {"path": "a.png"}, Read(path="a.png")),
        ("spawn_agent", {"message": "look", "agent_type": "default"}, Subagent(prompt="look", kind="default")),
        (
            "request_user_input",
            {
                "questions": [
                    {"question": "Which?", "header": "C", "options": [{"label": "red", "description": "r"}, 1]},
                    2,
                ]
            },
            Question(
                questions=(Asked(question="Which?", header="C", choices=(Choice(label="red", description="r"),)),)
            ),
        ),
        ("request_user_input", {"questions": "x"}, Question()),
        ("get_goal", {}, Other(does="bookkeeping")),
        ("teleport", {}, Other()),
    ],
)
def test_tool_is_known_by_what_it_does(tool: str, given: dict[str, Any], expected: Operation) -> None:
    """So that policy, cards and rules need no name of the client's."""
    assert operation(tool, given) == expected


def test_text_that_a_call_is_about_can_be_edited() -> None:
    assert (main_field("Bash"), main_field("spawn_agent")) == ("command", None)


def test_payload_of_a_later_version_keeps_its_new_fields() -> None:
    """They are recorded, though they are not known."""
    sent = {**json.loads(captured("Stop")), "new": 1}
    assert decode(json.dumps(sent).encode(), event_name="Stop").raw["new"] == 1
