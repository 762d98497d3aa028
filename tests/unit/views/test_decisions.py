"""Decisions in words."""

from typing import Any

import pytest

from assent.views.decisions import DecisionRow
from assent.words import decided

ROW: dict[str, Any] = {"seq": 1, "at": 1, "hash": "5" * 64}


@pytest.mark.parametrize(
    ("row", "answer", "decider", "result"),
    [
        (DecisionRow(**ROW, decision="allow", by="rule:user#4", ending="ran"), "allowed", "rule 4", "✓ ran"),
        (DecisionRow(**ROW, decision="deny", by="floor:delete-home"), "denied", "floor delete-home", "■ not run"),
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
            "at the terminal (probably)",
        ),
        (DecisionRow(**ROW, decision="no_opinion", by="stance:balanced"), "no opinion", "stance balanced", ""),
    ],
)
def test_decision_is_told_in_words(row: DecisionRow, answer: str, decider: str, result: str) -> None:
    """What was said, by whom, and what came of it."""
    assert (decided.answer(row), decided.decider(row.by), decided.result(row)) == (answer, decider, result)
