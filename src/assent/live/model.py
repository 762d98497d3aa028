"""A scripted model on loopback, whatever protocol its client speaks."""

import itertools
import json
import threading
from collections.abc import Iterable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
# A turn is a text, or the calls it makes: the tool's name and its arguments.
Call = tuple[str, Body]
Turn = str | Sequence[Call]
LAST = "All done."
_ASIDE = "ok"


class ScriptedModel:
    """Says its turns in order, one for each request that offers tools; what comes after the last is a closing text."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns = turns
        # Those that offered tools; the others are about titles and the like.
        self.requests: list[Body] = []
        self.ids = itertools.count(1)
        self._said = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next_turn(self, body: Body) -> Turn:
        with self._lock:
            if not body.get("tools"):
                return _ASIDE
            self.requests.append(body)
            turn = self.turns[self._said] if self._said < len(self.turns) else LAST
            self._said += 1
            return turn

    def results(self) -> list[str]:
        """What the model was told of its calls so far, in order."""
        return list(self.told(self.requests[-1])) if self.requests else []

    # Of each protocol:

    def listed(self, path: str) -> Body:
        """The answer to a GET, such as the list of models."""
        raise NotImplementedError

    def answer(self, path: str, body: Body) -> tuple[str, Iterable[bytes]]:
        """The answer to a POST: its content type, and its parts."""
        raise NotImplementedError

    def told(self, body: Body) -> Iterable[str]:
        """The results of calls in a request."""
        raise NotImplementedError


def sse(value: object, event: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {value if isinstance(value, str) else json.dumps(value)}\n\n".encode()


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

        def do_GET(self) -> None:
            self._say("application/json", json.dumps(model.listed(self.path)).encode())

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            kind, parts = model.answer(self.path, json.loads(raw) if raw else {})
            self._say(kind, b"".join(parts))

        def _say(self, kind: str, data: bytes) -> None:
            try:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)
            except (BrokenPipeError, ConnectionResetError):
                # The client does not want it any more.
                self.close_connection = True

    return Handler
