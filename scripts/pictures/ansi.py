"""What a terminal shows, as HTML: every cell in its place, in the colours it has there."""

import html
import re
import unicodedata

# The sixteen colours a terminal has of its own, as many set them.
OWN = ("#1d2127", "#e06c75", "#5fbf7f", "#d7a44a", "#5c9fe0", "#c47fd5", "#45bcc4", "#c8ccd2")
BRIGHT = ("#6b7683", "#ff7b7b", "#7bd89b", "#f2c14a", "#7cc4ff", "#dd9bea", "#63d8e0", "#ffffff")
# Pixels.
CELL = 8
GROUND, TEXT = "#0f1216", "#e8ecf1"
_CODES = re.compile(r"\x1b\[([0-9;:]*)m")
_LEVELS = (0, 95, 135, 175, 215, 255)


class Pen:
    """How the next letters look."""

    def __init__(self) -> None:
        self.text = self.ground = ""
        self.ways: set[str] = set()

    def take(self, codes: str) -> None:
        left = [int(code or 0) for code in re.split("[;:]", codes)]
        while left:
            code = left.pop(0)
            if code == 0:
                self.text = self.ground = ""
                self.ways.clear()
            elif code in _WAYS:
                self.ways.add(_WAYS[code])
            elif code in (38, 48):
                colour = _given(left)
                self.text, self.ground = (colour, self.ground) if code == 38 else (self.text, colour)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.text = (OWN if code < 90 else BRIGHT)[code % 10]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.ground = (OWN if code < 100 else BRIGHT)[code % 10]
            elif code == 39:
                self.text = ""
            elif code == 49:
                self.ground = ""

    def style(self) -> str:
        text, ground = self.text or TEXT, self.ground
        if "reverse" in self.ways:
            text, ground = ground or GROUND, text
        parts = [f"color:{text}"] + ([f"background:{ground}"] if ground else [])
        parts += [css for way, css in _CSS.items() if way in self.ways]
        return ";".join(parts)


_WAYS = {1: "bold", 2: "dim", 3: "italic", 4: "under", 7: "reverse", 9: "struck"}
_CSS = {
    "bold": "font-weight:700",
    "dim": "opacity:.7",
    "italic": "font-style:italic",
    "under": "text-decoration:underline",
    "struck": "text-decoration:line-through",
}


def _given(left: list[int]) -> str:
    kind = left.pop(0)
    if kind == 2:
        red, green, blue, left[:] = left[0], left[1], left[2], left[3:]
        return f"rgb({red},{green},{blue})"
    number = left.pop(0)
    if number < 16:
        return (OWN + BRIGHT)[number]
    if number >= 232:
        return f"rgb({8 + (number - 232) * 10},{8 + (number - 232) * 10},{8 + (number - 232) * 10})"
    number -= 16
    return f"rgb({_LEVELS[number // 36]},{_LEVELS[number // 6 % 6]},{_LEVELS[number % 6]})"


def as_html(screen: str) -> str:
    """Lines of a screen with their codes, one element each."""
    pen = Pen()
    return "".join(f"<div>{_line(line, pen)}</div>" for line in screen.splitlines())


def _line(line: str, pen: Pen) -> str:
    parts = _CODES.split(line)
    made = []
    for at, part in enumerate(parts):
        if at % 2:
            pen.take(part)
        elif part:
            wide = CELL * sum(map(_cells, part))
            made.append(f'<span style="width:{wide}px;{pen.style()}">{"".join(map(_cell, part))}</span>')
    return "".join(made) or " "


def _cells(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _cell(letter: str) -> str:
    """A sign of another font would be wider or narrower than its cell."""
    if letter.isascii() or not _cells(letter):
        return html.escape(letter)
    return f'<i style="width:{CELL * _cells(letter)}px">{html.escape(letter)}</i>'
