"""Hubs that are connected to this relay, and what is written to each.

A stream has no task and no queue of its own: what waits to be sent is what its connection has not sent yet."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from assent.protocol.team import KeyId
from assent.relay.held import Held
from assent.relay.hubs import KnownHub
from assent.relay.live import LiveAsk
from assent.relay.store import AnswerKey, AskKey

# A reader that is so far behind is cut off; it takes a snapshot when it comes back.
MOST_BEHIND = 8 << 20
LARGEST_SNAPSHOT = 6 << 20
KEEP_ALIVE_SECONDS = 15.0
_KEEP_ALIVE = b"3\r\n:\n\n\r\n"
# What is added to an ask for those who may read it and not answer.
_READ_ONLY = b',"read_only":true}'


def event(name: str, data: Struct | bytes) -> bytes:
    """A server-sent event as a chunk of HTTP."""
    body = data if isinstance(data, bytes) else msgspec.json.encode(data)
    message = b"event: %s\ndata: %s\n\n" % (name.encode(), body)
    return b"%x\r\n%s\r\n" % (len(message), message)


def shown(ask: LiveAsk, right: str) -> bytes:
    """Its JSON, for one who has this right."""
    return ask.row.body if right == "answer" else ask.row.body[:-1] + _READ_ONLY


@dataclass(slots=True, eq=False)
class Stream:
    hub: KnownHub
    wire: Held
    names: frozenset[str]
    # Whether what the identity provider said still counted when the names were made.
    is_fresh: bool
    shown: set[AskKey] = field(default_factory=set)
    told: set[tuple[AnswerKey, bool]] = field(default_factory=set)
    written_at: float = 0.0
    has_ended: bool = False

    def write(self, chunk: bytes) -> None:
        if self.has_ended:
            return
        self.wire.write(chunk)
        self.written_at = asyncio.get_running_loop().time()
        if self.wire.behind() > MOST_BEHIND:
            self.has_ended = True
            self.wire.cut()

    def snapshot(self, bodies: list[bytes]) -> None:
        self.write(event("snapshot", b'{"asks":[' + b",".join(bodies) + b"]}"))

    def keep_alive(self, now: float) -> None:
        if now - self.written_at >= KEEP_ALIVE_SECONDS:
            self.write(_KEEP_ALIVE)

    def end(self) -> None:
        if not self.has_ended:
            self.has_ended = True
            self.wire.finish()


class Streams:
    def __init__(self) -> None:
        self._streams: dict[KeyId, Stream] = {}
        self._named: dict[str, set[Stream]] = {}
        # Since the last call of ``moves``.
        self._came: set[KeyId] = set()
        self._left: set[KeyId] = set()

    def __len__(self) -> int:
        return len(self._streams)

    def get(self, hub: KeyId) -> Stream | None:
        return self._streams.get(hub)

    def all(self) -> list[Stream]:
        return list(self._streams.values())

    def named(self, names: Iterable[str]) -> set[Stream]:
        """Those whose owner may be meant, and those who see everything."""
        found = set(self._named.get("*", ()))
        for name in names:
            found |= self._named.get(name, set())
        return found

    def add(self, stream: Stream) -> None:
        """In place of an older one of the same hub."""
        if older := self._streams.get(stream.hub.id):
            self.remove(older)
            older.end()
        self._streams[stream.hub.id] = stream
        self._left.discard(stream.hub.id)
        self._came.add(stream.hub.id)
        self._index(stream, add=True)

    def rename(self, stream: Stream, hub: KnownHub, names: frozenset[str], *, is_fresh: bool) -> None:
        self._index(stream, add=False)
        stream.hub, stream.names, stream.is_fresh = hub, names, is_fresh
        self._index(stream, add=True)

    def remove(self, stream: Stream) -> None:
        if self._streams.get(stream.hub.id) is stream:
            del self._streams[stream.hub.id]
            self._came.discard(stream.hub.id)
            self._left.add(stream.hub.id)
            self._index(stream, add=False)

    def moves(self) -> tuple[list[KeyId], list[KeyId]]:
        """Who came and who left since the last call."""
        moves = list(self._came), list(self._left)
        self._came, self._left = set(), set()
        return moves

    def all_came(self) -> None:
        """The next ``moves`` names all of them: what was known of them is lost."""
        self._came = set(self._streams)

    def put_back(self, came: Iterable[KeyId], left: Iterable[KeyId]) -> None:
        """They could not be told; next time, unless they moved again."""
        self._came |= {hub for hub in came if hub in self._streams}
        self._left |= {hub for hub in left if hub not in self._streams}

    def broadcast(self, chunk: bytes) -> None:
        for stream in self.all():
            stream.write(chunk)

    def _index(self, stream: Stream, *, add: bool) -> None:
        for name in stream.names:
            if add:
                self._named.setdefault(name, set()).add(stream)
            elif streams := self._named.get(name):
                streams.discard(stream)
                if not streams:
                    del self._named[name]
