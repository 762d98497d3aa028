"""Sessions are what the records say, nothing more."""

from typing import Any

import pytest

from assent.protocol import bodies, context, summary, usage
from assent.protocol.context import Context
from assent.protocol.record import GENESIS, Draft, Kind, Record, chained
from assent.protocol.session import AutoMode, Session
from assent.protocol.summary import Summary
from assent.protocol.terminal import Terminal
from assent.protocol.todos import Todo
from assent.protocol.usage import Usage
from assent.text import wording
from assent.views.sessions import auto_mode, fold, rebuilt


class Story:
    """Records of one session, one after the other."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, kind: Kind, **fields: Any) -> "Story":
        seq = len(self.records) + 1
        draft = Draft(at=1000 * seq, kind=kind, session="s1", **fields)
        self.records.append(chained(draft, hub="h", seq=seq, prev=GENESIS))
        return self

    def event(
        self,
        name: str,
        *,
        agent: str | None = None,
        call: str | None = None,
        env: dict[str, str] | None = None,
        **payload: Any,
    ) -> "Story":
        body: dict[str, Any] = {"event": name, "harness": "claude-code", "payload": {"cwd": "/p", **payload}}
        return self.add("event", agent=agent, call=call, body={**body, "env": env} if env else body)

    def asked(self, agent: str | None = None) -> "Story":
        ask = bodies.AskBody("permission", "PermissionRequest", "claude-code", tool="Bash", line="make")
        return self.add("ask", ask="kfmzt", agent=agent, body=bodies.body(ask))

    @property
    def session(self) -> Session:
        return rebuilt(self.records)["s1"]


def test_session_start_is_known_with_folder_model_and_process() -> None:
    """The first event tells where, with which model and in which process a session runs."""
    env = {"CLAUDE_PROJECT_DIR": "/p/web", "CLAUDE_PID": "77", "CLAUDE_CODE_SESSION_ATTENDED": "0"}
    session = Story().event("SessionStart", source="startup", model="opus", env=env).session
    assert (session.project, session.cwd, session.model, session.pid) == ("/p/web", "/p", "opus", 77)
    assert session.attended is False
    assert session.state == "idle"
    assert session.started == 1000


def test_session_works_between_prompt_and_stop() -> None:
    """A session is working from its prompt until its turn ends."""
    story = Story().event("UserPromptSubmit", prompt="go", permission_mode="plan")
    assert (story.session.state, story.session.mode) == ("working", "plan")
    assert story.event("Stop").session.state == "idle"


def test_session_that_was_kept_going_works() -> None:
    """A stop that was answered with something to do is no stop, and a sub-agent's tells nothing about its session."""
    story = Story().event("UserPromptSubmit", prompt="go").event("Stop")
    assert story.add("decision", decision="proceed", body={"event": "Stop"}).session.state == "working"
    assert story.event("Stop").session.state == "idle"
    assert story.add("decision", decision="proceed", body={"event": "SubagentStop"}).session.state == "idle"


def test_idle_notification_does_not_make_a_session_work() -> None:
    """The client says a minute after the end of a turn that it waits for input; an interrupted turn ends so, too."""
    story = Story().event("UserPromptSubmit").event("Stop").event("Notification", notification_type="idle_prompt")
    assert story.session.state == "idle"
    story.event("UserPromptSubmit").event("Notification", notification_type="idle_prompt")
    assert story.session.state == "idle"


def test_events_that_come_at_any_time_leave_the_turn_alone() -> None:
    """Settings change, files change and messages are shown whether or not a turn goes on."""
    for name in ("ConfigChange", "FileChanged", "InstructionsLoaded", "MessageDisplay", "PostCompact", "Notification"):
        assert Story().event("UserPromptSubmit").event("Stop").event(name).session.state == "idle"
        assert Story().event("UserPromptSubmit").event(name).session.state == "working"
        assert Story().event("SessionStart").event("SessionEnd").event(name).session.state == "ended"


@pytest.mark.parametrize("late", ["Stop", "PostToolUse", "PermissionRequest", "SubagentStart"])
def test_ended_session_is_not_brought_back_by_a_late_event(late: str) -> None:
    """A busy hub may come to the last events in another order than they were sent."""
    assert Story().event("SessionStart").event("SessionEnd").event(late).session.state == "ended"


@pytest.mark.parametrize("begins", ["SessionStart", "UserPromptSubmit", "PreToolUse"])
def test_ended_session_lives_again_with_a_new_beginning(begins: str) -> None:
    """It was resumed."""
    assert Story().event("SessionStart").event("SessionEnd").event(begins).session.is_live


def test_compaction_within_a_turn_does_not_end_it() -> None:
    """The client starts the session anew after it."""
    assert Story().event("PreToolUse").event("SessionStart", source="compact").session.state == "working"


def test_session_with_an_ask_waits_for_its_user() -> None:
    """While it is open; afterwards the session is where it was."""
    story = Story().event("UserPromptSubmit").event("PermissionRequest").asked()
    assert (story.session.state, story.session.needs, story.session.is_live) == ("waiting", 1, True)
    story.add("answer", ask="kfmzt", body=bodies.body(bodies.AnswerBody("allow", "page")))
    assert (story.session.state, story.session.needs) == ("working", 0)


def test_turn_whose_end_is_asked_about_waits_and_is_over_afterwards() -> None:
    """The ask of a held stop is no work."""
    story = Story().event("UserPromptSubmit").event("Stop").asked()
    states = [story.session.state]
    story.add("answer", ask="kfmzt", body=bodies.body(bodies.AnswerBody("let_stop", "page")))
    assert [*states, story.session.state] == ["waiting", "idle"]


def test_ask_of_a_sub_agent_makes_its_session_wait_while_others_work() -> None:
    """What the main agent does meanwhile does not hide it."""
    story = Story().event("UserPromptSubmit").event("PermissionRequest", agent="a1").asked(agent="a1")
    assert story.event("PostToolUse").session.state == "waiting"


def test_request_left_to_the_terminal_waits_there_until_the_agent_goes_on() -> None:
    """The client shows a dialog of its own, which Assent cannot answer."""
    story = Story().event("PermissionRequest", call="c1")
    story.add("decision", call="c1", decision="no_opinion", body={"event": "PermissionRequest"})
    assert (story.session.state, story.session.needs) == ("waiting", 0)
    assert story.event("PostToolUse", call="c2").session.state == "waiting"
    assert story.event("PostToolUse", agent="a1").session.state == "waiting"
    assert story.event("PostToolUse", call="c1").session.state == "working"


def test_request_that_is_decided_does_not_wait() -> None:
    """A rule answered before a dialog could open."""
    story = Story().event("PermissionRequest", call="c1")
    story.add("decision", call="c1", decision="allow", body={"event": "PermissionRequest"})
    assert story.session.state == "working"


def test_dialog_the_client_tells_of_waits() -> None:
    """Also one that no hook was asked about; a run without a person has none."""
    told: dict[str, Any] = {"notification_type": "permission_prompt"}
    assert Story().event("PreToolUse").event("Notification", **told).session.state == "waiting"
    alone = Story().event("PreToolUse", env={"CLAUDE_CODE_SESSION_ATTENDED": "0"})
    assert alone.event("Notification", **told).session.state == "working"


def test_session_that_is_over_waits_for_nothing() -> None:
    """Its asks and dialogs went with it."""
    story = Story().event("PermissionRequest").asked().event("Notification", notification_type="permission_prompt")
    story.event("SessionEnd")
    assert (story.session.state, story.session.needs, story.session.dialogs) == ("ended", 0, ())


def test_session_follows_its_folder() -> None:
    """After a change of directory the session is where it went, its project stays."""
    session = Story().event("PreToolUse").event("CwdChanged", old_cwd="/p", new_cwd="/p/sub").session
    assert (session.cwd, session.project) == ("/p/sub", "/p")


def test_sub_agents_are_children_with_their_own_calls() -> None:
    """A sub-agent's calls count for it and for its session."""
    story = Story().event("SubagentStart", agent="a1", agent_type="Explore").event("PreToolUse", agent="a1")
    (agent,) = story.session.agents
    assert (agent.type, agent.state, agent.calls) == ("Explore", "working", 1)
    assert story.session.calls == 1
    (agent,) = story.event("SubagentStop", agent="a1", agent_type="Explore").session.agents
    assert agent.state == "done"


def test_sub_agent_stop_does_not_end_the_turn_of_its_session() -> None:
    """What a sub-agent does leaves the state of the main thread alone."""
    story = Story().event("UserPromptSubmit").event("SubagentStop", agent="a1", agent_type="Explore")
    assert story.session.state == "working"


def test_helpers_of_a_compaction_are_no_sub_agents() -> None:
    """A SubagentStop without a type and without a start is the client's own affair."""
    assert Story().event("SubagentStop", agent="x", agent_type="").session.agents == ()


def test_session_end_says_why() -> None:
    """An ended session keeps the reason the client gave."""
    session = Story().event("SessionStart").event("SessionEnd", reason="logout").session
    assert (session.state, session.ended_because, session.is_live) == ("ended", "logout", False)


def test_vanished_session_is_not_live() -> None:
    """A session whose process is gone is told apart from one that ended properly."""
    session = Story().event("SessionStart").add("hub", body={"what": "session_vanished"}).session
    assert (session.state, session.is_live) == ("vanished", False)


def test_denials_and_failures_are_counted() -> None:
    """What went wrong shows in the session's numbers."""
    story = Story().event("PreToolUse").add("decision", decision="deny").event("PostToolUseFailure", error="x")
    assert (story.session.denied, story.session.failed) == (1, 1)


def test_records_without_session_change_nothing() -> None:
    """The hub's own records belong to no session."""
    sessions: dict[str, Session] = {}
    record = chained(Draft(at=1, kind="hub", body={"what": "started"}), hub="h", seq=1, prev=GENESIS)
    assert fold(sessions, record) is None
    assert sessions == {}


def test_usage_adds_up_from_record_to_record() -> None:
    """Each record tells what was used since the one before; what a silent agent costs is not known."""
    story = Story().event("SessionStart")
    assert story.session.cost_usd is None
    first = Usage(cost_usd=0.5, tokens_in=10, tokens_out=2, tokens_cached=1, active_s=3.0, lines_added=4)
    session = story.add("hub", body=usage.body(first)).add("hub", body=usage.body(Usage(cost_usd=0.25))).session
    assert (session.cost_usd, session.tokens_in, session.tokens_out, session.tokens_cached) == (0.75, 10, 2, 1)
    assert (session.active_s, session.lines_added, session.lines_removed) == (3.0, 4, 0)
    assert session.state == "idle"


def test_sub_agent_is_known_by_the_task_it_was_given() -> None:
    """Nothing but their types ties orders to agents, so each order is taken once, in turn."""
    explorer = {"subagent_type": "explorer", "description": "Find the callers"}
    tester = {"subagent_type": "tester", "prompt": "Run the tests"}
    session = (
        Story()
        .event("PreToolUse", tool_name="Agent", tool_input=explorer)
        .event("PreToolUse", tool_name="Agent", tool_input=tester)
        .event("SubagentStart", agent="a1", agent_type="tester")
        .event("SubagentStart", agent="a2", agent_type="explorer")
        .event("SubagentStart", agent="a3", agent_type="explorer")
        .session
    )
    assert [agent.task for agent in session.agents] == ["Run the tests", "Find the callers", ""]
    assert session.ordered == ()


def test_auto_mode_counts_what_became_of_calls() -> None:
    """Answered before the classifier, refused by it, and allowed by a person all the same; in other modes nothing."""
    story = Story()
    for mode, word in (("auto", "allow"), ("auto", "deny"), ("auto", "no_opinion"), ("default", "allow")):
        story.event("PreToolUse", permission_mode=mode, tool_name="Bash", tool_input={"command": "ls"})
        story.add("decision", decision=word, body={"event": "PreToolUse"})
    for word in ("allow", "deny"):
        story.event("PermissionDenied", permission_mode="auto", tool_name="Bash", tool_input={"command": "curl x"})
        story.add("decision", decision=word, body={"event": "PermissionDenied"})
    assert story.session.auto == AutoMode(answered=2, refused=2, appealed=1)
    assert auto_mode(rebuilt(story.records)) == story.session.auto


def test_session_without_auto_mode_counts_nothing() -> None:
    """And says nothing about it."""
    assert Story().event("SessionStart").session.auto == AutoMode()
    assert wording.auto_mode() == ""
    assert wording.auto_mode(1, 2, 1) == "auto mode: 1 call answered before the classifier, 2 refused, 1 appealed"


def test_to_do_list_is_what_changes_made_of_it() -> None:
    """Changes of sub-agents count, too: the list is the session's."""
    story = Story()
    for at, change in enumerate(
        (
            {"items": [{"text": "Write it", "id": "1", "state": "open"}]},
            {"items": [{"text": "Test it", "id": "2"}]},
            {"items": [{"id": "1", "state": "done"}]},
        )
    ):
        body = {"event": "PostToolUse", "harness": "claude-code", "payload": {}, "todos": change}
        story.add("event", agent="a1" if at == 1 else None, body=body)
    assert story.session.todos == (Todo("Write it", "done", "1"), Todo("Test it", "open", "2"))


def test_context_is_known_until_the_next_one_begins() -> None:
    """A compaction and another model make it unknown; a resumed session says what it begins with."""
    story = Story().event("UserPromptSubmit").add("hub", body=context.body(Context(500, 1_000, "m")))
    assert story.session.context == Context(500, 1_000, "m")
    assert story.event("PostCompact", agent="a1").session.context is not None
    assert story.event("PostCompact").session.context is None
    assert story.event("SessionStart", source="resume", context_tokens=77).session.context == Context(77)


def test_terminal_is_the_one_of_its_last_start() -> None:
    """Events over HTTP do not say it; a start that does not is elsewhere."""
    place = {"kind": "tmux", "socket": "/tmp/tmux-0/default", "pane": "%3"}
    start = {"event": "SessionStart", "harness": "claude-code", "payload": {}}
    story = Story().add("event", body={**start, "terminal": place}).event("PostToolUse")
    assert story.session.terminal == Terminal("tmux", "/tmp/tmux-0/default", "%3")
    assert story.add("event", body=start).session.terminal is None


def test_session_knows_what_it_did_once_its_transcript_is_read() -> None:
    """It is over by then."""
    did = Summary(turns=1, tools={"Bash": 2})
    story = Story().event("SessionStart").event("SessionEnd").add("hub", body=summary.body(did))
    assert (story.session.summary, story.session.state) == (did, "ended")


def test_remote_session_is_known_as_one() -> None:
    """By any of its events."""
    story = Story().event("SessionStart")
    assert not story.session.remote
    body = {"event": "PreToolUse", "remote": True, "payload": {}}
    assert story.add("event", body=body).session.remote
