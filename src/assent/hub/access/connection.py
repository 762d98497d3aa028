"""Connections over HTTP: who is at the other end, and no patience with those who only hold one open."""

import asyncio
import socket
import struct
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.server import ServerState

from assent.hub.access.caller import Peer

# To say what is wanted, and to hand over what belongs to it.
HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
# To take in what was asked for.
READ_SECONDS = 30.0
LARGEST_HEAD = 64 << 10
TICK = 2.0


@dataclass(slots=True)
class Crowd:
    """How many may be at one door at once."""

    most: int
    most_of_one: int
    _count: int = 0
    _of: dict[str, int] = field(default_factory=dict)

    def enter(self, address: str) -> bool:
        if self._count >= self.most or self._of.get(address, 0) >= self.most_of_one:
            return False
        self._count += 1
        self._of[address] = self._of.get(address, 0) + 1
        return True

    def leave(self, address: str) -> None:
        self._count -= 1
        self._of[address] -= 1
        if not self._of[address]:
            del self._of[address]


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    app_state: dict[str, Any]

    def __init__(self, config: uvicorn.Config, state: ServerState, known: dict[str, Any], crowd: Crowd) -> None:
        super().__init__(config, state, known)
        self._crowd = crowd
        self._address: str | None = None
        self._tick: asyncio.TimerHandle | None = None
        # Since when something is due: the rest of a request, or that somebody reads.
        self._due_since: float | None = None
        self._stuck_since: float | None = None
        self._head_size = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.app_state = {**self.app_state, "connection": self}
        peer = _peer_of(transport.get_extra_info("socket"))
        if peer is not None:
            self.app_state["peer"] = peer
        address = self.client[0] if self.client else ""
        if not self._crowd.enter(address):
            transport.abort()
            return
        self._address = address
        self._due_since = self.loop.time()
        self._tick = self.loop.call_later(TICK, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._tick:
            self._tick.cancel()
        if self._address is not None:
            self._crowd.leave(self._address)
            self._address = None
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
        self._tick = self.loop.call_later(TICK, self._look)


def _is_over(since: float | None, patience: float, now: float) -> bool:
    return since is not None and now - since > patience


def _peer_of(sock: Any) -> Peer | None:
    if sock is None or sock.family != socket.AF_UNIX:
        return None
    if not hasattr(socket, "SO_PEERCRED"):
        # macOS: the folder's mode keeps other users out, the process stays unknown.
        return Peer(pid=0, uid=0)
    pid, uid, _ = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return Peer(pid=pid, uid=uid)
