"""A command or another text in full: each part that was looked at on lines of its own, with what is known of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assent.protocol.card import Segment
from assent.tui.code import coloured
from assent.tui.text import Line, inert, label, pad, width, with_marks, wrap
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
class _Part:
    """What was looked at, with the text that leads to it and away from it."""

    segment: Segment | None = None
    pieces: list[tuple[str, Segment]] = field(default_factory=list)


def lines(segments: Sequence[Segment], cells: int, *, tool: str = "", reason: str = "") -> list[Line]:
    """``reason`` is what the card tells anyway, and need not be said twice."""
    language = "bash" if tool in _SHELLS else ""
    parts = list(_parts(segments))
    known = [part.segment for part in parts if part.segment is not None]
    if len(known) < 2:
        whole = with_marks([piece for segment in segments for piece in _pieces(segment.text, language)])
        return [[BAR, *line] for line in wrap(whole, cells - 2, mark=GOES_ON)] if segments else []
    # Where all need somebody alike, a mark on each would say nothing.
    is_even = all(segment.needs_you for segment in known) and len({segment.risk for segment in known}) == 1
    return [line for part in parts for line in _drawn(part, cells, language, is_even=is_even, reason=reason)]


def text(value: str, cells: int, *, is_command: bool = True) -> list[Line]:
    """Any text behind the bar."""
    shown = with_marks([(inert(value, is_command=is_command), "")])
    return [[BAR, *line] for line in wrap(shown, cells - 2, mark=GOES_ON)]


def _parts(segments: Sequence[Segment]) -> Iterator[_Part]:
    part = _Part()
    for segment in segments:
        is_known = segment.needs_you or bool(segment.why)
        shown = segment.text
        if part.segment is not None:
            # What closes a part belongs to it, and so do the blanks before the next one.
            rest = shown if is_known else shown.lstrip(_CLOSERS)
            if rest != shown:
                part.pieces.append((shown[: len(shown) - len(rest)], segment))
                shown = rest
            if not shown:
                continue
            if is_known or shown.strip():
                yield part
                part = _Part()
        part.pieces.append((shown, segment))
        if is_known:
            part.segment = segment
    if part.pieces:
        yield part


def _drawn(part: _Part, cells: int, language: str, *, is_even: bool, reason: str) -> Iterator[Line]:
    line = [
        piece for shown, segment in part.pieces for piece in _pieces(shown, language, is_quiet=not segment.needs_you)
    ]
    tag, below = _told(part.segment, reason, is_even=is_even)
    line, size = with_marks(_within(line)), width(tag)
    made = wrap(line, cells - 2, "  ", mark=GOES_ON)
    if tag and width(made[0]) + size + 4 > cells:
        if cells >= _ROOM_FOR_TAGS and size <= len(NEEDS):
            made = wrap(line, cells - size - 4, "  ", mark=GOES_ON)
        else:
            tag, below = [], below or [tag]
    yield [*pad([BAR, *made[0]], cells - size), *tag] if tag else [BAR, *made[0]]
    yield from ([BAR, *each] for each in made[1:])
    for why in below:
        yield from ([("    ", ""), *each] for each in wrap(why, cells - 4))


def _told(segment: Segment | None, reason: str, *, is_even: bool) -> tuple[Line, list[Line]]:
    """What stands at the right, and what below it."""
    if segment is None:
        return [], []
    why = label(segment.why)
    if not segment.needs_you:
        return [(why, "text-3")], []
    level = segment.risk if segment.risk in signs.RISKS else "care"
    told: Line = [(f"{signs.risk_sign(level)} {signs.risk_word(level)}", f"{level} strong"), (f"  {why}", "text-2")]
    is_news = bool(why) and why not in label(reason) and level != "look"
    return [] if is_even else [(NEEDS, f"{level} strong")], [told] if is_news else []


def _pieces(shown: str, language: str, *, is_quiet: bool = False) -> Iterator[tuple[str, str]]:
    for at, line in enumerate(coloured(inert(shown, is_command=True), language)):
        if at:
            yield "\n", ""
        for piece, style in line:
            yield piece, "text-2" if is_quiet and not style else style


def _within(line: Line) -> Line:
    """Without the blanks and the line end that separate it from other parts, where a new line does."""
    while line and line[-1][0] == "\n":
        line = line[:-1]
    for at, (piece, style) in enumerate(line):
        if rest := piece.lstrip(" "):
            return [(rest, style), *line[at + 1 :]]
    return line
