"""One cell for each meaning, and plain letters where a terminal has nothing else."""

import re
import unicodedata
from pathlib import Path

import pytest

import assent
from assent.cli.output import ROLES
from assent.protocol.card import Peril
from assent.protocol.events import EVENTS
from assent.text import wording
from assent.tui.drawing.look import TOKENS
from tests.unit.tui import shown_asks as asks


def test_signs_take_one_cell_and_have_plain_twins() -> None:
    """None is a picture, none is wide, and none is left over in plain letters."""
    for sign in wording._PLAIN:
        assert unicodedata.east_asian_width(sign) not in ("W", "F")
        assert unicodedata.category(sign)[0] in "PS"
        assert wording.plain(sign).isascii()
        assert "U+" not in wording.plain(sign)


def test_plain_spells_out_what_it_has_no_twin_for() -> None:
    """No letter is replaced by another one, and plain text stays as it is."""
    assert wording.plain("■ caf\u00e9 \u4e2d?") == "[#] caf<U+00E9> <U+4E2D>?"
    assert wording.plain("what? [x] - ok") == "what? [x] - ok"


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
    """An unknown one is drawn as Care."""
    assert wording.risk_sign(level) == sign
    assert wording.risk_word(level) == word
    assert wording.plain(sign) == plain


def test_ask_is_known_by_its_kind_and_risk() -> None:
    """A permission by its risk; another kind by what it is, and by its risk only if that matters."""
    assert (wording.sign(asks.permission()), wording.label(asks.permission())) == ("■", "Danger")
    assert (wording.sign(asks.question()), wording.label(asks.question())) == ("?", "Question")
    assert wording.label(asks.plan(risk=Peril("danger"))) == "Plan, Danger"
    assert wording.label(asks.stop(risk=Peril("change"))) == "Turn ended"


def test_words_stand_in_one_place() -> None:
    """No other file writes down what a choice, an ending, a state or a flag is called."""
    choices = [text for words in wording.CHOICES.values() for text in (words.offer, words.past, words.short)]
    states = [words.word for table in (wording.STATES, wording.ENDINGS, wording.TRIALS) for words in table.values()]
    others = [*wording.FLAGS.values(), *wording.TELLING.values(), *wording.REFUSALS.values()]
    phrases = {text for text in (*choices, *states, *others) if " " in text and "{" not in text}
    pattern = re.compile("|".join(rf"[\"'`]{re.escape(text)}[\"'`]" for text in phrases), re.IGNORECASE)
    root = Path(assent.__file__).parent
    files = [
        path for path in root.rglob("*.*") if path.suffix in (".py", ".js") and not path.stem.startswith("wording")
    ]
    found = {path.name: match[0] for path in files if (match := pattern.search(path.read_text(encoding="utf-8")))}
    assert found == {}


def test_every_role_is_a_colour_of_each_theme() -> None:
    """The terminal UI has it as a token, and a plain terminal as a style."""
    tables = (wording.RISKS, wording.ENDINGS, wording.STATES, wording.SESSIONS, wording.FEED, wording.RULES)
    roles = {words.role for table in (*tables, wording.DECISIONS, wording.TRIALS) for words in table.values()} - {""}
    assert roles <= TOKENS.keys()
    assert roles <= ROLES.keys()


def test_every_event_has_words() -> None:
    """What people read has none of the record's names; an event that is not known is told by the words in its name."""
    assert wording.EVENTS.keys() == EVENTS.keys()
    assert [words for words in wording.EVENTS.values() if words != words.lower()] == []
    assert wording.event("SomethingNewV2") == "something new v2"
