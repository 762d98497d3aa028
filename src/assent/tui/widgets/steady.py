"""A list that grows while somebody reads it: the row one is at stays where it is on the screen."""

from collections.abc import Callable

from assent.tui.drawing.look import Look
from assent.tui.widgets.rows import Rows, Source


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
