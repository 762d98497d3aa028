"""Decisions in words: what was said, by whom, and what came of it."""

import re

from assent.views.decisions import DecisionRow
from assent.views.line import inert

CHOICES = {
    "allow": "allowed once",
    "allow_edited": "allowed, changed",
    "allow_session": "allowed, session",
    "allow_project": "allowed, project",
    "allow_user": "always allowed",
    "deny": "denied",
    "deny_and_stop": "denied, stopped",
    "hand_back": "left for terminal",
    "answer": "answered",
    "approve": "approved",
    "revise": "sent back",
    "submit": "filled in",
    "decline": "declined",
    "cancel": "cancelled",
    "keep_going": "kept going",
    "let_stop": "let stop",
}
DECISIONS = {
    "allow": "allowed",
    "deny": "denied",
    "prompt": "prompted",
    "block": "held back",
    "halt": "halted",
    "proceed": "kept going",
    "no_opinion": "no opinion",
}
ENDINGS = {
    "ran": "✓ ran",
    "failed": "✕ failed",
    "denied": "■ not run",
    "terminal": "at the terminal",
    "expired": "◌ expired",
    "handed_back": "at the terminal",
    "withdrawn": "◌ moved on",
    "unknown": "not known",
}
_NO = frozenset({"deny", "block", "halt"})
_RULE = re.compile(r"^rule:.*#(\d+)$")


def is_no(row: DecisionRow) -> bool:
    return row.decision in _NO


def answer(row: DecisionRow) -> str:
    if row.choice in CHOICES:
        return CHOICES[row.choice]
    if row.ask and row.decision == "no_opinion":
        return ""
    return DECISIONS.get(row.decision) or inert(row.decision.replace("_", " "), 20)


def decider(by: str) -> str:
    """``rule:user#4`` as "rule 4", ``person:desk`` as "person"."""
    if found := _RULE.match(by):
        return f"rule {found[1]}"
    return "person" if by.startswith("person:") else inert(by.replace(":", " ", 1), 40)


def result(row: DecisionRow) -> str:
    ending = row.ending or ("denied" if is_no(row) else "")
    sure = " (probably)" if row.certainty != "certain" else ""
    return f"{ENDINGS.get(ending, '')}{sure}" if ending else ""
