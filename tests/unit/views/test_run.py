"""A run's records as lines and sums."""

from typing import Any

from assent.protocol import modes as runs
from assent.protocol.record import Kind, Record
from assent.views.run import Line, RunView

ENV = {"CLAUDE_CODE_SESSION_ATTENDED": "0", runs.VARIABLE: "id=0f3a on-ask=deny wait=600"}


class Story:
    """Records of one session, in order."""

    def __init__(self, session: str = "s1", env: dict[str, str] | None = None) -> None:
        self.view = RunView("0f3a")
        self.session, self.env = session, ENV if env is None else env
        self.lines: list[Line] = []
        self.seq = 0

    def add(self, kind: Kind, body: dict[str, Any], **fields: Any) -> None:
        self.seq += 1
        record = Record(
            at=1, kind=kind, session=self.session, body=body, hub="h", seq=self.seq, prev="", hash="", **fields
        )
        self.lines += self.view.add(record)

    def event(self, name: str, call: str | None = None, *, env: bool = True, **payload: Any) -> None:
        body = {"event": name, "payload": payload} | ({"env": self.env} if env else {})
        self.add("event", body, call=call, request=f"r{call}")

    def call(self, name: str, word: str, by: str, event: str = "PreToolUse", **decision: Any) -> None:
        self.event(event, name, tool_name="Bash", tool_input={"command": f"run {name}"})
        body = {"event": event, "tool": "Bash", "decision": decision, "trace": [{"by": by, "says": word, "why": "so"}]}
        self.add("decision", body, call=name, request=f"r{name}", decision=word, by=by, risk="care")


def test_sums_tell_what_became_of_each_call() -> None:
    """Allowed, denied, left to the client, needed a person: each call counts once."""
    story = Story()
    story.event("SessionStart")
    story.call("a", "allow", "stance:balanced")
    story.call("b", "deny", "floor:wipe", reason="no")
    story.call("c", "deny", "run:deny", reason="nobody")
    story.call("d", "no_opinion", "stance:balanced", cause="no_rule")
    story.call("d", "deny", "run:deny", event="PermissionRequest", reason="nobody")
    story.call("e", "prompt", "stance:balanced", reason="look")
    story.call("f", "no_opinion", "stance:balanced", cause="no_rule")
    assert not story.view.is_over
    story.event("SessionEnd")
    assert story.view.is_over
    assert story.view.summary(0) == {
        "kind": "summary", "run": "0f3a", "session": "s1", "calls": 6, "allowed": 1, "denied": 3, "asked": 3,
        "unanswered": 3, "unjudged": 0, "exit": 0,
    }  # fmt: skip


def test_answers_are_told_from_silence() -> None:
    """An answer, here or at a terminal, counts as answered."""
    story = Story()
    for name in ("a", "b", "c"):
        story.event("PreToolUse", name, tool_name="Bash")
        story.add("ask", {"what": "permission", "event": "PreToolUse", "harness": "x"}, call=name, ask=f"ask{name}")
    story.add("answer", {"choice": "allow", "surface": "page"}, call="a", ask="aska", by="person:desk")
    story.add("outcome", {"ending": "terminal"}, call="b", ask="askb")
    story.add("outcome", {"ending": "expired"}, call="c", ask="askc")
    assert (story.view.asked, story.view.unanswered) == (3, 1)
    assert [line.get("decision") or line.get("ending") for line in story.lines[-3:]] == ["allow", "terminal", "expired"]


def test_line_says_what_was_decided_about_what() -> None:
    """A decision names the tool, the command, who decided and why; nothing in it breaks a line."""
    story = Story()
    story.call("a\x1b[2J", "deny", "rule:user#4", reason="no\npushes")
    assert story.lines[-1] == {
        "kind": "decision", "at": 1, "seq": 2, "session": "s1", "call": "a⟨U+001B⟩[2J", "event": "PreToolUse",
        "risk": "care", "decision": "deny", "by": "rule:user#4", "tool": "Bash", "what": "run a⟨U+001B⟩[2J",
        "reason": "no pushes",
    }  # fmt: skip


def test_only_sessions_of_the_run_are_told() -> None:
    """Others are left out; what came before a session was known to be ours is told when it is."""
    other = Story(env={**ENV, runs.VARIABLE: "id=beef on-ask=deny wait=1"})
    other.call("a", "deny", "run:deny")
    assert (other.lines, other.view.sessions) == ([], {})
    story = Story()
    story.event("InstructionsLoaded", env=False)
    story.event("SessionStart")
    assert [line["event"] for line in story.lines] == ["InstructionsLoaded", "SessionStart"]


def test_call_without_a_hub_was_denied() -> None:
    """The shim of a run denies where it finds no hub, and leaves a gap for the next one to tell of."""
    story = Story()
    story.event("SessionStart")
    story.add("gap", {"event": "PreToolUse", "size": 10}, request="r1")
    story.add("gap", {"event": "SessionEnd", "size": 10}, request="r2")
    assert (story.view.calls, story.view.denied, story.view.is_over) == (1, 1, True)


def test_call_without_its_question_is_unjudged() -> None:
    """A result of a call that was not announced before it ran."""
    story = Story()
    story.event("SessionStart")
    story.event("PostToolUse", tool_name="Bash", tool_use_id="t1")
    assert story.view.unjudged == 1
