"""An ntfy server as hubs and phones see it, over real HTTP on loopback.

It takes and refuses what the real one does: publishing as JSON and by topic, access rules, three actions at most, texts
that are too long, subscriptions with ``since`` and ``poll``, messages that replace each other by their sequence, and
the answers of versions before 2.16, which know no sequences. A phone is what ``shown`` tells, and ``press`` does."""

import base64
import contextlib
import itertools
import json
import re
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.services.listener import Listener
from tests.waiting import HANG

TOKEN = "tk_testsandnothingbuttests0123456"
LONGEST_MESSAGE = 4096
LONGEST_JSON = 2 * LONGEST_MESSAGE
KEEPALIVE = 45.0

Body = dict[str, Any]

_TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")
_WORDS = {
    401: (40101, "unauthorized"),
    403: (40301, "forbidden"),
    404: (40401, "page not found"),
    413: (41303, "JSON body too large"),
    429: (42901, "limit reached: too many requests; increase your limits with a paid plan"),
    500: (50001, "internal server error"),
}


class RefusalError(Exception):
    def __init__(self, status: int, code: int = 0, error: str = "", headers: dict[str, str] | None = None) -> None:
        usual_code, usual = _WORDS.get(status, (status * 100, "failed"))
        super().__init__(error or usual)
        self.status, self.code, self.error = status, code or usual_code, error or usual
        self.headers = headers or {}


@dataclass
class Server:
    """Start it with ``with``. What tests look at may be looked at from any thread."""

    # Without a login nothing is allowed, as with auth-default-access: deny-all.
    is_closed: bool = False
    # Versions before 2.16 know no sequences.
    is_old: bool = False
    port: int = 0
    tokens: set[str] = field(default_factory=lambda: {TOKEN})
    cache: list[Body] = field(default_factory=list)
    # On this topic ``moods`` are answered instead of publishing, and nothing at all while it ``hangs``.
    watched: str = ""
    moods: list[RefusalError] = field(default_factory=list)
    hangs: bool = False
    released: threading.Event = field(default_factory=threading.Event)
    # Every request by method and path, and every publication on the watched topic.
    requests: list[tuple[str, str]] = field(default_factory=list)
    published: int = 0
    streams: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _numbers: Any = field(default_factory=lambda: itertools.count(1))
    _server: Listener | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def is_up(self) -> bool:
        return self._server is not None

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self.stop()

    def start(self) -> None:
        self._server = Listener(_handler(self), self.port)
        self.port = self._server.port

    def stop(self) -> None:
        """Go away: the port is closed, and so is every subscription."""
        if self._server is None:
            return
        with self._changed:
            server, self._server = self._server, None
            self._changed.notify_all()
        server.stop()

    # What phones do.

    def shown(self, topic: str) -> list[Body]:
        """What stands in the phone's list: the newest message of each sequence."""
        with self._changed:
            found: dict[str, Body] = {}
            for message in self.cache:
                if message["topic"] != topic:
                    continue
                sequence = str(message.get("sequence_id", message["id"]))
                found.pop(sequence, None)
                if message["event"] == "message":
                    found[sequence] = message
            return list(found.values())

    def press(self, message: Body, label: str) -> int:
        """The app makes the request that stands in the action, without a login of its own; the server's status."""
        action = next(one for one in message["actions"] if one["label"] == label)
        assert action["action"] == "http", "a view action is a link"
        return self.post(action["url"], action.get("body", ""), action.get("headers", {}), action.get("method", "POST"))

    def post(self, url: str, body: str, headers: dict[str, str] | None = None, method: str = "POST") -> int:
        request = urllib.request.Request(url, body.encode(), headers or {}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=HANG) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            return error.code

    # What the server does.

    def authorize(self, header: str) -> None:
        if header.startswith("Bearer "):
            known = header.removeprefix("Bearer ") in self.tokens
        elif header.startswith("Basic "):
            known = base64.b64decode(header.removeprefix("Basic ")).decode() in self.tokens
        else:
            known = False
        if header and not known:
            raise RefusalError(401)
        if self.is_closed and not known:
            raise RefusalError(403)

    def publish(self, topic: str, body: Body) -> Body:
        text = str(body.get("message") or "triggered")
        if not _TOPIC.fullmatch(topic):
            raise RefusalError(400, 40009, "invalid request: topic invalid")
        if len(text.encode()) > LONGEST_MESSAGE:
            raise RefusalError(400, 40014, "invalid request: attachments not allowed")
        message: Body = {
            "id": f"m{next(self._numbers):011}",
            "time": int(time.time()),
            "expires": int(time.time()) + 43_200,
            "event": "message",
            "topic": topic,
            "message": text,
        }
        message |= {key: body[key] for key in ("title", "priority", "click", "tags") if body.get(key)}
        if body.get("actions"):
            message["actions"] = _actions(body["actions"])
        if body.get("sequence_id") and not self.is_old:
            message["sequence_id"] = str(body["sequence_id"])
        self._keep(message)
        return message

    def remove(self, topic: str, sequence: str, event: str) -> Body:
        if self.is_old:
            raise RefusalError(404)
        message = {"id": f"m{next(self._numbers):011}", "time": int(time.time()), "event": event, "topic": topic}
        self._keep(message | {"sequence_id": sequence})
        return message

    def _keep(self, message: Body) -> None:
        with self._changed:
            self.cache.append(message)
            self._changed.notify_all()

    def since(self, topic: str, wish: str) -> list[Body]:
        """As ``since=`` means it: all, none, a message, a moment, or so long ago."""
        mine = [message for message in self.cache if message["topic"] == topic]
        if wish in ("", "none"):
            return []
        if wish == "all":
            return mine
        names = [message["id"] for message in mine]
        if wish in names:
            return mine[names.index(wish) + 1 :]
        if wish.isdigit():
            return [message for message in mine if message["time"] >= int(wish)]
        ago = re.fullmatch(r"(\d+)([smh])", wish)
        if ago is None:
            raise RefusalError(400, 40008, "invalid request: since parameter invalid")
        seconds = int(ago[1]) * {"s": 1, "m": 60, "h": 3_600}[ago[2]]
        return [message for message in mine if message["time"] >= time.time() - seconds]

    def follow(self, topic: str, wish: str, *, is_poll: bool) -> Iterator[Body]:
        """What a subscription is told, as long as the server runs."""
        with self._changed:
            at = len(self.cache)
            earlier = self.since(topic, wish or ("all" if is_poll else ""))
        if is_poll:
            yield from earlier
            return
        yield self._control("open", topic)
        yield from earlier
        with self._changed:
            self.streams += 1
        while True:
            with self._changed:
                if self._server is None:
                    return
                if at == len(self.cache) and not self._changed.wait(KEEPALIVE):
                    new = [self._control("keepalive", topic)]
                else:
                    new = [message for message in self.cache[at:] if message["topic"] == topic]
                    at = len(self.cache)
            yield from new

    def _control(self, event: str, topic: str) -> Body:
        return {"id": f"c{next(self._numbers):011}", "time": int(time.time()), "event": event, "topic": topic}


def _actions(told: Any) -> list[Body]:
    if not isinstance(told, list) or len(told) > 3:
        raise RefusalError(400, 40018, "invalid request: actions invalid; only 3 actions allowed")
    for one in told:
        if one.get("action") not in ("view", "http", "broadcast", "copy") or not one.get("label"):
            raise RefusalError(400, 40018, "invalid request: actions invalid")
        if one["action"] in ("view", "http") and not one.get("url"):
            raise RefusalError(400, 40018, "invalid request: actions invalid; parameter 'url' is required")
        if one.get("method") in ("GET", "HEAD") and one.get("body"):
            raise RefusalError(400, 40018, "invalid request: actions invalid; parameter 'body' cannot be set")
    return told


def _handler(service: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Small answers at once, instead of after the other side's delayed acknowledgement.
        wbufsize = -1
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name is the base class's
            pass

        def do_GET(self) -> None:
            self._take()

        def do_POST(self) -> None:
            self._take()

        def do_PUT(self) -> None:
            self._take()

        def do_DELETE(self) -> None:
            self._take()

        def _take(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            parts = urlsplit(self.path)
            service.requests.append((self.command, parts.path))
            if not service.is_up:
                self.close_connection = True
                return
            try:
                self._answer(parts.path.strip("/").split("/"), parse_qs(parts.query), raw)
            except RefusalError as error:
                self._reply(
                    error.status, {"code": error.code, "http": error.status, "error": error.error}, error.headers
                )
            except OSError:
                # The other side hung up first.
                self.close_connection = True

        def _answer(self, path: list[str], query: dict[str, list[str]], raw: bytes) -> None:
            header = self.headers.get("authorization", "")
            match self.command, path:
                case "GET", ["v1", "health"]:
                    self._reply(200, {"healthy": True})
                case (("POST" | "PUT"), [""]):
                    if len(raw) > LONGEST_JSON:
                        raise RefusalError(413)
                    body = json.loads(raw)
                    self._publish(str(body.get("topic", "")), body, header)
                case (("POST" | "PUT"), [topic]):
                    self._publish(topic, self._by_headers(raw), header)
                case "GET", [topic, "publish" | "send" | "trigger"]:
                    self._publish(topic, {"message": query.get("message", [""])[0]}, header)
                case "GET", [topic, "auth"]:
                    service.authorize(header)
                    self._reply(200, {"success": True})
                case "GET", [topic, "json"]:
                    service.authorize(header)
                    self._stream(topic, query.get("since", [""])[0], is_poll=query.get("poll", ["0"])[0] == "1")
                case "PUT", [topic, sequence, "clear"]:
                    service.authorize(header)
                    self._reply(200, service.remove(topic, sequence, "message_clear"))
                case "DELETE", [topic, sequence]:
                    service.authorize(header)
                    self._reply(200, service.remove(topic, sequence, "message_delete"))
                case _:
                    raise RefusalError(404)

        def _publish(self, topic: str, body: Body, header: str) -> None:
            if topic == service.watched and (header or not service.is_closed):
                service.published += 1
                if service.hangs:
                    service.released.wait(30)
                    self.close_connection = True
                    return
                if service.moods:
                    raise service.moods.pop(0)
            service.authorize(header)
            self._reply(200, service.publish(topic, body))

        def _by_headers(self, raw: bytes) -> Body:
            names = {"title": "title", "priority": "priority", "click": "click", "sequence_id": "sequence-id"}
            found = {key: self.headers.get(f"x-{name}") or self.headers.get(name) for key, name in names.items()}
            return {"message": raw.decode(), **{key: value for key, value in found.items() if value}}

        def _stream(self, topic: str, since: str, *, is_poll: bool) -> None:
            self.send_response(200)
            self.send_header("content-type", "application/x-ndjson; charset=utf-8")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self.wfile.flush()
            for message in service.follow(topic, since, is_poll=is_poll):
                line = json.dumps(message).encode() + b"\n"
                self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
                self.wfile.flush()
            with contextlib.suppress(OSError):
                self.wfile.write(b"0\r\n\r\n")
            self.close_connection = True

        def _reply(self, status: int, said: Body, headers: dict[str, str] | None = None) -> None:
            content = json.dumps(said).encode() + b"\n"
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            self.wfile.flush()

        def finish(self) -> None:
            """Both ways are closed, also if the other side hung up before everything was said."""
            for way in (self.wfile, self.rfile):
                with contextlib.suppress(OSError):
                    way.close()

    return Handler
