"""The hook socket: one line in, one line out, and a blank line now and then so that a waiting shim knows we live."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, cast

import msgspec

from assent.harnesses import registry
from assent.hub.access.agents import Agents
from assent.hub.access.caller import Peer
from assent.hub.access.connection import peer_of
from assent.hub.access.crowd import Crowd, Place
from assent.hub.bus import now_ms
from assent.hub.pipeline.arrival import Arrival, nothing
from assent.protocol import terminal
from assent.protocol.envelope import SILENT, Envelope, Output, Reply

log = logging.getLogger("assent.hub")

# A shim carries 16 MiB of payload at most; its envelope is small.
LONGEST_LINE = 17 << 20
# Well below the two seconds of silence after which a shim on PreToolUse gives up.
HEARTBEAT = 0.9
# A peer that has sent half a line must go on, and come to its end.
HALF_LINE = 2.0
WHOLE_LINE = 30.0
# One that has nothing to say goes away.
IDLE = 30.0
# Which process a connection comes from is looked up again after this long.
KNOWN_FOR = 1.0

_decoder = msgspec.json.Decoder(Envelope)
_encoder = msgspec.json.Encoder()
_PAYLOAD = b',"payload":'


class Answers(Protocol):
    """What a transport needs of the pipeline."""

    async def answer(self, arrival: Arrival) -> Output:
        """What the harness is told."""

    def told(self, request: str) -> None:
        """The answer was handed over."""

    def lost(self, request: str) -> None:
        """The connection broke while the answer was waited for."""

    def missed(self, arrival: Arrival) -> None:
        """There was an answer, and no one at the other end to take it."""


class HookProtocol(asyncio.Protocol):
    """One connection. A forwarder may send several lines over it; each is answered on its own."""

    def __init__(
        self,
        hooks: Answers,
        agents: Agents | None = None,
        crowd: Crowd | None = None,
    ) -> None:
        self._hooks = hooks
        self._agents = agents or Agents()
        self._crowd = crowd or Crowd(most=1024, most_of_one=1024)
        self._peer: Peer | None = None
        self._place: Place | None = None
        # When the line that is not whole yet began, on the loop's clock.
        self._begun: float | None = None
        # Who waits on this connection, by the task that will answer.
        self._waiting: set[str] = set()
        # The latest answer that says something: only it can still be on its way when the connection breaks.
        self._said: Arrival | None = None
        self._buffer = bytearray()
        self._searched = 0
        self._transport: asyncio.Transport | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._impatience: asyncio.TimerHandle | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._is_half_closed = False
        # The process that it was last found to come from, and when that was.
        self._agent = ""
        self._looked = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not an assertion: uvloop's transports have all of its methods, but not its class.
        self._transport = cast("asyncio.Transport", transport)
        self._peer = peer_of(transport.get_extra_info("socket"))
        place = self._place_for(self._peer)
        if not self._crowd.enter(place):
            log.warning("too many connections on the hook socket: one of process %s closed", place.whose)
            self._transport.abort()
            return
        self._place = place
        self._crowd.hold_loosely(place, self._make_room)
        self._wait_for_more()

    def connection_lost(self, exc: Exception | None) -> None:
        # Answers under way go on: they are recorded, and the shim may ask again with the same id.
        self._transport = None
        self._leave()
        if exc is not None and self._said is not None:
            self._hooks.missed(self._said)
        for request in self._waiting:
            self._hooks.lost(request)
        for timer in (self._impatience, self._beat):
            if timer:
                timer.cancel()

    def _place_for(self, peer: Peer | None) -> Place:
        if peer is None:
            return Place(0)
        # Looked for only once it matters: until then there is room for all.
        return Place(peer.pid, self._agents.behind(peer) if self._crowd.is_crowded else None)

    def _make_room(self) -> None:
        self._leave()
        if self._transport:
            self._transport.abort()

    def _leave(self) -> None:
        if self._place is not None:
            self._crowd.leave(self._place)
            self._place = None

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\n", self._searched)) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            self._begun = None
            if line.strip():
                if self._place is not None:
                    self._crowd.settle(self._place)
                self._begin(line)
        self._searched = len(self._buffer)
        if len(self._buffer) > LONGEST_LINE:
            log.warning("a line on the hook socket is longer than %d MiB: connection closed", LONGEST_LINE >> 20)
            self._close()
            return
        self._wait_for_more()

    def eof_received(self) -> bool:
        # A peer that has said everything still gets its answer; one that stopped in mid-line gets nothing.
        self._is_half_closed = True
        if self._waiting and self._transport:
            # Whether it also stopped listening, only a write can tell; while a person is asked, that matters at once.
            self._transport.write(b"\n")
        return bool(self._tasks)

    def _begin(self, line: bytes) -> None:
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._respond(line))
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        if self._beat is None:
            self._beat = loop.call_later(HEARTBEAT, self._heartbeat)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if self._tasks:
            return
        if self._beat:
            self._beat.cancel()
            self._beat = None
        if self._is_half_closed:
            self._close()

    def _heartbeat(self) -> None:
        if self._transport and self._tasks:
            # Not behind the last reply: a shim that leaves with something unread looks like one that was never told.
            if self._waiting:
                self._transport.write(b"\n")
            self._beat = asyncio.get_running_loop().call_later(HEARTBEAT, self._heartbeat)

    def _say_we_hold(self) -> None:
        """A beat before a person is asked: by it the shim knows that silence is no answer if the hub is killed."""
        if self._transport:
            self._transport.write(b"\n")

    async def _respond(self, line: bytes) -> None:
        arrival = read(line, self._say_we_hold)
        if arrival is None:
            log.warning("a line of %d bytes on the hook socket is no envelope: connection closed", len(line))
            self._close()
            return
        harness = registry.of(arrival.harness)
        pid = harness.PID_VARIABLE if harness else ""
        if (claimed := arrival.env.get(pid)) is not None and not self._comes_from(claimed):
            # Where its agent runs counts no more than which process that is.
            doubted = {pid, *terminal.VARIABLES}
            arrival = replace(arrival, env={name: value for name, value in arrival.env.items() if name not in doubted})
        self._waiting.add(arrival.request_id)
        output = await self._hooks.answer(arrival)
        self._waiting.discard(arrival.request_id)
        if self._transport:
            reply = Reply(request_id=arrival.request_id, ts=now_ms(), payload=output)
            self._transport.write(_encoder.encode(reply) + b"\n")
            self._said = arrival if output != SILENT else None
            self._hooks.told(arrival.request_id)
        elif output != SILENT:
            self._hooks.missed(arrival)

    def _comes_from(self, claimed: str) -> bool:
        now = asyncio.get_running_loop().time()
        if claimed != self._agent or now - self._looked >= KNOWN_FOR:
            if not self._agents.confirmed(self._peer, claimed):
                return False
            self._agent, self._looked = claimed, now
        return True

    def _wait_for_more(self) -> None:
        if self._impatience:
            self._impatience.cancel()
            self._impatience = None
        if self._tasks:
            return
        loop = asyncio.get_running_loop()
        if not self._buffer:
            self._impatience = loop.call_later(IDLE, self._lose_patience)
            return
        self._begun = self._begun or loop.time()
        left = self._begun + WHOLE_LINE - loop.time()
        self._impatience = loop.call_later(max(0.0, min(HALF_LINE, left)), self._lose_patience)

    def _lose_patience(self) -> None:
        if not self._tasks:
            self._close()

    def _close(self) -> None:
        if self._transport:
            self._transport.close()


def read(line: bytes, on_hold: Callable[[], None] = nothing) -> Arrival | None:
    """The arrival in a line, even if the harness's payload in it is no JSON."""
    try:
        envelope = _decoder.decode(line)
        payload = bytes(envelope.payload)
    except (msgspec.DecodeError, RecursionError):
        # The payload stands last and goes through untouched, so the rest can be read without it.
        head, separator, tail = line.partition(_PAYLOAD)
        if not separator:
            return None
        try:
            envelope = _decoder.decode(head + b"}")
        except (msgspec.DecodeError, RecursionError):
            return None
        payload = tail[:-1] if tail.endswith(b"}") else tail
    name = envelope.harness or registry.DEFAULT
    # Another forwarder may send all it has.
    wanted = registry.variables(name)
    env = {variable: value for variable, value in envelope.env.items() if variable in wanted}
    return Arrival(
        harness=name,
        event_name=envelope.hook_event_name,
        payload=payload,
        transport="shim",
        request_id=envelope.request_id,
        session_id=envelope.session_id,
        env=env,
        waits=envelope.waits,
        too_large=envelope.too_large,
        version=envelope.v,
        on_hold=on_hold,
    )
