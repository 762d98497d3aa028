"""Connections that only hold one open are closed; those at work are not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from uvicorn.server import ServerState

from assent.hub.access import connection
from assent.hub.access.connection import Connection
from assent.hub.access.crowd import Crowd, Place
from tests.waiting import HANG, PAUSE, let_pass_in_loop, seen

pytestmark = pytest.mark.anyio
# Long enough for a busy machine to get through one request in between.
PATIENCE = 1.0


async def echo(request: Request) -> Response:
    return PlainTextResponse(await request.body())


async def flood(_: Request) -> Response:
    async def lines() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 65536
            await asyncio.sleep(0)

    return StreamingResponse(lines())


async def patient(_: Request) -> Response:
    await let_pass_in_loop(3 * PATIENCE)
    return PlainTextResponse("done")


@asynccontextmanager
async def serving(crowd: Crowd | None = None) -> AsyncIterator[int]:
    app = Starlette(
        routes=[Route("/", echo, methods=["POST"]), Route("/flood", flood), Route("/patient", patient)],
    )
    config = uvicorn.Config(app, http=Connection, ws="none", lifespan="off", log_config=None)
    config.load()
    state, known = ServerState(), crowd or Crowd(100, 100)
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(config, state, {}, known), "127.0.0.1", 0
    )
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for held in list(state.connections):
            held.transport.abort()
        for task in state.tasks:
            task.cancel()
        await asyncio.gather(*state.tasks, return_exceptions=True)
        await seen(lambda: not state.connections, "the end of all connections")


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (
        ("TICK", 0.05),
        ("HEAD_SECONDS", PATIENCE),
        ("BODY_SECONDS", PATIENCE),
        ("READ_SECONDS", PATIENCE),
    ):
        monkeypatch.setattr(connection, name, seconds)


@asynccontextmanager
async def client(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def rest(reader: asyncio.StreamReader) -> bytes:
    try:
        async with asyncio.timeout(HANG):
            return await reader.read()
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize("said", [b"", b"POST / HT", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"])
async def test_client_that_does_not_go_on_is_cut_off(said: bytes) -> None:
    """Nothing, half a head, half a body."""
    async with serving() as port, client(port) as (reader, writer):
        writer.write(said)
        assert await rest(reader) == b""


async def test_client_that_drips_is_cut_off() -> None:
    """A byte now and then buys no time, not even on a connection that served a request before."""
    async with serving() as port, client(port) as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        assert (await reader.readuntil(b"hi")).startswith(b"HTTP/1.1 200")
        ended = asyncio.create_task(rest(reader))
        # A head that is right as far as it goes, and goes on for ever.
        for letter in b"POST / HTTP/1.1\r\nHost: a\r\nX-Long: " + b"a" * 20_000:
            if ended.done():
                break
            writer.write(bytes([letter]))
            await let_pass_in_loop(PAUSE)
        assert await ended == b""


async def test_client_that_does_not_read_is_cut_off() -> None:
    """What it asked for is not kept for it for ever."""
    async with serving() as port, client(port) as (reader, writer):
        writer.write(b"GET /flood HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await reader.read(12)) == b"HTTP/1.1 200"
        # Not read on: the kernel's buffers fill, then ours would.
        async with asyncio.timeout(HANG):
            while not writer.transport.is_closing():
                await let_pass_in_loop(PAUSE)
                writer.write(b"\r\n")


async def test_answer_that_takes_its_time_is_not_cut_off() -> None:
    """Waiting for us is no fault of the client's."""
    async with serving() as port, client(port) as (reader, writer):
        writer.write(b"GET /patient HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert (await rest(reader)).endswith(b"done")


async def test_idle_connection_makes_room() -> None:
    """Before it asked for anything, or in the middle of its body; never while it is answered."""
    async with serving(Crowd(most=2, most_of_one=2)) as port, client(port) as (patient_reader, patient_writer):
        patient_writer.write(b"GET /patient HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        for half in (
            b"",
            b"POST / HTTP/1.1\r\nHost: a\r\n",
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx",
        ):
            async with client(port) as (idle, idles), client(port) as (reader, writer):
                idles.write(half)
                writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
                assert (await rest(reader)).endswith(b"hi")
                assert await rest(idle) == b""
        assert (await rest(patient_reader)).endswith(b"done")


async def test_one_address_cannot_take_every_place() -> None:
    """Those over the limit are closed at once."""
    full = Crowd(most=1, most_of_one=1)
    assert full.enter(Place("somebody"))
    async with serving(full) as port, client(port) as (reader, _):
        assert await rest(reader) == b""
