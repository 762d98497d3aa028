"""A scrolled list of which only the visible lines are ever drawn: a hundred thousand rows cost what fifty cost."""

from typing import Protocol

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from assent.tui.drawing.look import Look
from assent.tui.drawing.text import Line
from assent.tui.widgets.bare import Bare


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
        # Where the newest is at the bottom: stays there as long as nobody scrolls up.
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
            self.scroll_to_region(Region(0, top, 1, height), animate=False, immediate=True, x_axis=False)

    def step(self, by: int) -> str | None:
        """The row after or before the selected one, now selected."""
        place = self.source.place(self.selected) if self.selected is not None else None
        at = -1 if place is None and by > 0 else len(self.source) if place is None else place[0]
        at += place[1] if place is not None and by > 0 else by
        while 0 <= at < len(self.source):
            if (key := self.source.key(at)) is not None and key != self.selected:
                top = self.source.place(key)
                self.select(key)
                return key if top is not None else None
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
