"""One cell for each meaning, and plain letters where a terminal has nothing else."""

import unicodedata

import pytest

from assent.protocol.card import Peril
from assent.words import signs
from tests.unit.tui import shown_asks as asks


def test_signs_take_one_cell_and_have_plain_twins() -> None:
    """None is a picture, none is wide, and none is left over in plain letters."""
    for sign in signs._PLAIN:
        assert unicodedata.east_asian_width(sign) not in ("W", "F")
        assert unicodedata.category(sign)[0] in "PS"
        assert signs.plain(sign).isascii()
        assert "U+" not in signs.plain(sign)


def test_plain_spells_out_what_it_has_no_twin_for() -> None:
    """No letter is replaced by another one, and plain text stays as it is."""
    assert signs.plain("■ caf\u00e9 \u4e2d?") == "[#] caf<U+00E9> <U+4E2D>?"
    assert signs.plain("what? [x] - ok") == "what? [x] - ok"


@pytest.mark.parametrize(
    ("level", "sign", "word", "plain"),
    [
        ("look", "○", "Look", "[.]"),
        ("change", "◐", "Change", "[~]"),
        ("care", "▲", "Care", "[!]"),
        ("danger", "■", "Danger", "[#]"),
        ("newer", "▲", "Newer", "[!]"),
        ("", "▲", "Care", "[!]"),
    ],
)
def test_every_level_has_a_sign_and_a_word(level: str, sign: str, word: str, plain: str) -> None:
    """One that nobody knows is drawn as one that needs care."""
    assert signs.risk_sign(level) == sign
    assert signs.risk_word(level) == word
    assert signs.plain(sign) == plain


def test_ask_is_known_by_its_kind_and_risk() -> None:
    """A permission by its risk; another kind by what it is, and by its risk only if that matters."""
    assert (signs.sign(asks.permission()), signs.label(asks.permission())) == ("■", "Danger")
    assert (signs.sign(asks.question()), signs.label(asks.question())) == ("?", "Question")
    assert signs.label(asks.plan(risk=Peril("danger"))) == "Plan, Danger"
    assert signs.label(asks.stop(risk=Peril("change"))) == "Turn ended"
