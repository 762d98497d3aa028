"""Sessions are what the records say, nothing more."""

from typing import Any

from assent.protocol import usage
from assent.protocol.record import GENESIS, Draft, Kind, Record, chained
from assent.protocol.usage import Usage
from assent.views.sessions import Session, fold, rebuilt


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
        self, name: str, *, agent: str | None = None, env: dict[str, str] | None = None, **payload: Any
    ) -> "Story":
        body: dict[str, Any] = {"event": name, "harness": "claude-code", "payload": {"cwd": "/p", **payload}}
        return self.add("event", agent=agent, body={**body, "env": env} if env else body)

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
