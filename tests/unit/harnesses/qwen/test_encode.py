"""What Qwen Code is told, and what becomes of decisions it would ignore."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.base import NotHonouredError
from assent.harnesses.qwen import HONOURED, encode, encode_safely, replies, unreadable
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

LS: dict[str, Any] = {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}}


def event(kind: type[Event]) -> Event:
    if kind is UnknownEvent:
        return UnknownEvent(session_id="s", hook_event_name="x")
    return msgspec.convert({"session_id": "s", **(LS if issubclass(kind, ToolEvent) else {})}, kind)


def judged(word: str, reason: str = "") -> dict[str, Any]:
    why = {"permissionDecisionReason": reason} if reason else {}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word, **why}}


def permitted(**decision: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


CALL, REQUEST = event(events.PreToolUse), event(events.PermissionRequest)
CHANGED = {"command": "ls -l"}


@pytest.mark.parametrize(
    ("about", "decision", "expected"),
    [
        (CALL, Allow(), judged("allow")),
        (CALL, Deny("No."), judged("deny", "No.")),
        (CALL, Deny("  "), judged("deny", "No reason was given.")),
        (CALL, Prompt("Look."), judged("ask", "Look.")),
        (REQUEST, Allow(), permitted(behavior="allow")),
        (REQUEST, Allow(CHANGED), permitted(behavior="allow", updatedInput=CHANGED)),
        (REQUEST, Deny("No."), permitted(behavior="deny", message="No.")),
        (event(events.UserPromptSubmit), Block("No."), {"decision": "block", "reason": "No."}),
        (event(events.Stop), Block("Go on."), {"decision": "block", "reason": "Go on."}),
        (
            event(events.PostToolUse),
            Proceed("Note."),
            {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "Note."}},
        ),
    ],
)
def test_encode_writes_what_the_client_was_seen_to_take(about: Event, decision: Decision, expected: object) -> None:
    assert encode(about, decision).stdout_json == expected


@pytest.mark.parametrize("about", [CALL, REQUEST])
def test_interrupt_is_dropped_but_the_deny_stays(about: Event) -> None:
    """The client ignores it."""
    encoded = encode_safely(about, Deny("No.", interrupt=True))
    assert encoded.output == encode(about, Deny("No."))
    assert len(encoded.dropped) == 1


@pytest.mark.parametrize("decision", [Allow(CHANGED), Proceed(updated_input=CHANGED)])
def test_other_input_right_before_a_call_is_a_deny(decision: Decision) -> None:
    """The client would run the input as it was."""
    with pytest.raises(NotHonouredError):
        encode(CALL, decision)
    assert b'"deny"' in msgspec.json.encode(encode_safely(CALL, decision).output)


def test_prompt_where_a_permission_is_asked_for_is_silence() -> None:
    """Its own dialog opens."""
    assert encode_safely(REQUEST, Prompt("Look.")).output == SILENT


def test_answers_to_questions_are_not_sent() -> None:
    """It cannot be told any; its dialog stays."""
    assert encode_safely(REQUEST, Answered({"Which?": "red"})).output == SILENT


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
    if isinstance(decision, Prompt) and kind is events.PreToolUse:
        assert b'"ask"' in written


def test_every_event_honours_silence() -> None:
    assert all(encode(event(kind), NoOpinion("timed_out")) == SILENT for kind in HONOURED)


def test_call_that_cannot_be_read_is_prompted_for() -> None:
    """Its dialog opens in every mode, or the call is denied where it could not be seen."""
    decision, output = unreadable("PreToolUse", "it is not JSON")
    assert isinstance(decision, Prompt)
    assert b'"ask"' in msgspec.json.encode(output)
    assert unreadable("PermissionRequest", "it is not JSON")[1] == SILENT


@pytest.mark.parametrize(
    ("mode", "asked", "unasked"),
    [
        ("no_opinion", b"", b""),
        ("prompt_in_bypass", b"", b'"ask"'),
        ("deny_in_bypass", b"", b'"deny"'),
        ("deny", b'"deny"', b'"deny"'),
    ],
)
def test_without_a_hub_the_mode_decides(mode: Any, asked: bytes, unasked: bytes) -> None:
    """Where it asked before the call, silence changes nothing; in the mode that asks for nothing it would run it."""
    said = replies(mode)["PreToolUse"]
    for situation, word in (("unreachable", asked), ("unreachable_bypass", unasked)):
        assert word in said[situation] if word else said[situation] == b""  # type: ignore[index]
    assert b'"deny"' in said["run"]
    assert said["held"]


def test_words_at_the_end_of_a_turn_keep_it_going() -> None:
    """What a person says there is no note that is read some time later."""
    said = encode(events.Stop(session_id="s", cwd="/p"), Proceed("Your user says: go on."))
    assert said.stdout_json == {"decision": "block", "reason": "Your user says: go on."}
