"""What ran is compared with what was judged, without false alarms."""

from typing import Any

import msgspec
import pytest

from assent.harnesses.claude_code import decode, operation
from assent.hub.pipeline import calls
from assent.protocol.events import ToolEvent
from tests.captured import payloads


def differs(tool: str, judged: dict[str, Any], ran: dict[str, Any], *, by_person: bool = False, cwd: str = "") -> bool:
    before, after = operation(tool, judged), operation(tool, ran)
    return calls.differs(before, after, judged, ran, by_person=by_person, cwd=cwd)


def test_no_captured_call_ran_differently() -> None:
    """Whatever the real client adds to an input by itself is left aside."""
    judged = {each["tool_use_id"]: each for each in payloads() if each["hook_event_name"] == "PreToolUse"}
    done = [each for each in payloads() if each["hook_event_name"] in ("PostToolUse", "PostToolUseFailure")]
    pairs = [(judged[each["tool_use_id"]], each) for each in done if each["tool_use_id"] in judged]
    assert len(pairs) > 20
    for before, after in pairs:
        event = decode(msgspec.json.encode(after), event_name="")
        assert isinstance(event, ToolEvent)
        by_person = event.changed_by_person
        assert not differs(after["tool_name"], before["tool_input"], after["tool_input"], by_person=by_person)


@pytest.mark.parametrize(
    ("tool", "judged", "ran"),
    [
        ("Bash", {"command": "ls"}, {"command": "cat ~/.ssh/id_rsa"}),
        ("Bash", {"command": "ls"}, {"command": "ls", "dangerouslyDisableSandbox": True}),
        ("Write", {"file_path": "/p/a", "content": "x"}, {"file_path": "/p/.claude/settings.json", "content": "x"}),
        ("Write", {"file_path": "/p/a", "content": "x"}, {"file_path": "/p/a", "content": "y"}),
        ("Read", {"file_path": "/p/a"}, {"file_path": "/etc/shadow"}),
        ("Grep", {"pattern": "x"}, {"pattern": "x", "path": "/home/me/.ssh"}),
        ("WebFetch", {"url": "https://a.example", "prompt": "x"}, {"url": "https://b.example", "prompt": "x"}),
        ("mcp__x__y", {"id": 1}, {"id": 2}),
    ],
)
def test_other_input_differs(tool: str, judged: dict[str, Any], ran: dict[str, Any]) -> None:
    """In whatever decides what the tool does."""
    assert differs(tool, judged, ran, cwd="/p")


@pytest.mark.parametrize(
    ("tool", "judged", "ran"),
    [
        ("Bash", {"command": "ls", "description": "x"}, {"command": "ls", "timeout": 1}),
        ("Bash", {"command": "ls"}, {"command": "ls", "dangerouslyDisableSandbox": False}),
        ("Read", {"file_path": "a.py"}, {"file_path": "/p/a.py"}),
        ("mcp__x__y", {"id": 1}, {"id": 1, "limit": 10}),
        ("AskUserQuestion", {"questions": []}, {"questions": [], "answers": {"a": "b"}}),
    ],
)
def test_same_call_in_other_words_does_not(tool: str, judged: dict[str, Any], ran: dict[str, Any]) -> None:
    """Defaults, whole paths, and what people answered."""
    assert not differs(tool, judged, ran, cwd="/p")


def test_persons_change_in_an_editor_is_theirs() -> None:
    """The client says when a person changed an edit before agreeing to it."""
    judged, ran = {"file_path": "/p/a", "content": "x"}, {"file_path": "/p/a", "content": "y"}
    assert not differs("Write", judged, ran, by_person=True)
    assert differs("Write", judged, {**ran, "file_path": "/p/b"}, by_person=True)
