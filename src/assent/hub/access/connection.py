"""Connections over HTTP: who is at the other end, and no patience with those who only hold one open."""

import asyncio
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.server import ServerState

from assent.hub.access.caller import Peer
from assent.hub.access.crowd import Crowd, Place
from assent.hub.access.peer import peer_of

# To say what is wanted, and to hand over what belongs to it.
HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
# To take in what was asked for.
READ_SECONDS = 30.0
LARGEST_HEAD = 64 << 10
TICK = 2.0


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    app_state: dict[str, Any]

    def __init__(
        self,
        config: uvicorn.Config,
        state: ServerState,
        known: dict[str, Any],
        crowd: Crowd,
        is_person: Callable[[Peer], bool] = lambda _: False,
    ) -> None:
        super().__init__(config, state, known)
        self._crowd = crowd
        self._is_person = is_person
        self._place: Place | None = None
        self._tick: asyncio.TimerHandle | None = None
        # Since when something is due: the rest of a request, or that somebody reads.
        self._due_since: float | None = None
        self._stuck_since: float | None = None
        self._head_size = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.app_state = {**self.app_state, "connection": self}
        peer = peer_of(transport.get_extra_info("socket"))
        if peer is not None:
            self.app_state["peer"] = peer
        whose = peer.pid if peer else self.client[0] if self.client else ""
        # Looked at only once it matters: until then there is room for all.
        is_person = peer is not None and self._crowd.is_crowded and self._is_person(peer)
        place = Place(whose, is_person=is_person)
        if not self._crowd.enter(place):
            transport.abort()
            return
        self._place = place
        self._crowd.hold_loosely(place, self._make_room)
        self._due_since = self.loop.time()
        self._tick = self.loop.call_later(TICK, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._tick:
            self._tick.cancel()
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._due_since is None:
            self._due_since = self.loop.time()
        super().data_received(data)
        if self._waits_for_head():
            # The rest of a body that was answered already only passes by.
            self._head_size += 0 if self.cycle is not None and self.cycle.more_body else len(data)
            if self._head_size > LARGEST_HEAD:
                self.transport.abort()
            return
        self._head_size = 0
        if not self.cycle.more_body:
            self._due_since = None
            if self._place is not None:
                self._crowd.settle(self._place)

    def pause_writing(self) -> None:
        self._stuck_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stuck_since = None
        super().resume_writing()

    def cut(self) -> None:
        """Whoever is at the other end is no longer welcome, or is to come again."""
        self.transport.abort()

    def _waits_for_head(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _look(self) -> None:
        now = self.loop.time()
        patience = HEAD_SECONDS if self._waits_for_head() else BODY_SECONDS
        if _is_over(self._due_since, patience, now) or _is_over(self._stuck_since, READ_SECONDS, now):
            self.transport.abort()
            return
        if self._place is not None and self._waits_for_head():
            # It was answered, and only keeps its place.
            self._crowd.hold_loosely(self._place, self._make_room)
        self._tick = self.loop.call_later(TICK, self._look)

    def _make_room(self) -> None:
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        if self._place is not None:
            self._crowd.leave(self._place)
            self._place = None


def _is_over(since: float | None, patience: float, now: float) -> bool:
    return since is not None and now - since > patience
