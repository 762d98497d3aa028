"""Sessions of other hubs that record into the same journal: to look at, and nothing else.

They are read when somebody looks, and no more often than news of other hubs comes; a hub that is not asked reads
nothing."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.hub.bus import now_ms
from assent.journal.base import Journal, JournalError
from assent.protocol.record import Record
from assent.protocol.session import Session
from assent.protocol.surfaces import Scope
from assent.views import asks as ask_view
from assent.views import sessions as session_view
from assent.webapi.endpoint import Route, json_response

# As often as a hub hears of the others.
LOOK = 10.0
# Of each hub, when it is looked at for the first time, or was not for long.
NEWEST = 500
MOST_HUBS = 100
MOST_SESSIONS = 200
# What a machine that was switched off left behind is of no interest for longer.
RECENT_MS = 24 * 3_600_000


@dataclass(slots=True)
class _Hub:
    """What is known of another hub up to a record."""

    seq: int = 0
    sessions: session_view.Sessions = field(default_factory=dict)
    asks: ask_view.Asks = field(default_factory=ask_view.Asks)

    def fold(self, records: Sequence[Record]) -> None:
        for record in records:
            ask_view.fold(self.asks, record)
            session_view.fold(self.sessions, record, self.asks.needing(record.session))
            self.seq = record.seq


@dataclass(slots=True)
class OtherSessions:
    journal: Journal
    # How far each of the other hubs is, as the journal tells it.
    others: Mapping[str, int]
    _hubs: dict[str, _Hub] = field(default_factory=dict)
    _shown: list[Session] = field(default_factory=list)
    _trouble: str = ""
    _looked_at: float | None = None
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[Route]:
        return [("GET", "/api/sessions/elsewhere", Scope.WATCH, self.get)]

    async def get(self, _: Request) -> Response:
        """Sessions of the last day of other hubs that share the journal, the newest first, each with its hub and
        machine; at most some seconds old. ``hubs``: how many others there are."""
        sessions = await self.now()
        return json_response({"sessions": sessions, "hubs": len(self.others), "trouble": self._trouble})

    async def now(self) -> list[Session]:
        if not self.others:
            return []
        async with self._one_at_a_time:
            if self._looked_at is None or time.monotonic() - self._looked_at >= LOOK:
                try:
                    await self._look()
                    self._trouble = ""
                except JournalError as error:
                    self._trouble = error.message
                self._looked_at = time.monotonic()
        return self._shown

    async def _look(self) -> None:
        for hub in [*self._hubs, *(hub for hub in self.others if hub not in self._hubs)][:MOST_HUBS]:
            known = self._hubs.setdefault(hub, _Hub())
            if known.seq >= self.others[hub]:
                continue
            if self.others[hub] - known.seq > NEWEST:
                # What came in between is not told.
                known = self._hubs[hub] = _Hub()
                records = await self.journal.of(hub).tail(NEWEST)
            else:
                records = await self.journal.of(hub).read(after=known.seq, limit=NEWEST)
            # Not on the loop, where agents wait.
            await asyncio.to_thread(known.fold, records)
        machines = await self.journal.machines()
        since = now_ms() - RECENT_MS
        recent = [
            _marked(session, hub, machines.get(hub, ""))
            for hub, known in self._hubs.items()
            for session in known.sessions.values()
            if session.last >= since and not session.practice
        ]
        self._shown = sorted(recent, key=lambda session: -session.last)[:MOST_SESSIONS]


def _marked(session: Session, hub: str, machine: str) -> Session:
    """Its terminal and process are on the other machine, so nobody can go there from here."""
    return msgspec.structs.replace(session, hub=hub, machine=machine, terminal=None, pid=None)
