"""Columns of a list: those that matter most stay while there is room, flexible ones take what is left. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from assent.tui.drawing.text import Line, fit, pad, width

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
