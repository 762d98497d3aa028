"""The list of the feed: it follows what is new until somebody scrolls away from it, and then nothing moves."""

from collections.abc import Callable

from textual.geometry import Size
from textual.strip import Strip

from assent.tui.drawing.look import Look
from assent.tui.feed.list import FeedList
from assent.tui.widgets.rows import Rows

# Lines that are kept drawn: a few screens full.
_MOST_KEPT = 400


class FeedTrack(Rows):
    source: FeedList

    def __init__(self, source: FeedList, look: Look, scrolled: Callable[[], None], *, id: str) -> None:  # noqa: A002
        super().__init__(source, look, id=id)
        self._scrolled = scrolled
        self.is_following = True
        # How much is below is told in words; a bar would have to be laid out anew with every row.
        self.styles.scrollbar_size_vertical = 0
        # The row at the top while somebody reads, and how many of its lines are above.
        self._top: tuple[str, int] | None = None
        self._kept: dict[tuple[object, ...], Strip] = {}

    def render_line(self, y: int) -> Strip:
        """Most rows stand there as they were, only higher: those are not drawn again."""
        looks = self.source.looks(y + self.scroll_offset.y)
        if looks is None:
            return super().render_line(y).adjust_cell_length(self.size.width, self._base())
        key = (*looks, looks[0] == self.selected, self.size.width)
        known = self._kept.get(key)
        if known is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            known = self._kept[key] = super().render_line(y).adjust_cell_length(self.size.width, self._base())
        return known

    @property
    def allow_vertical_scroll(self) -> bool:
        """Textual lets scroll only what shows a scroll bar."""
        return self.max_scroll_y > 0

    def reload(self) -> None:
        """Without a scroll bar nothing else on the screen depends on how long it is, so nothing is laid out again."""
        self.set_reactive(Rows.virtual_size, Size(self.size.width, len(self.source)))
        if self.is_following:
            self.scroll_to(y=self.max_scroll_y, animate=False, immediate=True, force=True)
        self.refresh()

    def redraw(self) -> None:
        """Rows came or went: what is being read stays where it is."""
        top = self._top
        self.reload()
        place = self.source.place(top[0]) if top and not self.is_following else None
        if top is not None and place is not None and place[0] + top[1] != self.scroll_offset.y:
            self.scroll_to(y=place[0] + top[1], animate=False, immediate=True)

    def follow(self) -> None:
        self.is_following = True
        self.reload()

    def stay(self) -> None:
        """Somebody is at one of the rows."""
        self.is_following = False
        self._remember()

    def to_top(self) -> None:
        self.scroll_to(y=0, animate=False, immediate=True)
        self.stay()
        self._scrolled()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.is_following = self.is_at_end
        self._remember()
        self._scrolled()

    def _remember(self) -> None:
        y = self.scroll_offset.y
        key = self.source.key(y) if y < len(self.source) else None
        place = self.source.place(key) if key is not None else None
        self._top = (key, y - place[0]) if key is not None and place is not None else None
