"""Asks are what the records say: who waits, who answered where, how it ended."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol import bodies
from assent.protocol.record import Record
from assent.views.asks import MOST_REMARKS, Answer, Ask, Asks, fold, rebuilt
from tests.unit.views.story import Story


def asks(story: Story) -> Asks:
    return rebuilt(story.records)


def only(story: Story) -> Ask:
    (ask,) = asks(story).by_id.values()
    return ask


def asking() -> Story:
    return Story().tool("PreToolUse").tool("PermissionRequest").asked()


def test_ask_is_open_until_it_is_answered() -> None:
    """An ask waits, with what it is about."""
    ask = only(asking())
    assert (ask.state, ask.what, ask.tool, ask.line, ask.call, ask.rev) == (
        "open",
        "permission",
        "Bash",
        "make",
        "c1",
        1,
    )
    assert asks(asking()).waiting == [ask]


def test_answer_says_who_where_and_after_how_long() -> None:
    """Who answered, on which screen and device, and how long it waited."""
    ask = only(asking().answered("allow_session", waited=12_000))
    assert ask.state == "answered"
    assert ask.answer == Answer(4000, "person:phone", "allow_session", "telegram", "Pixel", 12_000)
    assert asks(asking().answered()).waiting == []


def test_waiting_time_is_measured_where_it_is_not_told() -> None:
    """Without a span of its own the times of the records say it."""
    body = bodies.AnswerBody("deny", "page")
    ask = only(asking().about("kfmzt", "answer", body, by="person:desk"))
    assert ask.answer is not None
    assert ask.answer.waited_ms == 1000


@pytest.mark.parametrize(
    ("event", "ending"), [("PostToolUse", "ran"), ("PostToolUseFailure", "failed"), ("PermissionDenied", "denied")]
)
def test_result_of_a_told_call_closes_its_ask(event: str, ending: str) -> None:
    """After the agent was told, the call's result is how it ended."""
    story = asking().answered().told()
    assert only(story).state == "told"
    ask = only(story.tool(event))
    assert (ask.state, ask.ending, ask.certainty, ask.ended_at) == ("closed", ending, "certain", 6000)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        ("it broke", "it broke"),
        ("Exit code 1\ntest_a.py F\n\n1 failed, 4 passed\n", "Exit code 1 … 1 failed, 4 passed"),
        ("Exit code 1\nout\nhalf of a li⟨900 more⟩", "Exit code 1"),
        ("Exit code 2\n\x1b[31mno such target", "Exit code 2 … ⟨U+001B⟩[31mno such target"),
        (" \n", ""),
        (["it broke"], ""),
        (None, ""),
    ],
)
def test_failed_call_says_what_failed(error: object, why: str) -> None:
    """In one line: how the error begins and ends, as far as it is on record."""
    assert only(asking().answered().told().tool("PostToolUseFailure", error=error)).why == why


def test_line_about_a_failure_is_bounded() -> None:
    """An agent's output can be of any length."""
    error = f"Exit code 1 {'x' * 900}\n{'y' * 900}"
    assert len(only(asking().answered().told().tool("PostToolUseFailure", error=error)).why) <= 200


def test_failure_of_a_call_allowed_at_the_terminal_says_only_where() -> None:
    """Its words are about who answered, not about the result."""
    ask = only(asking().tool("PostToolUseFailure", error="Exit code 1"))
    assert (ask.ending, ask.why) == ("terminal", "")


def test_call_that_ran_unanswered_was_allowed_at_the_terminal() -> None:
    """It was not answered here and it ran, so it was allowed at the terminal."""
    ask = only(asking().tool("PostToolUse"))
    assert (ask.state, ask.ending, ask.certainty) == ("closed", "terminal", "certain")


@pytest.mark.parametrize(
    ("choice", "ending"),
    [(None, ("terminal", "probable")), ("deny", ("denied", "certain")), ("allow", ("unknown", "probable"))],
)
def test_turn_that_goes_on_closes_what_it_asked(choice: Any, ending: tuple[str, str]) -> None:
    """After the next prompt the call does not wait, and how sure the ending is depends on what was said."""
    story = asking()
    if choice:
        story.answered(choice).told()
    ask = only(story.event("UserPromptSubmit", prompt="go on"))
    assert (ask.state, (ask.ending, ask.certainty)) == ("closed", ending)


def test_another_agents_turn_closes_nothing() -> None:
    """A sub-agent that stops answers nothing of its parent."""
    assert only(asking().event("SubagentStop", agent="a1")).state == "open"


def test_held_stop_is_not_closed_by_its_own_event() -> None:
    """The ask about a stop has the request of that stop."""
    story = Story().event("Stop")
    body = bodies.AskBody("stop", "Stop", "claude-code")
    story.about("kfmzt", "ask", body, request=story.records[0].request)
    fold(folded := asks(story), story.records[0])
    assert [ask.state for ask in folded.by_id.values()] == ["open"]


@pytest.mark.parametrize("vanished", [True, False])
def test_session_that_ends_withdraws_its_asks(vanished: bool) -> None:
    """The agent is gone."""
    story = asking().asked("other", call=None, session="s2")
    story = story.add("hub", body={"what": "session_vanished"}) if vanished else story.event("SessionEnd")
    found = asks(story).by_id
    assert (found["kfmzt"].state, found["kfmzt"].ending, found["other"].state) == ("closed", "withdrawn", "open")


def test_reported_ending_closes_an_ask_and_says_that_it_is_only_reported() -> None:
    """What others report can be forged, so it is told apart from what is certain."""
    story = asking().ended("terminal", certainty="reported")
    ask = only(story)
    assert (ask.state, ask.ending, ask.certainty) == ("closed", "terminal", "reported")


def test_probable_ending_leaves_an_ask_doubtful_and_answerable() -> None:
    """A guess does not refuse an answer."""
    story = asking().ended("terminal", certainty="probable")
    ask = only(story)
    assert (ask.state, ask.ending, ask.certainty) == ("doubtful", "terminal", "probable")
    assert asks(story).waiting == [ask]
    assert only(story.answered()).state == "answered"
    assert only(story.ended("terminal", certainty="reported")).state == "answered"


@pytest.mark.parametrize("ending", ["expired", "handed_back", "withdrawn"])
def test_certain_ending_closes(ending: bodies.Ending) -> None:
    """How it ended is told by its outcome."""
    ask = only(asking().ended(ending))
    assert (ask.state, ask.ending) == ("closed", ending)


def test_new_revision_opens_a_doubtful_ask_again_and_never_a_closed_one() -> None:
    """A change of what is shown counts as long as it is not answered."""
    story = asking().ended("terminal", certainty="probable").asked(rev=2)
    assert (only(story).state, only(story).rev, only(story).seq) == ("open", 2, 3)
    assert only(story.ended("expired").asked(rev=3)).state == "closed"


def test_undelivered_answer_is_not_told() -> None:
    """An answer that did not reach the agent says why."""
    ask = only(asking().answered().told(delivered=False, why="the client is gone"))
    assert (ask.state, ask.undelivered) == ("answered", "the client is gone")


def test_refusals_and_pushes_are_kept_and_bounded() -> None:
    """What was tried is told, the latest of it."""
    story = asking()
    for number in range(MOST_REMARKS + 5):
        story.about("kfmzt", "push", bodies.PushBody("ntfy", sent=False, why="quiet hours", attempt=number))
    story.about("kfmzt", "refused", bodies.RefusedBody("allow", "too late", "page"), by="person:desk")
    ask = only(story)
    assert [push.attempt for push in ask.pushes] == list(range(5, MOST_REMARKS + 5))
    assert [(refusal.by, refusal.why) for refusal in ask.refusals] == [("person:desk", "too late")]


def test_what_waits_is_forgotten_last() -> None:
    """A flood of asks that ended does not push out one that waits."""
    story = asking()
    for number in range(20):
        story.asked(f"a{number}", call=None, session="s2").ended("expired", ask=f"a{number}")
    found = rebuilt(story.records, most=5)
    assert len(found.by_id) == 5
    assert [ask.id for ask in found.waiting] == ["kfmzt"]


def test_odd_bodies_change_nothing() -> None:
    """A body of another form does not raise."""
    story = asking()
    before = only(story)
    for kind in ("ask", "answer", "refused", "told", "outcome", "push"):
        story.add(kind, ask="kfmzt", body={"choice": 7})
    assert only(story) == before


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "answer", "refused", "told", "reported", "ended", "push", "result", "prompt", "end"]),
        st.sampled_from(["aaaaa", "bbbbb", "ccccc"]),
        st.sampled_from(["s1", "s2"]),
    ),
    max_size=40,
)


def played(steps: list[tuple[str, str, str]]) -> list[Record]:
    story = Story()
    for step, ask, session in steps:
        match step:
            case "ask":
                story.asked(ask, call=f"c{ask}", session=session)
            case "answer":
                story.answered("deny", ask)
            case "told":
                story.told(ask)
            case "ended" | "reported":
                story.ended("expired", ask, "certain" if step == "ended" else "reported")
            case "push":
                story.about(ask, "push", bodies.PushBody("ntfy", sent=True))
            case "refused":
                story.about(ask, "refused", bodies.RefusedBody("allow", "too late"))
            case "result":
                story.tool("PostToolUse", f"c{ask}", session=session)
            case _:
                story.event("UserPromptSubmit" if step == "prompt" else "SessionEnd", session=session)
    return story.records


@given(STEPS, st.data())
def test_two_lives_know_what_one_would(steps: list[tuple[str, str, str]], data: st.DataObject) -> None:
    """A hub that reads back as far as its oldest waiting ask knows the same asks as one that never stopped."""
    records = played(steps)
    one = Asks()
    told: dict[str, Ask] = {}
    for record in records:
        told |= {ask.id: ask for ask in fold(one, record)}
    assert told == one.by_id == rebuilt(records).by_id
    seq = data.draw(st.integers(0, min([ask.seq for ask in one.waiting], default=1) - 1))
    again = rebuilt(records[seq:])
    assert again.waiting == one.waiting
    assert all(ask.state == "closed" or ask in one.unended(ask.session) for ask in one.by_id.values())
    assert not any(
        ask.life.is_over for session in {ask.session for ask in one.by_id.values()} for ask in one.unended(session)
    )


def appealing() -> Story:
    return Story().tool("PreToolUse").tool("PermissionDenied").asked(event="PermissionDenied")


def test_refused_call_stays_open_when_its_turn_is_over() -> None:
    """The agent is told of a late yes at a stop, or with the next prompt."""
    for ending in ("Stop", "UserPromptSubmit"):
        assert only(appealing().event(ending)).state == "open"
        assert only(appealing().answered().event(ending)).state == "answered"


def test_yes_that_was_told_and_not_used_ends_with_the_turn() -> None:
    """The agent did not make the call again."""
    ask = only(appealing().answered().told().event("Stop"))
    assert (ask.state, ask.ending) == ("closed", "unknown")


def test_repeated_call_is_the_one_the_ask_is_about() -> None:
    """Its result ends the ask, that of the refused one cannot."""
    story = appealing().answered().told()
    story.tool("PreToolUse", call="c2")
    story.add("decision", call="c2", ask="kfmzt", decision="allow", body={"event": "PreToolUse"})
    ask = only(story.tool("PostToolUse", call="c2"))
    assert (ask.state, ask.ending) == ("closed", "ran")


def test_call_repeated_after_a_stop_that_was_no_end_takes_its_ask_up_again() -> None:
    """The agent was told before it stopped, and went on."""
    story = appealing().answered().told().event("Stop").decision("proceed")
    assert (only(story).state, only(story).ending) == ("closed", "unknown")
    story.tool("PreToolUse", call="c2")
    story.add("decision", call="c2", ask="kfmzt", decision="allow", body={"event": "PreToolUse"})
    assert (only(story).state, only(story).ending) == ("told", None)
    ask = only(story.tool("PostToolUse", call="c2"))
    assert (ask.state, ask.ending, ask.certainty) == ("closed", "ran", "certain")


def test_decision_about_another_kind_of_ask_moves_it_nowhere() -> None:
    """Only a refused call is made again under another name."""
    story = asking().answered()
    story.add("decision", call="c2", ask="kfmzt", decision="allow", body={"event": "PreToolUse"})
    assert only(story).call == "c1"


def queued(story: Story, did: str = "delivered", to: str = "tool") -> Story:
    return story.add("hub", by="person:desk", body={"what": "queue", "did": did, "to": to, "text": "Run the tests."})


def ran() -> Story:
    return asking().answered().told().tool("PostToolUse").event("PostToolBatch")


def test_queued_words_told_with_the_result_stand_on_the_ask() -> None:
    """The instruction went to the model together with the result of this call."""
    assert only(queued(ran().decision("proceed"))).told_with == "Run the tests."


@pytest.mark.parametrize("name", ["PostToolUse", "PostToolUseFailure"])
def test_queued_words_told_with_the_result_itself_stand_on_the_ask(name: str) -> None:
    """Where no batch is listened to, the result carries them."""
    story = asking().answered().told().tool(name).decision("proceed")
    assert only(queued(story)).told_with == "Run the tests."


@pytest.mark.parametrize(
    "story",
    [
        pytest.param(queued(ran(), did="added"), id="only queued"),
        pytest.param(
            queued(asking().answered().told().tool("PostToolUse").tool("PostToolUse", call="c9").decision("proceed")),
            id="told with the next result",
        ),
        pytest.param(
            queued(asking().answered().told().tool("PostToolUse", agent="a1").decision("proceed")),
            id="the result of a sub-agent",
        ),
        pytest.param(queued(ran().event("Stop").decision("proceed")), id="told at the stop"),
        pytest.param(queued(ran().event("PostToolBatch")), id="told with later results"),
        pytest.param(queued(asking().answered().event("PostToolBatch")), id="this call still runs"),
    ],
)
def test_queued_words_told_at_another_time_do_not_stand_on_it(story: Story) -> None:
    """Only what the model got with this result."""
    assert only(story).told_with == ""
