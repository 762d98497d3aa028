"""A record is one line of inert text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.record import GENESIS, Draft, Kind, Record, chained
from assent.text.safe import LONGEST, plain_line
from assent.views.line import describe


def record(kind: Kind, **fields: Any) -> Record:
    return chained(Draft(at=1, kind=kind, **fields), hub="h", seq=1, prev=GENESIS)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            {"event": "PreToolUse", "payload": {"tool_name": "Bash", "tool_input": {"command": "git  status"}}},
            "call Bash git status",
        ),
        ({"event": "UserPromptSubmit", "payload": {"prompt": "fix it"}}, "prompt fix it"),
        ({"event": "Notification", "payload": {"title": "Plan", "message": "Ready"}}, "notice Plan: Ready"),
        ({"event": "Notification", "payload": {"title": "Ready", "message": "Ready to go"}}, "notice Ready to go"),
        ({"event": "Notification", "payload": {"title": "Signed in"}}, "notice Signed in"),
        ({"event": "NewThing", "known": False, "payload": {}}, "new thing (unknown event)"),
        ({"event": "Stop", "known": False, "trouble": "not JSON"}, "turn ended (unknown event) (not JSON)"),
    ],
)
def test_event_line_shows_what_matters(body: dict[str, Any], line: str) -> None:
    """Each event shows the field that says most about it."""
    assert describe(record("event", body=body)) == line


def test_decision_line_names_who_and_why() -> None:
    """A decision reads as who decided what about which call, and why."""
    body = {"event": "PreToolUse", "tool": "Bash", "decision": {"decision": "deny", "reason": "No pushes."}}
    line = describe(record("decision", decision="deny", by="rule:user#1", body=body))
    assert line == "→ deny by your rule 1 (call Bash): No pushes."


@given(st.text())
def test_inert_text_is_printable_and_bounded(text: str) -> None:
    """Nothing an agent wrote can carry an escape sequence or flood a screen."""
    shown = plain_line(text)
    assert all(c.isprintable() for c in shown)
    assert len(shown) <= LONGEST


def test_hidden_characters_are_drawn() -> None:
    """Direction marks and escape codes are shown as what they are."""
    assert plain_line("a\u202eb\x1b[2J") == "a⟨U+202E⟩b⟨U+001B⟩[2J"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"plan": "Intro\n\n# **Move it**\n\n1. First"}, "call Plan Move it"),
        ({"plan": "\n- first step\n"}, "call Plan - first step"),
        ({"questions": [{"question": "Which database?"}]}, "call Plan Which database?"),
        ({"questions": ["?"]}, "call Plan"),
    ],
)
def test_plans_and_questions_are_their_titles(given: dict[str, Any], line: str) -> None:
    """What is long is named: a plan by its heading, questions by the first of them."""
    payload = {"tool_name": "ExitPlanMode", "tool_input": given}
    assert describe(record("event", body={"event": "PreToolUse", "payload": payload})) == line
