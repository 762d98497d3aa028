"""The feed is what the records say: one row for one thing that happened."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol import bodies, summary, usage
from assent.protocol.record import GENESIS, Draft, Kind, Record, chained
from assent.protocol.summary import Summary
from assent.protocol.usage import Usage
from assent.views.feed import Feed, Row, Said, fold, rebuilt
from assent.views.line import describe
from tests.unit.views.story import Story as People


class Story:
    """Records one after the other, a second apart."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, kind: Kind, session: str | None = "s1", **fields: Any) -> "Story":
        seq = len(self.records) + 1
        draft = Draft(at=1000 * seq, kind=kind, session=session, **fields)
        self.records.append(chained(draft, hub="h", seq=seq, prev=GENESIS))
        return self

    def event(self, name: str, *, call: str | None = None, agent: str | None = None, **payload: Any) -> "Story":
        body = {"event": name, "payload": {"cwd": "/p", **payload}}
        return self.add("event", call=call, agent=agent, request=f"q{len(self.records)}", body=body)

    def tool(self, name: str, call: str | None = "c1", tool: str = "Bash", **fields: Any) -> "Story":
        return self.event(name, call=call, tool_name=tool, **{"tool_input": {"command": "make"}, **fields})

    def decision(self, word: str, by: str = "rule:user#1", **fields: Any) -> "Story":
        about = self.records[-1]
        body = {"event": about.body["event"], "decision": {"decision": word, **fields}}
        return self.add("decision", call=about.call, request=about.request, decision=word, by=by, body=body)

    @property
    def rows(self) -> list[Row]:
        return list(rebuilt(self.records).rows.values())

    @property
    def row(self) -> Row:
        (row,) = self.rows
        return row


def test_call_is_one_row_with_duration_and_result() -> None:
    """PreToolUse, its decision and its result are one row."""
    story = Story().tool("PreToolUse")
    assert (story.row.id, story.row.kind, story.row.name, story.row.what) == ("c1", "call", "Bash", "make")
    assert story.row.state == "running"
    story.decision("no_opinion", by="none", cause="no_rule").tool("PostToolUse", duration_ms=41)
    assert (story.row.state, story.row.took_ms, story.row.rev, story.row.seq) == ("done", 41, 3, 1)


def test_duration_is_measured_when_it_is_not_told() -> None:
    """Without a duration the times of the records say how long it took."""
    assert Story().tool("PreToolUse").tool("PostToolUse").row.took_ms == 1000


def test_failed_call_shows_its_error() -> None:
    """A failure says what went wrong."""
    row = Story().tool("PreToolUse").tool("PostToolUseFailure", error="exit 2\n\x1b[31mno").row
    assert (row.state, row.note) == ("failed", "exit 2 ⟨U+001B⟩[31mno")


@pytest.mark.parametrize(("word", "state"), [("deny", "denied"), ("prompt", "prompted"), ("allow", "running")])
def test_decision_shows_who_and_why(word: str, state: str) -> None:
    """A row says who decided what, and why."""
    row = Story().tool("PreToolUse").decision(word, reason="Because.").row
    assert (row.state, row.said) == (state, Said(word, by="rule:user#1", why="Because."))


def test_silence_of_a_later_gate_does_not_unsay_an_earlier_one() -> None:
    """The agent's own dialog follows a prompt; that Assent adds nothing to it changes nothing."""
    story = Story().tool("PreToolUse").decision("prompt", reason="Look.").tool("PermissionRequest")
    row = story.decision("no_opinion", by="none", cause="no_rule").row
    assert (row.state, row.said) == ("prompted", Said("prompt", by="rule:user#1", why="Look."))


def test_allow_of_a_dialog_lets_the_call_run() -> None:
    """A call that was prompted runs again once it is allowed."""
    story = Story().tool("PreToolUse").decision("no_opinion", by="none", cause="no_rule").tool("PermissionRequest")
    assert story.row.state == "prompted"
    assert story.decision("allow").row.state == "running"


def test_refusal_of_auto_mode_is_a_denial() -> None:
    """What the agent's own classifier refused is shown as denied, by it."""
    row = Story().tool("PreToolUse").tool("PermissionDenied", reason="[Data Exfiltration]").row
    assert row.state == "denied"
    assert row.said == Said("deny", by="the agent's own auto mode", why="[Data Exfiltration]")


def test_identical_parallel_calls_are_two_rows() -> None:
    """Equal calls at the same time each keep their own result."""
    story = Story().tool("PreToolUse", "c1").tool("PreToolUse", "c2").tool("PostToolUse", "c2")
    story.tool("PostToolUseFailure", "c1", error="no")
    assert [(row.id, row.state) for row in story.rows] == [("c1", "failed"), ("c2", "done")]


@pytest.mark.parametrize("call", [None, "c9"])
def test_result_without_its_beginning_is_a_row_of_its_own(call: str | None) -> None:
    """A result without a beginning is shown, and marked."""
    row = Story().tool("PostToolUse", call, duration_ms=3).row
    assert (row.partial, row.state, row.took_ms, row.id) == (True, "done", 3, call or "r1")


def test_turn_is_one_row_from_prompt_to_stop() -> None:
    """A turn begins with its prompt and ends with the last message."""
    story = Story().event("UserPromptSubmit", prompt="fix it")
    assert (story.row.kind, story.row.what, story.row.state) == ("turn", "fix it", "running")
    row = story.event("Stop", last_assistant_message="Fixed.").row
    assert (row.state, row.note, row.took_ms) == ("done", "Fixed.", 1000)


def test_turn_that_broke_off_is_failed() -> None:
    """An error of the model's service ends the turn as failed."""
    row = Story().event("UserPromptSubmit", prompt="go").event("StopFailure", error="overloaded").row
    assert (row.state, row.note) == ("failed", "overloaded")


def test_blocked_stop_keeps_the_turn_running() -> None:
    """A turn that was told to go on is not over."""
    story = Story().event("UserPromptSubmit", prompt="go").event("Stop").decision("block", reason="Tests first.")
    assert (story.row.state, story.row.said) == ("running", Said("block", by="rule:user#1", why="Tests first."))
    assert story.event("Stop").row.state == "done"


def test_stop_with_words_of_a_person_keeps_the_turn_running() -> None:
    """What was queued goes out as context, and the turn goes on with it."""
    story = Story().event("UserPromptSubmit", prompt="go").event("Stop").decision("proceed", context="Run the tests.")
    assert story.row.state == "running"


def test_call_without_a_result_is_unfinished_when_its_turn_ends() -> None:
    """What was refused at the terminal is never reported, so the row does not claim to be running."""
    story = Story().tool("PreToolUse", "c1").tool("PreToolUse", "c2").tool("PostToolUse", "c2")
    story.event("PreToolUse", call="c3", agent="a1", tool_name="Read", tool_input={}).event("Stop")
    states = {row.id: row.state for row in story.rows}
    assert (states["c1"], states["c2"], states["c3"]) == ("unfinished", "done", "running")
    story.event("SubagentStop", agent="a1", agent_type="Explore")
    assert {row.id: row.state for row in story.rows}["c3"] == "unfinished"


@pytest.mark.parametrize("vanished", [True, False])
def test_session_end_leaves_nothing_running(vanished: bool) -> None:
    """When a session is over, so is everything in it."""
    story = Story().event("UserPromptSubmit", prompt="go").tool("PreToolUse").event("SubagentStart", agent="a1")
    if vanished:
        story.add("hub", body={"what": "session_vanished"})
    else:
        story.event("SessionEnd", reason="exit")
    assert [row.state for row in story.rows] == ["unfinished"] * 3 + [""]


def test_sub_agent_rows_carry_their_agent() -> None:
    """Calls of a sub-agent say whose they are, so that a screen can indent them."""
    story = Story().event("SubagentStart", agent="a1", agent_type="Explore")
    story.event("PreToolUse", call="c1", agent="a1", agent_type="Explore", tool_name="Read", tool_input={})
    story.event("SubagentStop", agent="a1", agent_type="Explore", last_assistant_message="Found.")
    agent, call = story.rows
    assert (agent.kind, agent.agent_type, agent.state, agent.note) == ("agent", "Explore", "done", "Found.")
    assert (call.agent, call.agent_type, call.state) == ("a1", "Explore", "unfinished")


def test_helpers_of_a_compaction_are_no_rows() -> None:
    """A compaction ends agents that never began: that belongs to the row before."""
    row = Story().event("PreCompact").event("SubagentStop", agent="a1", agent_type="").row
    assert (row.label, row.parts) == ("compaction begins", (2,))


def test_everything_else_is_a_row_that_says_what_it_is() -> None:
    """Sessions, notices, gaps, lines of the hub and unknown events each get a row."""
    story = Story().event("SessionStart", source="startup").event("Notification", title="Hey", message="look")
    story.add("gap", body={"event": "PreToolUse"}).add("hub", None, body={"what": "started"})
    story.add("event", body={"event": "FutureThing", "known": False, "payload": {}})
    story.event("CwdChanged", new_cwd="/q").event("PostToolBatch").event("SessionEnd", reason="exit")
    assert [(row.kind, row.title, row.what) for row in story.rows] == [
        ("session", "session started", "startup"),
        ("notice", "notice", "Hey: look"),
        ("gap", "", "gap: call while no hub was running"),
        ("hub", "", "started"),
        ("unknown", "future thing", "unknown event"),
        ("event", "folder changed", "/q"),
        ("session", "session ended", "exit"),
    ]
    assert [row.name for row in story.rows[4:6]] == ["FutureThing", "CwdChanged"]


def test_decision_without_a_call_stands_with_its_event() -> None:
    """An unreadable call shows what was answered."""
    story = Story().add("event", request="q", body={"event": "PreToolUse", "known": False, "trouble": "not JSON"})
    row = story.decision("prompt", by="hub:unreadable", reason="Could not be read.").row
    assert (row.kind, row.state, row.said) == (
        "unknown",
        "prompted",
        Said("prompt", "hub:unreadable", "Could not be read."),
    )


def test_path_inside_the_working_folder_is_short() -> None:
    """What is inside needs no prefix; what is outside keeps it."""
    rows = Story().tool("PreToolUse", tool="Read", tool_input={"file_path": "/p/src/a.py"}).rows
    rows += Story().tool("PreToolUse", tool="Read", tool_input={"file_path": "/pp/a.py"}).rows
    assert [row.what for row in rows] == ["src/a.py", "/pp/a.py"]


NAMES = ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop"]
OTHERS = ["SubagentStart", "SubagentStop", "SessionEnd", "Notification", "PostToolBatch", "Elicitation"]
OTHERS += ["ElicitationResult", "CwdChanged"]
NOTICES = ["permission_prompt", "idle_prompt", "elicitation_response", "auth_success"]
KINDS: dict[str, Kind] = {"decision": "decision", "hub": "hub", "queue": "hub", "ask": "ask", "answer": "answer"}
KINDS |= {"push": "push", "outcome": "outcome"}
STEPS = st.tuples(
    st.sampled_from([*NAMES, *OTHERS, "New", "decision", "hub", "ask", "answer", "push", "queue", "outcome"]),
    st.sampled_from([None, "c1", "c2", "c3"]),
    st.sampled_from([None, "a1"]),
    st.sampled_from(["s1", "s2", None]),
    st.sampled_from(["deny", "allow", "prompt", "no_opinion", "block"]),
)


def played(steps: list[tuple[str, str | None, str | None, str | None, str]]) -> list[Record]:
    story = Story()
    for number, (name, call, agent, session, word) in enumerate(steps):
        payload: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "x"}} if name in NAMES[:4] else {}
        if name == "Notification":
            payload = {"message": "look", "notification_type": NOTICES[number % len(NOTICES)]}
        body: dict[str, Any] = {"event": name, "known": name != "New", "payload": payload, "what": "session_vanished"}
        if name == "queue":
            body = {"what": "queue", "did": "added", "item": "i1", "text": "Run the tests.", "to": "stop"}
        kind = KINDS.get(name, "event")
        fields = {"ask": f"ask{number % 2}"} if kind in ("ask", "answer", "outcome") else {}
        request = f"q{number // 2}"
        story.add(kind, session, call=call, agent=agent, request=request, decision=word, by="x", body=body, **fields)
    return story.records


@given(st.lists(STEPS, max_size=60), st.integers(1, 8))
def test_changed_rows_told_one_by_one_are_the_rebuilt_feed(steps: list[Any], most: int) -> None:
    """A screen that only ever hears of changed rows shows what a restarted hub would show."""
    records = played(steps)
    feed, screen = Feed(most), dict[str, Row]()
    for record in records:
        before = dict(feed.rows)
        for row in fold(feed, record):
            screen[row.id] = row
            assert row.rev == record.seq
        assert {row.id for row in feed.rows.values() if before.get(row.id) != row} <= set(screen)
    again = rebuilt(records, most)
    assert feed == again
    assert {row_id: screen[row_id] for row_id in again.rows} == again.rows
    assert len(again.rows) <= most
    assert all(row.state in ("running", "prompted") for s in ("s1", "s2") for row in again.open_rows(s))


@given(st.lists(STEPS, max_size=40), st.data())
def test_rows_changed_after_a_seq_complete_an_older_feed(steps: list[Any], data: st.DataObject) -> None:
    """A screen that was away gets exactly the rows it missed."""
    records = played(steps)
    seq = data.draw(st.integers(0, len(records)))
    whole = rebuilt(records)
    shown = dict(rebuilt(records[:seq]).rows)
    for rows in whole.changed_after(seq).values():
        shown |= {row.id: row for row in rows}
    assert shown == whole.rows


def test_answer_stands_in_the_row_of_its_call() -> None:
    """Who answered on which screen, after how long, is told where the call is."""
    story = People().tool("PreToolUse").tool("PermissionRequest").asked()
    (row,) = rebuilt(story.records).rows.values()
    assert (row.state, row.ask) == ("prompted", "kfmzt")
    story.about("kfmzt", "push", bodies.PushBody("ntfy", sent=False, why="quiet hours"))
    (row,) = rebuilt(story.records).rows.values()
    assert row.note == "not sent to ntfy: quiet hours"
    story.answered("allow_session", waited=3000).told().tool("PostToolUse").ended("ran")
    (row,) = rebuilt(story.records).rows.values()
    assert (row.state, row.said) == ("done", Said("allow", by="person:phone"))
    assert (row.told, row.note) == ("allowed for the session by phone, after 3.0 s", "")


def test_ask_without_a_call_is_a_row_of_its_own() -> None:
    """A stop that is held, a form: one row from the question to the answer."""
    story = (
        People().asked(call=None).answered("deny").about("kfmzt", "refused", bodies.RefusedBody("allow", "too late"))
    )
    (row,) = rebuilt(story.records).rows.values()
    assert (row.kind, row.name, row.state, row.what) == ("ask", "permission", "denied", "make")
    assert row.note.endswith("allow was not used, too late")


@pytest.mark.parametrize(
    ("ending", "state"), [("expired", "prompted"), ("terminal", "prompted"), ("withdrawn", "unfinished")]
)
def test_ended_ask_says_so_and_leaves_the_call_to_its_result(ending: bodies.Ending, state: str) -> None:
    """An unanswered ask is over; the call may still go on at the terminal."""
    story = People().tool("PreToolUse").asked().ended(ending)
    (row,) = rebuilt(story.records).rows.values()
    assert (row.state, row.note) == (state, describe(story.records[-1]).removeprefix("ask kfmzt ended: "))


def test_undelivered_decision_is_noted_at_its_call() -> None:
    """A deny the client never heard is no deny."""
    body = bodies.body(bodies.ToldBody(False, "PreToolUse", why="the client was gone"))
    story = People().tool("PreToolUse").decision("deny", by="rule:user#1", reason="No.")
    (row,) = rebuilt(story.add("told", call="c1", decision="deny", body=body).records).rows.values()
    assert row.note == "not delivered: deny call, the client was gone"


def test_change_of_rules_is_a_row() -> None:
    """What is in force is part of what happened."""
    body = bodies.body(bodies.RulesBody("rules.toml", added=("deny Write",)))
    (row,) = rebuilt(People().add("rules", session=None, body=body).records).rows.values()
    assert (row.kind, row.what) == ("hub", "rules changed in rules.toml: added deny Write")


def test_usage_is_no_row() -> None:
    """Figures that come twice a minute would push out what happened."""
    assert not rebuilt(People().add("hub", body=usage.body(Usage(cost_usd=1.0))).records).rows


def is_in(record: Record, row: Row) -> bool:
    """Whether opening the row shows the record."""
    return record.seq in (row.seq, *row.parts) or (row.kind == "call" and record.call == row.id)


@given(st.lists(STEPS, max_size=60))
def test_every_record_is_in_a_row(steps: list[Any]) -> None:
    """Nothing is lost by folding."""
    records = played(steps)
    rows = list(rebuilt(records).rows.values())
    assert [record for record in records if not any(is_in(record, row) for row in rows)] == []


@given(st.lists(STEPS, max_size=40), st.data())
def test_what_comes_later_keeps_order_and_changes_its_own_row_only(steps: list[Any], data: st.DataObject) -> None:
    """Rows stay where they are; a record changes the row it is in, and closes what its session left open."""
    records = played(steps)
    count = data.draw(st.integers(0, len(records)))
    before, after = rebuilt(records[:count]).rows, rebuilt(records).rows
    assert list(after)[: len(before)] == list(before)
    new = records[count:]
    for row_id in [row_id for row_id, row in before.items() if after[row_id] != row]:
        changed, was = after[row_id], before[row_id]
        closed = changed == msgspec.structs.replace(was, state="unfinished", rev=changed.rev)
        assert closed or any(is_in(record, changed) for record in new)


def test_plan_is_its_title() -> None:
    """The Markdown of a plan is for its card."""
    plan = "## Move the guide to one page\n\n1. Join `install.md`\n2. Check"
    row = Story().tool("PreToolUse", tool="ExitPlanMode", tool_input={"plan": plan}).row
    assert (row.name, row.title, row.what) == ("ExitPlanMode", "Plan", "Move the guide to one page")


@pytest.mark.parametrize(
    ("by", "word", "told"),
    [
        ("rule:user#3", "allow", "allowed by your rule 3"),
        ("rule:user#3", "deny", "denied by your rule 3: No."),
        ("floor:root", "deny", "denied by the floor (root): No."),
        ("stance:balanced", "allow", ""),
        ("stance:balanced", "deny", "denied by the stance balanced: No."),
        ("judge", "no_opinion", ""),
    ],
)
def test_row_tells_who_decided_in_words(by: str, word: str, told: str) -> None:
    """The same words on every screen; a reason where something was refused, nothing where a stance let it pass."""
    assert Story().tool("PreToolUse").decision(word, by=by, reason="No.").row.told == told


def test_batch_of_results_is_in_the_row_of_its_last_call() -> None:
    """What it repeats is told already, and what was decided about it changes nothing."""
    story = Story().tool("PreToolUse", "c1").tool("PreToolUse", "c2").decision("allow").tool("PostToolUse", "c2")
    story.event("PostToolBatch", tool_calls=[{"tool_use_id": "c1"}, {"tool_use_id": "c2"}])
    story.decision("no_opinion", by="judge")
    assert [(row.id, row.parts, row.told) for row in story.rows] == [
        ("c1", (), ""),
        ("c2", (5, 6), "allowed by your rule 1"),
    ]


def test_form_of_a_server_is_in_the_row_of_its_call() -> None:
    """The question, the ask about it and its answer belong to the call that wanted to know."""
    story = Story().tool("PreToolUse", tool="mcp__tickets__create_issue", tool_input={"title": "Login"})
    story.event("Elicitation", mcp_server_name="tickets", message="How urgent?")
    assert (story.row.title, story.row.state) == ("tickets: create issue", "prompted")
    assert (story.row.note, story.row.parts) == ("form: How urgent?", (2,))
    story.event("ElicitationResult", mcp_server_name="tickets", action="accept")
    assert story.row.state == "running"
    assert story.tool("PostToolUse", tool="mcp__tickets__create_issue").row.state == "done"


def test_form_without_a_call_is_one_row_with_its_answer() -> None:
    """Question and answer are one thing that happened."""
    story = Story().event("Elicitation", mcp_server_name="tickets", message="How urgent?")
    assert (story.row.title, story.row.what, story.row.state) == ("Form", "tickets: How urgent?", "prompted")
    assert story.event("ElicitationResult", mcp_server_name="tickets", action="decline").row.state == "denied"


def test_decision_whose_event_is_gone_is_a_row() -> None:
    """What people decided is told even if what it was about is too long ago."""
    story = Story().add("decision", call="c9", decision="deny", by="rule:user#1", body={"tool": "Bash"})
    assert (story.row.id, story.row.name, story.row.partial) == ("c9", "Bash", True)
    assert story.row.told == "denied by your rule 1"


def test_what_a_session_did_stands_in_the_row_of_its_end() -> None:
    """Not in a row of its own."""
    did = summary.body(Summary(turns=2, tools={"Bash": 3}, tokens_in=1_500))
    story = Story().event("SessionStart").event("SessionEnd", reason="exit").add("hub", "s1", body=did)
    assert [(row.title, row.note) for row in story.rows][1:] == [("session ended", "2 turns, 3 calls, 1.5 k tokens")]
