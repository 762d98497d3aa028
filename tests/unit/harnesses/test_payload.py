"""Reading payloads, for every harness."""

from typing import Any

import pytest

from assent.harnesses import payload
from assent.harnesses.base import UnreadableError
from assent.protocol.events import Notification, UnknownEvent


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b'{"a":' + b"[" * 150 + b"]" * 150 + b"}", "nested too deeply"),
    ],
)
def test_only_objects_are_read(content: bytes, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        payload.read_object(content)


@pytest.mark.parametrize(
    ("raw", "expected", "why"),
    [
        ({}, "", "does not name its event"),
        ({"kind": "a\nb"}, "", "does not name its event"),
        ({"kind": "Stop"}, "PreToolUse", "says it is Stop, but was sent for PreToolUse"),
    ],
)
def test_an_event_is_what_it_was_sent_for(raw: dict[str, Any], expected: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        payload.event_name(raw, "kind", expected)


def test_optional_fields_of_another_type_stay_in_raw_alone() -> None:
    raw = {"hook_event_name": "Notification", "session_id": "s", "message": 7}
    event = payload.event("Notification", raw)
    assert event == Notification(session_id="s")
    assert event.raw["message"] == 7


def test_an_event_without_a_struct_is_kept_whole() -> None:
    event = payload.event("Dream", {"hook_event_name": "Dream", "session_id": "s", "of": "sheep"})
    assert isinstance(event, UnknownEvent)
    assert event.raw["of"] == "sheep"


def test_one_thing_that_is_said_in_two_ways_is_not_read() -> None:
    """What is judged must be what is done."""
    names = {"toolInput": "tool_input"}
    assert payload.renamed({"toolInput": {"a": 1}, "tool_input": {"a": 1}, "b": 2}, names) == {
        "tool_input": {"a": 1},
        "b": 2,
    }
    with pytest.raises(UnreadableError, match="two ways"):
        payload.renamed({"tool_input": {"a": 1}, "toolInput": {"a": 2}}, names)
