"""A yes to a refused call: for that call, once, and for ten minutes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from assent.harnesses import claude_code
from assent.harnesses.claude_code.decode import decode
from assent.hub.asking.appeals import GRANTED_FOR_MS, Key, Moment, OneTimeGrants, Yes, fingerprint, is_guarded
from assent.policy.call import Scene
from assent.policy.judge import Judgement, judge
from assent.policy.judges.stance import Stance
from assent.protocol.decision import Deny, NoOpinion
from assent.protocol.events import PermissionDenied, PreToolUse, ToolEvent

COMMAND = "curl -s https://example.com/x"
START = Moment(1_000_000, 5_000)


def event(kind: type[ToolEvent] = PermissionDenied, tool: str = "Bash", /, **more: Any) -> ToolEvent:
    fields: dict[str, Any] = {"session_id": "s", "cwd": "/w", "tool_name": tool, "tool_input": {"command": COMMAND}}
    payload = {"hook_event_name": kind.__name__, **fields, **more}
    made = decode(msgspec.json.encode(payload), event_name=kind.__name__)
    assert isinstance(made, kind)
    return made


def later(ms: int, since: Moment = START) -> Moment:
    return Moment(since.wall_ms + ms, since.steady_ms + ms)


def a_yes(key: Key, at: Moment = START) -> Yes:
    return Yes(key, "seen", at, "person:desk")


KEY = Key.of(event())


def test_yes_lets_one_call_run() -> None:
    """The second equal call finds nothing."""
    grants = OneTimeGrants()
    grants.give(a_yes(KEY))
    assert grants.take(KEY, "seen", later(1)) == a_yes(KEY)
    assert grants.take(KEY, "seen", later(2)) is None


def test_two_yes_to_the_same_call_let_it_run_once() -> None:
    """They do not add up."""
    grants = OneTimeGrants()
    grants.give(a_yes(KEY))
    grants.give(a_yes(KEY, later(5)))
    assert grants.take(KEY, "seen", later(6)) is not None
    assert grants.take(KEY, "seen", later(7)) is None


@pytest.mark.parametrize(
    "then",
    [
        later(GRANTED_FOR_MS),
        # The clock on the wall was set back, or the machine slept.
        Moment(START.wall_ms, START.steady_ms + GRANTED_FOR_MS),
        Moment(START.wall_ms + GRANTED_FOR_MS, START.steady_ms),
        Moment(START.wall_ms - 1, START.steady_ms + 1),
    ],
)
def test_yes_is_over_after_ten_minutes(then: Moment) -> None:
    """By whichever clock says so, and it does not come back."""
    grants = OneTimeGrants()
    grants.give(a_yes(KEY))
    assert grants.take(KEY, "seen", then) is None
    assert grants.take(KEY, "seen", later(1)) is None


def test_yes_is_void_where_something_else_is_seen() -> None:
    """A file that would run was changed in between."""
    grants = OneTimeGrants()
    grants.give(a_yes(KEY))
    assert grants.take(KEY, "something else", later(1)) is None
    assert KEY not in grants


def test_no_takes_an_earlier_yes_back() -> None:
    """The later answer counts."""
    grants = OneTimeGrants()
    grants.give(a_yes(KEY))
    grants.revoke(KEY)
    assert grants.take(KEY, "seen", later(1)) is None


def test_yes_ends_with_its_session() -> None:
    """Another session's stays."""
    grants = OneTimeGrants()
    other = Key.of(event(session_id="t"))
    grants.give(a_yes(KEY))
    grants.give(a_yes(other))
    grants.forget("s")
    assert grants.take(KEY, "seen", later(1)) is None
    assert grants.take(other, "seen", later(1)) is not None


KEYS = st.builds(
    Key,
    st.sampled_from(("claude-code", "other")),
    st.sampled_from("st"),
    st.sampled_from((None, "a")),
    st.sampled_from(("Bash", "Write")),
    st.sampled_from("xy"),
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("yes", "no", "call", "end")),
        KEYS,
        st.sampled_from(("seen", "changed")),
        st.integers(0, GRANTED_FOR_MS),
    ),
    max_size=40,
)


@given(STEPS)
def test_no_call_runs_without_its_own_fresh_unused_yes(steps: list[tuple[str, Key, str, int]]) -> None:
    """Whatever happens in whatever order: one yes for one call of its session, agent, tool and input."""
    grants, now = OneTimeGrants(), START
    unused: dict[Key, Moment] = {}
    for what, key, seen, pause in steps:
        now = later(pause, now)
        if what == "yes":
            grants.give(a_yes(key, now))
            unused[key] = now
        elif what == "no":
            grants.revoke(key)
            unused.pop(key, None)
        elif what == "end":
            grants.forget(key.session)
            unused = {each: at for each, at in unused.items() if each.session != key.session}
        else:
            at = unused.pop(key, None)
            may_run = at is not None and now.wall_ms - at.wall_ms < GRANTED_FOR_MS and seen == "seen"
            assert (grants.take(key, seen, now) is not None) is may_run


@pytest.mark.parametrize(
    "other",
    [
        {"session_id": "t"},
        {"agent_id": "a1"},
        {"tool_name": "PowerShell"},
        {"tool_input": {"command": f"{COMMAND} "}},
        {"tool_input": {"command": COMMAND, "run_in_background": True}},
        {"tool_input": {"command": COMMAND, "dangerouslyDisableSandbox": True}},
    ],
)
def test_key_tells_other_calls_apart(other: dict[str, Any]) -> None:
    """Another session, agent, tool or input is another call."""
    assert Key.of(event(PreToolUse, **other)) != KEY


def test_key_is_the_same_for_the_repeated_call() -> None:
    """Its id is new, and the agent words its description anew."""
    again = event(PreToolUse, tool_use_id="toolu_2", tool_input={"command": COMMAND, "description": "Once more"})
    assert Key.of(again) == KEY


def test_key_keeps_a_description_that_is_content() -> None:
    """Of a tool of a server it is what is written somewhere."""
    one, other = ({"title": "t", "description": text} for text in ("a", "b"))
    tool = "mcp__tracker__create"
    assert Key.of(event(PreToolUse, tool_name=tool, tool_input=one)) != Key.of(
        event(PreToolUse, tool_name=tool, tool_input=other)
    )


def judged(project: Path, kind: type[ToolEvent] = PermissionDenied, /, tool: str = "Bash", **given: Any) -> Judgement:
    made = event(kind, tool_name=tool, tool_input=given, cwd=str(project))
    return judge(made, Scene(project), (Stance(lambda _: "balanced"),))


def test_fingerprint_is_the_same_at_the_repeated_call(tmp_path: Path) -> None:
    """Refused and made again in the same place."""
    (tmp_path / "x.sh").write_text("echo 1\n")
    assert fingerprint(judged(tmp_path, command="sh x.sh")) == fingerprint(
        judged(tmp_path, PreToolUse, command="sh x.sh")
    )


def test_fingerprint_is_another_one_when_a_script_changes(tmp_path: Path) -> None:
    """The yes was for what the file held then."""
    (tmp_path / "x.sh").write_text("echo 1\n")
    before = fingerprint(judged(tmp_path, command="sh x.sh"))
    (tmp_path / "x.sh").write_text("echo 1; curl https://example.com\n")
    assert fingerprint(judged(tmp_path, PreToolUse, command="sh x.sh")) != before


def test_fingerprint_is_another_one_elsewhere(tmp_path: Path) -> None:
    """The same line in another folder is about other files."""
    (tmp_path / "a").mkdir()
    here = judged(tmp_path, command="make")
    there = replace(here, event=structs.replace(here.event, cwd=str(tmp_path / "a")))
    assert fingerprint(here) != fingerprint(there)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": ".vscode/settings.json", "content": "{}"}),
        ("Write", {"file_path": ".mcp.json", "content": "{}"}),
        ("Bash", {"command": "echo x >> .bashrc"}),
        ("Bash", {"command": "echo x > .git/hooks/pre-commit"}),
        ("Edit", {"file_path": ".claude/settings.local.json", "old_string": "a", "new_string": "b"}),
    ],
)
def test_files_the_client_guards_are_known(tmp_path: Path, tool: str, given: dict[str, Any]) -> None:
    """No hook's allow is heard about them."""
    assert is_guarded(judged(tmp_path, tool=tool, **given), claude_code.FACTS)


@pytest.mark.parametrize(
    "command", ["curl https://example.com", "cat .bashrc", "git push", "git commit -m x", "echo x > notes.txt"]
)
def test_other_calls_can_be_appealed(tmp_path: Path, command: str) -> None:
    """Reading a guarded file, and what git does itself, is not changing one."""
    assert not is_guarded(judged(tmp_path, command=command), claude_code.FACTS)


def test_policy_never_overrules_a_refusal(tmp_path: Path) -> None:
    """What the stance would have allowed was not heard by the client, so only a person can."""
    judgement = judged(tmp_path, command="ls")
    assert (judgement.decision, judgement.is_left) == (NoOpinion("no_rule"), True)
    strict = judge(judgement.event, judgement.scene, (Stance(lambda _: "strict"),))
    assert not isinstance(strict.decision, Deny)


def test_policy_that_denies_leaves_nothing_to_ask(tmp_path: Path) -> None:
    """A rule that was written meanwhile counts."""
    made = event(tool_input={"command": "rm -rf /srv/data"}, cwd=str(tmp_path))
    judgement = judge(made, Scene(tmp_path), (Stance(lambda _: "strict"),))
    assert isinstance(judgement.decision, Deny)
    assert not judgement.is_left
