"""TLS of a relay's connections: asyncio's, with one buffer into which all of them read."""

import asyncio
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable

HANDSHAKE_SECONDS = 10


class _Shared(SSLProtocol):
    """What was read is taken out of the buffer before another connection reads. Each with its own would have
    256 KiB of it, and a page of memory even where the event loop does not fill them."""

    # Instances with more than thirty names in their dictionary do not share its keys, and each takes 1.5 KiB more.
    __slots__ = (
        "_incoming_high_water",
        "_incoming_low_water",
        "_outgoing_high_water",
        "_outgoing_low_water",
        "_ssl_buffer",
        "_ssl_buffer_view",
    )
    _buffer = bytearray(SSLProtocol.max_size)
    _view = memoryview(_buffer)

    def __init__(self, protocol: asyncio.BaseProtocol, context: ssl.SSLContext) -> None:
        super().__init__(
            asyncio.get_running_loop(),
            protocol,
            context,
            None,  # type: ignore[arg-type]  # none waits, as in asyncio itself
            server_side=True,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
        )
        self._ssl_buffer = self._buffer
        self._ssl_buffer_view = self._view


def over_tls(make: Callable[[], asyncio.Protocol], context: ssl.SSLContext) -> Callable[[], asyncio.BaseProtocol]:
    """What a server makes of each connection."""
    return lambda: _Shared(make(), context)
