"""The last five minutes as bars: something happens, or nothing does, and where something was refused it is marked."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assent.text.who import hue
from assent.tui.drawing.text import Line
from assent.views.feed import Row

BARS = 60
SECONDS = 5
# So many in five seconds make a full bar, or more if there are more.
LEAST = 4
_NOW = "now"
_HEIGHTS = "▂▃▄▅▆▇█"
_DENIALS = frozenset({"deny", "block", "halt"})


@dataclass(slots=True)
class _Slot:
    by_session: dict[str, int] = field(default_factory=dict)
    all: int = 0
    denied: int = 0


@dataclass(slots=True)
class Pulse:
    clock: Callable[[], float] = time.time
    # The project of a session, which has the colour.
    name_of: Callable[[str], str] = str
    _slots: dict[int, _Slot] = field(default_factory=dict)
    _opened: float = -1.0

    def __post_init__(self) -> None:
        self._opened = self.clock()

    def count(self, record: Mapping[str, Any]) -> None:
        """A record as the hub tells it. What is no event and refuses nothing does not count."""
        if record.get("kind") == "event":
            self._add(self.clock(), record.get("session") or "")
        elif record.get("kind") == "decision" and record.get("decision") in _DENIALS:
            self._at(self.clock()).denied += 1

    def seed(self, rows: Iterable[Row]) -> None:
        """Count what happened before the start."""
        for row in rows:
            at = row.at / 1000
            if row.session and at < self._opened and self._slot(at) > self._slot(self.clock()) - BARS:
                self._add(at, row.session)
                self._at(at).denied += row.state == "denied"

    def line(self, width: int) -> Line:
        """A bar for each five seconds, now at the right, in the colour of the busiest session's project."""
        shown = self._shown(width)
        most = max([LEAST, *(slot.all for slot in shown if slot)])
        return [self._bar(slot, most) for slot in shown]

    def marks(self, width: int) -> Line:
        """Under the bars: a cross where something was refused."""
        return [("✕", "danger") if slot and slot.denied else (" ", "") for slot in self._shown(width)]

    def axis(self, width: int) -> Line:
        """Under the bars: how long ago it was, a label each minute."""
        bars = min(width, BARS)
        cells = [" "] * bars
        for minutes in range(bars * SECONDS // 60, 0, -1):
            start = bars - minutes * 60 // SECONDS
            words = f"{minutes} min" if "".join(cells).strip() else f"{minutes} min ago"
            cells[start : start + len(words)] = words
        cells[-len(_NOW) :] = _NOW
        return [("".join(cells[:bars]), "text-3")]

    def label(self) -> str:
        slots = [slot for slot in self._shown(BARS) if slot]
        events = sum(slot.all for slot in slots)
        return f"{events} event{'' if events == 1 else 's'}, {sum(slot.denied for slot in slots)} refused in 5 min"

    def _shown(self, width: int) -> list[_Slot | None]:
        now = self._slot(self.clock())
        return [self._slots.get(at) for at in range(now - min(width, BARS) + 1, now + 1)]

    def _bar(self, slot: _Slot | None, most: int) -> tuple[str, str]:
        if slot is None or not slot.all:
            return "▁", "danger" if slot and slot.denied else "line"
        busiest = max(slot.by_session, key=lambda session: slot.by_session[session])
        height = _HEIGHTS[min(len(_HEIGHTS) - 1, slot.all * len(_HEIGHTS) // most)]
        return height, f"hue-{hue(self.name_of(busiest))}{' under' if slot.denied else ''}"

    def _add(self, at: float, session: str) -> None:
        slot = self._at(at)
        slot.all += 1
        slot.by_session[session] = slot.by_session.get(session, 0) + 1

    def _at(self, at: float) -> _Slot:
        number = self._slot(at)
        slot = self._slots.get(number)
        if slot is None:
            slot = self._slots[number] = _Slot()
            oldest = self._slot(self.clock()) - BARS
            for old in [old for old in self._slots if old <= oldest]:
                del self._slots[old]
        return slot

    @staticmethod
    def _slot(at: float) -> int:
        return int(at // SECONDS)
