"""Lines of named pieces, and text that an agent wrote made fit to stand in them. Pure.

Whatever measures, cuts or wraps works on what the terminal will be given in the end, so that nothing is wider than it
was thought to be."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from rich.cells import cell_len, get_character_cell_size

from assent import hidden
from assent.tui.drawing import glyphs
from assent.tui.drawing.glyphs import one_line
from assent.words import signs

# A text and the names of its style, as ``Look`` knows them.
Piece = tuple[str, str]
Line = list[Piece]

TAB = 4
LEAST = 4
_ODD_BLANKS = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# So many in a row are folded; at the beginning of a line blanks are how far it is indented.
_BLANKS = re.compile(r"(?<=[^ \n]) {21,}| {41,}")
_TABS = re.compile(r"\t{9,}")
_LINE_ENDS = re.compile(r"\n(?: *\n){3,}|\n")
_MOST_LINE_ENDS = 3
# A sign, and what asks for it as a coloured picture.
_PICTURE = re.compile("([^\x00-\x7f])\ufe0f")
# As it is drawn, with signs or with plain letters.
_MARK = re.compile(r"([⟨<](?:U\+[0-9A-F]{4,6}|(?:[␣⇥↵]×|_x|\^[IJ]x)\d+)[⟩>]|↵$)", re.MULTILINE)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def inert(text: str, *, is_command: bool = False) -> str:
    """What an agent wrote, with everything unseen spelled out. Line ends stay; in a command they are drawn as well, so
    that one can tell them from a line that was too long."""
    if not is_command:
        # Two cells in some terminals, one in others: both are the sign.
        text = _PICTURE.sub(lambda found: found[1 if unicodedata.category(found[1])[0] == "S" else 0], text)
    if glyphs.is_plain_only():
        text = _NOT_ASCII.sub(lambda found: _in_plain(found[0], is_command), text)
    text = hidden.drawn(text, is_command=is_command)
    text = text if is_command else text.replace("\r\n", "\n")
    text = _ODD_BLANKS.sub(lambda found: " " * get_character_cell_size(found[0]), text)
    text = _TABS.sub(lambda found: f"⟨⇥×{len(found[0])}⟩", text).expandtabs(TAB)
    text = _BLANKS.sub(lambda found: f"⟨␣×{len(found[0])}⟩", text)
    text = _LINE_ENDS.sub(lambda found: _ended(found[0], is_command), text)
    return text if text.isascii() else "\n".join(map(one_line, text.split("\n")))


def with_marks(line: Line) -> Line:
    """What was spelled out or folded is seen at a glance."""
    made: Line = []
    for text, style in line:
        if "⟨" not in text and "<" not in text and "↵" not in text:
            made.append((text, style))
            continue
        for at, part in enumerate(_MARK.split(text)):
            if part:
                made.append((part, style if at % 2 == 0 else "text-3" if part == "↵" else f"{style} care strong"))
    return made


def label(text: str) -> str:
    """The same in one line, for names and titles."""
    return " ".join(inert(text).split())


def _in_plain(character: str, is_command: bool) -> str:
    """In a command no character may pass for another one."""
    return signs.plain(hidden.spelled(character) if is_command else character)


def _ended(ends: str, is_command: bool) -> str:
    count = ends.count("\n")
    if count > _MOST_LINE_ENDS:
        return f"⟨↵×{count}⟩\n"
    return ends.replace("\n", "↵\n") if is_command else ends


def settled(line: Line) -> Line:
    """As the terminal gets it."""
    return [(one_line(text), style) for text, style in line]


def width(line: Line) -> int:
    return sum(cell_len(one_line(text)) for text, _ in line)


def fit(line: Line, cells: int, end: str = "…") -> Line:
    """No wider than so many cells; where it is cut, it says so."""
    line = settled(line)
    if width(line) <= cells:
        return line
    end = one_line(end)
    left, made = max(0, cells - cell_len(end)), []
    for text, style in line:
        kept = _cut(text, left)
        made.append((kept, style))
        if len(kept) < len(text):
            break
        left -= cell_len(kept)
    return [*made, (end[: max(0, cells)], made[-1][1])]


def pad(line: Line, cells: int, style: str = "") -> Line:
    """At least so many cells wide."""
    missing = cells - width(line)
    return [*line, (" " * missing, style)] if missing > 0 else line


def ends(left: Line, right: Line, cells: int) -> Line:
    """One at each end of the line; the left one gives way."""
    if not right:
        return fit(left, cells)
    right = fit(right, cells)
    room = cells - width(right) - 1
    return [*pad(fit(left, room), room), (" ", ""), *right] if room > 0 else right


def wrap(line: Line, cells: int, indent: str = "", *, mark: str = "") -> list[Line]:
    """The whole of it on as many lines as it needs; between words where there are some, anywhere else otherwise.

    With a ``mark``, it stands at the end of each line that ends within a word."""
    cells = max(LEAST, cells)
    if cell_len(one_line(indent)) > cells - LEAST:
        indent = ""
    lines: list[Line] = []
    for paragraph in _paragraphs(line):
        text = "".join(text for text, _ in paragraph)
        if len(text) <= cells - len(indent) and glyphs.is_single(text):
            lines.append([(indent, ""), *paragraph] if indent and lines else paragraph)
            continue
        spans = list(_breaks(text, cells, indent, mark, is_indented=bool(lines)))
        for (_, _, is_cut), part in zip(spans, _slices(paragraph, spans), strict=True):
            made: Line = [(indent, ""), *part] if indent and lines else part
            lines.append([*made, (mark, "text-3")] if is_cut and mark else made)
    return lines


def _paragraphs(line: Line) -> Iterator[Line]:
    made: Line = []
    for text, style in line:
        first, *more = text.split("\n")
        made.append((one_line(first), style))
        for each in more:
            yield made
            made = [(one_line(each), style)]
    yield made


_Span = tuple[int, int, bool]


def _breaks(text: str, cells: int, indent: str, mark: str, *, is_indented: bool) -> Iterator[_Span]:
    """Where lines begin and end, and whether they end within a word."""
    indented = cells - cell_len(one_line(indent))
    room = indented if is_indented else cells
    spare = cell_len(one_line(mark))
    reach = None if glyphs.is_single(text) else list(accumulate(map(get_character_cell_size, text)))
    start = 0
    while True:
        end = _end(reach, start, room, len(text))
        if end >= len(text):
            yield start, len(text), False
            return
        blank = end if text[end] == " " else text.rfind(" ", start, end)
        if blank > start and not text[start:blank].isspace():
            yield start, blank, False
            start = blank
            while start < len(text) and text[start] == " ":
                start += 1
        else:
            end = max(start + 1, _end(reach, start, room - spare, len(text)))
            yield start, end, True
            start = end
        room = indented


def _end(reach: list[int] | None, start: int, room: int, length: int) -> int:
    """The first character that does not fit any more."""
    if reach is None:
        return min(start + room, length)
    return bisect_right(reach, (reach[start - 1] if start else 0) + room)


def _slices(line: Line, spans: list[_Span]) -> Iterator[Line]:
    """The pieces of each span. Spans come in order, so every piece is met once."""
    at = index = 0
    for start, end, _ in spans:
        made: Line = []
        while index < len(line) and at < end:
            text, style = line[index]
            if part := text[max(0, start - at) : end - at]:
                made.append((part, style))
            if at + len(text) > end:
                break
            at += len(text)
            index += 1
        yield made


def _cut(text: str, cells: int) -> str:
    """As much of it as fits."""
    if glyphs.is_single(text):
        return text[: max(0, cells)]
    return text[: bisect_right(list(accumulate(map(get_character_cell_size, text))), cells)]
