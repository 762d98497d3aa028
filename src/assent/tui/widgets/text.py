"""Texts that are read and scrolled, in which nothing can be chosen."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from assent.tui.drawing.listing import Entry, Listing
from assent.tui.drawing.look import Look
from assent.tui.drawing.text import Line, greyed, hints
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn, Rows

# So wide is what is drawn on it.
WIDE = 76
_KEYS = (("j k", "scroll"), ("Space", "next page"), ("Esc", "close"))


class Overlay(ModalScreen[None]):
    """Scrolled and closed: nothing on it can be answered."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q", "dismiss"),
        ("down,j", "scroll(1)"),
        ("up,k", "scroll(-1)"),
        ("space,pagedown", "page(1)"),
        ("pageup", "page(-1)"),
    ]

    def __init__(self, shared: Shared, entries: Sequence[Entry]) -> None:
        super().__init__()
        self.shared = shared
        self._rows = Rows(Listing(entries), shared.look, ground="on:surface")
        self._foot = Drawn(lambda width: hints(_KEYS, width), shared.look, ground="on:raised", id="overlay-foot")

    def compose(self) -> ComposeResult:
        with Vertical(id="overlay"):
            yield self._rows
            yield self._foot

    def show(self, entries: Sequence[Entry]) -> None:
        self._rows.source = Listing(entries)
        self._rows.reload()

    def action_scroll(self, by: int) -> None:
        self._rows.scroll_to(y=self._rows.scroll_offset.y + by, animate=False, immediate=True)

    def action_page(self, by: int) -> None:
        self._rows.page(by)

    def on_unmount(self) -> None:
        self.shared.grace.change()


class Lines:
    """A source for Rows."""

    def __init__(self, lines: Sequence[Line] = ()) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def line(self, y: int, _width: int, *, is_selected: bool) -> Line:  # noqa: ARG002 - nothing in it is selected
        return self._lines[y]

    def key(self, _: int) -> str | None:
        return None

    def place(self, _: str) -> tuple[int, int] | None:
        return None


class Faded(Lines):
    """The same lines in grey. Only those that are looked at are changed: there can be very many."""

    def line(self, y: int, width: int, *, is_selected: bool) -> Line:
        return greyed(super().line(y, width, is_selected=is_selected))


class Text(Rows):
    """Drawn for the width there is, once for each ``reload``."""

    def __init__(self, draw: Callable[[int], list[Line]], look: Look, scrolled: Callable[[], object]) -> None:
        super().__init__(Lines(), look, ground="on:surface")
        self._lines: list[Line] = []
        self._draw = draw
        self._scrolled = scrolled

    @property
    def text_width(self) -> int:
        return max(8, self.cells - 2)

    def reload(self) -> None:
        self._lines = [[(" ", ""), *line] for line in self._draw(self.text_width)]
        self.source = Lines(self._lines)
        super().reload()

    def fade(self) -> None:
        """Grey until it is drawn anew."""
        self.source = Faded(self._lines)
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._scrolled()
