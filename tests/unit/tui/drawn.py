"""Drawn lines as text, for tests."""

from assent.tui.drawing.text import Line


def plain(line: Line) -> str:
    return "".join(text for text, _ in line).rstrip()


def texts(lines: list[Line]) -> list[str]:
    return [plain(line) for line in lines]


def styles(lines: list[Line], text: str) -> set[str]:
    """Every style word of the pieces that hold this text."""
    return {word for line in lines for piece, style in line if text in piece for word in style.split()}
