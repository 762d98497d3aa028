"""What Gemini CLI is told, and what becomes of decisions it would ignore."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.base import NotHonouredError
from assent.harnesses.gemini import HONOURED, decode, encode, encode_safely, replies, unreadable
from assent.harnesses.gemini.facts import GO_ON
from assent.protocol import events
from assent.protocol.decision import Allow, Answered, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT
from assent.protocol.events import EVENTS, Event, ToolEvent, UnknownEvent, with_client
from assent.protocol.record import Client

LS: dict[str, Any] = {"tool_name": "run_shell_command", "tool_input": {"command": "ls"}}


def event(kind: type[Event], attended: bool | None = None) -> Event:
    if kind is UnknownEvent:
        return UnknownEvent(session_id="s", hook_event_name="x")
    made = msgspec.convert({"session_id": "s", **(LS if issubclass(kind, ToolEvent) else {})}, kind)
    return with_client(made, Client(harness="gemini", attended=attended))


CALL, SEEN = event(events.PreToolUse), event(events.PreToolUse, attended=True)
CHANGED = {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"command": "ls -l"}}}


def note(name: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": "Note."}}


@pytest.mark.parametrize(
    ("about", "decision", "expected"),
    [
        (CALL, Allow(), {"decision": "allow"}),
        (CALL, Allow({"command": "ls -l"}), {"decision": "allow", **CHANGED}),
        (CALL, Proceed(updated_input={"command": "ls -l"}), CHANGED),
        (CALL, Deny("No."), {"decision": "deny", "reason": "No."}),
        (CALL, Deny("  "), {"decision": "deny", "reason": "No reason was given."}),
        (
            CALL,
            Deny("No.", interrupt=True),
            {"decision": "deny", "reason": "No.", "continue": False, "stopReason": "No."},
        ),
        (SEEN, Prompt("Look."), {"decision": "ask", "reason": "Look.", "systemMessage": "Look."}),
        (CALL, Halt("Enough."), {"continue": False, "stopReason": "Enough."}),
        (event(events.UserPromptSubmit), Block("No."), {"decision": "deny", "reason": "No."}),
        (event(events.UserPromptSubmit), Proceed("Note."), note("BeforeAgent")),
        (event(events.PostToolUse), Proceed("Note."), note("AfterTool")),
        (event(events.PostToolUseFailure), Proceed("Note."), note("AfterTool")),
        (event(events.SessionStart), Proceed("Note."), note("SessionStart")),
        (event(events.Stop), Block("Go on."), {"decision": "deny", "reason": "[Assent] Go on."}),
        (event(events.Stop), Proceed("Go on."), {"decision": "deny", "reason": "[Assent] Go on."}),
    ],
)
def test_encode_writes_what_the_client_was_seen_to_take(about: Event, decision: Decision, expected: object) -> None:
    assert encode(about, decision).stdout_json == expected


@pytest.mark.parametrize("attended", [None, False])
def test_prompt_that_would_not_be_seen_is_a_refusal(attended: bool | None) -> None:
    """Without a screen the client would wait for ever for an answer to it."""
    about = event(events.PreToolUse, attended)
    with pytest.raises(NotHonouredError):
        encode(about, Prompt("Look."))
    said = encode_safely(about, Prompt("Look.")).output.stdout_json
    assert said is not None
    assert said["decision"] == "deny"
    assert said["reason"].startswith("Look. A person would have to decide this")


def test_words_that_keep_a_turn_going_are_known_again() -> None:
    """They come back as a prompt."""
    said = encode(event(events.Stop), Proceed("Your user says: go on")).stdout_json
    assert said is not None
    prompt = {"session_id": "s", "hook_event_name": "BeforeAgent", "prompt": said["reason"]}
    assert said["reason"].startswith(GO_ON)
    assert isinstance(decode(msgspec.json.encode(prompt), event_name="BeforeAgent"), UnknownEvent)


def test_note_before_a_call_is_dropped_and_the_decision_stays() -> None:
    """The client would not pass it on."""
    encoded = encode_safely(CALL, Deny("No.", context="Note."))
    assert encoded.output == encode(CALL, Deny("No."))
    assert len(encoded.dropped) == 1
    assert encode_safely(CALL, Allow(context="Note.")).output == encode(CALL, Allow())


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


@given(
    kind=st.sampled_from([*EVENTS.values(), UnknownEvent]),
    decision=DECISIONS,
    attended=st.sampled_from([None, True, False]),
)
def test_encode_safely_never_raises_and_never_allows_more(
    kind: type[Event], decision: Decision, attended: bool | None
) -> None:
    """Every decision has an output that is JSON, no allow that was not decided, and no dialog that nobody would see."""
    about = event(kind, attended)
    said = encode_safely(about, decision).output.stdout_json or {}
    msgspec.json.encode(said)
    if said.get("decision") == "allow":
        assert isinstance(decision, Allow)
    if said.get("decision") == "ask":
        assert isinstance(decision, Prompt)
        assert about.client.attended
    if kind is events.PreToolUse and isinstance(decision, Deny | Halt | Block | Prompt):
        assert said.get("decision") in ("deny", "ask") or said["continue"] is False


def test_every_event_honours_silence() -> None:
    assert all(encode(event(kind), NoOpinion("timed_out")) == SILENT for kind in HONOURED)


def test_call_that_cannot_be_read_is_denied() -> None:
    """Silence may run it, and a dialog may not be seen."""
    decision, output = unreadable("BeforeTool", "it is not JSON")
    assert isinstance(decision, Deny)
    assert output.stdout_json == {"decision": "deny", "reason": decision.reason}
    assert unreadable("AfterTool", "it is not JSON")[1] == SILENT


@pytest.mark.parametrize("mode", ["no_opinion", "prompt_in_bypass", "deny_in_bypass", "deny"])
def test_without_a_hub_a_call_is_denied(mode: Any) -> None:
    """No payload tells whether tools run unasked, so silence is left to those who want it."""
    said = replies(mode)["BeforeTool"]
    assert said["unreachable"] == (b"" if mode == "no_opinion" else said["run"])
    assert b'"decision":"deny"' in said["run"]
    assert b'"decision":"deny"' in said["held"]
