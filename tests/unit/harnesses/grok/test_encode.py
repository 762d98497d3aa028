"""What Grok is told, and what becomes of decisions it would ignore."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.base import NotHonouredError
from assent.harnesses.grok import HONOURED, encode, encode_safely, replies, unreadable
from assent.protocol import events, modes
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
from assent.protocol.events import EVENTS, Event, ToolEvent, UnknownEvent, with_client
from assent.protocol.record import Client

LS: dict[str, Any] = {"tool_name": "run_terminal_command", "tool_input": {"command": "ls"}}


def event(kind: type[Event], mode: str = modes.BYPASS, *, attended: bool | None = None) -> Event:
    if kind is UnknownEvent:
        return UnknownEvent(session_id="s", hook_event_name="x")
    fields = {"session_id": "s", "permission_mode": mode, **(LS if issubclass(kind, ToolEvent) else {})}
    return with_client(msgspec.convert(fields, kind), Client(harness="grok", attended=attended))


def judged(word: str, reason: str = "", **more: Any) -> dict[str, Any]:
    why = {"permissionDecisionReason": reason} if reason else {}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word, **why, **more}}


CALL, CAREFUL = event(events.PreToolUse), event(events.PreToolUse, modes.DEFAULT)
CHANGED = {"command": "ls -l"}


@pytest.mark.parametrize(
    ("about", "decision", "expected"),
    [
        (CALL, Allow(), judged("allow")),
        (CALL, Allow(CHANGED, context="Note."), judged("allow", updatedInput=CHANGED, additionalContext="Note.")),
        (CALL, Deny("No."), judged("deny", "No.")),
        (CALL, Deny("  "), judged("deny", "No reason was given.")),
        (CAREFUL, Prompt("Look."), judged("ask", "Look.")),
        (CAREFUL, Proceed(updated_input=CHANGED), judged("allow", updatedInput=CHANGED)),
        (
            CAREFUL,
            Proceed("Note."),
            {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "Note."}},
        ),
        (event(events.UserPromptSubmit), Block("No."), {"decision": "block", "reason": "No."}),
        (event(events.Stop), Block("Go on."), {"decision": "block", "reason": "Go on."}),
        (event(events.SubagentStop), Block("Go on."), {"decision": "block", "reason": "Go on."}),
        (
            event(events.PostToolUse),
            Proceed("Note."),
            {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "Note."}},
        ),
    ],
)
def test_encode_writes_what_the_client_was_seen_to_take(about: Event, decision: Decision, expected: object) -> None:
    assert encode(about, decision).stdout_json == expected


def test_interrupt_is_dropped_but_the_deny_stays() -> None:
    """No hook of it ends a turn."""
    encoded = encode_safely(CALL, Deny("No.", interrupt=True))
    assert encoded.output == encode(CALL, Deny("No."))
    assert len(encoded.dropped) == 1


@pytest.mark.parametrize("mode", [modes.BYPASS, modes.AUTO, modes.ACCEPT_EDITS, "later"])
def test_prompt_that_it_would_answer_itself_is_a_deny(mode: str) -> None:
    """With yes where it approves everything, by a classifier in auto mode; of others nothing is known."""
    with pytest.raises(NotHonouredError):
        encode(event(events.PreToolUse, mode), Prompt("Look."))
    assert encode_safely(event(events.PreToolUse, mode), Prompt("Look.")).output.stdout_json == judged("deny", "Look.")


def test_prompt_without_a_person_is_a_deny() -> None:
    """It would end the run without a word to the model."""
    alone = event(events.PreToolUse, modes.DEFAULT, attended=False)
    assert encode_safely(alone, Prompt("Look.")).output.stdout_json == judged("deny", "Look.")


def test_allow_where_it_asks_by_itself_is_silence() -> None:
    """It would only say that nothing is against the call; with another input that is not enough."""
    assert encode_safely(CAREFUL, Allow()).output == SILENT
    assert b'"deny"' in msgspec.json.encode(encode_safely(CAREFUL, Allow(CHANGED)).output)


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


@given(kind=st.sampled_from([*EVENTS.values(), UnknownEvent]), mode=st.sampled_from(modes.MODES), decision=DECISIONS)
def test_encode_safely_never_raises_and_never_allows_more(kind: type[Event], mode: str, decision: Decision) -> None:
    """Every decision has an output that is JSON, no allow that was not decided, and no prompt that it would answer."""
    written = msgspec.json.encode(encode_safely(event(kind, mode), decision).output)
    assert b'"allow"' not in written or isinstance(decision, Allow | Proceed)
    assert b'"ask"' not in written or mode in (modes.DEFAULT, modes.PLAN)
    if isinstance(decision, Deny | Halt | Block) and kind is events.PreToolUse:
        assert b'"deny"' in written
    if isinstance(decision, Prompt) and kind is events.PreToolUse:
        assert b'"ask"' in written or b'"deny"' in written


def test_every_event_honours_silence() -> None:
    assert all(encode(event(kind), NoOpinion("timed_out")) == SILENT for kind in HONOURED)


def test_call_that_cannot_be_read_is_denied() -> None:
    """Its mode is not known, and in some a prompt would be answered by the client."""
    decision, output = unreadable("PreToolUse", "it is not JSON")
    assert isinstance(decision, Deny)
    assert b'"deny"' in msgspec.json.encode(output)
    assert unreadable("PostToolUse", "it is not JSON")[1] == SILENT


@pytest.mark.parametrize(
    ("mode", "asked", "unasked"),
    [
        ("no_opinion", b"", b""),
        ("prompt_in_bypass", b"", b'"deny"'),
        ("deny_in_bypass", b"", b'"deny"'),
        ("deny", b'"deny"', b'"deny"'),
    ],
)
def test_without_a_hub_the_mode_decides(mode: Any, asked: bytes, unasked: bytes) -> None:
    """Where it asks by itself, silence leaves the call to it; never a prompt, which it may answer itself."""
    said = replies(mode)["PreToolUse"]
    for situation, word in (("unreachable", asked), ("unreachable_bypass", unasked)):
        assert word in said[situation] if word else said[situation] == b""  # type: ignore[index]
    assert b'"deny"' in said["run"]
    assert b'"deny"' in said["held"]


def test_words_at_the_end_of_a_turn_keep_it_going() -> None:
    """What a person says there is no note that is read some time later."""
    said = encode(events.Stop(session_id="s", cwd="/p"), Proceed("Your user says: go on."))
    assert said.stdout_json == {"decision": "block", "reason": "Your user says: go on."}
