"""Drawn lines as text."""

from assent.tui.drawing.text import Line, width


def text(lines: list[Line], cells: int) -> str:
    """What is read on the screen; no line of it is wider than it."""
    for line in lines:
        assert width(line) <= cells, line
    return "\n".join("".join(part for part, _ in line).rstrip() for line in lines)
