"""Which text of a record people can look for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.record import Record
from assent.record_text import folded, searchable
from tests.captured import payloads

PRE: dict[str, Any] = {
    "event": "PreToolUse",
    "harness": "claude-code",
    "transport": "shim",
    "payload": {
        "session_id": "4f1c88aa",
        "transcript_path": "/home/ada/.claude/4f1c88aa.jsonl",
        "cwd": "/home/ada/webshop",
        "hook_event_name": "PreToolUse",
        "permission_mode": "default",
        "effort": {"level": "medium"},
        "tool_name": "mcp__tracker__create",
        "tool_input": {
            "project": "Apollo",
            "session_id": "Eagle",
            "fingerprint": "of a thumb",
            "content": {"size": 3, "fingerprint": "73ae2f88"},
            "steps": [{"by": "hand"}, ["Ärger"]],
        },
    },
    "env": {"CLAUDE_PROJECT_DIR": "/home/ada/webshop"},
}
DECISION: dict[str, Any] = {
    "event": "PreToolUse",
    "project": "/home/ada/webshop",
    "tool": "Bash",
    "decision": {"decision": "deny", "reason": "Pushes are reviewed."},
    "trace": [{"by": "rule:user#4", "says": "deny", "why": "Not on Fridays.", "evidence": "Bash(git push *)"}],
}


def record(body: dict[str, Any]) -> Record:
    return Record(at=1, kind="event", hub="h", seq=1, prev="0", hash="1", body=body)


def test_text_of_an_event_is_what_its_tool_was_given() -> None:
    """Names that are left out at the top of a payload are text like any other inside a tool's input."""
    assert searchable(record(PRE)).split("\n") == [
        "mcp__tracker__create",
        "apollo",
        "eagle",
        "of a thumb",
        "hand",
        "ärger",
    ]


def test_text_of_a_decision_is_its_reasons() -> None:
    """Who spoke and what they said are keys of a filter; why they said it is text."""
    assert searchable(record(DECISION)).split("\n") == [
        "bash",
        "pushes are reviewed.",
        "not on fridays.",
        "bash(git push *)",
    ]


@pytest.mark.parametrize("payload", payloads(), ids=lambda payload: payload["hook_event_name"])
def test_text_never_names_the_session(payload: dict[str, Any]) -> None:
    """What each event of a session repeats would make each of them a match."""
    text = searchable(record({"event": payload["hook_event_name"], "harness": "claude-code", "payload": payload}))
    assert payload["transcript_path"] not in text
    assert "hook_event_name" in payload
    assert payload["hook_event_name"].lower() not in text


def test_text_of_a_body_nested_without_end_is_found() -> None:
    """However deep, without running out of stack."""
    deep: Any = "bottom"
    for _ in range(5_000):
        deep = {"in": [deep]}
    assert searchable(record({"payload": deep})) == "bottom"


@given(before=st.text(), part=st.text(), after=st.text())
def test_folded_part_is_in_the_folded_whole(before: str, part: str, after: str) -> None:
    """Whatever is typed out of a text finds that text, in any case and any script."""
    assert folded(part) in folded(before + part + after)
    assert "\0" not in folded(part)
