"""What stands on a sheet: a small machine, as the thing on a card is one. Pure."""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from assent.tui.asks.thing import Typing
from assent.tui.drawing.text import Line


@dataclass(frozen=True, slots=True)
class Done:
    """What was decided: the sheet closes with it."""

    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why it cannot be decided like this: the sheet stays."""

    why: str


Did = bool | Typing | Done | Wrong


class Paper(Protocol):
    # What happens here is a yes: a key that came too early does not count.
    is_yes: ClassVar[bool]

    @property
    def title(self) -> str: ...

    @property
    def cursor(self) -> int | None:
        """The line to be kept in view, of those drawn last."""

    def lines(self, width: int) -> list[Line]: ...

    def key(self, key: str) -> Did: ...

    def keys(self) -> list[tuple[str, str]]: ...
