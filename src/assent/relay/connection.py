"""HTTP connections of the relay: those that say nothing are closed, and one that becomes a stream is let go of."""

import asyncio
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.server import ServerState

from assent.relay.held import READ_SECONDS, Held

# To say what is wanted, and to hand over what belongs to it.
HEAD_SECONDS, BODY_SECONDS = 10.0, 30.0
LARGEST_HEAD = 64 << 10
# More than that are not let in at once before they said what they want.
MOST_WAITING = 8_000
# A machine that went to sleep does not say so.
GONE_SECONDS = 60


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    app_state: dict[str, Any]

    def __init__(
        self, config: uvicorn.Config, state: ServerState, app_state: dict[str, Any], waiting: "set[Connection | Held]"
    ) -> None:
        super().__init__(config, state, app_state)
        # All from which the rest of a request is due, or which do not read: looked at together now and then.
        self._waiting = waiting
        self._due_since: float | None = None
        self._stuck_since: float | None = None
        self._head_size = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self._waiting) >= MOST_WAITING:
            transport.abort()
            return
        self.app_state = {**self.app_state, "connection": self}
        sock = transport.get_extra_info("socket")
        if sock is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_SECONDS * 1000)
        self._is_due()

    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._due_since is None:
            self._is_due()
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._head_size += len(data)
            if self._head_size > LARGEST_HEAD:
                self.transport.abort()
            return
        self._head_size = 0
        if not self.cycle.more_body:
            self._due_since = None
            if self._stuck_since is None:
                self._waiting.discard(self)

    def pause_writing(self) -> None:
        self._stuck_since = self.loop.time()
        self._waiting.add(self)
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stuck_since = None
        super().resume_writing()

    def held(self) -> Held:
        """For a response that goes on by itself: what HTTP needed goes, and the application may end."""
        held = Held(self.transport, self.connections, self._waiting)
        if self.flow.read_paused:
            held.cut()  # More was sent already, and nothing would read it.
        self.connections.discard(self)
        self._waiting.discard(self)
        self.cycle.disconnected = True
        # Request, parser and connection hold one another.
        self.__dict__.clear()
        return held

    def look(self, now: float) -> None:
        """Close it where the other end takes too long."""
        in_head = self.cycle is None or self.cycle.response_complete
        if _is_over(self._due_since, HEAD_SECONDS if in_head else BODY_SECONDS, now) or _is_over(
            self._stuck_since, READ_SECONDS, now
        ):
            self.transport.abort()

    def _is_due(self) -> None:
        self._due_since = self.loop.time()
        self._waiting.add(self)


def _is_over(since: float | None, patience: float, now: float) -> bool:
    return since is not None and now - since > patience


async def look_after(waiting: set[Connection | Held]) -> None:
    """Forever."""
    while True:
        await asyncio.sleep(2.0)
        now = asyncio.get_running_loop().time()
        for connection in list(waiting):
            connection.look(now)
