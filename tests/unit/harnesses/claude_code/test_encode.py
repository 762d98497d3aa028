"""What Claude Code is told: golden replies, and what becomes of decisions it would ignore."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from assent.harnesses import claude_code, schema
from assent.harnesses.base import NotHonouredError
from assent.harnesses.claude_code import HONOURED, encode, encode_safely, with_notice
from assent.harnesses.claude_code.reply import REPLIES
from assent.protocol.decision import (
    Allow,
    Answered,
    Block,
    Decision,
    Defer,
    Deny,
    Filled,
    Halt,
    NoOpinion,
    Proceed,
    Prompt,
)
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import (
    EVENTS,
    Event,
    KnownEvent,
    PermissionRequest,
    PreToolUse,
    Stop,
    ToolEvent,
    UnknownEvent,
)
from assent.protocol.permission import AddRules, PermissionRule, SetMode, ToolAlwaysAllow
from tests.captured import FOLDER

GOLDEN: list[dict[str, Any]] = json.loads((FOLDER / "replies.json").read_bytes())
LS = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
QUESTION = {"tool_name": "AskUserQuestion", "tool_input": {"questions": [{"question": "Which?"}]}}
PLAN = {"tool_name": "ExitPlanMode", "tool_input": {"plan": "P"}}

EXAMPLES: tuple[Decision, ...] = (
    NoOpinion("no_rule"),
    Allow(),
    Deny("d"),
    Prompt("p"),
    Defer(),
    Block("b"),
    Proceed("c"),
    Answered({"Which?": "A"}),
    Filled("accept"),
    Halt("h"),
)
UNSUPPORTED = [(kind, decision) for kind in HONOURED for decision in EXAMPLES if type(decision) not in HONOURED[kind]]


def an_event(kind: type[Event], tool: dict[str, Any] = LS) -> Event:
    if kind is UnknownEvent:
        return UnknownEvent(session_id="s", hook_event_name="PreTeleport")
    return msgspec.convert({"session_id": "s", **(tool if issubclass(kind, ToolEvent) else {})}, kind)


def request(tool: dict[str, Any] = LS) -> PermissionRequest:
    return PermissionRequest(session_id="s", **tool)


def call(tool: dict[str, Any] = LS) -> PreToolUse:
    return PreToolUse(session_id="s", **tool)


def rule(content: str | None, tool: str = "Bash") -> AddRules:
    return AddRules(rules=(PermissionRule(tool, content),), behavior="allow", destination="session")


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: f"{row['event']}-{row['decision']['decision']}")
def test_encode_writes_the_golden_reply(row: dict[str, Any]) -> None:
    """Every honoured decision is spelt as the client was seen to take it, and as our schema says."""
    event = an_event(EVENTS[row["event"]], row.get("tool", LS))
    output = encode(event, msgspec.convert(row["decision"], Decision))
    assert output.action == "json_output"
    assert output.stderr is None
    written = msgspec.json.encode(output.stdout_json)
    assert written == json.dumps(row["json"], separators=(",", ":")).encode()
    Draft202012Validator(schema.schema(f"{row['event']}.reply")).validate(json.loads(written))


def test_golden_replies_cover_every_honoured_pair() -> None:
    """No decision is honoured on an event without a golden reply to prove its spelling."""
    words = {type(decision): decision.word for decision in EXAMPLES}
    honoured = {
        (kind.__name__, words[each])
        for kind, decisions in HONOURED.items()
        for each in decisions
        if each is not NoOpinion
    }
    assert {(row["event"], row["decision"]["decision"]) for row in GOLDEN} == honoured
    assert {row["event"] for row in GOLDEN if "json" in row} == REPLIES.keys()


def test_honoured_speaks_of_every_event() -> None:
    """All 33 events and the unknown one are in the table, and silence is honoured on each."""
    assert HONOURED.keys() == {*EVENTS.values(), UnknownEvent}
    assert all(NoOpinion in decisions for decisions in HONOURED.values())


@pytest.mark.parametrize("kind", HONOURED)
def test_no_opinion_is_silence(kind: type[Event]) -> None:
    """No opinion is never an approval: nothing is printed at all."""
    assert encode(an_event(kind), NoOpinion("timed_out")) == SILENT


@pytest.mark.parametrize(("kind", "decision"), UNSUPPORTED, ids=lambda each: getattr(each, "__name__", None))
def test_encode_refuses_what_is_not_honoured(kind: type[Event], decision: Decision) -> None:
    """A decision the client would ignore is an error, not a hope."""
    with pytest.raises(NotHonouredError):
        encode(an_event(kind), decision)


# What silence, or a no in the event's own words, stands for. Everything else would allow more than was decided.
REFUSALS: dict[str, Decision] = {
    "PreToolUse": Deny("r"),
    "PermissionRequest": Deny("r"),
    "PreModelSwitch": Deny("r"),
    "Elicitation": Filled("decline"),
    "ElicitationResult": Filled("decline"),
    "UserPromptSubmit": Block("r"),
    "UserPromptExpansion": Block("r"),
    "PostToolUse": Block("r"),
    "PostToolUseFailure": Block("r"),
    "PostToolBatch": Block("r"),
    "TaskCreated": Block("r"),
    "TaskCompleted": Block("r"),
    "PreCompact": Block("r"),
    "ConfigChange": Block("r"),
}


@pytest.mark.parametrize("kind", [kind for kind in HONOURED if Deny not in HONOURED[kind]])
def test_deny_becomes_the_strictest_no_of_its_event(kind: type[Event]) -> None:
    """A deny an event cannot express is said as the no it has, and as silence only where it has none."""
    event = an_event(kind)
    instead = REFUSALS.get(kind.__name__)
    encoded = encode_safely(event, Deny("r"))
    assert encoded.output == (SILENT if instead is None else encode(event, instead))
    assert encoded.dropped == (f"Claude Code does not honour deny on {event.name}.",)


@pytest.mark.parametrize("kind", [kind for kind in HONOURED if Prompt not in HONOURED[kind]])
def test_prompt_becomes_a_no_unless_the_client_asks_by_itself(kind: type[Event]) -> None:
    """Silence stands for a prompt only where it opens the client's own dialog."""
    event = an_event(kind)
    asks_by_itself = kind.__name__ in {"PermissionRequest", "Elicitation"}
    instead = None if asks_by_itself else REFUSALS.get(kind.__name__)
    assert encode_safely(event, Prompt("r")).output == (SILENT if instead is None else encode(event, instead))


@pytest.mark.parametrize("event", [call(), request()])
def test_halt_of_a_call_becomes_a_deny_that_ends_the_turn(event: Event) -> None:
    """The call does not run, and nothing comes after it."""
    assert encode_safely(event, Halt("h")).output == encode(event, Deny("h", interrupt=True))


@pytest.mark.parametrize("name", ["UserPromptSubmit", "PostToolUse", "PostToolBatch"])
def test_deny_that_interrupts_ends_the_turn_where_that_is_possible(name: str) -> None:
    """An interrupt is not lost where the event has another word for it."""
    event = an_event(EVENTS[name])
    assert encode_safely(event, Deny("r", interrupt=True)).output == encode(event, Halt("r"))


def test_block_of_a_call_becomes_a_deny() -> None:
    """The word for refusing a prompt, used on a tool call, still refuses it."""
    assert encode_safely(call(), Block("b")).output == encode(call(), Deny("b"))
    assert encode_safely(request(), Block("b")).output == encode(request(), Deny("b"))


@pytest.mark.parametrize("kind", [Stop, EVENTS["SubagentStop"], EVENTS["TeammateIdle"]])
def test_deny_never_keeps_a_resting_agent_going(kind: type[Event]) -> None:
    """At a turn's end a block would make the agent go on, so a no is silence there."""
    assert encode_safely(an_event(kind), Deny("r")).output == SILENT


@pytest.mark.parametrize(("kind", "decision"), UNSUPPORTED, ids=lambda each: getattr(each, "__name__", None))
def test_encode_safely_never_says_more_than_was_decided(kind: type[Event], decision: Decision) -> None:
    """What replaces an unsupported decision is silence or a refusal, and it is always told."""
    event = an_event(kind)
    encoded = encode_safely(event, decision)
    assert encoded.dropped
    if encoded.output != SILENT:
        assert isinstance(decision, Deny | Prompt | Block | Halt)
        assert is_refusal(encoded.output)


def is_refusal(output: Output) -> bool:
    reply = output.stdout_json or {}
    part = reply.get("hookSpecificOutput", {})
    return (
        reply.get("decision") == "block"
        or reply.get("continue") is False
        or part.get("permissionDecision") == "deny"
        or part.get("action") == "decline"
        or part.get("decision", {}).get("behavior") == "deny"
    )


def test_interrupt_is_dropped_but_the_deny_stays() -> None:
    """A switch of models cannot end the turn; it is denied all the same."""
    switch = an_event(EVENTS["PreModelSwitch"])
    with pytest.raises(NotHonouredError):
        encode(switch, Deny("no", interrupt=True))
    encoded = encode_safely(switch, Deny("no", interrupt=True))
    assert encoded.output == encode(switch, Deny("no"))
    assert encoded.dropped == ("Claude Code cannot interrupt on PreModelSwitch; the deny goes without it.",)


def test_bad_grants_are_dropped_and_good_ones_stay() -> None:
    """One entry the client refuses would void the allow, so it goes and the rest is sent."""
    good = rule("git push *")
    allow = Allow(grants=(rule("python *"), good, SetMode(mode="bypassPermissions", destination="session")))
    with pytest.raises(NotHonouredError):
        encode(request(), allow)
    encoded = encode_safely(request(), allow)
    assert encoded.output == encode(request(), Allow(grants=(good,)))
    assert encoded.dropped == (
        "A lasting permission was not given: with a wildcard, python runs anything.",
        "A lasting permission was not given: this mode is never granted.",
    )


def test_tool_always_allow_is_never_sent() -> None:
    """The old form of a suggestion voids the answer it is echoed in."""
    old: Any = ToolAlwaysAllow(tool="Bash")
    with pytest.raises(NotHonouredError):
        encode(request(), Allow(grants=(old,)))
    assert encode_safely(request(), Allow(grants=(old,))).output == encode(request(), Allow())


def test_grants_on_a_call_are_dropped() -> None:
    """PreToolUse takes no lasting permissions."""
    allow = Allow(grants=(rule("git push *"),))
    with pytest.raises(NotHonouredError):
        encode(call(), allow)
    encoded = encode_safely(call(), allow)
    assert encoded.output == encode(call(), Allow())
    assert len(encoded.dropped) == 1


def test_note_beside_a_permission_is_dropped() -> None:
    """The client ignores a note on PermissionRequest, so none is sent and that is told."""
    with pytest.raises(NotHonouredError):
        encode(request(), Allow(context="note"))
    encoded = encode_safely(request(), Allow(context="note"))
    assert encoded.output == encode(request(), Allow())
    assert len(encoded.dropped) == 1


@pytest.mark.parametrize("event", [call(), request(), an_event(EVENTS["PreModelSwitch"])])
def test_allow_with_input_that_cannot_be_sent_is_no_allow(event: Event) -> None:
    """An allow that hung on changed input must not become one of the input as it was."""
    allow = Allow(updated_input={"command": object()})
    with pytest.raises(NotHonouredError):
        encode(event, allow)
    assert encode_safely(event, allow).output == SILENT


@pytest.mark.parametrize("event", [call(QUESTION), request(QUESTION), call(PLAN)])
def test_plain_allow_of_a_question_or_plan_is_not_sent(event: Event) -> None:
    """The client keeps its dialog open in the face of a plain allow."""
    with pytest.raises(NotHonouredError):
        encode(event, Allow())
    assert encode_safely(event, Allow()).output == SILENT


@pytest.mark.parametrize(
    ("tool", "answers"),
    [
        (QUESTION, {}),
        (QUESTION, {"Another?": "A"}),
        (QUESTION, {"Which?": "A", "Another?": "B"}),
        (LS, {"Which?": "A"}),
        ({"tool_name": "AskUserQuestion", "tool_input": {"questions": []}}, {}),
        ({"tool_name": "AskUserQuestion", "tool_input": {"questions": "?"}}, {"Which?": "A"}),
    ],
)
def test_answers_must_be_to_the_questions_asked(tool: dict[str, Any], answers: dict[str, str]) -> None:
    """Answers that do not match, or to what is no question, are not sent."""
    for event in (call(tool), request(tool)):
        with pytest.raises(NotHonouredError):
            encode(event, Answered(answers))
        assert encode_safely(event, Answered(answers)).output == SILENT


@pytest.mark.parametrize(
    ("event", "decision"),
    [
        (request(QUESTION), Answered({"Which?": "\ud800"})),
        (call(QUESTION), Answered({"Which?": "\ud800"})),
        (an_event(EVENTS["Elicitation"]), Filled("accept", {"name": "\ud800"})),
        (an_event(EVENTS["ElicitationResult"]), Filled("accept", {"name": object()})),
    ],
)
def test_answers_that_are_no_json_are_not_sent(event: Event, decision: Decision) -> None:
    """An answer that could not be written down would break the reply it stands in."""
    with pytest.raises(NotHonouredError):
        encode(event, decision)
    assert encode_safely(event, decision).output == SILENT


def test_long_reasons_are_cut() -> None:
    """The client would show a file's name in place of a longer text."""
    output = encode(call(), Deny("x" * 12_000))
    assert output.stdout_json is not None
    reason = output.stdout_json["hookSpecificOutput"]["permissionDecisionReason"]
    assert len(reason) <= 9_500
    assert reason.endswith("[cut by Assent: 12,000 characters in all]")


def test_event_of_another_harness_is_answered_by_silence() -> None:
    """An event this module does not know is not honoured, and does not break it."""
    stranger = KnownEvent(session_id="s")
    with pytest.raises(NotHonouredError):
        encode(stranger, Allow())
    assert encode_safely(stranger, Allow()).output == SILENT


TEXT = st.text(alphabet=st.characters(), max_size=30)
VALUES = st.none() | st.integers() | TEXT | st.binary(max_size=3)
OBJECTS = st.dictionaries(TEXT, VALUES, max_size=3)
GRANTS = st.lists(
    st.builds(
        AddRules,
        rules=st.lists(st.builds(PermissionRule, TEXT | st.just("Bash"), st.none() | TEXT), max_size=2).map(tuple),
        behavior=TEXT | st.just("allow"),
        destination=TEXT | st.just("session"),
    )
    | st.builds(SetMode, mode=TEXT, destination=TEXT | st.just("session"))
    | st.builds(ToolAlwaysAllow, tool=TEXT),
    max_size=3,
).map(tuple)
DECISIONS: st.SearchStrategy[Decision] = st.one_of(
    st.builds(Allow, updated_input=st.none() | OBJECTS, grants=GRANTS, context=st.none() | TEXT),
    st.builds(Deny, TEXT, st.booleans(), st.none() | TEXT),
    st.builds(Prompt, TEXT, st.none() | TEXT),
    st.builds(Block, TEXT, st.none() | TEXT),
    st.builds(Halt, TEXT),
    st.builds(Proceed, TEXT, st.none() | OBJECTS, VALUES),
    st.builds(Answered, st.dictionaries(TEXT | st.just("Which?"), TEXT, max_size=2)),
    st.builds(Filled, st.sampled_from(["accept", "decline", "cancel"]), st.none() | OBJECTS),
    st.sampled_from(EXAMPLES),
)


@given(kind=st.sampled_from(list(HONOURED)), tool=st.sampled_from([LS, QUESTION, PLAN]), decision=DECISIONS)
def test_encode_safely_never_raises(kind: type[Event], tool: dict[str, Any], decision: Decision) -> None:
    """Every decision has an output that is JSON, valid by our schema, and no allow that was not decided."""
    output = encode_safely(an_event(kind, tool), decision).output
    written = json.loads(msgspec.json.encode(output))
    if output.action == "json_output":
        Draft202012Validator(schema.schema(f"{kind.__name__}.reply")).validate(written["stdout_json"])
    says_yes = '"allow"' in json.dumps(output.stdout_json) or '"accept"' in json.dumps(output.stdout_json)
    assert not says_yes or isinstance(decision, Allow | Answered | Filled)


def test_module_re_exports_the_codec() -> None:
    """The harness is one module to those who use it."""
    assert claude_code.encode is encode


def test_notice_stands_beside_the_answer_and_changes_nothing_in_it() -> None:
    """The person at the terminal reads it, the model does not."""
    denied = encode(call(), Deny("No."))
    noticed = with_notice(call(), denied, "assent: denied by your rule 3.")
    assert noticed.stdout_json == {"systemMessage": "assent: denied by your rule 3.", **(denied.stdout_json or {})}


@pytest.mark.parametrize(
    ("event", "decision", "expected"),
    [
        (
            call(),
            Deny("No.", context="Use make."),
            {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": "No.",
                "additionalContext": "Use make.",
            },
        ),
        (
            call(),
            Prompt("Look.", context="A rule wants a person here."),
            {
                "hookEventName": "PreToolUse",
                "permissionDecision": "ask",
                "permissionDecisionReason": "Look.",
                "additionalContext": "A rule wants a person here.",
            },
        ),
        (
            call(),
            Proceed(updated_input={"command": "ls -la"}),
            {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls -la"}},
        ),
        (
            call(),
            Proceed("Changed.", {"command": "ls -la"}),
            {
                "hookEventName": "PreToolUse",
                "updatedInput": {"command": "ls -la"},
                "additionalContext": "Changed.",
            },
        ),
        (
            an_event(EVENTS["PostToolUse"], {"tool_name": "mcp__tracker__get", "tool_input": {}}),
            Proceed(updated_result="hidden"),
            {"hookEventName": "PostToolUse", "updatedMCPToolOutput": "hidden"},
        ),
        (
            an_event(EVENTS["PostToolUse"]),
            Proceed("Cut.", updated_result={"stdout": "", "stderr": ""}),
            {
                "hookEventName": "PostToolUse",
                "updatedToolOutput": {"stdout": "", "stderr": ""},
                "additionalContext": "Cut.",
            },
        ),
    ],
)
def test_what_goes_beside_a_decision(event: Event, decision: Decision, expected: dict[str, Any]) -> None:
    """Notes, changed input and other results, each under the name that the client takes it by."""
    written = encode(event, decision).stdout_json
    assert written == {"hookSpecificOutput": expected}
    Draft202012Validator(schema.schema(f"{event.name}.reply")).validate(written)


@pytest.mark.parametrize("name", ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure"])
def test_block_carries_a_note(name: str) -> None:
    """The reason at the top, the note below the event's own name."""
    written = encode(an_event(EVENTS[name]), Block("No.", context="Use make.")).stdout_json
    assert written == {
        "decision": "block",
        "reason": "No.",
        "hookSpecificOutput": {"hookEventName": name, "additionalContext": "Use make."},
    }
    Draft202012Validator(schema.schema(f"{name}.reply")).validate(written)


@pytest.mark.parametrize(
    ("event", "decision"),
    [
        (an_event(Stop), Block("Go on.", context="n")),
        (request(), Deny("No.", context="n")),
        (an_event(EVENTS["PreModelSwitch"]), Prompt("Look.", context="n")),
    ],
)
def test_note_is_dropped_where_the_event_takes_none(event: Event, decision: Any) -> None:
    """The decision goes without it, and that is told."""
    with pytest.raises(NotHonouredError):
        encode(event, decision)
    encoded = encode_safely(event, decision)
    assert encoded.output == encode(event, msgspec.structs.replace(decision, context=None))
    assert encoded.dropped[0].startswith("A note was not passed on")


def test_changed_input_without_an_allow_is_silence_in_auto_mode() -> None:
    """The client would refuse that call and its neighbours."""
    event = msgspec.structs.replace(call(), permission_mode="auto")
    assert encode_safely(event, Proceed(updated_input={"command": "ls -la"})).output == SILENT


def test_reply_with_a_notice_fits_its_schema() -> None:
    """What stands beside a reply is part of what the schema describes."""
    for event, decision in ((call(), Deny("No.")), (an_event(EVENTS["PostToolUse"]), Block("No."))):
        noticed = with_notice(event, encode(event, decision), "Denied by your rule 3.").stdout_json
        assert noticed is not None
        assert noticed["systemMessage"] == "Denied by your rule 3."
        Draft202012Validator(schema.schema(f"{event.name}.reply")).validate(noticed)


def test_notice_never_breaks_a_silence_or_another_event() -> None:
    """The client shows none there, or would take words for an answer."""
    assert with_notice(call(), SILENT, "words") == SILENT
    asked = encode(request(), Deny("No."))
    assert with_notice(request(), asked, "words") == asked


@pytest.mark.parametrize("decision", EXAMPLES, ids=lambda each: each.word)
def test_changed_input_goes_only_with_an_allow(decision: Decision) -> None:
    """In auto mode the client refuses a call whose input a hook changed without allowing it, and those beside it."""
    for kind in (PreToolUse, PermissionRequest):
        output = encode_safely(an_event(kind), decision).output
        specific = (output.stdout_json or {}).get("hookSpecificOutput", {})
        is_allowed = specific.get("permissionDecision") == "allow" or "decision" in specific
        assert "updatedInput" not in specific or is_allowed
