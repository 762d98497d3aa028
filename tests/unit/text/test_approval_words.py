"""Whose yes is needed, in words."""

import pytest

from assent.protocol.approval import ApprovalView, Rung
from assent.text import approval_words

SRE = ApprovalView("approval:user#1", whom=("group:sre",), count=2, not_owner=True)


@pytest.mark.parametrize(
    ("needs", "is_mine", "words"),
    [
        (SRE, True, "Needs 2 of sre, not you"),
        (SRE, False, "Needs 2 of sre, not the owner"),
        (ApprovalView("a", whom=("owner",)), True, "Needs you"),
        (ApprovalView("a", whom=("person:ada@example.org",)), True, "Needs ada@example.org"),
        (ApprovalView("a", whom=("group:sre", "owner")), True, "Needs 1 of sre or you"),
        (
            ApprovalView("a", whom=("group:sre",), ladder=(Rung("group:leads", 240), Rung("owner", 90))),
            True,
            "Needs 1 of sre, after 4 min also leads, after 90 s also you",
        ),
        (
            ApprovalView("a", whom=("group:sre",), also=(ApprovalView("b", whom=("owner",)),)),
            True,
            "Needs 1 of sre and you",
        ),
    ],
)
def test_sentence_says_whose_yes_is_needed(needs: ApprovalView, is_mine: bool, words: str) -> None:
    """To the owner as "you"."""
    assert approval_words.sentence(needs, is_mine=is_mine) == words


def test_who_agreed_is_named_with_what_is_missing() -> None:
    """Nothing while nobody did; names are drawn as text."""
    assert approval_words.agreed((), 2) == ""
    assert approval_words.agreed(("ada",), 1) == "ada said yes, 1 more is missing"
    assert approval_words.agreed(("ada", "bob"), 2) == "ada and bob said yes, 2 more are missing"
    assert approval_words.agreed(("ada\u202e\nbob",)) == "ada⟨U+202E⟩ bob said yes"
    assert approval_words.counted(1) == "Your yes counts. 1 more is needed."
