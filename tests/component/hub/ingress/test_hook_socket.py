"""The hook socket under patient, hasty and hostile peers."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assent.hub.access.crowd import Crowd
from assent.hub.ingress import hook_socket
from assent.hub.pipeline.arrival import Arrival
from assent.protocol.envelope import SILENT, Output

ENVELOPE = b'{"request_id":"%s","ts":1,"session_id":"s","hook_event_name":"Stop","payload":{}}\n'


Answer = Callable[[Arrival], Awaitable[Output]]


class Hooks:
    """Answers, and does not care what becomes of that."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    async def answer(self, arrival: Arrival) -> Output:
        return await self._answer(arrival)

    def told(self, request: str) -> None: ...

    def lost(self, request: str) -> None: ...

    def missed(self, arrival: Arrival) -> None: ...


@asynccontextmanager
async def served(path: Path, answer: Answer, crowd: Crowd | None = None) -> AsyncIterator[str]:
    place = str(path / "hook.sock")
    server = await asyncio.get_running_loop().create_unix_server(
        lambda: hook_socket.HookProtocol(Hooks(answer), crowd=crowd), path=place
    )
    try:
        yield place
    finally:
        server.close()


async def silent(_: Arrival) -> Output:
    return SILENT


@pytest.mark.anyio
async def test_waiting_peer_hears_a_heartbeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While an answer is held, blank lines tell the shim that the hub lives."""
    monkeypatch.setattr(hook_socket, "HEARTBEAT", 0.01)
    release = asyncio.Event()

    async def held(_: Arrival) -> Output:
        await release.wait()
        return SILENT

    async with served(tmp_path, held) as place:
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(ENVELOPE % b"r1")
        assert [await reader.readline(), await reader.readline()] == [b"\n", b"\n"]
        release.set()
        while not (line := await reader.readline()).strip():
            pass
        assert json.loads(line)["payload"] == {"action": "passthrough"}
        writer.close()


@pytest.mark.anyio
async def test_several_lines_on_one_connection_are_all_answered(tmp_path: Path) -> None:
    """A forwarder may keep its connection."""
    async with served(tmp_path, silent) as place:
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(ENVELOPE % b"r1" + b"\n" + ENVELOPE % b"r2")
        answers = {json.loads(await reader.readline())["request_id"] for _ in range(2)}
        assert answers == {"r1", "r2"}
        writer.close()


@pytest.mark.anyio
async def test_line_in_pieces_is_one_line(tmp_path: Path) -> None:
    """How the bytes were cut on the way does not matter."""
    async with served(tmp_path, silent) as place:
        reader, writer = await asyncio.open_unix_connection(place)
        for byte in ENVELOPE % b"r1":
            writer.write(bytes([byte]))
            await writer.drain()
        assert json.loads(await reader.readline())["request_id"] == "r1"
        writer.close()


@pytest.mark.anyio
async def test_half_closed_peer_gets_its_answer(tmp_path: Path) -> None:
    """A peer that has said everything may close its half."""
    async with served(tmp_path, silent) as place:
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(ENVELOPE % b"r1")
        writer.write_eof()
        assert json.loads(await reader.readline())["request_id"] == "r1"
        writer.close()


@pytest.mark.anyio
async def test_endless_line_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line without end costs the hub no more than its limit."""
    monkeypatch.setattr(hook_socket, "LONGEST_LINE", 1000)
    async with served(tmp_path, silent) as place:
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(b"x" * 5000)
        assert await reader.read() == b""
        writer.close()


@pytest.mark.anyio
async def test_peer_that_never_finishes_its_line_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a line does not hold a connection for ever."""
    monkeypatch.setattr(hook_socket, "HALF_LINE", 0.05)
    async with served(tmp_path, silent) as place:
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(b'{"request_id":')
        assert await reader.read() == b""
        writer.close()


@pytest.mark.anyio
async def test_line_that_comes_in_drops_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going on is not enough: a byte now and then would hold the connection for ever."""
    monkeypatch.setattr(hook_socket, "WHOLE_LINE", 0.2)
    async with served(tmp_path, silent) as place:
        reader, writer = await asyncio.open_unix_connection(place)

        async def drip() -> None:
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0)

        dripping = asyncio.ensure_future(drip())
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        dripping.cancel()
        await asyncio.gather(dripping, return_exceptions=True)
        writer.close()


@pytest.mark.anyio
async def test_connection_is_kept_while_its_answer_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection with a complete request waits as long as it takes."""
    for name in ("HALF_LINE", "WHOLE_LINE", "IDLE", "HEARTBEAT"):
        monkeypatch.setattr(hook_socket, name, 0.01)
    release = asyncio.Event()

    async def held(_: Arrival) -> Output:
        await release.wait()
        return SILENT

    async with served(tmp_path, held) as place:
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(ENVELOPE % b"r1")
        for _ in range(10):
            assert await reader.readline() == b"\n"
        release.set()
        while not (line := await reader.readline()).strip():
            pass
        assert json.loads(line)["request_id"] == "r1"
        writer.close()


@pytest.mark.anyio
async def test_full_socket_lets_the_idle_go_and_answers_the_next(tmp_path: Path) -> None:
    """A half-sent line makes room; a request that waits for its answer does not."""
    asked, release = asyncio.Event(), asyncio.Event()

    async def held(arrival: Arrival) -> Output:
        if arrival.request_id == "held":
            asked.set()
            await release.wait()
        return SILENT

    async with served(tmp_path, held, Crowd(most=2, most_of_one=9)) as place:
        waiting, waits = await asyncio.open_unix_connection(place)
        waits.write(ENVELOPE % b"held")
        await asked.wait()
        idle, idles = await asyncio.open_unix_connection(place)
        idles.write(b"{")
        await idles.drain()
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(ENVELOPE % b"next")
        assert json.loads(await reader.readline())["request_id"] == "next"
        with contextlib.suppress(ConnectionError):
            assert await idle.read() == b""
        release.set()
        assert json.loads(await waiting.readline())["request_id"] == "held"
        for each in (waits, idles, writer):
            each.close()


@pytest.mark.anyio
async def test_garbage_closes_the_connection(tmp_path: Path) -> None:
    """What is no envelope gets no answer."""
    async with served(tmp_path, silent) as place:
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(b"GET / HTTP/1.1\n")
        assert await reader.read() == b""
        writer.close()
