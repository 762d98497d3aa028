"""Unrecorded usage of sessions, deduplicated across repeated and overlapping reports."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from assent.harnesses.otlp import Used
from assent.hub.bus import Seconds
from assent.protocol.usage import Usage

# A session at work is recorded this often, one that waits or ended a moment after its last message.
INTERVAL = 30.0
QUIET = 1.0
MOST_SESSIONS = 500
REMEMBERED = 10_000

Key = tuple[str | int, ...]
Kept = TypeVar("Kept")


@dataclass(slots=True)
class _Tally:
    """One session: by its requests, and by its metrics, which tell the same again, later."""

    by_requests: Usage = field(default_factory=Usage)
    by_metrics: Usage = field(default_factory=Usage)
    sends_logs: bool = False
    changed: float = 0.0
    recorded: float = 0.0

    @property
    def is_empty(self) -> bool:
        return self.by_requests.is_nothing and self.by_metrics.is_nothing


@dataclass(slots=True)
class Tallies:
    clock: Seconds = time.monotonic
    # Figures that were begun before this hub was are on record already, in part.
    began: int = field(default_factory=time.time_ns)
    _tallies: OrderedDict[str, _Tally] = field(default_factory=OrderedDict)
    _marks: OrderedDict[Key, None] = field(default_factory=OrderedDict)
    _totals: OrderedDict[Key, Usage] = field(default_factory=OrderedDict)

    @property
    def is_empty(self) -> bool:
        return all(tally.is_empty for tally in self._tallies.values())

    @property
    def sessions(self) -> list[str]:
        return list(self._tallies)

    def heard(self, session: str) -> None:
        """It sends logs, so its requests are told one by one."""
        if tally := self._of(session):
            tally.sends_logs = True

    def take(self, used: Iterable[Used], *, by_requests: bool) -> None:
        for it in used:
            if it.mark in self._marks:
                continue
            _remember(self._marks, it.mark, None)
            usage, tally = self._growth(it), self._of(it.session)
            if usage is not None and tally is not None:
                (tally.by_requests if by_requests else tally.by_metrics).add(usage)
                tally.changed = self.clock()

    def due(self, is_at_work: Callable[[str], bool]) -> list[str]:
        """The sessions to record now."""
        now = self.clock()
        return [
            session
            for session, tally in self._tallies.items()
            if not tally.is_empty
            and (now - tally.recorded >= INTERVAL or (now - tally.changed >= QUIET and not is_at_work(session)))
        ]

    def taken(self, session: str) -> Usage:
        """All that is not on record; from now on it is."""
        tally = self._tallies[session]
        usage, other = tally.by_requests, tally.by_metrics
        if tally.sends_logs:
            other = Usage(active_s=other.active_s, lines_added=other.lines_added, lines_removed=other.lines_removed)
        usage.add(other)
        tally.by_requests, tally.by_metrics, tally.recorded = Usage(), Usage(), self.clock()
        return usage

    def put_back(self, session: str, usage: Usage) -> None:
        """It could not be recorded."""
        if tally := self._of(session):
            tally.by_requests.add(usage)

    def _growth(self, it: Used) -> Usage | None:
        """What is new in it; None if that is unknown."""
        before = self._totals.get(it.total_of)
        if it.total_of:
            _remember(self._totals, it.total_of, it.usage)
        if before is None:
            return it.usage if it.since == 0 or it.since >= self.began else None
        grown = Usage()
        grown.add(it.usage)
        grown.add(before, times=-1)
        return None if grown.is_negative else grown

    def _of(self, session: str) -> _Tally | None:
        """None in a flood of sessions, none of which is on record yet."""
        tally = self._tallies.get(session)
        if tally is None:
            if len(self._tallies) >= MOST_SESSIONS:
                oldest = next(iter(self._tallies))
                if not self._tallies[oldest].is_empty:
                    return None
                del self._tallies[oldest]
            tally = self._tallies[session] = _Tally(recorded=self.clock())
        self._tallies.move_to_end(session)
        return tally


def _remember(kept: "OrderedDict[Key, Kept]", key: Key, value: Kept) -> None:
    kept[key] = value
    if len(kept) > REMEMBERED:
        kept.popitem(last=False)
