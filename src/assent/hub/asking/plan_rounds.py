"""Rounds of a plan: what changed since the one before it in the same session, which was sent back.

Drawn beside the card and no part of what an answer is bound to: that is the whole plan."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from assent.asks.card import edits
from assent.asks.desk import GONE, Desk
from assent.hub.recorder import Live
from assent.protocol.card import FileDiff, PlanRound
from assent.redact.structure import LONGEST_TEXT
from assent.views.asks import DENYING, IS_CUT, Ask

# Whole plans, and differences that were drawn.
MOST_KEPT = 40
CUT = f"Only the first {LONGEST_TEXT:,} characters of each plan are compared: no more of them is on record."
_SENT_BACK = DENYING | {"revise"}
_NAME = "Plan"


@dataclass(slots=True)
class PlanRounds:
    desk: Desk
    live: Live
    # By the name of the ask, as they were shown: of long ones the record has only the beginning.
    _plans: OrderedDict[str, str] = field(default_factory=OrderedDict)
    _drawn: OrderedDict[tuple[str, str, int], FileDiff] = field(default_factory=OrderedDict)

    def on_ask(self, ask: Ask) -> None:
        """Keep a plan as long as an answer can send it back."""
        held = self.desk.held(ask.id) if ask.what == "plan" else None
        if held is not None:
            _keep(self._plans, ask.id, held.drawn.card.view.markdown)

    def of(self, ask: Ask, rev: int) -> PlanRound | None:
        """None for what is no plan, and where none was sent back right before it."""
        before = self._before(ask) if ask.what == "plan" else None
        if before is None:
            return None
        key = (before.id, ask.id, rev)
        if key not in self._drawn:
            _keep(self._drawn, key, self._diff(before, ask))
        return PlanRound(before.at, self._drawn[key], before.answer.message if before.answer else "")

    def _before(self, ask: Ask) -> Ask | None:
        for other in reversed(self.live.asks.by_id.values()):
            if (
                other.what == "plan"
                and (other.session, other.agent) == (ask.session, ask.agent)
                and other.seq < ask.seq
            ):
                return other if _is_sent_back(other) else None
        return None

    def _diff(self, before: Ask, ask: Ask) -> FileDiff:
        held = self.desk.held(ask.id)
        now = held.drawn.card.view.markdown if held is not None else self._plans.get(ask.id)
        if before.id in self._plans and now is not None:
            return edits.between(_NAME, self._plans[before.id], now)
        # As both are on record: redacted alike, and cut at the same place.
        (old, is_old_cut), (new, is_new_cut) = _recorded(before), _recorded(ask)
        return edits.between(_NAME, old, new, note=CUT if is_old_cut or is_new_cut else "")


def _is_sent_back(ask: Ask) -> bool:
    if ask.answer is not None:
        return ask.answer.choice in _SENT_BACK
    # Where the session goes on, a hook that was ended says that the person at the terminal said no.
    return ask.ending == "denied" or (ask.ending == "terminal" and (ask.why == GONE or ask.why.startswith("denied")))


def _recorded(ask: Ask) -> tuple[str, bool]:
    """The plan as far as it is on record, and whether there was more of it."""
    text = str((ask.card.get("view") or {}).get("markdown") or "")
    cut = IS_CUT.sub("", text)
    return cut, cut != text


def _keep(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > MOST_KEPT:
        kept.popitem(last=False)
