"""A command or another text in full: each part that was looked at on lines of its own, with what is known of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assent.protocol.card import Segment
from assent.tui.drawing.code import coloured
from assent.tui.drawing.text import Line, inert, label, pad, width, with_marks, wrap
from assent.words import signs

# Before everything that an agent wrote, so that none of it passes for our own words.
BAR = ("│ ", "line")
# At the end of a line that was too long and goes on within a word, as a shell would write it.
GOES_ON = "\\"
NEEDS = "◀ needs you"
_SHELLS = frozenset({"Bash", "PowerShell", "Monitor", ""})
_CLOSERS = "'\")}]`"
# With less room the tags stand below.
_ROOM_FOR_TAGS = 60


@dataclass(slots=True)
class _Row:
    """A line of the command, or the part of one that was looked at with the text that leads to it and away from it."""

    pieces: Line = field(default_factory=list)
    # What was looked at and begins here; what ends here.
    begins: Segment | None = None
    ends: Segment | None = None


def lines(segments: Sequence[Segment], cells: int, *, tool: str = "", reason: str = "") -> list[Line]:
    """``reason`` is what the card tells anyway, and need not be said twice."""
    language = "bash" if tool in _SHELLS else ""
    known = [segment for segment in segments if _is_known(segment)]
    if len(known) < 2:
        whole = with_marks([piece for segment in segments for piece in _pieces(segment.text, language)])
        return [[BAR, *line] for line in wrap(whole, cells - 2, mark=GOES_ON)] if segments else []
    # Where all need somebody alike, a mark on each would say nothing.
    is_even = all(segment.needs_you for segment in known) and len({segment.risk for segment in known}) == 1
    rows = _rows(segments, language)
    return [line for row in rows for line in _drawn(row, cells, is_even=is_even, reason=reason)]


def text(value: str, cells: int) -> list[Line]:
    """Any text behind the bar."""
    shown = with_marks([(inert(value, is_command=True), "")])
    return [[BAR, *line] for line in wrap(shown, cells - 2, mark=GOES_ON)]


def _is_known(segment: Segment) -> bool:
    """Whether somebody looked at it; the rest stands between, or around."""
    return segment.needs_you or bool(segment.why)


def _rows(segments: Sequence[Segment], language: str) -> list[_Row]:
    rows = [_Row()]
    for segment in segments:
        shown, is_known = segment.text, _is_known(segment)
        if rows[-1].begins is not None:
            if not is_known:
                # What closes a part belongs to it, and so does all that stands on the same line without another part.
                rest = shown.lstrip(_CLOSERS)
                rows[-1].pieces += _pieces(shown[: len(shown) - len(rest)], language, is_quiet=True)
                shown = rest
            if is_known or ("\n" not in shown and shown.strip()):
                rows.append(_Row())
                shown = shown.lstrip(" ")
        first = rows[-1]
        for piece, style in _pieces(shown, language, is_quiet=not segment.needs_you):
            if piece == "\n":
                rows.append(_Row())
            else:
                rows[-1].pieces.append((piece, style))
        if is_known:
            first.begins = rows[-1].ends = segment
    return [row for row in rows if row.pieces or row.ends]


def _drawn(row: _Row, cells: int, *, is_even: bool, reason: str) -> Iterator[Line]:
    tag = [] if is_even else _tag(row.begins)
    line, size = with_marks(row.pieces), width(tag)
    made = wrap(line, cells - 2, "  ", mark=GOES_ON)
    below = _told(row.ends, reason)
    if tag and width(made[0]) + size + 4 > cells:
        if cells >= _ROOM_FOR_TAGS and size <= len(NEEDS):
            made = wrap(line, cells - size - 4, "  ", mark=GOES_ON)
        else:
            tag, below = [], below or [tag]
    yield [*pad([BAR, *made[0]], cells - size), *tag] if tag else [BAR, *made[0]]
    yield from ([BAR, *each] for each in made[1:])
    for why in below:
        yield from ([("    ", ""), *each] for each in wrap(why, cells - 4))


def _tag(segment: Segment | None) -> Line:
    """What stands at the right: who is needed, or why nobody is."""
    if segment is None:
        return []
    return [(NEEDS, f"{_level(segment)} strong")] if segment.needs_you else [(label(segment.why), "text-3")]


def _told(segment: Segment | None, reason: str) -> list[Line]:
    """What stands below: why somebody is needed, where the card does not tell it already."""
    if segment is None or not segment.needs_you:
        return []
    why, level = label(segment.why), _level(segment)
    if not why or why in label(reason) or level == "look":
        return []
    return [[(f"{signs.risk_sign(level)} {signs.risk_word(level)}", f"{level} strong"), (f"  {why}", "text-2")]]


def _level(segment: Segment) -> str:
    return segment.risk if segment.risk in signs.RISKS else "care"


def _pieces(shown: str, language: str, *, is_quiet: bool = False) -> Iterator[tuple[str, str]]:
    for at, line in enumerate(coloured(inert(shown, is_command=True), language)):
        if at:
            yield "\n", ""
        for piece, style in line:
            yield piece, "text-2" if is_quiet and not style else style
