"""Slack as an app in socket mode and the people in front of it see it: real HTTP and real WebSockets on loopback.

It refuses what the real one refuses, in its words: blocks that are too long or malformed, a trigger that is too old,
tokens it does not know, an eleventh connection. What people do is told to it by ``say``, ``press`` and ``send``."""

import itertools
import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

from tests.services.listener import Listener
from tests.services.slack_blocks import BlocksError, check_message, check_view, words_of

APP = "A0123ASSENT"
APP_TOKEN = f"xapp-1-{APP}-5551234567890-{'0a' * 32}"
BOT_TOKEN = "xoxb-5550001112223-5550001112224-testsandnothingbut12345"
BOT = "U0BOT"
TRIGGER_LIFE = 3.0
MOST_CONNECTIONS = 10

Body = dict[str, Any]


class RefusalError(Exception):
    def __init__(self, error: str, status: int = 200, retry_after: int | None = None) -> None:
        super().__init__(error)
        self.error, self.status, self.retry_after = error, status, retry_after


@dataclass
class Message:
    """One message in the direct messages with the app, as it stands now."""

    channel: str
    ts: str
    body: Body
    thread: str = ""
    was: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All the words of its blocks, as people read them."""
        return words_of(self.body["blocks"])

    @property
    def buttons(self) -> list[Body]:
        rows = [block["elements"] for block in self.body["blocks"] if block["type"] == "actions"]
        return [element for row in rows for element in row]

    def button(self, label: str) -> Body | None:
        """The one whose label begins so."""
        return next((one for one in self.buttons if one["text"]["text"].startswith(label)), None)

    @property
    def labels(self) -> list[str]:
        return [one["text"]["text"] for one in self.buttons]


@dataclass
class View:
    """A window that is open for a user."""

    id: str
    user: str
    view: Body

    @property
    def text(self) -> str:
        return words_of(self.view["blocks"])

    def input(self, block: str) -> Body | None:
        found: Body | None = next((one for one in self.view["blocks"] if one.get("block_id") == block), None)
        return found


@dataclass
class Mood:
    """What to answer next to calls that concern messages, instead of doing it."""

    error: str
    status: int = 200
    retry_after: int | None = None


class Slack:
    """Start it with ``with``. What tests look at may be looked at from any thread."""

    def __init__(self, *people: str) -> None:
        self.people = set(people)
        self.tokens = {"app": APP_TOKEN, "bot": BOT_TOKEN}
        self.messages: dict[tuple[str, str], Message] = {}
        self.views: list[View] = []
        self.moods: list[Mood] = []
        self.calls: list[tuple[str, Body]] = []
        self.refusals: list[str] = []
        # Confirmations by envelope, and how long each took.
        self.acks: dict[str, Body] = {}
        self.took: dict[str, float] = {}
        # Calls that concern messages are taken, and never answered.
        self.hangs = False
        # As if so many programs of others listened with the same tokens.
        self.others = 0
        # Called with each message that was posted, before the call that posted it returns.
        self.on_message: Callable[[Message], None] | None = None
        self.trigger_life = TRIGGER_LIFE
        self.released = threading.Event()
        self._triggers: dict[str, tuple[str, float]] = {}
        self._tickets: set[str] = set()
        self._sent: dict[str, float] = {}
        self._numbers = itertools.count(1)
        self.connections: list[ServerConnection] = []
        # How many connections there ever were.
        self.opened = 0
        self._changed = threading.Condition()
        self._http: Listener | None = None
        self._sockets: Server | None = None
        self._thread = threading.Thread()
        self.port = self.socket_port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "Slack":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self.stop()

    def start(self) -> None:
        self._http = Listener(_handler(self), self.port)
        self.port = self._http.port
        self._sockets = serve(
            self._serve, "127.0.0.1", self.socket_port, ping_interval=None, compression=None, close_timeout=0.05
        )
        self.socket_port = self._sockets.socket.getsockname()[1]
        self._thread = threading.Thread(target=self._sockets.serve_forever, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Go away: both ports are closed, and so is every connection."""
        if self._http is None or self._sockets is None:
            return
        http, sockets, self._http, self._sockets = self._http, self._sockets, None, None
        for connection in list(self.connections):
            try:
                connection.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # the other side was faster
        sockets.shutdown()
        http.stop()
        self._thread.join()

    # What people do.

    def channel(self, user: str) -> str:
        return f"D{user.removeprefix('U')}"

    def say(self, user: str, text: str, **more: Any) -> str:
        """A user writes to the app; the envelope's id."""
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        event = {
            "type": "message",
            "channel": self.channel(user),
            "channel_type": "im",
            "user": user,
            "text": escaped,
            "ts": self._ts(),
            "team": "T0TEAM",
            **more,
        }
        return self.event(event)

    def event(self, event: Body, event_id: str = "") -> str:
        name = event_id or f"Ev{next(self._numbers)}"
        payload = {"type": "event_callback", "api_app_id": APP, "event_id": name, "event": event}
        return self.push("events_api", payload, accepts=False)

    def press(self, user: str, message: Message, label: str, *, channel: str = "") -> str:
        button = message.button(label)
        assert button is not None, f"no {label!r} among {message.labels}"
        return self.press_value(user, message, button, channel=channel)

    def press_value(self, user: str, message: Message, button: Body, *, channel: str = "") -> str:
        where = channel or message.channel
        payload = {
            "type": "block_actions",
            "user": {"id": user, "username": user.lower(), "name": user.lower(), "team_id": "T0TEAM"},
            "api_app_id": APP,
            "container": {"type": "message", "message_ts": message.ts, "channel_id": where, "is_ephemeral": False},
            "trigger_id": self.trigger(user),
            "team": {"id": "T0TEAM", "domain": "acme"},
            "channel": {"id": where, "name": "directmessage"},
            "message": {"ts": message.ts, "bot_id": "B0BOT"},
            "actions": [{**button, "block_id": "b1", "action_ts": self._ts()}],
        }
        return self.push("interactive", payload)

    def send(self, user: str, view: View, **given: Any) -> str:
        """Fills a window in and sends it: by block, words or the labels of what is picked."""
        values = {block["block_id"]: _filled(block, given) for block in view.view["blocks"] if block["type"] == "input"}
        payload = {
            "type": "view_submission",
            "user": {"id": user, "username": user.lower(), "name": user.lower(), "team_id": "T0TEAM"},
            "api_app_id": APP,
            "trigger_id": self.trigger(user),
            "view": {**view.view, "id": view.id, "hash": "1.a", "state": {"values": values}},
        }
        return self.push("interactive", payload)

    def trigger(self, user: str) -> str:
        name = f"{next(self._numbers)}.5550001112223.aa"
        self._triggers[name] = (user, time.monotonic())
        return name

    def push(self, kind: str, payload: Body, *, accepts: bool = True, name: str = "", to: int = -1) -> str:
        """An envelope to one of the connections, the newest unless told otherwise; its id."""
        name = name or f"envelope-{next(self._numbers)}"
        whole = {"envelope_id": name, "type": kind, "accepts_response_payload": accepts, "payload": payload}
        self._sent[name] = time.monotonic()
        with self._changed:
            connection = self.connections[to]
        connection.send(json.dumps(whole))
        return name

    def tell(self, said: object, to: int = -1) -> None:
        """Something else over a connection, as it is."""
        with self._changed:
            connection = self.connections[to]
        connection.send(said if isinstance(said, str) else json.dumps(said))

    def disconnect(self, reason: str) -> None:
        self.tell({"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-1"}})

    # What tests look at.

    def in_chat(self, user: str) -> list[Message]:
        with self._changed:
            return [one for (where, _), one in sorted(self.messages.items()) if where == self.channel(user)]

    def cards(self, user: str) -> list[Message]:
        """What still looks as if it could be answered."""
        return [one for one in self.in_chat(user) if one.buttons]

    def count(self, *methods: str) -> int:
        with self._changed:
            return sum(method in methods for method, _ in self.calls)

    # What the app does.

    def take(self, token: str, method: str, body: Body) -> Body:
        with self._changed:
            self.calls.append((method, body))
        act = getattr(self, f"_do_{method.replace('.', '_').lower()}", None)
        if act is None:
            raise RefusalError("unknown_method")
        if not token:
            raise RefusalError("not_authed")
        is_app = method.startswith("apps.")
        if token != self.tokens["app" if is_app else "bot"]:
            raise RefusalError("not_allowed_token_type" if token in self.tokens.values() else "invalid_auth")
        if method.startswith("chat.") and self.moods:
            with self._changed:
                mood = self.moods.pop(0)
            raise RefusalError(mood.error, mood.status, mood.retry_after)
        if method.startswith("chat.") and self.hangs:
            self.released.wait()
        found: Body = act(body)
        return found

    def _do_auth_test(self, _: Body) -> Body:
        return {"url": "https://acme.slack.com/", "team": "Acme", "user": "assent", "team_id": "T0TEAM", "user_id": BOT}

    def _do_apps_connections_open(self, _: Body) -> Body:
        ticket = f"ticket-{next(self._numbers)}"
        self._tickets.add(ticket)
        return {"url": f"ws://127.0.0.1:{self.socket_port}/link/?ticket={ticket}&app_id={APP}"}

    def _do_conversations_open(self, body: Body) -> Body:
        if body.get("users") not in self.people:
            raise RefusalError("user_not_found")
        return {"channel": {"id": self.channel(body["users"])}}

    def _do_chat_postmessage(self, body: Body) -> Body:
        self._must_reach(body)
        check_message(body)
        message = Message(body["channel"], self._ts(), body, body.get("thread_ts", ""))
        with self._changed:
            if message.thread and (message.channel, message.thread) not in self.messages:
                # A reply to what a person wrote, which is not kept here.
                message.thread = ""
            self.messages[message.channel, message.ts] = message
        if self.on_message is not None:
            self.on_message(message)
        return {"channel": message.channel, "ts": message.ts, "message": {"text": body["text"]}}

    def _do_chat_update(self, body: Body) -> Body:
        self._must_reach(body)
        check_message(body)
        with self._changed:
            message = self.messages.get((body["channel"], body["ts"]))
            if message is None:
                raise RefusalError("message_not_found")
            message.was.append(message.text)
            message.body = body
        return {"channel": body["channel"], "ts": body["ts"], "text": body["text"]}

    def _do_views_open(self, body: Body) -> Body:
        user, at = self._triggers.pop(body.get("trigger_id", ""), ("", None))
        if at is None:
            raise RefusalError("exchanged_trigger_id")
        if time.monotonic() - at > self.trigger_life:
            raise RefusalError("expired_trigger_id")
        check_view(body["view"])
        view = View(f"V{next(self._numbers)}", user, body["view"])
        with self._changed:
            self.views.append(view)
        return {"view": {"id": view.id}}

    def _must_reach(self, body: Body) -> None:
        if body.get("channel") not in {self.channel(user) for user in self.people}:
            raise RefusalError("channel_not_found")

    def _ts(self) -> str:
        return f"1700000000.{next(self._numbers):06}"

    def _serve(self, connection: ServerConnection) -> None:
        path = connection.request.path if connection.request is not None else ""
        ticket = path.partition("ticket=")[2].partition("&")[0]
        if ticket not in self._tickets:
            connection.close(1008)
            return
        self._tickets.discard(ticket)
        with self._changed:
            self.connections.append(connection)
            self.opened += 1
            count = len(self.connections) + self.others
        hello = {
            "type": "hello",
            "num_connections": count,
            "connection_info": {"app_id": APP},
            "debug_info": {"host": "applink-1", "approximate_connection_time": 18060},
        }
        try:
            if count > MOST_CONNECTIONS:
                connection.send(json.dumps({"type": "disconnect", "reason": "too_many_websockets"}))
                return
            connection.send(json.dumps(hello))
            for raw in connection:
                message = json.loads(raw)
                name = message["envelope_id"]
                with self._changed:
                    self.acks[name] = message
                    self.took[name] = time.monotonic() - self._sent[name]
        except ConnectionClosed:
            pass
        finally:
            with self._changed:
                self.connections.remove(connection)


def _filled(block: Body, given: Body) -> Body:
    element, said = block["element"], given.get(block["block_id"])
    kind = element["type"]
    if kind == "plain_text_input":
        return {element["action_id"]: {"type": kind, "value": said}}
    wanted = [said] if isinstance(said, str) else said or []
    chosen = [one for one in element["options"] if any(one["text"]["text"].startswith(each) for each in wanted)]
    assert len(chosen) == len(wanted), f"no {wanted} among {element['options']}"
    if kind in ("checkboxes", "multi_static_select"):
        return {element["action_id"]: {"type": kind, "selected_options": chosen}}
    return {element["action_id"]: {"type": kind, "selected_option": chosen[0] if chosen else None}}


def _handler(slack: Slack) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body in one packet: two would wait for each other.
        wbufsize = -1

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            status, headers = 200, {}
            try:
                assert self.headers["Content-Type"] == "application/json; charset=utf-8"
                body = slack.take(token, self.path.removeprefix("/api/"), json.loads(content))
                answer = {"ok": True, **body}
            except (RefusalError, BlocksError) as error:
                refusal = error if isinstance(error, RefusalError) else RefusalError(error.error)
                slack.refusals.append(str(error))
                status, answer = refusal.status, {"ok": False, "error": refusal.error}
                if refusal.retry_after is not None:
                    headers["Retry-After"] = str(refusal.retry_after)
            said = json.dumps(answer).encode()
            try:
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(said))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(said)
            except OSError:
                # Who asked has hung up.
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    return Handler
