"""What the proxy is told, and what becomes of decisions that it could make no answer of."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.acp import HONOURED, encode, encode_safely, replies, unreadable
from assent.harnesses.base import NotHonouredError
from assent.protocol import events
from assent.protocol.decision import Allow, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT
from assent.protocol.events import EVENTS, Event, ToolEvent, UnknownEvent, with_raw

LS: dict[str, Any] = {"tool_name": "execute", "tool_input": {"command": "ls"}}


def event(kind: type[Event]) -> Event:
    if kind is UnknownEvent:
        return UnknownEvent(session_id="s", hook_event_name="x")
    return msgspec.convert({"session_id": "s", **(LS if issubclass(kind, ToolEvent) else {})}, kind)


GATE, REQUEST = event(events.PreToolUse), event(events.PermissionRequest)
REPORTED = with_raw(event(events.PreToolUse), {"is_reported": True})


@pytest.mark.parametrize(
    ("about", "decision", "expected"),
    [
        (REQUEST, Allow(), {"outcome": "allow"}),
        (REQUEST, Deny("No."), {"outcome": "deny", "reason": "No."}),
        (REQUEST, Deny(" "), {"outcome": "deny", "reason": "No reason was given."}),
        (GATE, Deny("No."), {"outcome": "deny", "reason": "No."}),
        (GATE, Prompt("Look."), {"outcome": "ask", "reason": "Look."}),
    ],
)
def test_encode_writes_what_the_proxy_reads(about: Event, decision: Decision, expected: object) -> None:
    assert encode(about, decision).stdout_json == expected


@pytest.mark.parametrize("decision", [Deny("No."), Prompt("Look."), Allow(), Halt("Stop.")])
def test_reported_call_hears_nothing(decision: Decision) -> None:
    """It runs whatever is decided, and the record must not say that it was refused."""
    encoded = encode_safely(REPORTED, decision)
    assert (encoded.output, encoded.unheard) == (SILENT, True)
    with pytest.raises(NotHonouredError):
        encode(REPORTED, decision)


def test_allow_with_other_input_is_no_allow() -> None:
    """The agent would run the input as it was."""
    with pytest.raises(NotHonouredError):
        encode(REQUEST, Allow({"command": "ls"}))
    assert encode_safely(REQUEST, Allow({"command": "ls"})).output == SILENT


def test_deny_stays_where_its_parts_are_not_taken() -> None:
    encoded = encode_safely(REQUEST, Deny("No.", interrupt=True, context="Note."))
    assert encoded.output == encode(REQUEST, Deny("No."))
    assert len(encoded.dropped) == 2


TEXT = st.text(alphabet=st.characters(), max_size=20)
OBJECTS = st.dictionaries(TEXT, st.none() | st.integers() | TEXT, max_size=2)
DECISIONS: st.SearchStrategy[Decision] = st.one_of(
    st.just(NoOpinion("no_rule")),
    st.builds(Allow, updated_input=st.none() | OBJECTS, context=st.none() | TEXT),
    st.builds(Deny, TEXT, st.booleans(), st.none() | TEXT),
    st.builds(Prompt, TEXT, st.none() | TEXT),
    st.builds(Block, TEXT, st.none() | TEXT),
    st.builds(Halt, TEXT),
    st.builds(Proceed, TEXT, st.none() | OBJECTS),
)


@given(kind=st.sampled_from([*EVENTS.values(), UnknownEvent]), decision=DECISIONS)
def test_encode_safely_never_raises_and_never_allows_more(kind: type[Event], decision: Decision) -> None:
    """Every decision has an output that is JSON, and no allow that was not decided."""
    written = msgspec.json.encode(encode_safely(event(kind), decision).output)
    assert b'"allow"' not in written or isinstance(decision, Allow)
    if isinstance(decision, Deny | Halt | Block) and kind in (events.PreToolUse, events.PermissionRequest):
        assert b'"deny"' in written


def test_every_event_honours_silence() -> None:
    assert all(encode(event(kind), NoOpinion("timed_out")) == SILENT for kind in HONOURED)


def test_what_cannot_be_read_is_asked_in_the_editor() -> None:
    """A permission request goes there by itself; a file or a command by a question of the proxy's."""
    assert unreadable("session/request_permission", "it is not JSON")[1] == SILENT
    decision, output = unreadable("fs/write_text_file", "the call is larger than 16 MiB", cause="too_large")
    assert isinstance(decision, Prompt)
    assert output.stdout_json is not None
    assert output.stdout_json["outcome"] == "ask"


@pytest.mark.parametrize(
    ("mode", "asked", "write", "write_in_bypass"),
    [
        ("no_opinion", b"", b"", b""),
        ("prompt_in_bypass", b"", b"", b'"ask"'),
        ("deny_in_bypass", b"", b"", b'"deny"'),
        ("deny", b'"deny"', b'"deny"', b'"deny"'),
    ],
)
def test_without_a_hub_the_editor_asks(mode: Any, asked: bytes, write: bytes, write_in_bypass: bytes) -> None:
    """Or it is refused, where that is configured. Nothing is ever allowed."""
    said = replies(mode)
    assert asked in said["session/request_permission"]["unreachable"]
    assert write in said["fs/write_text_file"]["unreachable"]
    assert write_in_bypass in said["terminal/create"]["unreachable_bypass"]
    assert all(b'"allow"' not in each for replied in said.values() for each in replied.values())


def test_hub_that_dies_while_a_person_is_asked_about_a_write_leaves_it_to_the_editor() -> None:
    """Silence would let the editor write it."""
    assert b'"ask"' in replies("no_opinion")["fs/write_text_file"]["held"]
