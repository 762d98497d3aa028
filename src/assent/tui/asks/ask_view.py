"""The thing itself on a card: for each kind of ask a small machine that draws lines, takes keys and reads an answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from assent.protocol.bodies import Choice
from assent.tui.drawing.text import Line


@dataclass(frozen=True, slots=True)
class Typing:
    """One line to be typed below the card."""

    label: str
    # Gets the text; what it returns is why it was not taken, and the line stays open.
    take: Callable[[str], str | None]
    value: str = ""
    # Shown as dots.
    is_secret: bool = False
    # What is typed so far, completed; "" where there is no completion.
    complete: Callable[[str], str] | None = None
    # A digit in the empty line fills in one of these.
    picks: Sequence[str] = ()


class Thing(Protocol):
    # The line of it that a key led to, to be kept in view; known once it is drawn.
    cursor: int | None

    def lines(self, width: int) -> list[Line]:
        """The whole of it; a state of its own (what is chosen, where one is) is drawn with it."""

    def key(self, key: str) -> "bool | Typing | Choice":
        """What a key does in it: nothing (False), something (True), a line to be typed, or the answer it leads to."""

    def read(self, choice: Choice) -> dict[str, Any] | str:
        """Fields of the answer with this choice; or why it is not complete."""

    def keys(self) -> list[tuple[str, str]]:
        """Its own keys and what they do now, for the footer."""
