"""Rows of a list that are drawn when they are looked at: headings, rows of one or two lines, blanks."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assent.tui.drawing.text import Line, fit, pad, width, wrap

GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    # How wide it is; for flexible ones the least it needs.
    cells: int
    # The lowest stays longest.
    rank: int = 0
    # Its part of what is left; 0 for a fixed width.
    share: int = 0
    is_right: bool = False


Layout = tuple[tuple[Column, int], ...]


@lru_cache(maxsize=64)
def laid_out(columns: tuple[Column, ...], cells: int) -> Layout:
    """The columns that fit, with their widths."""
    kept: list[Column] = []
    left = cells + GAP
    for column in sorted(columns, key=lambda column: column.rank):
        if kept and column.cells + GAP > left:
            break
        kept.append(column)
        left -= column.cells + GAP
    shares = sum(column.share for column in kept) or 1
    spare = max(0, left)
    return tuple(
        (column, max(1, min(column.cells + spare * column.share // shares, cells)))
        for column in columns
        if column in kept
    )


def row(layout: Layout, cells: Mapping[str, Line]) -> Line:
    made: Line = []
    for place, (column, size) in enumerate(layout):
        cell = fit(cells.get(column.name, []), size)
        if column.is_right:
            made.append((" " * (size - width(cell)), ""))
            made += cell
        else:
            made += pad(cell, size)
        if place < len(layout) - 1:
            made.append((" " * GAP, ""))
    return made


def headings(layout: Layout) -> Line:
    return row(layout, {column.name: [(column.name, "text-3")] for column, _ in layout})


# Gets the width and whether the row is the selected one.
Draw = Callable[[int, bool], list[Line]]


@dataclass(frozen=True, slots=True)
class Entry:
    # None for what cannot be chosen.
    key: str | None
    draw: Draw
    height: int = 1


class Listing:
    """A source for Rows made of entries of different heights."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.entries = entries
        self._starts: list[int] = []
        self._places: dict[str, tuple[int, int]] = {}
        total = 0
        for entry in entries:
            self._starts.append(total)
            if entry.key is not None:
                self._places[entry.key] = (total, entry.height)
            total += entry.height
        self._total = total

    def __len__(self) -> int:
        return self._total

    def line(self, y: int, width: int, *, is_selected: bool) -> Line:
        at = bisect_right(self._starts, y) - 1
        lines = self.entries[at].draw(width, is_selected)
        row = y - self._starts[at]
        return lines[row] if row < len(lines) else []

    def key(self, y: int) -> str | None:
        return self.entries[bisect_right(self._starts, y) - 1].key

    def place(self, key: str) -> tuple[int, int] | None:
        return self._places.get(key)

    @property
    def keys(self) -> list[str]:
        return [*self._places]


def heading(title: str) -> Entry:
    """A rule with a title in it."""
    return Entry(None, lambda width, _: [[("─ ", "line"), (title, "text-2 strong"), (" " + "─" * width, "line")]])


def note(text: str, style: str = "text-2") -> Entry:
    return Entry(None, lambda _width, _: [[(f"  {text}", style)]])


def notes(text: str, width: int) -> Iterator[Entry]:
    """A sentence on as many lines as it needs there."""
    for line in wrap([(text, "text-2")], max(10, width - 3)):
        yield Entry(None, lambda _width, _, line=line: [[("  ", ""), *line]])  # type: ignore[misc]
