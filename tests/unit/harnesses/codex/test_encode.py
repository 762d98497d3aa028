"""What Codex is told: not one key more than it knows, and what becomes of decisions it would void."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.base import NotHonouredError
from assent.harnesses.codex import HONOURED, encode, encode_safely, replies, unreadable
from assent.protocol import events
from assent.protocol.decision import Allow, Answered, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT
from assent.protocol.events import EVENTS, Event, ToolEvent, UnknownEvent
from assent.protocol.permission import AddRules, PermissionRule

LS: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
GRANT = AddRules(rules=(PermissionRule(tool_name="Bash"),), behavior="allow", destination="session")


def event(kind: type[Event]) -> Event:
    if kind is UnknownEvent:
        return UnknownEvent(session_id="s", hook_event_name="x")
    return msgspec.convert({"session_id": "s", **(LS if issubclass(kind, ToolEvent) else {})}, kind)


CALL, REQUEST = event(events.PreToolUse), event(events.PermissionRequest)


def call(**fields: object) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}}


def request(**decision: object) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


@pytest.mark.parametrize(
    ("about", "decision", "expected"),
    [
        (CALL, Allow(), None),
        (CALL, Allow(context="Note."), call(additionalContext="Note.")),
        (CALL, Allow({"command": "ls -l"}), call(permissionDecision="allow", updatedInput={"command": "ls -l"})),
        (CALL, Deny("No."), call(permissionDecision="deny", permissionDecisionReason="No.")),
        (CALL, Deny("  "), call(permissionDecision="deny", permissionDecisionReason="No reason was given.")),
        (
            CALL,
            Deny("No.", context="Note."),
            call(permissionDecision="deny", permissionDecisionReason="No.", additionalContext="Note."),
        ),
        (CALL, Proceed("Note."), call(additionalContext="Note.")),
        (REQUEST, Allow(), request(behavior="allow")),
        (REQUEST, Deny("No."), request(behavior="deny", message="No.")),
        (event(events.UserPromptSubmit), Block("No."), {"decision": "block", "reason": "No."}),
        (event(events.UserPromptSubmit), Halt("Enough."), {"continue": False, "stopReason": "Enough."}),
        (event(events.Stop), Block("Go on."), {"decision": "block", "reason": "Go on."}),
        (event(events.PostToolUse), Block("Hidden."), {"decision": "block", "reason": "Hidden."}),
        (
            event(events.SessionStart),
            Proceed("Note."),
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "Note."}},
        ),
    ],
)
def test_encode_writes_what_the_client_was_seen_to_take(about: Event, decision: Decision, expected: object) -> None:
    assert encode(about, decision).stdout_json == expected


def test_prompt_before_a_call_is_a_deny_that_says_why() -> None:
    """No hook can make it ask, and silence may run the call."""
    with pytest.raises(NotHonouredError):
        encode(CALL, Prompt("Look."))
    written = encode_safely(CALL, Prompt("Look.")).output.stdout_json
    assert written is not None
    assert written["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert written["hookSpecificOutput"]["permissionDecisionReason"].startswith("Look. ")


def test_prompt_where_it_asks_is_silence() -> None:
    """Its own dialog opens then."""
    assert encode_safely(REQUEST, Prompt("Look.")).output == SILENT


def test_deny_that_should_end_the_turn_stays_a_deny() -> None:
    """The client cannot be told to stop there."""
    encoded = encode_safely(REQUEST, Deny("No.", interrupt=True))
    assert encoded.output == encode(REQUEST, Deny("No."))
    assert len(encoded.dropped) == 1


@pytest.mark.parametrize("about", [CALL, REQUEST])
def test_lasting_permission_is_dropped(about: Event) -> None:
    """It would void the allow."""
    encoded = encode_safely(about, Allow(grants=(GRANT,)))
    assert encoded.output == encode(about, Allow())
    assert len(encoded.dropped) == 1


def test_allow_with_other_input_at_the_request_is_no_allow() -> None:
    """The client would void it."""
    assert encode_safely(REQUEST, Allow({"command": "ls"})).output == SILENT


def test_changed_input_that_cannot_be_told_is_a_deny() -> None:
    """Silence would run the call as it was."""
    written = msgspec.json.encode(encode_safely(CALL, Allow({"command": b"\xff", "x": object()})).output)
    assert b'"deny"' in written


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
# All keys that the client was seen to take.
KEYS = {
    "hookSpecificOutput",
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput",
    "additionalContext",
    "decision",
    "reason",
    "continue",
    "stopReason",
}


@given(kind=st.sampled_from([*EVENTS.values(), UnknownEvent]), decision=DECISIONS)
def test_encode_safely_never_raises_and_never_allows_more(kind: type[Event], decision: Decision) -> None:
    """Every decision has an output that is JSON, of keys that are known, and no allow that was not decided."""
    output = encode_safely(event(kind), decision).output
    written = msgspec.json.encode(output)
    assert b'"allow"' not in written or isinstance(decision, Allow | Proceed)
    if isinstance(decision, Deny | Halt | Block) and kind in (events.PreToolUse, events.PermissionRequest):
        assert b'"deny"' in written
    if isinstance(decision, Prompt) and kind is events.PreToolUse:
        assert b'"deny"' in written
    told = output.stdout_json or {}
    inner = told.get("hookSpecificOutput", {})
    assert told.keys() | inner.keys() <= KEYS
    assert inner.get("permissionDecisionReason", "x").strip()


def test_every_event_honours_silence() -> None:
    assert all(encode(event(kind), NoOpinion("timed_out")) == SILENT for kind in HONOURED)


def test_call_that_cannot_be_read_is_denied() -> None:
    """It may run in silence; where the client asks, its own dialog opens."""
    decision, output = unreadable("PreToolUse", "it is not JSON")
    assert isinstance(decision, Deny)
    assert output.stdout_json is not None
    assert unreadable("PermissionRequest", "it is not JSON")[1] == SILENT


@pytest.mark.parametrize(
    ("mode", "elsewhere", "unasked"),
    [
        ("no_opinion", False, False),
        ("prompt_in_bypass", False, True),
        ("deny_in_bypass", False, True),
        ("deny", True, True),
    ],
)
def test_without_a_hub_a_call_is_denied_where_nothing_is_asked(mode: Any, elsewhere: bool, unasked: bool) -> None:
    """Unless silence is wanted. A call that was held for a person, or is part of a run, is denied always."""
    said = replies(mode)["PreToolUse"]
    assert (b'"deny"' in said["unreachable"], b'"deny"' in said["unreachable_bypass"]) == (elsewhere, unasked)
    assert all(b'"deny"' in said[when] for when in ("held", "held_bypass", "run", "run_bypass"))


def test_words_at_the_end_of_a_turn_keep_it_going() -> None:
    """What a person says there is no note that is read some time later."""
    said = encode(events.Stop(session_id="s", cwd="/p"), Proceed("Your user says: go on."))
    assert said.stdout_json == {"decision": "block", "reason": "Your user says: go on."}
