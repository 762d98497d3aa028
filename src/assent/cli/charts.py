"""Small charts made of characters: columns over time and bars beside names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Eighths of a cell, from below and from the left.
RISING = " ▁▂▃▄▅▆▇█"
GROWING = " ▏▎▍▌▋▊▉█"
WIDEST_COLUMN = 4


@dataclass(frozen=True, slots=True)
class Ink:
    """What a chart is drawn with: ``rising`` and ``growing`` go from an empty cell to a full one."""

    rising: str = RISING
    growing: str = GROWING
    dash: str = "–"
    floor: str = "─"


BLOCKS = Ink()
ASCII = Ink(rising=" .:#", growing=" #", dash="-", floor="-")


def bar(value: float, most: float, width: int, ink: Ink = BLOCKS) -> str:
    """As long as its share of the most; something is never drawn as nothing."""
    if value <= 0 or most <= 0:
        return ""
    steps = len(ink.growing) - 1
    whole, part = divmod(max(1, round(value / most * width * steps)), steps)
    return ink.growing[-1] * whole + (ink.growing[part] if part else "")


def columns(values: Sequence[float], height: int, width: int, ink: Ink = BLOCKS) -> Iterator[str]:
    """One column a value, the top row first. Never wider than asked for: see ``grouped``."""
    each = column_width(len(values), width)
    gap = 1 if each > 1 else 0
    most = max(values, default=0)
    steps = len(ink.rising) - 1
    levels = [max(1, round(value / most * height * steps)) if value > 0 else 0 for value in values]
    for row in range(height - 1, -1, -1):
        cells = (ink.rising[min(max(level - row * steps, 0), steps)] for level in levels)
        yield "".join(cell * (each - gap) + " " * gap for cell in cells).rstrip()


def column_width(count: int, width: int) -> int:
    return max(1, min(WIDEST_COLUMN, width // max(1, count)))


def grouped(values: Sequence[float], width: int) -> tuple[int, list[float]]:
    """So many values together in one column that all fit; the last column is whole, the first may be short."""
    size = max(1, -(-len(values) // width))
    first = len(values) % size
    sums = [sum(values[start : start + size]) for start in range(first, len(values), size)]
    return size, ([sum(values[:first])] if first else []) + sums
