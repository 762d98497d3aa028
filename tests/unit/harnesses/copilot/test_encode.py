"""What Copilot is told: flat objects, and what becomes of decisions it would ignore."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.base import NotHonouredError
from assent.harnesses.copilot import HONOURED, encode, encode_safely, replies, unreadable
from assent.protocol import events
from assent.protocol.decision import (
    Allow,
    Answered,
    Block,
    Decision,
    Deny,
    Halt,
    NoOpinion,
    Proceed,
    Prompt,
)
from assent.protocol.envelope import SILENT
from assent.protocol.events import EVENTS, Event, ToolEvent, UnknownEvent

LS: dict[str, Any] = {"tool_name": "bash", "tool_input": {"command": "ls"}}


def event(kind: type[Event]) -> Event:
    if kind is UnknownEvent:
        return UnknownEvent(session_id="s", hook_event_name="x")
    return msgspec.convert({"session_id": "s", **(LS if issubclass(kind, ToolEvent) else {})}, kind)


CALL, REQUEST = event(events.PreToolUse), event(events.PermissionRequest)


@pytest.mark.parametrize(
    ("about", "decision", "expected"),
    [
        (CALL, Allow(), {"permissionDecision": "allow"}),
        (CALL, Allow({"command": "ls -l"}), {"permissionDecision": "allow", "modifiedArgs": {"command": "ls -l"}}),
        (CALL, Deny("No."), {"permissionDecision": "deny", "permissionDecisionReason": "No."}),
        (CALL, Deny("  "), {"permissionDecision": "deny", "permissionDecisionReason": "No reason was given."}),
        (CALL, Prompt("Look."), {"permissionDecision": "ask", "permissionDecisionReason": "Look."}),
        (CALL, Proceed("Note."), {"additionalContext": "Note."}),
        (REQUEST, Allow(), {"behavior": "allow"}),
        (REQUEST, Deny("No."), {"behavior": "deny", "message": "No."}),
        (REQUEST, Deny("No.", interrupt=True), {"behavior": "deny", "message": "No.", "interrupt": True}),
        (event(events.UserPromptSubmit), Block("No."), {"decision": "block", "reason": "No."}),
        (event(events.Stop), Block("Go on."), {"decision": "block", "reason": "Go on."}),
        (event(events.SubagentStop), Block("Go on."), {"decision": "block", "reason": "Go on."}),
        (event(events.PostToolUse), Proceed("Note."), {"additionalContext": "Note."}),
        (event(events.SessionStart), Proceed("Note."), {"additionalContext": "Note."}),
    ],
)
def test_encode_writes_what_the_client_was_seen_to_take(about: Event, decision: Decision, expected: object) -> None:
    assert encode(about, decision).stdout_json == expected


def test_interrupt_before_a_call_is_dropped_but_the_deny_stays() -> None:
    """Only an answer to its permission request ends the turn."""
    encoded = encode_safely(CALL, Deny("No.", interrupt=True))
    assert encoded.output == encode(CALL, Deny("No."))
    assert len(encoded.dropped) == 1


def test_allow_with_other_input_at_the_request_is_no_allow() -> None:
    """The client would run the input as it was."""
    with pytest.raises(NotHonouredError):
        encode(REQUEST, Allow({"command": "ls"}))
    assert encode_safely(REQUEST, Allow({"command": "ls"})).output == SILENT


def test_answers_to_questions_are_not_sent() -> None:
    """It cannot be told any."""
    assert encode_safely(CALL, Answered({"Which?": "red"})).output == SILENT


TEXT = st.text(alphabet=st.characters(), max_size=20)
OBJECTS = st.dictionaries(TEXT, st.none() | st.integers() | TEXT | st.binary(max_size=2), max_size=2)
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


def test_call_that_cannot_be_read_is_prompted_for() -> None:
    """The client's dialog opens, or the call is denied where it could not be seen."""
    decision, output = unreadable("preToolUse", "it is not JSON")
    assert isinstance(decision, Prompt)
    assert output.stdout_json is not None
    assert output.stdout_json["permissionDecision"] == "ask"
    assert unreadable("postToolUse", "it is not JSON")[1] == SILENT


@pytest.mark.parametrize(
    ("mode", "word"),
    [("no_opinion", None), ("prompt_in_bypass", b'"ask"'), ("deny_in_bypass", b'"ask"'), ("deny", b'"deny"')],
)
def test_without_a_hub_a_person_is_asked(mode: Any, word: bytes | None) -> None:
    """No payload tells whether tools run unasked, so silence is left to those who want it."""
    said = replies(mode)["preToolUse"]["unreachable"]
    assert said == b"" if word is None else word in said
    assert b'"deny"' in replies(mode)["preToolUse"]["run"]


def test_words_at_the_end_of_a_turn_keep_it_going() -> None:
    """What a person says there is no note that is read some time later."""
    said = encode(events.Stop(session_id="s", cwd="/p"), Proceed("Your user says: go on."))
    assert said.stdout_json == {"decision": "block", "reason": "Your user says: go on."}
