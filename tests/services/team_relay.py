"""A relay of a team as hubs see it, over real HTTP: one process's memory in place of a database.

It checks signatures as a relay does, keeps what is posted, and sends what a test tells it to."""

import contextlib
import json
import queue
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec

from assent.hub.access.authority import Authority
from assent.protocol.team import VERSION, Hello, Joined, JoinRequest, Member, Members, Role, Snapshot, TeamInfo
from assent.team.keys import key_id
from assent.webapi import signature
from assent.webapi.endpoint import ProblemError

# Shorter than a real one: by its next word it sees that a hub is gone.
BEAT = 0.2


@dataclass
class _Hub:
    key: str
    request: JoinRequest
    streams: "list[queue.Queue[bytes | None]]" = field(default_factory=list)


@dataclass
class Relay:
    """Start it with ``with``; tests change its fields while it runs."""

    info: TeamInfo = field(default_factory=lambda: TeamInfo(VERSION, "Example", "https://id.example.org", "assent"))
    name: str = "relay-1"
    port: int = 0
    hubs: dict[str, _Hub] = field(default_factory=dict)
    revoked: list[str] = field(default_factory=list)
    roles: tuple[Role, ...] = ("member",)
    owner: str = "ada@example.org"
    # What was posted: path, hub, body.
    posted: list[tuple[str, str, Any]] = field(default_factory=list)
    # What to say instead, by path: status, code.
    refuses: dict[str, tuple[int, str]] = field(default_factory=dict)
    words: str = "The test wants it so."
    # Streams that began, by hub.
    begun: list[str] = field(default_factory=list)
    # The first event of a stream; a relay's is "hello".
    first: str = "hello"
    # Whether a stream says nothing at all.
    is_silent: bool = False
    # How far its clock is ahead.
    ahead_ms: int = 0
    # Encrypted, and under the name in its certificate.
    tls: ssl.SSLContext | None = None
    host: str = "127.0.0.1"
    _open: set[socket.socket] = field(default_factory=set)
    _server: ThreadingHTTPServer | None = None
    _thread: threading.Thread | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"

    def __enter__(self) -> "Relay":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Also again, at the same port."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        self._server.daemon_threads = True
        if self.tls is not None:
            self._server.socket = self.tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        if self._server is None or self._thread is None:
            return
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._server = None
        self.drop()
        # Those that are kept for further requests, too.
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def drop(self) -> None:
        """End all streams."""
        for hub in self.hubs.values():
            for stream in hub.streams:
                stream.put(None)

    def send(self, hub: str, name: str, message: object) -> None:
        self._put(hub, f"event: {name}\ndata: ".encode() + msgspec.json.encode(message) + b"\n\n")

    def send_raw(self, hub: str, content: bytes) -> None:
        self._put(hub, content)

    def _put(self, hub: str, content: bytes) -> None:
        for stream in self.hubs[hub].streams:
            stream.put(content)

    @property
    def connected(self) -> list[str]:
        return [name for name, hub in self.hubs.items() if hub.streams]

    def bodies(self, path: str) -> list[Any]:
        return [body for where, _, body in self.posted if where == path]

    def join(self, hub: str, body: bytes) -> Joined:
        request = msgspec.json.decode(body, type=JoinRequest)
        if key_id(request.key) != hub:
            raise ProblemError(403, "bad-signature", "Another key.")
        with self._lock:
            self.hubs[hub] = _Hub(request.key, request, self.hubs[hub].streams if hub in self.hubs else [])
        return Joined(hub, self.owner, (), self.roles)

    def members(self) -> Members:
        return Members(
            tuple(
                Member(name, hub.request.machine, self.owner, hub.request.version, 1, None, bool(hub.streams))
                for name, hub in self.hubs.items()
            )
        )

    def check(self, method: str, path: str, headers: dict[str, str], body: bytes) -> str:
        """The hub that signed it."""
        signed = signature.read(headers)
        if path == "/team/join":
            key = msgspec.json.decode(body, type=JoinRequest).key
        elif signed.device in self.revoked:
            raise ProblemError(403, "revoked", "This hub was shut out of the team.")
        elif signed.device in self.hubs:
            key = self.hubs[signed.device].key
        else:
            raise ProblemError(401, "unknown-hub", "This hub is not in the team.")
        public = signature.public_key(key)
        content = signature.message(method, path, signed.time, signed.nonce, body)
        if abs(signed.time - self.now_ms()) > signature.WINDOW_MS:
            raise ProblemError(403, "clock", "The clock is off.")
        if public is None or not signature.is_good(public, signed.signature, content):
            raise ProblemError(403, "bad-signature", "The signature is not good.")
        self.refuse(path)
        return signed.device

    def now_ms(self) -> int:
        return int(time.time() * 1000) + self.ahead_ms

    def refuse(self, path: str) -> None:
        if refusal := self.refuses.get(path):
            raise ProblemError(*refusal, self.words, hint=self.words)


def _handler(relay: Relay) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def setup(self) -> None:
            super().setup()
            relay._open.add(self.connection)

        def finish(self) -> None:
            relay._open.discard(self.connection)
            with contextlib.suppress(OSError):
                super().finish()

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

        def _answer(self, body: bytes) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                if (self.command, self.path) == ("GET", "/team"):
                    relay.refuse(self.path)
                    self._say(200, msgspec.json.encode(relay.info))
                    return
                hub = relay.check(self.command, self.path, headers, body)
                if (self.command, self.path) == ("GET", "/team/stream"):
                    self._stream(hub)
                else:
                    self._routed(hub, body)
            except ProblemError as problem:
                error = {"code": problem.code, "message": problem.message, "hint": problem.hint}
                self._say(problem.status, json.dumps({"error": error}).encode())

        def _routed(self, hub: str, body: bytes) -> None:
            if self.command == "POST":
                relay.posted.append((self.path, hub, json.loads(body)))
            match self.command, self.path:
                case "POST", "/team/join":
                    self._say(200, msgspec.json.encode(relay.join(hub, body)))
                case "GET", "/team/hubs":
                    self._say(200, msgspec.json.encode(relay.members()))
                case "POST", "/team/leave":
                    relay.hubs.pop(hub)
                    self._say(200, b"{}")
                case "POST", "/team/revoke":
                    relay.revoked.append(json.loads(body)["hub"])
                    self._say(200, b"{}")
                case _:
                    self._say(200, b"{}")

        def _stream(self, hub: str) -> None:
            stream: queue.Queue[bytes | None] = queue.Queue()
            relay.hubs[hub].streams.append(stream)
            try:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                relay.begun.append(hub)
                if not relay.is_silent:
                    hello = Hello(relay.name, int(time.time() * 1000), relay.roles, tuple(relay.revoked))
                    self._event(relay.first, hello)
                    self._event("snapshot", Snapshot(()))
                while True:
                    try:
                        content = stream.get(timeout=BEAT)
                    except queue.Empty:
                        content = b": still here\n\n"
                    if content is None:
                        break
                    self.wfile.write(content)
            except OSError:
                pass  # The hub went.
            finally:
                relay.hubs[hub].streams.remove(stream) if hub in relay.hubs else None
                self.close_connection = True

        def _event(self, name: str, message: object) -> None:
            self.wfile.write(f"event: {name}\ndata: ".encode() + msgspec.json.encode(message) + b"\n\n")

        def _say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Assent-Now", str(relay.now_ms()))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def certified(folder: Path, name: str) -> tuple[ssl.SSLContext, str]:
    """To serve under this name, and the file of the authority that vouches for it."""
    made = Authority(folder, name)
    made.renew(datetime.now(UTC))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(made.server_certificate, made.server_key)
    return tls, str(made.certificate)
