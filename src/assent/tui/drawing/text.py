"""Lines of named pieces, and text that an agent wrote made fit to stand in them. Pure.

Whatever measures, cuts or wraps works on what the terminal will be given in the end, so that nothing is wider than it
was thought to be."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from rich.cells import cell_len, get_character_cell_size

from assent.errors import AssentError
from assent.text import safe
from assent.text.safe import plain_line
from assent.tui.drawing import glyphs
from assent.tui.drawing.glyphs import one_line

_LONGEST = 300


def sentence(error: AssentError) -> str:
    """What did not happen, and what to do about it. Of several lines the first: the others show a place in a text."""
    text = plain_line(error.message.partition("\n")[0], _LONGEST)
    hint = plain_line(error.hint or "", _LONGEST)
    return f"{text} {hint[:1].upper()}{hint[1:]}" if hint else text


# A text and the names of its style, as ``Look`` knows them.
Piece = tuple[str, str]
Line = list[Piece]

LEAST = 4
# As it is drawn, with signs or with plain letters.
_MARK = re.compile(r"([⟨<](?:U\+[0-9A-F]{4,6}|(?:[␣⇥↵]×|_x|\^[IJ]x)\d+)[⟩>]|↵$)", re.MULTILINE)


def safe_text(text: str, *, is_command: bool = False) -> str:
    """What an agent wrote, with everything unseen spelled out, in characters that every terminal draws alike."""
    text = safe.terminal_text(text, is_command=is_command, is_ascii=glyphs.is_plain_only())
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
    return " ".join(safe_text(text).split())


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


def middle(text: str, cells: int) -> str:
    """No wider than so many cells; both ends of what is too long."""
    text = one_line(text)
    if cell_len(text) <= cells:
        return text
    room = max(0, cells - 1)
    return f"{_cut(text, room - room // 3)}…{_cut(text[::-1], room // 3)[::-1]}"[: max(0, cells)]


def pad(line: Line, cells: int, style: str = "") -> Line:
    """At least so many cells wide."""
    missing = cells - width(line)
    return [*line, (" " * missing, style)] if missing > 0 else line


# What says something without a colour.
_KEPT = frozenset({"strong", "under", "struck", "italic", "add", "del"})


def greyed(line: Line) -> Line:
    """Without its colours."""
    return [(text, " ".join(("text-3", *(word for word in style.split() if word in _KEPT)))) for text, style in line]


def ends(left: Line, right: Line, cells: int) -> Line:
    """One at each end of the line; the left one gives way."""
    if not right:
        return fit(left, cells)
    right = fit(right, cells)
    room = cells - width(right) - 1
    return [*pad(fit(left, room), room), (" ", ""), *right] if room > 0 else right


def hints(keys: Sequence[tuple[str, str]], cells: int) -> list[Line]:
    """Keys and what they do, on as many lines as they need: none is broken."""
    lines: list[Line] = []
    for key, words in keys:
        hint: Line = [(f" {key}", "focus strong"), (f" {words} ", "")]
        if lines and width([*lines[-1], *hint]) <= cells:
            lines[-1] += hint
        else:
            lines.append(fit(hint, cells))
    return lines


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


# Where there is less room than this for the text itself, what stands before it gives way.
_LEAST = 16


def hung(pieces: Line, cells: int, first: Line, rest: Line | None = None) -> list[Line]:
    """Text behind a mark; the lines that follow stand below where it began, or behind ``rest``."""
    size = width(first)
    rest = [(" " * size, "")] if rest is None else rest
    most = max(size, width(rest))
    if cells - most < _LEAST:
        first, rest = fit(first, cells // 2, ""), fit(rest, cells // 2, "")
        most = max(width(first), width(rest))
    return [[*(rest if at else first), *line] for at, line in enumerate(wrap(pieces, cells - most))]


def below(widths: list[int]) -> Line:
    """The line under a table's head."""
    line: Line = []
    for at, size in enumerate(widths):
        line += [*([("   ", "")] if at else []), ("─" * size, "line")]
    return line


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


# Longer code may be written to keep the highlighter busy.
LONGEST = 10_000
# Languages people meet; each takes a text of that length in milliseconds.
_KNOWN = re.compile(
    r"bash|c|console|cpp|css|diff|docker|dockerfile|go|html|ini|java|javascript|js|json|jsx|kotlin|make|makefile|php|py"
    r"|python|rb|ruby|rs|rust|sh|shell|sql|swift|toml|ts|tsx|typescript|xml|yaml|yml|zsh"
)


def coloured(text: str, language: str) -> list[Line]:
    """The same text, line by line."""
    name = (language.split() or [""])[0].lower()
    if len(text) > LONGEST or _KNOWN.fullmatch(name) is None:
        return [[(line, "")] for line in text.split("\n")]
    # It takes long to load, and most of what is shown has no language.
    from assent.tui.drawing import tokens

    lines: list[Line] = [[]]
    for value, style in tokens.found(text, name):
        for at, part in enumerate(value.split("\n")):
            if at:
                lines.append([])
            if part:
                lines[-1].append((part, style))
    # A lexer that adds or drops anything would show what was not written.
    written = "\n".join("".join(part for part, _ in line) for line in lines)
    return lines if written == text else [[(line, "")] for line in text.split("\n")]
