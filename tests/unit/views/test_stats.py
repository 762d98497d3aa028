"""Statistics are what the records say, whenever and in how many lives they are counted."""

import time
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol import bodies, usage
from assent.protocol.record import Kind, Record
from assent.protocol.usage import OfModel, Usage
from assent.views import days, spread, stats
from assent.views.days import Day, added
from assent.views.report import report
from assent.views.stats import Stats, fold, rebuilt
from tests.unit.views.story import Story

NOON = 1_700_000_000_000


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same days on every machine."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def total(story: Story) -> Day:
    return added(day for of_day in rebuilt(story.records).cells.values() for day in of_day.values())


def call(word: str = "no_opinion", by: str = "judge", name: str = "c1", **told: Any) -> Story:
    return Story(NOON).tool("PreToolUse", name).decision(word, by, **told)


@pytest.mark.parametrize(
    ("by", "decider"), [("rule:user#4", "rule"), ("stance:balanced", "stance"), ("floor:root", "floor")]
)
@pytest.mark.parametrize("word", ["allow", "deny"])
def test_voice_that_decides_a_call_is_counted(word: str, by: str, decider: str) -> None:
    """Who decided is who said allow or deny."""
    day = total(call(word, by).tool("PostToolUse"))
    assert (day.calls, day.decisions, day.deciders) == (1, {word: 1}, {decider: 1})


def test_calls_allowed_by_rule_or_stance_needed_no_person() -> None:
    """What was saved is what our own voices allowed."""
    assert [total(call("allow", by)).unasked for by in ("rule:user#1", "stance:balanced", "person:desk")] == [1, 1, 0]
    assert total(call("deny", "rule:user#1")).unasked == 0


def test_call_that_runs_unasked_was_the_clients_own_decision() -> None:
    """Assent did not decide and no dialog opened: the client's mode or rules let it run."""
    assert total(call().tool("PostToolUse")).deciders == {"client": 1}


def asked_at_terminal() -> Story:
    return call("prompt", "rule:user#1").tool("PermissionRequest").decision("no_opinion", cause="no_rule")


def test_call_that_runs_after_its_dialog_was_allowed_at_the_terminal() -> None:
    """It was not answered here, and the result came: a yes at the terminal; the call's own time is not waiting."""
    day = total(asked_at_terminal().wait(30_000).tool("PostToolUse", duration_ms=1000))
    assert (day.asks, day.endings, day.deciders) == (1, {"terminal_allowed": 1}, {"terminal": 1})
    assert spread.quantile(day.waited_ms, 0.5) == pytest.approx(30_000, rel=0.1)


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "StopFailure"])
def test_call_that_never_ran_after_its_dialog_was_refused_at_the_terminal(event: str) -> None:
    """Of a No at the terminal the client says nothing; the turn just goes on."""
    day = total(asked_at_terminal().event(event))
    assert (day.endings, day.deciders) == ({"terminal_denied": 1}, {"terminal": 1})


def test_another_agents_turn_settles_nothing() -> None:
    """A sub-agent's end says nothing about its parent's dialog."""
    assert total(asked_at_terminal().event("SubagentStop", agent="a1")).endings == {}


def test_prompt_without_a_dialog_was_the_voice_that_asked_for_it() -> None:
    """Without a person the client refuses, and it was the rule that made it so."""
    assert total(call("prompt", "rule:user#1").event("Stop")).deciders == {"rule": 1}


def test_dialog_answered_by_a_rule_asked_no_person() -> None:
    """A permission request that a rule answers at once is no ask."""
    day = total(call().tool("PermissionRequest").decision("allow", "rule:user#2").tool("PostToolUse"))
    assert (day.asks, day.deciders, day.unasked) == (0, {"rule": 1}, 1)


def test_dialog_of_an_unknown_call_counts_as_an_ask_that_ended_unknown() -> None:
    """A permission request that belongs to no call we know."""
    day = total(Story(NOON).tool("PermissionRequest", None).decision("no_opinion"))
    assert (day.asks, day.endings) == (1, {"unknown": 1})


def held(**fields: Any) -> Story:
    return call().tool("PermissionRequest").asked(**fields)


@pytest.mark.parametrize(
    ("choice", "ending"),
    [("allow_session", "allowed"), ("deny", "denied"), ("approve", "allowed"), ("revise", "denied")],
)
def test_persons_answer_is_counted_with_its_time(choice: bodies.Choice, ending: str) -> None:
    """A person on one of our screens decided, after so long."""
    story = held().answered(choice, waited=8_000)
    story.add("decision", call="c1", decision="allow", by="person:phone", body={"event": "PermissionRequest"})
    day = total(story.told().tool("PostToolUse").ended("ran"))
    assert (day.asks, day.endings, day.deciders) == (1, {ending: 1}, {"person": 1})
    assert spread.quantile(day.waited_ms, 0.9) == pytest.approx(8_000, rel=0.1)
    assert spread.count(day.waited_ms) == 1


@pytest.mark.parametrize("ending", ["expired", "handed_back"])
def test_unanswered_ask_is_left_to_the_terminal(ending: bodies.Ending) -> None:
    """How the ask ended is one thing, who decided the call then another."""
    day = total(held().ended(ending).tool("PostToolUse"))
    assert (day.endings, day.deciders) == ({ending: 1}, {"terminal": 1})


@pytest.mark.parametrize(("cause", "ending"), [("timed_out", "expired"), ("handed_back", "handed_back")])
def test_cause_of_silence_ends_an_ask(cause: str, ending: str) -> None:
    """The decision that follows an unanswered ask says why."""
    story = held()
    body = {"event": "PermissionRequest", "decision": {"decision": "no_opinion", "cause": cause}}
    day = total(story.add("decision", call="c1", decision="no_opinion", by="timeout", body=body))
    assert (day.asks, day.endings) == (1, {ending: 1})


def test_ask_answered_at_the_terminal_waits_for_what_was_said() -> None:
    """An answer there does not say what it was; the result does."""
    assert total(held().ended("terminal")).endings == {}
    assert total(held().ended("terminal").tool("PostToolUse")).endings == {"terminal_allowed": 1}


def test_ask_without_a_call_is_counted_once() -> None:
    """A stop that is held, asked in two revisions."""
    story = Story(NOON).asked(call=None).asked(call=None, rev=2)
    assert (total(story).asks, total(story).endings) == (1, {})
    assert total(story.answered("allow")).endings == {"allowed": 1}


def test_session_that_ends_withdraws_what_it_asked() -> None:
    """How it would have ended stays unknown."""
    day = total(asked_at_terminal().add("hub", body={"what": "session_vanished"}))
    assert (day.endings, day.deciders) == ({"withdrawn": 1}, {"rule": 1})


def test_tools_are_counted_and_timed() -> None:
    """How often, how long, how often in vain."""
    story = call().tool("PostToolUse", duration_ms=100)
    story.tool("PreToolUse", "c2").tool("PostToolUseFailure", "c2", duration_ms=300)
    story.tool("PreToolUse", "c3", tool="Read").tool("PostToolUse", "c3", tool="Read")
    day = total(story)
    bash = day.tools["Bash"]
    assert (bash.count, bash.failed, bash.total_ms, spread.count(bash.took_ms)) == (2, 1, 400, 2)
    assert (day.tools["Read"].count, day.failures) == (1, 1)


def test_hooks_are_timed() -> None:
    """What the hub itself took, where the decision says it."""
    day = total(call(took_us=400).tool("PermissionRequest").decision("no_opinion"))
    assert spread.quantile(day.took_us, 0.5) == pytest.approx(400, rel=0.1)
    assert spread.count(day.took_us) == 1


def test_hook_that_a_person_was_asked_about_is_not_timed() -> None:
    """Records of 0.1.0 count the person's time as the hub's."""
    story = call().tool("PermissionRequest").asked().answered()
    story.add("decision", ask="kfmzt", call="c1", decision="allow", by="person:desk", body={"took_us": 60_000_000})
    assert spread.count(total(story).took_us) == 0


def test_answers_are_timed_by_screen() -> None:
    """On a screen of ours by its name, else at the terminal."""
    story = call().tool("PermissionRequest").asked().answered(waited=12_000)
    assert {name: spread.count(of) for name, of in total(story).waited_on.items()} == {"telegram": 1}
    story = call().tool("PermissionRequest").decision("no_opinion").wait(5_000).tool("PostToolUse", duration_ms=1_000)
    assert {name: spread.count(of) for name, of in total(story).waited_on.items()} == {"terminal": 1}


@pytest.mark.parametrize(
    ("command", "shape"),
    [
        ("git push origin main", "git push"),
        ("npm run", "npm run"),
        ("  ls -la", "ls"),
        ("mkdir build", "mkdir"),
        ("cat notes.md", "cat"),
        ("./run.sh now", "Bash"),
        ("X=1 make", "Bash"),
        ("$(evil)", "Bash"),
    ],
)
def test_asks_are_counted_by_what_they_are_about(command: str, shape: str) -> None:
    """A command by its first words, without what it is given."""
    story = Story().tool("PreToolUse", tool_input={"command": command}).tool("PermissionRequest").decision("no_opinion")
    assert (total(story).asks, total(story).shapes) == (1, {shape: 1})


def test_asks_are_counted_by_the_answer_that_would_stay() -> None:
    """Where the ask offered one, that is its name; a question is one whatever it asks."""
    stays = [{"kind": "run", "words": "tests"}, {"kind": "shape", "words": "`npm run` of webshop"}]
    ask = bodies.AskBody("permission", "PermissionRequest", "claude-code", tool="Bash", card={"stays": stays})
    question = bodies.AskBody("question", "PreToolUse", "claude-code", tool="AskUserQuestion")
    story = call().tool("PermissionRequest").about("one", "ask", ask, call="c1").about("two", "ask", question)
    assert total(story).shapes == {"npm run of webshop": 1, "Question": 1}


def test_what_went_wrong_is_counted_where_it_happened() -> None:
    """Gaps, unreadable and unknown events, decisions that did not arrive, each in its session's project."""
    story = call().add("gap", body={"event": "PreToolUse"})
    story.add("event", body={"event": "Stop", "known": False, "trouble": "not JSON"})
    story.add("event", body={"event": "New", "known": False, "payload": {}})
    story.add("told", body=bodies.body(bodies.ToldBody(delivered=False)))
    story.event("UserPromptSubmit")
    (cells,) = rebuilt(story.records).cells.values()
    day = cells["/src/shop"]
    assert (day.gaps, day.bad_input, day.unknown_events, day.undelivered, day.prompts) == (1, 1, 1, 1, 1)


def test_days_are_local_and_asks_belong_to_the_day_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer after midnight belongs to the evening before."""
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    midnight = 1_700_000_100_000 // 86_400_000 * 86_400_000 - 20_700_000
    story = Story(midnight - 10_000).tool("PreToolUse").tool("PermissionRequest").asked().wait(60_000).answered()
    cells = rebuilt(story.tool("PostToolUse").records).cells
    evening, morning = sorted(cells)
    assert cells[evening]["/src/shop"].endings == {"allowed": 1}
    assert cells[morning]["/src/shop"].events == 1


def test_odd_bodies_are_counted_as_little_as_possible() -> None:
    """A body of another form does not raise."""
    story = Story(NOON)
    for kind in ("event", "decision", "ask", "answer", "outcome", "told", "gap", "hub", "rules"):
        story.add(kind, ask="x", call="c", body={"choice": 7, "payload": None, "event": []})
    day = total(story)
    assert (day.events, day.calls, day.asks, day.gaps) == (1, 0, 0, 1)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ["event", "payload", "env", "project", "decision", "known", "took_us", "what", "choice", "surface", "ending"]


@given(
    st.sampled_from(get_args(Kind)),
    st.dictionaries(st.sampled_from(FIELDS), JSON),
    st.dictionaries(st.sampled_from(["tool_name", "duration_ms", "cwd"]), JSON),
    st.sampled_from(["PreToolUse", "PermissionRequest", "PostToolUse", "SessionEnd"]),
)
def test_no_body_stops_the_count(kind: Kind, body: dict[str, Any], payload: dict[str, Any], event: str) -> None:
    """Statistics go on after whatever a record holds."""
    story = call().add(kind, call="c1", ask="a", body=body)
    story.add(kind, call="c1", ask="a", body={**body, "event": event, "payload": payload}).tool("PostToolUse")
    assert total(story).events >= 2


def test_names_from_agents_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an agent calls its tools and folders, what is kept stays small."""
    story = Story(NOON)
    for number in range(200):
        story.tool("PreToolUse", f"c{number}", tool=f"T{number}" * 400, project=f"/p{number % 70}")
        story.tool("PreToolUse", f"d{number}", tool=f"T{number}", project="/p0")
    monkeypatch.setattr(stats, "MOST_PENDING", 50)
    found = rebuilt(story.records)
    (cells,) = found.cells.values()
    assert len(cells) <= days.MOST_PROJECTS + 1
    assert all(len(day.tools) <= days.MOST_TOOLS + 1 for day in cells.values())
    assert len(found.pending) == 50
    assert sum(day.calls for day in cells.values()) == 400


def test_old_days_make_room_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statistics do not grow for ever."""
    monkeypatch.setattr(days, "MOST_CELLS", 5)
    story = Story(NOON)
    for _ in range(12):
        story.wait(86_400_000).event("Stop")
    found = rebuilt(story.records).cells
    assert len(found) == 5
    assert max(found) == days.day_of(story.now)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["pre", "pre", "request", "post", "failed", "refused", "prompt", "stop", "end", "ask", "answer", "outcome"]
        ),
        st.sampled_from(["c1", "c2", "c3", None]),
        st.sampled_from(["s1", "s2"]),
        st.sampled_from([None, "a1"]),
        st.sampled_from(["allow", "deny", "prompt", "no_opinion"]),
        st.sampled_from(["rule:user#1", "stance:strict", "person:desk", "timeout", "judge"]),
        st.sampled_from(["expired", "handed_back", "terminal", "ran", "unknown"]),
    ),
    max_size=50,
)


def played(steps: list[Any]) -> list[Record]:
    story = Story(NOON)
    for step, name, session, agent, word, by, ending in steps:
        who = {"session": session, "agent": agent}
        match step:
            case "pre":
                story.tool("PreToolUse", name, **who).decision(word, by)
            case "request":
                story.tool("PermissionRequest", name, **who).decision(word, by, cause="timed_out")
            case "post" | "failed" | "refused":
                event = {"post": "PostToolUse", "failed": "PostToolUseFailure", "refused": "PermissionDenied"}[step]
                story.tool(event, name, duration_ms=20, **who)
            case "ask":
                story.asked(f"ask{name}", call=name, **who)
            case "answer":
                story.answered("deny" if word == "deny" else "allow", f"ask{name}")
            case "outcome":
                story.ended(ending, f"ask{name}", call=name)
            case _:
                event = {"prompt": "UserPromptSubmit", "stop": "Stop", "end": "SessionEnd"}[step]
                story.event(event, **who)
    return story.records


@given(STEPS)
def test_every_call_and_every_ask_is_counted_exactly_once(steps: list[Any]) -> None:
    """By all deciders and endings: the parts are the whole, apart from what is still under way."""
    found = rebuilt(played(steps))
    whole = added(day for cells in found.cells.values() for day in cells.values())
    undecided = sum(it.is_call and not it.is_decided for it in found.pending.values())
    unended = sum(it.asked_at is not None and not it.is_ended for it in found.pending.values())
    assert sum(whole.deciders.values()) + undecided == whole.calls
    assert sum(whole.endings.values()) + unended == whole.asks


@given(STEPS, st.lists(st.integers(0, 50), max_size=4))
def test_many_lives_count_what_one_would(steps: list[Any], ends: list[int]) -> None:
    """Written down and read again anywhere, the count goes on as if nothing had happened."""
    records = played(steps)
    lives = Stats()
    for place, record in enumerate(records):
        if place in ends:
            lives = msgspec.json.decode(msgspec.json.encode(lives), type=Stats)
        fold(lives, record)
    assert lives == rebuilt(records)
    assert list(lives.pending) == list(rebuilt(records).pending)


def test_usage_is_counted_on_its_day_in_its_project_even_after_the_session_ended() -> None:
    """The last of it is told when everything else is over."""
    body = {**usage.body(Usage(cost_usd=0.5, tokens_in=10, models={"m": OfModel(0.5, 10)})), "project": "/src/shop"}
    story = Story(NOON).event("SessionStart").add("hub", body=body).event("SessionEnd").add("hub", body=body)
    cells = rebuilt(story.records).cells
    assert cells["2023-11-14"]["/src/shop"].used == Usage(cost_usd=1.0, tokens_in=20, models={"m": OfModel(1.0, 20)})
    found = report(cells, since="2023-11-01", until="2023-11-14")
    assert (found.cost_usd, found.tokens) == (1.0, 20)
    assert report({}, since="2023-11-01", until="2023-11-14").cost_usd is None


def test_result_before_the_decision_does_not_count_the_ask_twice() -> None:
    """At the terminal the call may be over before it is written down that it was answered there."""
    story = call().tool("PermissionRequest").asked().tool("PostToolUse")
    body = {"event": "PermissionRequest", "decision": {"decision": "no_opinion", "cause": "answered_elsewhere"}}
    story.add("decision", call="c1", decision="no_opinion", by="terminal", ask="kptwm", body=body)
    assert total(story).asks == 1
