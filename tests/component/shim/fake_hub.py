"""A hub that does what a test tells it, connection by connection."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import msgspec

from assent.protocol.envelope import Output, Reply
from tests.waiting import HANG

Act = Callable[[socket.socket, bytes], None]


def request_id(line: bytes) -> str:
    return line.partition(b'{"request_id":"')[2][:16].decode()


def encode(line: bytes, output: Output) -> bytes:
    return msgspec.json.encode(Reply(request_id=request_id(line), ts=1, payload=output)) + b"\n"


def answer(action: Any = "passthrough", **fields: Any) -> Act:
    """The reply the real hub would write."""
    return lambda conn, line: conn.sendall(encode(line, Output(action=action, **fields)))


def say(data: bytes) -> Act:
    """Some bytes, then goodbye; ID stands for the request's id."""
    return lambda conn, line: conn.sendall(data.replace(b"ID", request_id(line).encode()))


def hang_up(conn: socket.socket, line: bytes) -> None:
    """Close without a word."""


def stay_silent(conn: socket.socket, line: bytes) -> None:
    """Listen until the shim has had enough."""
    conn.recv(1)


class FakeHub:
    """Runs one act per connection, the last one again and again."""

    def __init__(self, path: Path, *acts: Act) -> None:
        self.path, self.acts = path, acts
        self.lines: list[bytes] = []
        # What the shim sent after its line, by connection: nothing, if it is right.
        self.rest: list[bytes] = []
        self.heard = threading.Semaphore(0)
        self._listener = socket.socket(socket.AF_UNIX)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)
        self._listener.bind(str(self.path))
        self._listener.listen(64)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        # shutdown wakes the accept that close alone would leave waiting.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)
        self.path.unlink(missing_ok=True)
        assert not self._thread.is_alive()

    @property
    def envelopes(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(line) for line in self.lines]

    def _serve(self) -> None:
        while True:
            try:
                conn, _ = self._listener.accept()
            except OSError:
                return
            with conn:
                self._attend(conn)

    def _attend(self, conn: socket.socket) -> None:
        conn.settimeout(HANG)
        line = b""
        while not line.endswith(b"\n"):
            chunk = conn.recv(1 << 20)
            if not chunk:
                return
            line += chunk
        self.lines.append(line)
        self.heard.release()
        try:
            self.acts[min(len(self.lines), len(self.acts)) - 1](conn, line)
            conn.shutdown(socket.SHUT_WR)
            self.rest.append(conn.recv(1 << 16))
        except OSError:
            self.rest.append(b"")
