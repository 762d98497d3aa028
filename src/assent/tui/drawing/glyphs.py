"""Characters that every terminal draws in the same number of cells, and substitutes for the others.

Everything else is spelled out, ``⟨U+200D⟩``: controls and what is not seen, joiners, signs that turn others into wide
pictures, marks that stand alone, and what one version of Unicode calls wide and another narrow."""

import re
import unicodedata

from rich.cells import get_character_cell_size

from assent.text import invisible, wording

# On one letter; more of them run over the lines above and below.
MOST_MARKS = 2
# Terminals older than this are rare.
_OLDEST = "12.0.0"
_NEWEST = "latest"
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
# A syllable in two or three letters is the same as in one, and terminals agree on that one only.
_SYLLABLE = re.compile("[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?")
_MAY_HAVE_SYLLABLES = re.compile("[\u1100-\u1112]")


# Nearly every text is made of these: one cell each, and nothing about them to be done.
_SINGLE = re.compile("[ -~\xa1-\xac\xae-\u02ff─│…⋯·■▲◐○◌●◔✓✕→−×“”‹›▌◀⟨⟩␣⇥↵↳✱]*")


class _Drawn(dict[int, int | str]):
    """Filled as characters are met."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: set[str] = set()

    def __missing__(self, code: int) -> int | str:
        character = chr(code)
        drawn: int | str = code
        if _is_mark(character):
            self.marks.add(character)
        elif unicodedata.category(character) == "Zs":
            drawn = " " * get_character_cell_size(character)
        elif not _is_agreed(character):
            drawn = invisible.spelled(character)
        self[code] = drawn
        return drawn


_DRAWN = _Drawn()
_is_plain = False


def plain_only(is_plain: bool) -> None:
    """Whether this terminal shows plain letters only. It is known before anything is drawn, and decides how wide
    everything is: so it is said once for the process, and not to every function that draws."""
    global _is_plain
    _is_plain = is_plain


def is_plain_only() -> bool:
    return _is_plain


def one_line(text: str) -> str:
    """The last guard before the terminal: nothing that could steer it passes, wherever it came from."""
    if is_single(text):
        return wording.plain(text) if _is_plain else text
    if not text.isascii() and _MAY_HAVE_SYLLABLES.search(text):
        text = _SYLLABLE.sub(lambda match: unicodedata.normalize("NFC", match[0]), text)
    text = text.translate(_DRAWN)
    if not _DRAWN.marks.isdisjoint(text):
        text = _few_marks(text)
    return wording.plain(text) if _is_plain else text


def is_single(text: str) -> bool:
    """Whether it is as wide as it is long, at a glance; False does not say that it is not."""
    return _SINGLE.fullmatch(text) is not None


def _is_agreed(character: str) -> bool:
    if not character.isprintable() or invisible.has_hidden(character, is_command=False):
        return False
    size = get_character_cell_size(character, _NEWEST)
    # A mark that takes room of its own does so in some terminals only.
    is_odd = unicodedata.category(character) in ("Mc", "Me") or ord(character) in _FLAG_LETTERS
    return size > 0 and size == get_character_cell_size(character, _OLDEST) and not is_odd


def _is_mark(character: str) -> bool:
    return (
        unicodedata.category(character) == "Mn"
        and not invisible.has_hidden(character, is_command=False)
        and get_character_cell_size(character, _OLDEST) == 0
    )


def _few_marks(text: str) -> str:
    made: list[str] = []
    count = MOST_MARKS
    for character in text:
        if character not in _DRAWN.marks:
            # A blank, or the end of what was spelled out, carries none.
            count = MOST_MARKS if character in " ⟩" else 0
        elif count < MOST_MARKS:
            count += 1
        else:
            character = invisible.spelled(character)  # noqa: PLW2901
        made.append(character)
    return "".join(made)
