"""Several asks that are alike, each with all of its text, before one answer is given to each of them."""

from collections.abc import Sequence
from typing import ClassVar

from assent.protocol.card import ShownAsk
from assent.text import wording
from assent.tui.asks import ask_views, card
from assent.tui.asks.dialogs.dialog import Did, Done, Sheet
from assent.tui.drawing.text import Line, fit, label, wrap
from assent.tui.shared import Shared


class Alike:
    """An allow waits until the end of the last one was in view; a no does not."""

    is_yes: ClassVar[bool] = True
    cursor: int | None = None

    def __init__(self, asks: Sequence[ShownAsk], shared: Shared) -> None:
        self._asks = [(ask, ask_views.thing_of(ask, shared)) for ask in asks]
        self._offered = [choice for choice in ("allow", "deny") if all(_has(ask, choice) for ask in asks)]
        self.title = f"Answer these {len(asks)} at once, each by itself"

    def lines(self, width: int) -> list[Line]:
        first = self._asks[0][0]
        made = wrap([(wording.label(first), "strong"), (f"  {label(first.view.verb)}", "")], width)
        for at, (ask, thing) in enumerate(self._asks):
            title = f" {at + 1} of {len(self._asks)} · {ask.id} "
            made.append(fit([("─", "line"), (title, "strong"), ("─" * width, "line")], width, ""))
            made += [*card.head(ask, width), *card.why(ask, width), *card.would(ask, width), *thing.lines(width)]
        return [[(" ", ""), *line] for line in made]

    def key(self, key: str) -> Did:
        for choice in self._offered:
            if key == choice[0]:
                return Done({"choice": choice}, at_once=choice == "deny")
        return False

    def keys(self) -> list[tuple[str, str]]:
        count = len(self._asks)
        return [(choice[0], f"{choice} these {count}") for choice in self._offered] + [("Space", "next page")]


def _has(ask: ShownAsk, choice: str) -> bool:
    return any(way.choice == choice for way in ask.choices)


class AlikeSheet(Sheet):
    """For `push_screen_wait`: the choice, or None."""

    def __init__(self, shared: Shared, asks: Sequence[ShownAsk]) -> None:
        super().__init__(shared, Alike(asks, shared))
