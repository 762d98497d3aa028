"""What the plugin in opencode is told, and what becomes of decisions that the client would not honour."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.base import NotHonouredError
from assent.harnesses.opencode import HONOURED, encode, encode_safely, operation, replies, unreadable
from assent.protocol import events
from assent.protocol.decision import Allow, Answered, Block, Decision, Deny, Halt, NoOpinion, Proceed, Prompt
from assent.protocol.envelope import SILENT
from assent.protocol.events import EVENTS, Event, ToolEvent, UnknownEvent, with_operation, with_raw
from assent.protocol.permission import AddRules, PermissionRule

LS: dict[str, Any] = {"tool_name": "bash", "tool_input": {"command": "ls"}}


def event(kind: type[Event], *, asks: bool = True, **fields: Any) -> Event:
    if kind is UnknownEvent:
        return UnknownEvent(session_id="s", hook_event_name="x")
    raw = {"session_id": "s", **(LS if issubclass(kind, ToolEvent) else {}), **fields}
    made = with_raw(msgspec.convert(raw, kind), {**raw, "asks": asks})
    if isinstance(made, ToolEvent):
        with_operation(made, operation(made.tool_name, made.tool_input))
    return made


CALL, REQUEST = event(events.PreToolUse), event(events.PermissionRequest)
UNASKED = event(events.PreToolUse, asks=False)
OPTIONS = [{"label": "red"}, {"label": "blue, dark"}, {"label": "blue"}]
COLOURS = {"question": "Which?", "options": OPTIONS, "multiple": True}
QUESTIONS = {"questions": [COLOURS, {"question": "Why?", "options": []}]}
QUESTION = event(events.PermissionRequest, tool_name="question", tool_input=QUESTIONS)


@pytest.mark.parametrize(
    ("about", "decision", "expected"),
    [
        (CALL, Allow(), {"decision": "allow"}),
        (CALL, Allow({"command": "ls -l"}), {"decision": "allow", "args": {"command": "ls -l"}}),
        (CALL, Deny("No."), {"decision": "deny", "reason": "No."}),
        (CALL, Deny("  "), {"decision": "deny", "reason": "No reason was given."}),
        (CALL, Prompt("Look."), {"decision": "prompt", "reason": "Look."}),
        (CALL, Proceed("Note."), {"decision": "proceed", "note": "Note."}),
        (REQUEST, Allow(), {"decision": "allow"}),
        (REQUEST, Deny("No."), {"decision": "deny", "reason": "No."}),
        (REQUEST, Deny("No.", interrupt=True), {"decision": "deny", "reason": "No.", "stop": True}),
        (event(events.UserPromptSubmit), Block("No."), {"decision": "block", "reason": "No."}),
        (event(events.UserPromptSubmit), Proceed("Note."), {"decision": "proceed", "note": "Note."}),
        (event(events.Stop), Block("Go on."), {"decision": "block", "reason": "Go on."}),
        (event(events.Stop), Proceed("Go on."), {"decision": "block", "reason": "Go on."}),
        (
            event(events.PostToolUse),
            Proceed("Note.", updated_result="x"),
            {"decision": "proceed", "result": "x", "note": "Note."},
        ),
    ],
)
def test_encode_writes_what_the_plugin_does(about: Event, decision: Decision, expected: object) -> None:
    assert encode(about, decision).stdout_json == expected


@pytest.mark.parametrize(
    ("answer", "labels"),
    [
        ("red", ["red"]),
        ("red, blue, dark", ["red", "blue, dark"]),
        ("blue, red", ["blue", "red"]),
        ("none of them", ["none of them"]),
    ],
)
def test_answers_go_by_the_place_of_their_question(answer: str, labels: list[str]) -> None:
    """Several labels are several; any other text is one answer."""
    told = encode(QUESTION, Answered({"Why?": "Because, so", "Which?": answer})).stdout_json
    assert told == {"answers": [labels, ["Because, so"]]}


@pytest.mark.parametrize("decision", [Allow(), Answered({"Which?": "red"}), Answered({"Other?": "red"})])
def test_question_takes_all_its_answers_or_none(decision: Decision) -> None:
    """The client would go on asking."""
    with pytest.raises(NotHonouredError):
        encode(QUESTION, decision)
    assert encode_safely(QUESTION, decision).output == SILENT


def test_prompt_is_a_deny_where_the_client_would_not_ask() -> None:
    """Silence would run it."""
    assert encode_safely(UNASKED, Prompt("Look.")).output == encode(UNASKED, Deny("Look."))


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


def test_grant_is_left_out_and_said() -> None:
    """The client would keep it in memory, and more of it than was agreed to."""
    grant = AddRules(rules=(PermissionRule("Bash", "ls"),), behavior="allow", destination="session")
    encoded = encode_safely(REQUEST, Allow(grants=(grant,)))
    assert encoded.output == encode(REQUEST, Allow())
    assert len(encoded.dropped) == 1


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


@given(kind=st.sampled_from([*EVENTS.values(), UnknownEvent]), decision=DECISIONS, asks=st.booleans())
def test_encode_safely_never_raises_and_never_allows_more(kind: type[Event], decision: Decision, asks: bool) -> None:
    """Every decision has an output that is JSON, and no allow that was not decided."""
    written = msgspec.json.encode(encode_safely(event(kind, asks=asks), decision).output)
    assert b'"allow"' not in written or isinstance(decision, Allow)
    if isinstance(decision, Deny | Halt | Block) and kind in (events.PreToolUse, events.PermissionRequest):
        assert b'"deny"' in written
    if isinstance(decision, Prompt) and kind is events.PreToolUse:
        assert (b'"prompt"' if asks else b'"deny"') in written


def test_every_event_honours_silence() -> None:
    assert all(encode(event(kind), NoOpinion("timed_out")) == SILENT for kind in HONOURED)


@pytest.mark.parametrize(("drops", "word"), [(False, "prompt"), (True, "deny")])
def test_call_that_cannot_be_read_does_not_run_unasked(drops: bool, word: str) -> None:
    output = unreadable("tool.execute.before", "it is not JSON", may_drop_prompts=drops)[1]
    assert output.stdout_json is not None
    assert output.stdout_json["decision"] == word
    assert unreadable("tool.execute.after", "it is not JSON")[1] == SILENT


@pytest.mark.parametrize(
    ("mode", "asked", "unasked"),
    [
        ("no_opinion", False, False),
        ("prompt_in_bypass", False, True),
        ("deny_in_bypass", False, True),
        ("deny", True, True),
    ],
)
def test_without_a_hub_what_would_not_be_asked_about_is_denied(mode: Any, asked: bool, unasked: bool) -> None:
    """Silence leaves the rest to the client's dialog."""
    said = replies(mode)["tool.execute.before"]
    assert (b'"deny"' in said["unreachable"], b'"deny"' in said["unreachable_bypass"]) == (asked, unasked)
    assert b'"deny"' in said["run"]
    assert b'"deny"' in said["held_bypass"]
    assert said["held"]
