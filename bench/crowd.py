"""Many connections in one process: things sent at set times, everything that comes read at once."""

import heapq
import itertools
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

LONGEST = 120.0

# Hears a chunk and when it came; False where there is nothing more to hear.
Hear = Callable[[bytes, float], bool]


@dataclass(slots=True)
class Crowd:
    """All times are of the performance counter."""

    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _due: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _number: Iterator[int] = field(default_factory=itertools.count)

    def at(self, when: float, act: Callable[[], None]) -> None:
        heapq.heappush(self._due, (when, next(self._number), act))

    def connect(self, address: str | tuple[str, int], request: bytes, hear: Hear) -> None:
        """A new connection that says this, and then listens."""
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        if family == socket.AF_INET:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.connect(address)
        sock.sendall(request)
        self._selector.register(sock, selectors.EVENT_READ, hear)

    def run(self, is_over: Callable[[], bool], what: str) -> None:
        """Until it is over; what never comes stops the measurement."""
        end = time.monotonic() + LONGEST
        while not is_over():
            now = time.perf_counter()
            while self._due and self._due[0][0] <= now:
                heapq.heappop(self._due)[2]()
                now = time.perf_counter()
            pause = min(0.05, max(0.0, self._due[0][0] - now)) if self._due else 0.05
            for key, _ in self._selector.select(pause):
                sock = key.fileobj
                assert isinstance(sock, socket.socket)
                chunk = sock.recv(1 << 18)
                if not key.data(chunk, time.perf_counter()):
                    self._selector.unregister(sock)
                    sock.close()
            if time.monotonic() > end:
                raise AssertionError(f"not within {LONGEST:g} s: {what}")

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()


@dataclass(slots=True)
class Reply:
    """Hears one line on the hook socket; blank ones only say that the hub lives."""

    done: Callable[[bytes, float], None]
    beats: int = 0
    _held: bytes = b""

    def __call__(self, chunk: bytes, now: float) -> bool:
        if not chunk:
            raise AssertionError("the hub hung up on a hook")
        line = (self._held + chunk).lstrip(b"\n")
        self.beats += len(self._held) + len(chunk) - len(line)
        if b"\n" not in line:
            self._held = line
            return True
        self.done(line, now)
        return False


@dataclass(slots=True)
class Response:
    """Hears one response of HTTP; its body is small."""

    done: Callable[[bytes, float], None]
    _held: bytes = b""

    def __call__(self, chunk: bytes, now: float) -> bool:
        self._held += chunk
        head, found, body = self._held.partition(b"\r\n\r\n")
        length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
        if chunk and (not found or len(body) < int(length.partition(b":")[2])):
            return True
        self.done(self._held, now)
        return False


@dataclass(slots=True)
class Messages:
    """Hears server-sent events; every whole one that mentions asks is passed on."""

    told: Callable[[bytes, float], None]
    count: int = 0
    size: int = 0
    _held: bytes = b""

    def __call__(self, chunk: bytes, now: float) -> bool:
        if not chunk:
            raise AssertionError("the hub cut off a page that reads everything")
        self.size += len(chunk)
        *whole, self._held = (self._held + chunk).split(b"\n\n")
        for message in whole:
            _, found, data = message.partition(b"\ndata: ")
            if not found:
                if message.startswith(b"HTTP/1.1") and not message.startswith(b"HTTP/1.1 200"):
                    raise AssertionError(f"the hub refused a page: {message!r}")
                continue
            self.count += 1
            if b'"asks":[' in data:
                self.told(data, now)
        return True
