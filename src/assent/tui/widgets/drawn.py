"""A few lines of the screen that are drawn by a function: header, tabs, status, footer."""

from collections.abc import Callable

from textual.strip import Strip

from assent.tui.drawing.look import Look
from assent.tui.drawing.text import Line
from assent.tui.widgets.bare import Bare

Draw = Callable[[int], list[Line]]


class Drawn(Bare):
    """Nothing but text: it takes neither focus nor keys."""

    def __init__(self, draw: Draw, look: Look, *, ground: str = "on:bg", id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._draw = draw
        self._look = look
        self._ground = ground
        self._lines: list[Line] = []
        self.can_focus = False

    def redraw(self) -> None:
        """Where it says something else than it does: whatever is painted has its neighbours painted with it."""
        if self.size.width == 0 or self._draw(self.size.width) != self._lines:
            self.refresh()

    def render_line(self, y: int) -> Strip:
        if y == 0:
            self._lines = self._draw(self.size.width)
        line = self._lines[y] if y < len(self._lines) else []
        return self._look.strip(line, self.size.width, self._ground)
