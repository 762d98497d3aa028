"""Which records tell what people decided and what was refused: the ones a flood of others must not flush away."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from assent.journal.base import Mark
from assent.protocol.record import Draft

MARKING_KINDS = ("answer", "refused")
MARKING_DECISIONS = ("deny", "block", "halt")
MARKING_RISK = "danger"
# Evidence by themselves, of no call.
ALONE = frozenset({"checkpoint", "rules", "config", "hub", "gap"})


def is_mark(draft: Draft) -> bool:
    return draft.kind in MARKING_KINDS or draft.decision in MARKING_DECISIONS or draft.risk == MARKING_RISK


@dataclass(slots=True)
class Evidence:
    """The calls, asks and requests that were marked so far."""

    seen: int = 0
    _calls: set[str] = field(default_factory=set)
    _asks: set[str] = field(default_factory=set)
    _requests: set[str] = field(default_factory=set)

    def add(self, marks: Iterable[Mark]) -> None:
        for mark in marks:
            self.seen = max(self.seen, mark.seq)
            if mark.call is not None:
                self._calls.add(mark.call)
            if mark.ask is not None:
                self._asks.add(mark.ask)
            if mark.request is not None:
                self._requests.add(mark.request)

    def covers(self, draft: Draft) -> bool:
        return (
            draft.kind in ALONE
            or draft.call in self._calls
            or draft.ask in self._asks
            or draft.request in self._requests
            or is_mark(draft)
        )
