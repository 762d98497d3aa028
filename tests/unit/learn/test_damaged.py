"""Damaged records, and records of an unknown version, are passed over."""

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assent import paths as locations
from assent.config import Config
from assent.harnesses import claude_code
from assent.learn.in_force import AgentRules
from assent.learn.recorded_call import cases
from assent.learn.repeated_calls import gather
from assent.learn.replay import replay
from assent.learn.replayer import Court
from assent.learn.review import review
from assent.protocol.record import Record

TOOLS = ["Bash", "Read", "Grep", "Glob", "Edit", "WebFetch", "Agent", "Skill", "mcp__a__b", ""]
FIELDS = ["command", "file_path", "path", "pattern", "url", "subagent_type", "skill"]
EVENTS = ["PreToolUse", "PermissionRequest", "PostToolUse", "PermissionDenied", "Stop", "SessionEnd"]
TEXTS = (
    st.sampled_from(["", "x", "git commit", "a\0b", "//", "~", "https://[", "⟨", "\\", "*", "((", "'", "\n"])
    | st.text()
)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**70) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
PAYLOADS = st.fixed_dictionaries(
    {},
    optional={
        "session_id": st.just("s") | ANYTHING,
        "tool_name": st.sampled_from(TOOLS) | ANYTHING,
        "tool_input": st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=4) | ANYTHING,
        "hook_event_name": st.sampled_from(EVENTS) | ANYTHING,
        "cwd": st.just("/p") | ANYTHING,
        "permission_mode": ANYTHING,
    },
)
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "event": st.sampled_from(EVENTS) | ANYTHING,
        "harness": st.just(claude_code.NAME) | ANYTHING,
        "payload": PAYLOADS | ANYTHING,
        "env": ANYTHING,
        "project": ANYTHING,
        "choice": st.sampled_from(["allow", "deny"]) | ANYTHING,
        "surface": st.just("page") | ANYTHING,
        "ending": st.just("denied") | ANYTHING,
    },
)
RECORDS = st.builds(
    Record,
    at=st.integers(0, 10**13),
    kind=st.sampled_from(["event", "event", "event", "decision", "ask", "answer", "outcome", "told", "hub"]),
    session=st.sampled_from(["s", "t", None]),
    call=st.sampled_from(["c", "d", None]),
    ask=st.sampled_from(["a", None]),
    request=st.sampled_from(["r", "q", None]),
    decision=st.sampled_from(["allow", "deny", "prompt", "no_opinion", "unheard_of", None]),
    risk=st.sampled_from(["danger", "unheard_of", None]),
    by=st.sampled_from(["judge", None]),
    body=BODIES,
    hub=st.just("h"),
    seq=st.just(1),
    prev=st.just(""),
    hash=st.just(""),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(RECORDS, max_size=12))
def test_whatever_stands_in_a_record_is_counted_or_passed_over(records: list[Record]) -> None:
    """Nothing raises, and no call is lost."""
    court = Court(locations.find({"ASSENT_HOME": "/nowhere"}), Config(), Path("/nowhere/rules.toml"))
    found = replay(cases(records), court, court)
    listed = sum(difference.count for difference in (*found.changed, *found.already))
    assert found.calls == found.same + found.restored + found.unjudged + listed
    review(gather(cases(records)), court, AgentRules(home=Path("/nowhere")), least=1)
