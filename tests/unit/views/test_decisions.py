"""Decisions in words."""

from typing import Any

import pytest

from assent.views import decisions
from assent.views.decisions import DecisionRow

ROW: dict[str, Any] = {"seq": 1, "at": 1, "hash": "5" * 64}


@pytest.mark.parametrize(
    ("row", "answer", "decider", "result"),
    [
        (DecisionRow(**ROW, decision="allow", by="rule:user#4", ending="ran"), "allowed", "rule 4", "✓ ran"),
        (DecisionRow(**ROW, decision="deny", by="floor:delete-home"), "denied", "floor delete-home", "✕ not run"),
        (
            DecisionRow(**ROW, decision="allow", by="person:desk", choice="allow_project", ending="failed"),
            "allowed, project",
            "person",
            "✕ failed",
        ),
        (
            DecisionRow(
                **ROW, decision="no_opinion", by="terminal", ask="kptwm", ending="terminal", certainty="probable"
            ),
            "",
            "terminal",
            "→ answered at the terminal (probably)",
        ),
        (DecisionRow(**ROW, decision="no_opinion", by="stance:balanced"), "no opinion", "stance balanced", ""),
    ],
)
def test_decision_is_told_in_words(row: DecisionRow, answer: str, decider: str, result: str) -> None:
    """What was said, by whom, and what came of it."""
    assert (decisions.answer(row), decisions.decider(row.by), decisions.result(row)) == (answer, decider, result)


@pytest.mark.parametrize(
    ("word", "by", "told"),
    [
        ("deny", "rule:user#3", "assent: denied by your rule 3; `assent rules explain` tells more."),
        ("deny", "floor:delete-everything", "assent: denied by the floor, which nothing overrules."),
        ("deny", "stance:strict", "assent: denied by your stance strict."),
        ("deny", "rule:agent.user#1", ""),
        ("deny", "person:desk", ""),
        ("allow", "rule:user#3", ""),
        ("prompt", "stance:balanced", ""),
    ],
)
def test_terminal_is_told_who_denied(word: str, by: str, told: str) -> None:
    """Where the client does not say it, and it was no person who just did."""
    assert decisions.notice(word, by) == told


def test_terminal_is_told_of_a_call_that_ran_in_spite_of_auto_mode() -> None:
    """Its yes came from elsewhere."""
    assert decisions.notice("allow", "person:phone", is_appeal=True).endswith("you let it run once.")
