"""Load with bounds: events at set times from many clients, or as many as a server takes."""

import gc
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

SECONDS_WITHOUT_REPLY = 20.0


@dataclass(slots=True)
class Target:
    """How to reach a server, and how to tell that it has answered."""

    family: socket.AddressFamily
    address: str | tuple[str, int]
    # HTTP clients keep their connections, a shim makes a new one for every event.
    keeps: bool
    is_whole: Callable[[bytes], bool]
    _idle: list[socket.socket] = field(default_factory=list)

    def take(self) -> socket.socket:
        if self._idle:
            return self._idle.pop()
        sock = socket.socket(self.family, socket.SOCK_STREAM)
        if self.family == socket.AF_INET:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.connect(self.address)
        return sock

    def give_back(self, sock: socket.socket) -> None:
        if self.keeps:
            self._idle.append(sock)
        else:
            sock.close()

    def close(self) -> None:
        for sock in self._idle:
            sock.close()
        self._idle.clear()


def unix(path: str) -> Target:
    return Target(socket.AF_UNIX, path, keeps=False, is_whole=lambda held: b"\n" in held.lstrip(b"\n"))


def http(port: int) -> Target:
    return Target(socket.AF_INET, ("127.0.0.1", port), keeps=True, is_whole=_is_whole_response)


def _is_whole_response(held: bytes) -> bool:
    head, found, body = held.partition(b"\r\n\r\n")
    if not found:
        return False
    if not head.startswith(b"HTTP/1.1 200"):
        raise AssertionError(f"the server refused: {held!r}")
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    return len(body) >= int(length.partition(b":")[2])


@dataclass(frozen=True, slots=True)
class Shot:
    at: float
    request: bytes
    # What the reply must contain: a fast wrong answer is no answer.
    expects: bytes


@contextmanager
def quiet() -> Iterator[None]:
    """No pauses of our own collector in the numbers."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def fire(target: Target, shots: Sequence[Shot]) -> list[float]:
    """Send each at its time, whether earlier ones are answered or not; seconds from connecting to the whole reply.

    Open loop: a server that stalls is asked all the same, so its stall shows in every event that came meanwhile."""
    waiting: dict[socket.socket, tuple[float, Shot, bytes]] = {}
    taken: list[float] = []
    with selectors.DefaultSelector() as selector, quiet():
        start = time.monotonic()
        coming = iter(sorted(shots, key=lambda shot: shot.at))
        upcoming = next(coming, None)
        last_sign = start
        while upcoming or waiting:
            now = time.monotonic()
            while upcoming and now - start >= upcoming.at:
                began = time.perf_counter()
                sock = target.take()
                sock.sendall(upcoming.request)
                waiting[sock] = (began, upcoming, b"")
                selector.register(sock, selectors.EVENT_READ)
                upcoming = next(coming, None)
                now = last_sign = time.monotonic()
            pause = max(0.0, start + upcoming.at - now) if upcoming else 1.0
            for key, _ in selector.select(pause):
                sock = key.fileobj  # type: ignore[assignment]
                began, shot, held = waiting[sock]
                chunk = sock.recv(65536)
                if not chunk:
                    raise AssertionError("the server hung up")
                held += chunk
                if target.is_whole(held):
                    taken.append(time.perf_counter() - began)
                    if shot.expects not in held:
                        raise AssertionError(f"a wrong reply: {held!r}")
                    del waiting[sock]
                    selector.unregister(sock)
                    target.give_back(sock)
                    last_sign = time.monotonic()
                else:
                    waiting[sock] = (began, shot, held)
            if waiting and time.monotonic() - last_sign > SECONDS_WITHOUT_REPLY:
                raise AssertionError(f"{len(waiting)} events were not answered")
    # Servers end unused connections, and the next load may come later than that.
    target.close()
    return taken


@dataclass(slots=True)
class _Pipe:
    sock: socket.socket
    lines: Iterator[bytes]
    held: bytes = b""
    unsent: bytes = b""
    open: int = 0

    def fill(self, window: int) -> bool:
        """Send until the window is full; whether there is more to wait for."""
        fresh = []
        while self.open < window and (line := next(self.lines, None)) is not None:
            fresh.append(line)
            self.open += 1
        self.unsent += b"".join(fresh)
        if self.unsent:
            try:
                self.unsent = self.unsent[self.sock.send(self.unsent) :]
            except BlockingIOError:
                pass
        return self.open > 0

    def drain(self) -> int:
        chunk = self.sock.recv(1 << 18)
        if not chunk:
            raise AssertionError("the server hung up")
        *whole, self.held = (self.held + chunk).split(b"\n")
        answered = sum(1 for line in whole if line)
        self.open -= answered
        return answered


def pour(path: str, clients: Sequence[Iterator[bytes]], window: int) -> int:
    """Every client keeps ``window`` events open until its lines end; how many were answered."""
    pipes = []
    answered = 0
    with selectors.DefaultSelector() as selector, quiet():
        for lines in clients:
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            sock.connect(path)
            sock.setblocking(False)
            pipe = _Pipe(sock, lines)
            pipes.append(pipe)
            selector.register(sock, selectors.EVENT_READ | selectors.EVENT_WRITE, pipe)
            pipe.fill(window)
        going = len(pipes)
        while going:
            ready = selector.select(SECONDS_WITHOUT_REPLY)
            if not ready:
                raise AssertionError("the server fell silent")
            for key, what in ready:
                pipe = key.data
                if what & selectors.EVENT_READ:
                    answered += pipe.drain()
                if not pipe.fill(window):
                    selector.unregister(pipe.sock)
                    pipe.sock.close()
                    going -= 1
                    continue
                wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if pipe.unsent else 0)
                if key.events != wanted:
                    selector.modify(pipe.sock, wanted, pipe)
    return answered
