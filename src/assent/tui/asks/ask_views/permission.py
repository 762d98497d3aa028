"""View of a tool call: its command, its changes in files, and everything else of its input."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.harnesses import registry
from assent.protocol.bodies import Choice
from assent.protocol.card import Segment, ShownAsk
from assent.protocol.operations import Shell
from assent.text import wording
from assent.tui.asks.ask_view import Typing
from assent.tui.asks.ask_views import diff
from assent.tui.asks.card import json_lines
from assent.tui.drawing.text import Line, coloured, label, pad, safe_text, width, with_marks, wrap

# Before everything that an agent wrote, so that none of it passes for our own words.
BAR = ("│ ", "line")
# At the end of a line that was too long and goes on within a word, as a shell would write it.
GOES_ON = "\\"
NEEDS = "◀ needs you"
_CLOSERS = "'\")}]`"
SHORT = 120
# With less room the tags stand below.
_ROOM_FOR_TAGS = 60


@dataclass(slots=True)
class _Row:
    """A line of the command, or the part of one that was looked at with the text that leads to it and away from it."""

    pieces: Line = field(default_factory=list)
    # What was looked at and begins here; what ends here.
    begins: Segment | None = None
    ends: Segment | None = None


def _is_shell(ask: ShownAsk) -> bool:
    tool = ask.view.tool
    return not tool or isinstance(registry.operation_of(ask.subject.harness, tool, {}), Shell)


def lines(segments: Sequence[Segment], cells: int, *, is_shell: bool = True) -> list[Line]:
    """What each part would do is told above it."""
    language = "bash" if is_shell else ""
    judged = [segment for segment in segments if _is_known(segment)]
    if len(judged) < 2:
        whole = with_marks([piece for segment in segments for piece in _pieces(segment.text, language)])
        return [[BAR, *line] for line in wrap(whole, cells - 2, mark=GOES_ON)] if segments else []
    # Where all need a decision alike, a mark on each would say nothing.
    is_even = all(segment.needs_you for segment in judged) and len({segment.risk for segment in judged}) == 1
    rows = _rows(segments, language)
    return [line for row in rows for line in _drawn(row, cells, is_even=is_even)]


def text(value: str, cells: int) -> list[Line]:
    """Any text behind the bar."""
    shown = with_marks([(safe_text(value, is_command=True), "")])
    return [[BAR, *line] for line in wrap(shown, cells - 2, mark=GOES_ON)]


def cell_width(name: str) -> int:
    return width([(label(name), "")])


def _is_short(value: str) -> bool:
    """Whether it stands beside its name."""
    return len(value) <= SHORT and "\n" not in value


def _prose(value: str, cells: int) -> list[Line]:
    """Markdown behind the bar."""
    # Few calls have it, and start-up counts.
    from assent.tui.drawing.markdown import blocks

    drawn: list[Line] = []
    for block in blocks(value):
        drawn += [[]] if block.is_apart and drawn else []
        drawn += block.draw(cells - 2)
    return [[BAR, *line] for line in drawn]


def _is_known(segment: Segment) -> bool:
    """Whether it was judged; the rest stands between, or around."""
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


def _drawn(row: _Row, cells: int, *, is_even: bool) -> Iterator[Line]:
    tag = [] if is_even else _tag(row.begins)
    line, size = with_marks(row.pieces), width(tag)
    made = wrap(line, cells - 2, "  ", mark=GOES_ON)
    below: list[Line] = []
    if tag and width(made[0]) + size + 4 > cells:
        if cells >= _ROOM_FOR_TAGS and size <= len(NEEDS):
            made = wrap(line, cells - size - 4, "  ", mark=GOES_ON)
        else:
            tag, below = [], [tag]
    yield [*pad([BAR, *made[0]], cells - size), *tag] if tag else [BAR, *made[0]]
    yield from ([BAR, *each] for each in made[1:])
    for why in below:
        yield from ([("    ", ""), *each] for each in wrap(why, cells - 4))


def _tag(segment: Segment | None) -> Line:
    """What stands at the right: that a decision is needed, or why not."""
    if segment is None:
        return []
    return [(NEEDS, f"{_level(segment)} strong")] if segment.needs_you else [(label(segment.why), "text-3")]


def _level(segment: Segment) -> str:
    return wording.risk_role(segment.risk)


def _pieces(shown: str, language: str, *, is_quiet: bool = False) -> Iterator[tuple[str, str]]:
    for at, line in enumerate(coloured(safe_text(shown, is_command=True), language)):
        if at:
            yield "\n", ""
        for piece, style in line:
            yield piece, "text-2" if is_quiet and not style else style


class Permission:
    """``v`` draws a diff another way, ``[`` and ``]`` go from hunk to hunk."""

    def __init__(self, ask: ShownAsk) -> None:
        self._ask = ask
        self._mode: diff.Mode = "unified"
        # The hunk that was gone to last.
        self._at = -1
        # Where it stands, to be brought into view.
        self.cursor: int | None = None
        self._width = 0
        self._drawn: tuple[int, diff.Mode, list[Line]] | None = None
        self._stops: list[int] = []

    def lines(self, width: int) -> list[Line]:
        """Drawn once for a width: texts can be long, and the card around it changes every second."""
        if self._drawn is None or self._drawn[:2] != (width, self._mode):
            self._drawn = (width, self._mode, self._draw(width))
        return self._drawn[2]

    def _draw(self, width: int) -> list[Line]:
        view, self._width = self._ask.view, width
        made = lines(view.segments, width, is_shell=_is_shell(self._ask))
        if view.diffs:
            made += [[]] if made else []
            drawn, stops = diff.lines(view.diffs, width, self._mode)
            self._stops = [len(made) + stop for stop in stops]
            made += drawn
        column = min(max((cell_width(name) for name, value in view.facts if _is_short(value)), default=0), width // 3)
        for name, value in view.facts:
            if name in view.prose:
                made += [wrap([(label(name), "text-2 strong")], width)[0], *_prose(value, width)]
            elif _is_short(value) and cell_width(name) <= column:
                shown = wrap([(safe_text(value, is_command=True), "")], width - column - 4, mark=GOES_ON)
                title = pad([(label(name), "text-2 strong")], column + 2)
                below: Line = [(" " * (column + 2), "")]
                made += [[*(below if at else title), BAR, *line] for at, line in enumerate(shown)]
            else:
                made += wrap([(label(name), "text-2 strong")], width)
                made += text(value, width)
        return made or json_lines(view.raw, width)

    def key(self, key: str) -> bool | Typing | Choice:
        if not self._ask.view.diffs or key not in ("v", "[", "]"):
            return False
        if key == "v":
            modes = diff.modes(self._width)
            self._mode = modes[(modes.index(self._mode) + 1) % len(modes)] if self._mode in modes else modes[0]
            self._at, self.cursor = -1, None
        else:
            self._at = min(max(0, self._at + (1 if key == "]" else -1)), len(self._stops) - 1)
            self.cursor = self._stops[self._at]
        return True

    def read(self, choice: Choice) -> dict[str, Any] | str:  # noqa: ARG002 - all is said by the choice
        return {}

    def keys(self) -> list[tuple[str, str]]:
        if not self._ask.view.diffs:
            return []
        modes = diff.modes(self._width)
        after = modes[(modes.index(self._mode) + 1) % len(modes)] if self._mode in modes else modes[0]
        return [("v", after), *([("[ ]", "hunks")] if len(self._stops) > 1 else [])]
