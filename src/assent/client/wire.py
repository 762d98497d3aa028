"""HTTP over the hub's Unix socket: one request, one answer, one connection.

As much of HTTP/1.1 as a hub says. ``http.client`` knows all of it, and takes longer to import than a verb takes to run:
it brings a parser of mail and a library for encryption along."""

import socket
import time
from collections.abc import Iterator

# A hub answers in milliseconds; one that takes this long does not answer at all.
PATIENCE = 5.0
POLL = 0.03
LONGEST_LINE = 1 << 16
_PIECE = 1 << 16


class CutOffError(OSError):
    """The answer ended in the middle, or is not HTTP."""


class Connection:
    def __init__(self, path: str, timeout: float | None) -> None:
        self._path, self._timeout = path, timeout
        self._socket: socket.socket | None = None
        # What was received and not looked at yet.
        self._held = b""
        # How long the body is, if the hub said so.
        self._length: int | None = None
        self._is_chunked = False
        self.status = 0

    def send(self, method: str, target: str, body: bytes | None = None) -> None:
        """Returns once the answer has begun: its ``status`` is known then."""
        self._connect().sendall(
            f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body or b'')}\r\n\r\n".encode()
            + (body or b"")
        )
        version, _, rest = self._line().partition(b" ")
        if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
            raise CutOffError("this is not HTTP")
        self.status = int(rest[:3])
        while header := self._line():
            name, _, value = header.partition(b":")
            self._heed(name.lower(), value.strip().lower())

    def read(self) -> bytes:
        """The whole body."""
        return b"".join(self._body())

    def lines(self) -> Iterator[bytes]:
        """The body line by line, as it comes; without line ends."""
        begun: list[bytes] = []
        for piece in self._body():
            first, *others = piece.split(b"\n")
            begun.append(first)
            for line in others:
                yield b"".join(begun).removesuffix(b"\r")
                begun = [line]
        if last := b"".join(begun):
            yield last

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def _connect(self) -> socket.socket:
        end = time.monotonic() + PATIENCE
        while True:
            hub = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                hub.settimeout(PATIENCE)
                hub.connect(self._path)
                hub.settimeout(self._timeout)
            except OSError as error:
                hub.close()
                # Others wait there, too: it lives, and its queue is full.
                if not isinstance(error, BlockingIOError) or time.monotonic() > end:
                    raise
                time.sleep(POLL)
            else:
                self._socket = hub
                return hub

    def _heed(self, name: bytes, value: bytes) -> None:
        if name == b"transfer-encoding":
            self._is_chunked = value == b"chunked"
        elif name == b"content-length":
            if not value.isdigit():
                raise CutOffError("its length is no number")
            self._length = int(value)

    def _body(self) -> Iterator[bytes]:
        if self._is_chunked:
            while size := self._size():
                yield from self._exactly(size)
                if self._line():
                    raise CutOffError("a part is longer than was said")
        elif self._length is not None:
            yield from self._exactly(self._length)
        else:
            while piece := self._some(_PIECE):
                yield piece

    def _size(self) -> int:
        """Of the next part; 0 behind the last one."""
        line = self._line().partition(b";")[0].strip()
        try:
            return int(line, 16) if line.isalnum() else int("no number")
        except ValueError as error:
            raise CutOffError("the length of a part is no number") from error

    def _exactly(self, size: int) -> Iterator[bytes]:
        while size:
            piece = self._some(size)
            if not piece:
                raise CutOffError("the answer ended in the middle")
            size -= len(piece)
            yield piece

    def _line(self) -> bytes:
        while (end := self._held.find(b"\n")) < 0:
            more = self._received() if len(self._held) <= LONGEST_LINE else b""
            if not more:
                raise CutOffError("the answer ended in the middle")
            self._held += more
        line, self._held = self._held[:end], self._held[end + 1 :]
        return line.removesuffix(b"\r")

    def _some(self, most: int) -> bytes:
        """At least one byte, unless it is over."""
        held = self._held or self._received()
        piece, self._held = held[:most], held[most:]
        return piece

    def _received(self) -> bytes:
        assert self._socket is not None
        return self._socket.recv(_PIECE)
