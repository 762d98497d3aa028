"""The connection of a stream once its response began: all that is kept of it in memory, for hours."""

import asyncio
from collections.abc import Callable
from typing import Any

# To take in what was sent.
READ_SECONDS = 30.0
_LAST_CHUNK = b"0\r\n\r\n"


class Held(asyncio.Protocol):
    """Takes the transport over from the HTTP protocol, which is then let go of, as for an upgrade to a WebSocket.

    It is one of the server's ``connections``, which are told to ``shutdown`` when the server ends."""

    __slots__ = ("_connections", "_lost", "_stuck_since", "_transport", "_waiting")

    def __init__(self, transport: asyncio.Transport, connections: set[Any], waiting: set[Any]) -> None:
        self._transport = transport
        self._connections = connections
        self._waiting = waiting
        self._lost: Callable[[], None] | None = None
        self._stuck_since: float | None = None
        connections.add(self)
        transport.set_protocol(self)

    def on_lost(self, callback: Callable[[], None]) -> None:
        """At its end, which may have been already; possibly twice."""
        self._lost = callback
        if self._transport.is_closing():
            callback()

    def connection_lost(self, _: Exception | None) -> None:
        self._connections.discard(self)
        self._waiting.discard(self)
        if self._lost is not None:
            self._lost()
            self._lost = None

    def data_received(self, _: bytes) -> None:
        """A hub says nothing more on its stream."""
        self.cut()

    def pause_writing(self) -> None:
        self._stuck_since = asyncio.get_running_loop().time()
        self._waiting.add(self)

    def resume_writing(self) -> None:
        self._stuck_since = None
        self._waiting.discard(self)

    def look(self, now: float) -> None:
        """Close it where the other end takes nothing in."""
        if self._stuck_since is not None and now - self._stuck_since > READ_SECONDS:
            self.cut()

    def write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    def behind(self) -> int:
        """How many bytes were written and not sent."""
        return self._transport.get_write_buffer_size()

    def cut(self) -> None:
        self._transport.abort()

    def finish(self) -> None:
        """The response is complete; what was written is still sent."""
        self.write(_LAST_CHUNK)
        self._transport.close()

    def shutdown(self) -> None:
        self.finish()
