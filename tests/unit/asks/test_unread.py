"""Cards about lines that were not read to their end."""

import pytest

from assent.asks.card.offers import offers
from assent.asks.choices import refusal, ways
from assent.protocol.bodies import Choice
from assent.protocol.surfaces import Scope
from tests.unit.asks.judged import bash, card_of

LINES = {"commands": "echo a;" * 1_200 + "rm -rf ~/x", "substitutions": "$(" * 60 + "ls" + ")" * 60}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_line_too_long_to_read_says_so_and_wants_a_match_word(line: str) -> None:
    """Its first command is not what it is about."""
    card = card_of(bash(line))
    assert card.view.verb == "Too long to read"
    assert card.risk.level == "danger"
    assert card.risk.match
    assert "unread" in card.flags


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_line_too_long_to_read_is_allowed_once_or_not_at_all(line: str) -> None:
    """A lasting yes would cover unread text."""
    card = card_of(bash(line))
    assert {way.choice for way in ways(card, Scope.ADMIN)} == {
        "deny",
        "deny_here",
        "deny_and_stop",
        "allow",
        "hand_back",
    }
    assert offers(bash(line), card, {}, lambda _: ()) == ()


@pytest.mark.parametrize("choice", ["allow_session", "allow_project", "allow_user", "allow_edited"])
def test_lasting_answer_to_an_unread_line_is_refused_in_words(choice: Choice) -> None:
    """Whatever a screen sends, the desk decides."""
    card = card_of(bash(LINES["commands"]))
    assert "could not be read to its end" in (refusal(card, choice, Scope.ADMIN, has_words=False) or "")


def test_line_too_long_to_read_is_not_allowed_from_a_chat() -> None:
    """It is Danger, and a chat agrees to nothing dangerous."""
    card = card_of(bash(LINES["commands"]))
    assert {way.choice for way in ways(card, Scope.ADMIN, "chat")} == {"deny", "deny_and_stop", "hand_back"}


def test_line_that_was_read_is_answered_as_before() -> None:
    """Only what was not read is limited."""
    card = card_of(bash("npm test"))
    assert "unread" not in card.flags
    assert "allow_project" in {way.choice for way in ways(card, Scope.ADMIN)}
