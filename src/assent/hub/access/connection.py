"""HTTP connections: the peer of each, and timeouts for idle ones."""

import asyncio
import socket
import struct
import sys
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.server import ServerState

from assent.hub import processes
from assent.hub.access.caller import Peer
from assent.hub.access.crowd import Crowd, Place
from assent.hub.access.origin import Origins

# macOS: <sys/un.h>.
_SOL_LOCAL, _LOCAL_PEERCRED, _LOCAL_PEERPID = 0, 1, 2
_XUCRED = struct.Struct("=2Ih")


def peer_of(sock: Any) -> Peer | None:
    """Who connected; None where that was not over a Unix socket. Id 0: it cannot be seen from here."""
    if sock is None or sock.family != socket.AF_UNIX:
        return None
    pid, uid = _mac(sock) if sys.platform == "darwin" else _linux(sock)
    # Read now, while it waits for an answer: later its id may be another's.
    process = processes.look(pid) if pid else None
    return Peer(pid=pid, uid=uid, birth=process.birth if process else None, process=process)


def _linux(sock: Any) -> tuple[int, int]:
    pid, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return pid, uid


def _mac(sock: Any) -> tuple[int, int]:  # pragma: no cover - there is no such machine to try it on
    try:
        pid = int.from_bytes(sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4), sys.byteorder)
        _, uid, _ = _XUCRED.unpack_from(sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 76))
    except (OSError, struct.error):
        return 0, 0
    return pid, uid


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
        app_state: dict[str, Any],
        crowd: Crowd,
        origins: Origins | None = None,
    ) -> None:
        super().__init__(config, state, app_state)
        self._crowd = crowd
        self._origins = origins
        self._place: Place | None = None
        self._tick: asyncio.TimerHandle | None = None
        # Since when something is due: the rest of a request, or that the client reads.
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
        is_person = bool(self._origins and peer and self._crowd.is_crowded and self._origins.is_person(peer))
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
        """Drop the connection: the client is no longer admitted, or has to reconnect."""
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
