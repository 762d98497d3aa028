"""Parts that drawn texts are put together from."""

from assent.tui.drawing.text import Line, fit, width, wrap

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


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
