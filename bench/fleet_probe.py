"""Hubs of a team as tasks of one process, in the tree of its interpreter. Started by bench/fleet.py.

Standard library and assent only. Each hub holds its stream; some ask, and the other hub of the same person answers."""

import asyncio
import json
import random
import resource
import secrets
import ssl
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent._version import __version__
from assent.protocol.team import AnswerResult, Gone, JoinRequest, Proof, TeamAnswer, TeamAsk
from assent.team.keys import HubKey, signed_headers

# Connections being made at a time, connections for posts to each relay, and the longest wait for an ask to end.
AT_ONCE, POSTING, LONGEST = 40, 8, 30.0
TEXT = "x" * 2_000
TRIES = 50

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(slots=True, eq=False)
class Hub:
    key: HubKey
    relay: int
    proof: Proof | None = None
    # Whether its stream is held now.
    is_there: bool = False
    other: "Hub | None" = None


@dataclass(slots=True)
class Told:
    """One ask on its way; each future is done at the moment of its step."""

    shown: "asyncio.Future[float]"
    answered: "asyncio.Future[float]"
    taken: "asyncio.Future[float]"


@dataclass(slots=True)
class Fleet:
    relays: list[tuple[str, int]]
    tls: ssl.SSLContext | None
    hubs: list[Hub]
    refused: int = 0
    broken: int = 0
    told: dict[str, Told] = field(default_factory=dict)
    _pools: dict[int, "asyncio.Queue[Stream | None]"] = field(default_factory=dict)
    _tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number in range(len(self.relays)):
            self._pools[number] = asyncio.Queue()
            for _ in range(POSTING):
                self._pools[number].put_nowait(None)

    async def opened(self, relay: int) -> Stream:
        host, port = self.relays[relay]
        return await asyncio.open_connection(host, port, ssl=self.tls, server_hostname=host if self.tls else None)

    async def post(self, hub: Hub, path: str, message: msgspec.Struct) -> None:
        """Until the relay takes it; a 429 is counted, and heeded."""
        body = msgspec.json.encode(message)
        for _ in range(TRIES):
            status, wait = await self._posted(hub, path, body)
            if status == 200:
                return
            if status not in (429, 503):
                raise RuntimeError(f"{path}: {status}")
            self.refused += status == 429
            await asyncio.sleep(wait)
        raise RuntimeError(f"{path} was refused {TRIES} times")

    async def _posted(self, hub: Hub, path: str, body: bytes) -> tuple[int, float]:
        pool = self._pools[hub.relay]
        stream = await pool.get()
        try:
            stream = stream or await self.opened(hub.relay)
            reader, writer = stream
            writer.write(_request(hub.key, "POST", path, body))
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.decode("latin-1").lower().split("\r\n")
            headers = dict(line.split(": ", 1) for line in lines[1:] if ": " in line)
            await reader.readexactly(int(headers.get("content-length", "0")))
            if headers.get("connection") == "close":
                writer.close()
                stream = None
            return int(lines[0].split()[1]), float(headers.get("retry-after", "1"))
        except (OSError, EOFError):
            stream = None
            return 503, 0.2
        finally:
            pool.put_nowait(stream)

    async def join(self) -> None:
        await _each(self.hubs, self._join)

    async def _join(self, hub: Hub) -> None:
        await self.post(hub, "/team/join", JoinRequest(hub.key.public, "bench", __version__, hub.proof))

    async def connect(self) -> None:
        await _each(self.hubs, self._connect)

    async def _connect(self, hub: Hub) -> None:
        for _ in range(TRIES):
            reader, writer = await self.opened(hub.relay)
            writer.write(_request(hub.key, "GET", "/team/stream", b""))
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            if head.split()[1] == "200":
                await reader.readuntil(b"event: snapshot")
                hub.is_there = True
                self._tasks.append(asyncio.create_task(self._follow(hub, reader, writer)))
                return
            writer.close()
            self.refused += head.split()[1] == "429"
            await asyncio.sleep(1.0)
        raise RuntimeError(f"a stream was refused {TRIES} times")

    async def _follow(self, hub: Hub, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = b""
        try:
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    name = line[7:-1]
                elif line.startswith(b"data: ") and name in (b"ask", b"answer", b"result"):
                    self._heard(name, json.loads(line[6:]))
        except (OSError, EOFError, ValueError):
            pass
        hub.is_there = False
        self.broken += 1
        writer.close()

    def _heard(self, name: bytes, data: dict[str, Any]) -> None:
        told = self.told.get(data["ask"])
        if told is None:
            return
        step = {b"ask": told.shown, b"answer": told.answered, b"result": told.taken}[name]
        if not step.done():
            step.set_result(time.perf_counter())

    async def load(self, seconds: float, rate: float) -> dict[str, Any]:
        """Asks at their times, whether the earlier ones are over or not."""
        start, going = time.perf_counter(), []
        for number in range(int(seconds * rate)):
            await asyncio.sleep(max(0.0, start + number / rate - time.perf_counter()))
            going.append(asyncio.create_task(self._ask(random.choice(self.hubs))))
        found = await asyncio.gather(*going)
        whole = [each for each in found if each is not None]
        return {
            "asked": len(found),
            "lost": len(found) - len(whole),
            "shown": [shown for shown, _ in whole],
            "answered": [answered for _, answered in whole],
        }

    async def _ask(self, hub: Hub) -> tuple[float, float] | None:
        """How long until the other hub shows it, and how long until this one has the answer; None where it is lost."""
        name, nonce, loop = secrets.token_hex(8), secrets.token_urlsafe(16), asyncio.get_running_loop()
        other = hub.other
        assert other is not None
        told = self.told[name] = Told(loop.create_future(), loop.create_future(), loop.create_future())
        now = time.time_ns() // 1_000_000
        try:
            async with asyncio.timeout(LONGEST):
                asked = time.perf_counter()
                ask = TeamAsk(hub.key.id, name, 1, now, now + 60_000, ("owner",), TEXT, "s", hub.proof)
                await self.post(hub, "/team/asks", ask)
                shown = await told.shown - asked
                given = time.perf_counter()
                assert other.proof is not None
                answer = TeamAnswer(hub.key.id, name, other.key.id, nonce, TEXT, "s", other.proof)
                await self.post(other, "/team/answers", answer)
                answered = await told.answered - given
                await self.post(hub, "/team/results", AnswerResult(other.key.id, name, nonce, text="taken"))
                await told.taken
                await self.post(hub, "/team/gone", Gone(hub.key.id, name, "ran"))
        except TimeoutError:
            return None
        finally:
            del self.told[name]
        return shown, answered


async def _each(hubs: list[Hub], work: Callable[[Hub], Awaitable[None]]) -> None:
    room = asyncio.Semaphore(AT_ONCE)

    async def one(hub: Hub) -> None:
        async with room:
            await work(hub)

    await asyncio.gather(*map(one, hubs))


def _request(key: HubKey, method: str, path: str, body: bytes) -> bytes:
    headers = signed_headers(key, method, path, body, time.time_ns() // 1_000_000, secrets.token_urlsafe(18))
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def _serve(asked: dict[str, Any]) -> None:
    tls = ssl.create_default_context(cafile=asked["ca"]) if asked["ca"] else None
    hubs = [Hub(HubKey.create(), number % 2) for number in range(asked["hubs"])]
    for one, two in zip(hubs[::2], hubs[1::2], strict=True):
        one.other, two.other = two, one
    fleet = Fleet([(host, port) for host, port in asked["relays"]], tls, hubs)
    _say([hub.key.public for hub in hubs])
    while line := await asyncio.to_thread(sys.stdin.readline):
        what = json.loads(line)
        match what["do"]:
            case "prove":
                for hub, (salt, token) in zip(hubs, what["proofs"], strict=True):
                    hub.proof = Proof(hub.key.public, salt, token)
                _say("ready")
            case "join":
                await fleet.join()
                _say("ready")
            case "connect":
                await fleet.connect()
                _say("ready")
            case "load":
                found = await fleet.load(what["seconds"], what["rate"])
                held = sum(hub.is_there for hub in hubs)
                _say({**found, "held": held, "refused": fleet.refused, "broken": fleet.broken})


def _say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(_serve(json.loads(sys.stdin.readline())))


if __name__ == "__main__":
    main()
