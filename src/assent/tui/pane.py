"""A screen of the terminal UI: one of the tabs."""

from collections.abc import Callable
from typing import ClassVar

from textual.widget import Widget

from assent.actions import Action
from assent.hub_state import Changes
from assent.tui.shared import Shared


class Pane(Widget):
    """What the app asks of each of its screens. Keys come as the table of actions names them."""

    TITLE: ClassVar[str] = ""
    # What one sees here and what to do about it: shown by the help over the keys.
    HELP: ClassVar[str] = ""

    def __init__(self, shared: Shared, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(id=id)
        self.shared = shared

    def commands(self) -> dict[str, Callable[[], None]]:
        """What can be done here now, by the name of the action."""
        return {}

    def key(self, key: str) -> bool:  # noqa: ARG002 - for those who take keys
        """Keys that belong to what is drawn. True if it was taken."""
        return False

    def palette(self) -> list[tuple[Action, Callable[[], None]]]:
        """What can be done on this screen alone: the palette offers it with the rest."""
        return []

    def keys(self) -> list[tuple[str, str]]:
        """The live keys for what is focused, and what they do: the footer."""
        return []

    def changed(self, changes: Changes) -> None:
        """The hub told something; many pieces of news are put together. Also called while another tab is shown."""

    def ticked(self) -> None:
        """A second has passed, and this is the tab that is shown."""

    def opened(self, text: str) -> None:
        """This tab is shown now; with ``what`` it should show one thing, by its id."""

    def back(self) -> bool:
        """One step back within this tab. False where there is none."""
        return False

    def count(self) -> int:
        """Stands behind its name in the tabs; 0 for nothing."""
        return 0
