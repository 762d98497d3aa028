"""A whole ask as lines, in the order in which it is read: who and where, the thing itself, why, what the agent says,
what became of it, and the match word last. Pure."""

from assent.protocol.card import ShownAsk
from assent.tui.asks.card.head import head, heading
from assent.tui.asks.card.raw import raw
from assent.tui.asks.card.why import match, outcome, why
from assent.tui.asks.thing import Thing
from assent.tui.drawing.text import Line, fit
from assent.words.state import Told

_GREY = frozenset({"gone", "elsewhere"})
# What says something without a colour.
_KEPT = frozenset({"strong", "under", "struck", "italic", "add", "del"})
# Below this our own sentences may not fit; they say so.
_NARROW = 40

__all__ = ["heading", "in_view", "lines", "raw"]


def lines(ask: ShownAsk, thing: Thing, width: int, told: Told) -> list[Line]:
    drawn = thing.lines(width)
    if width < _NARROW:
        drawn = [fit(line, width) for line in drawn]
    rule: Line = [("─" * width, "line")]
    reasons, after = why(ask, width), [*outcome(ask, told, width), *match(ask, width)]
    read = [*head(ask, width), rule, *drawn, *([rule] if reasons or after else []), *reasons]
    return [*(map(_greyed, read) if told.name in _GREY else read), *after]


def _greyed(line: Line) -> Line:
    """Without its colours: somebody else has answered it, or seems to have."""
    return [(text, " ".join(("text-3", *(word for word in style.split() if word in _KEPT)))) for text, style in line]


def in_view(ask: ShownAsk, thing: Thing, width: int) -> int | None:
    """The line that a key in the thing led to; None where it led nowhere."""
    return None if thing.cursor is None else len(head(ask, width)) + 1 + thing.cursor
