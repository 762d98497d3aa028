"""Characters that a person would not see, or would take for others: which they are, and how they are drawn.

In a command every such character counts. In other texts those are left alone that people of some language need, such
as joiners between letters of scripts that join and the sign that makes an emoji one."""

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from assent.expressions import later

# So many blanks in a row within a line push what follows out of sight; so many empty lines do, too.
MOST_BLANKS = 40
MOST_LINES = 10

_CONTROLS = later(r"[\x00-\x08\x0b-\x1f\x7f]")
# Controls, turns of direction, marks without width, tags, fillers, selectors of variants, undefined characters.
_UNSEEN = later(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\ue000-\uf8ff"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_ODD_BLANKS = later("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Signs that read as / \ . : ; | -, between or before plain letters.
_ODD_SIGNS = later(
    "(?<=[!-~])[\u2024\u2044\u2215\u29f8\u29f9\ua789\u037e\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e](?=[!-~])"
    "|(?:(?<=\\s)|^)[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+(?=[A-Za-z])"
)
_JOINERS = frozenset("\u200c\u200d")
_EMOJI_VARIANT = "\ufe0f"
_BOM = "\ufeff"

# Letters of other scripts that are drawn like Latin ones.
_CYRILLIC = "авеѕіјкмһорстухгԁԛԝѵӏАВЕЅІЈКМНОРСТУХГԌҮӀ"
_GREEK = "αορνυικγτωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ"
_OTHERS = "ɑɡɩıȷǃօոսհցԛᎪᏴᏟᎬᏀᎻᎥᎫᏦᏞᎷᏢᏒᎢᏙᎳᏃ"
_LIKE_LATIN = later(
    f"[{_CYRILLIC}{_GREEK}{_OTHERS}\u2100-\u214f\u2160-\u217f\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]"
)
_WORD = later(r"\w+")
_PLAIN_LETTER = later(r"[A-Za-z]")

_BLANK_RUN = later(rf"(?<=[^\s])[ \t]{{{MOST_BLANKS},}}(?=\S)|[ \t]{{{4 * MOST_BLANKS},}}(?=\S)")
_LINE_RUN = later(rf"\n(?:[ \t]*\n){{{MOST_LINES},}}(?=[ \t]*\S)")


class Mark(NamedTuple):
    """A stretch of the text, and what is drawn in its place."""

    start: int
    end: int
    drawn: str


def has_hidden(text: str, *, is_command: bool = True) -> bool:
    """Whether there is anything in it that a person would not see for what it is."""
    return next(_found(text, is_command), None) is not None or (is_command and _is_pushed_away(text))


def marks(text: str, *, is_command: bool = True) -> tuple[Mark, ...]:
    """In order, none over another."""
    return tuple(sorted(Mark(at, at + 1, spelled(text[at])) for at in set(_found(text, is_command))))


def spelled(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def drawn(text: str, *, is_command: bool = True) -> str:
    """The text with every such character spelled out."""
    pieces: list[str] = []
    at = 0
    for mark in marks(text, is_command=is_command):
        pieces += (text[at : mark.start], mark.drawn)
        at = mark.end
    return "".join((*pieces, text[at:]))


def _found(text: str, is_command: bool) -> Iterator[int]:
    if text.isascii():  # nearly always
        for match in _CONTROLS.finditer(text):
            if is_command or not _is_line_end(text, match.start()):
                yield match.start()
        return
    for match in _UNSEEN.finditer(text):
        if not _is_harmless(text, match.start(), is_command):
            yield match.start()
    yield from _look_alikes(text, is_command)
    if is_command:
        for kind in (_ODD_BLANKS, _ODD_SIGNS):
            for match in kind.finditer(text):
                yield from range(*match.span())


def _is_line_end(text: str, at: int) -> bool:
    return text.startswith("\r\n", at)


def _is_harmless(text: str, at: int, is_command: bool) -> bool:
    sign, before = text[at], text[at - 1 : at]
    if sign == _EMOJI_VARIANT:
        return unicodedata.category(before or " ") in ("So", "Sm", "Po", "Nd") and ord(before) != 0
    if sign in _JOINERS:
        # Between plain letters there is nothing to join.
        return not before.isascii() and unicodedata.category(before)[0] in "LMS" and not _UNSEEN.match(before)
    return not is_command and (_is_line_end(text, at) or (sign == _BOM and at == 0))


def _look_alikes(text: str, is_command: bool) -> Iterator[int]:
    if _LIKE_LATIN.search(text) is None:
        return
    # Whole words of such letters are a trick only where nothing else is written in that script.
    is_foreign = any(c.isalpha() and not c.isascii() and not _LIKE_LATIN.match(c) for c in text)
    for word in _WORD.finditer(text):
        if word[0].isascii():
            continue
        alike = [word.start() + match.start() for match in _LIKE_LATIN.finditer(word[0])]
        letters = sum(c.isalpha() for c in word[0])
        is_disguise = is_command and not is_foreign and len(alike) >= letters
        if alike and (_PLAIN_LETTER.search(word[0]) or is_disguise):
            yield from alike


def _is_pushed_away(text: str) -> bool:
    return _BLANK_RUN.search(text) is not None or _LINE_RUN.search(text) is not None
