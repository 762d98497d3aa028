"""HTTP receiver on loopback, which takes what is posted or refuses it when told to."""

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.services.listener import Listener

Post = tuple[dict[str, str], bytes]


@dataclass
class Receiver:
    posts: list[Post] = field(default_factory=list)
    # Status and headers to answer next instead of taking it.
    moods: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    # The answer to everything.
    always: int = 0
    tries: int = 0
    hangs: bool = False
    port: int = 0
    released: threading.Event = field(default_factory=threading.Event)
    _server: Listener | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def __enter__(self) -> "Receiver":
        self._server = Listener(_handler(self))
        self.port = self._server.port
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        assert self._server is not None
        self._server.stop()


def _handler(service: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name is the base class's
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            service.tries += 1
            if service.hangs:
                service.released.wait(30)
                return
            status, headers = service.moods.pop(0) if service.moods else (service.always or 204, {})
            if status == 204:
                service.posts.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", "0")
            self.end_headers()

    return Handler
