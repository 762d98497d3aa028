"""TLS with one buffer to read into for all connections."""

import asyncio
import datetime
import secrets
import ssl
from pathlib import Path

import pytest

from assent.hub.access.authority import Authority
from assent.relay.tls import over_tls

pytestmark = pytest.mark.anyio
SIZE = 300_000


class Echo(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


async def test_connections_that_share_a_buffer_keep_their_bytes_apart(tmp_path: Path) -> None:
    """Each is sent back what it sent, while others send as much."""
    authority = Authority(tmp_path, "localhost")
    authority.renew(datetime.datetime.now(datetime.UTC))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.server_certificate, authority.server_key)
    trusting = ssl.create_default_context(cafile=str(authority.certificate))
    protocols = []

    def made() -> asyncio.BaseProtocol:
        protocols.append(protocol := over_tls(Echo, context)())
        return protocol

    async def sent_back(port: int, data: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("localhost", port, ssl=trusting)
        writer.write(data)
        came = await reader.readexactly(len(data))
        writer.close()
        await writer.wait_closed()
        return came

    server = await asyncio.get_running_loop().create_server(made, "localhost", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        texts = [secrets.token_bytes(SIZE) for _ in range(5)]
        assert await asyncio.gather(*(sent_back(port, text) for text in texts)) == texts
    buffers = {id(protocol.get_buffer(-1)) for protocol in protocols if isinstance(protocol, asyncio.BufferedProtocol)}
    assert (len(protocols), len(buffers)) == (len(texts), 1)
