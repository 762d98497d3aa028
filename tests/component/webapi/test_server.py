"""An application that is served in an event loop of its program's."""

import asyncio
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from assent.webapi.server import HttpServer

pytestmark = pytest.mark.anyio

# Typed as any protocol.
PROTOCOL: Any = AutoHTTPProtocol


async def listening() -> tuple[HttpServer, int]:
    server = HttpServer(PlainTextResponse("here"), PROTOCOL)
    await server.start()
    made = await asyncio.get_running_loop().create_server(
        lambda: PROTOCOL(server.config, server.state, {}), "127.0.0.1", 0
    )
    server.servers.append(made)
    return server, made.sockets[0].getsockname()[1]


async def get(port: int) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_it_serves_and_says_nothing_of_itself() -> None:
    """The answer carries neither the name of the server nor a date."""
    server, port = await listening()
    head, _, body = (await get(port)).partition(b"\r\n\r\n")
    assert body == b"here"
    assert b"server:" not in head.lower()
    assert b"date:" not in head.lower()
    await server.shutdown()


async def test_no_connection_is_taken_after_its_end() -> None:
    server, port = await listening()
    await server.shutdown()
    with pytest.raises(ConnectionRefusedError):
        await get(port)
