"""Something to read over the screen."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from assent.tui.drawing.listing import Entry, Listing
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Rows

# So wide is what is drawn on it.
WIDE = 76


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
        self._rows = Rows(Listing(entries), shared.look, ground="on:surface", id="overlay")

    def compose(self) -> ComposeResult:
        yield self._rows

    def show(self, entries: Sequence[Entry]) -> None:
        self._rows.source = Listing(entries)
        self._rows.reload()

    def action_scroll(self, by: int) -> None:
        self._rows.scroll_to(y=self._rows.scroll_offset.y + by, animate=False, immediate=True)

    def action_page(self, by: int) -> None:
        self._rows.page(by)

    def on_unmount(self) -> None:
        self.shared.grace.change()
