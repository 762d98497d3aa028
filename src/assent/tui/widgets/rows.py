"""A scrolled list of which only the visible lines are ever drawn: a hundred thousand rows cost what fifty cost."""

from collections.abc import Callable
from typing import Protocol

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from assent.tui.drawing.look import Look
from assent.tui.drawing.text import Line


class Bare(Widget):
    """Each line is drawn by ``render_line`` alone. Filters of the terminal, as for NO_COLOR, are kept."""

    def render_lines(self, crop: Region) -> list[Strip]:
        width, ground = self.outer_size.width, self.background_colors[1]
        # A filter reads the style of every piece.
        plain = Style.null()
        strips = [self.render_line(y).adjust_cell_length(width, plain) for y in crop.line_range]
        for each in self.get_line_filters():
            strips = [strip.apply_filter(each, ground) for strip in strips]
        return strips if crop.column_span == (0, width) else [strip.crop(*crop.column_span) for strip in strips]


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


class Source(Protocol):
    """What a list shows, line by line. A row is known by its key and may have several lines."""

    def __len__(self) -> int:
        """How many lines there are."""

    def line(self, y: int, width: int, *, is_selected: bool) -> Line: ...

    def key(self, y: int) -> str | None:
        """The row this line belongs to; None for headings and blanks, which cannot be chosen."""

    def place(self, key: str) -> tuple[int, int] | None:
        """The first line of a row and how many it has."""


class Rows(ScrollView, Bare):
    """Selected is a row, by its key, so that nothing changes under the finger when rows come and go."""

    class Selected(Message):
        def __init__(self, rows: "Rows", key: str) -> None:
            super().__init__()
            self.rows, self.key = rows, key

        @property
        def control(self) -> "Rows":
            return self.rows

    def __init__(
        self,
        source: Source,
        look: Look,
        *,
        ground: str = "on:bg",
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(id=id)
        self.source = source
        self.look = look
        self.ground = ground
        self.selected: str | None = None
        # Where the newest is at the bottom: stays there until the user scrolls up.
        self.is_following = False
        self.can_focus = False

    def on_mount(self) -> None:
        self.reload()

    @property
    def cells(self) -> int:
        """How wide a line can be, beside the scroll bar."""
        return self.scrollable_content_region.width

    def reload(self) -> None:
        """The source changed: draw what is visible of it."""
        self.virtual_size = Size(self.cells, len(self.source))
        if self.is_following:
            self.scroll_end(animate=False, immediate=True)
        self.refresh()

    def on_resize(self, _: events.Resize) -> None:
        self.reload()

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        width = self.cells
        if at >= len(self.source):
            return Strip.blank(width, self._base())
        key = self.source.key(at)
        is_selected = key is not None and key == self.selected
        ground = "on:raised" if is_selected else self.ground
        return self.look.strip(self.source.line(at, width, is_selected=is_selected), width, ground)

    def _base(self) -> Style:
        return self.look.style(self.ground)

    def select(self, key: str | None, *, into_view: bool = True) -> None:
        if key != self.selected:
            self.selected = key
            self.refresh()
        if key is not None and into_view:
            self.show_row(key)

    def show_row(self, key: str) -> None:
        if (place := self.source.place(key)) is not None:
            top, height = place
            if self.size.height < 2 * height:
                # There is room for little beside it: rather for what comes next than for the end of what came before.
                self.scroll_to(y=top if top + height > self.size.height else 0, animate=False, immediate=True)
                return
            self.scroll_to_region(Region(0, top, 1, height), animate=False, immediate=True, x_axis=False)

    def step(self, by: int) -> str | None:
        """The row after or before the selected one, now selected."""
        if (key := self.beside(by)) is not None:
            self.select(key)
        return key

    def beside(self, by: int) -> str | None:
        """The row after or before the selected one."""
        place = self.source.place(self.selected) if self.selected is not None else None
        at = -1 if place is None and by > 0 else len(self.source) if place is None else place[0]
        at += place[1] if place is not None and by > 0 else by
        while 0 <= at < len(self.source):
            if (key := self.source.key(at)) is not None and key != self.selected:
                return key
            at += 1 if by > 0 else -1
        return None

    def page(self, by: int) -> None:
        self.is_following = False
        self.scroll_to(y=self.scroll_offset.y + by * max(1, self.size.height - 1), animate=False, immediate=True)

    @property
    def is_at_end(self) -> bool:
        return self.scroll_offset.y >= self.max_scroll_y

    @property
    def lines_below(self) -> int:
        return max(0, len(self.source) - self.scroll_offset.y - self.size.height)

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        if 0 <= at < len(self.source) and (key := self.source.key(at)) is not None:
            self.post_message(self.Selected(self, key))


class Steady(Rows):
    def __init__(
        self,
        source: Source,
        look: Look,
        *,
        near_end: Callable[[], None] | None = None,
        id: str | None = None,  # noqa: A002 - as Textual calls it
    ) -> None:
        super().__init__(source, look, id=id)
        self._near_end = near_end

    def put(self, source: Source) -> None:
        """Show this instead. What comes above the selected row, or above the view, pushes nothing down."""
        anchor = self._anchor()
        before = self.source.place(anchor) if anchor is not None else None
        after = source.place(anchor) if anchor is not None else None
        self.source = source
        self.reload()
        if before is not None and after is not None and before[0] != after[0]:
            self.scroll_to(y=self.scroll_offset.y + after[0] - before[0], animate=False, immediate=True)

    def _anchor(self) -> str | None:
        top, bottom = self.scroll_offset.y, self.scroll_offset.y + self.size.height
        place = self.source.place(self.selected) if self.selected is not None else None
        if place is not None and top <= place[0] < bottom:
            return self.selected
        if top == 0:
            return None
        return next((key for y in range(top, min(bottom, len(self.source))) if (key := self.source.key(y))), None)

    def to_top(self) -> None:
        self.scroll_to(y=0, animate=False, immediate=True)

    def to_end(self) -> None:
        self.scroll_end(animate=False, immediate=True)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.tell_near_end()

    def tell_near_end(self) -> None:
        if self._near_end is not None and self.lines_below <= self.size.height:
            self._near_end()
