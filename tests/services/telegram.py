"""Telegram's Bot API as a bot and the people in front of it see it, over real HTTP on loopback.

It refuses what the real one refuses, in its words: markup that does not parse, texts and buttons that are too long, a
second poller, a webhook, people who blocked the bot. What people do is told to it by ``say`` and ``tap``."""

import itertools
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.services.listener import Listener
from tests.services.telegram_markup import MarkupError, parsed

TOKEN = "7104400001:AAH-tests_and_nothing_but_tests_0123456"
BOT = {"id": 7104400001, "is_bot": True, "first_name": "Agents", "username": "my_agents_bot"}
LONGEST_TEXT = 4096
LONGEST_DATA = 64

Body = dict[str, Any]


class RefusalError(Exception):
    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.code, self.description, self.parameters = code, description, parameters


@dataclass
class Message:
    """One message in a chat with the bot, as it stands now."""

    id: int
    chat: int
    text: str
    buttons: list[list[Body]]
    is_bots: bool
    forces_reply: bool = False
    reply_to: int | None = None
    # Name and content of a file.
    file: tuple[str, str] | None = None
    # Texts it had before.
    was: list[str] = field(default_factory=list)

    def button(self, label: str) -> Body | None:
        """The one whose label begins so."""
        return next((one for row in self.buttons for one in row if one["text"].startswith(label)), None)

    @property
    def labels(self) -> list[str]:
        return [one["text"] for row in self.buttons for one in row]


@dataclass
class Mood:
    """What to answer next to calls that concern messages, instead of doing it."""

    code: int
    description: str
    parameters: Body = field(default_factory=dict)


class Telegram:
    """Start it with ``with``. What tests look at may be looked at from any thread."""

    def __init__(self, *people: int) -> None:
        # Who pressed Start, and so can be written to.
        self.people = set(people)
        self.blocked: set[int] = set()
        self.token = TOKEN
        self.webhook = False
        self.commands: list[Body] = []
        self.messages: dict[tuple[int, int], Message] = {}
        # Texts that were shown for a moment after a tap, by the tap's id; None until it is answered.
        self.toasts: dict[str, str | None] = {}
        self.moods: list[Mood] = []
        self.calls: list[tuple[str, Body]] = []
        self.refusals: list[str] = []
        # Calls that concern messages are taken, and never answered.
        self.hangs = False
        self.released = threading.Event()
        # Called with each message that was sent, before the call that sent it returns.
        self.on_message: Callable[[Message], None] | None = None
        # How many times a poller was thrown out by another one.
        self.conflicts = 0
        self._updates: list[Body] = []
        self._numbers = itertools.count(1)
        self._update_numbers = itertools.count(900_001)
        self._poller: object | None = None
        self._changed = threading.Condition()
        self._server: Listener | None = None
        self.port = 0

    @property
    def is_up(self) -> bool:
        return self._server is not None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "Telegram":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self.stop()

    def start(self) -> None:
        self._server = Listener(_handler(self), self.port)
        self.port = self._server.port

    def stop(self) -> None:
        """Go away: the port is closed, and so is every connection."""
        if self._server is None:
            return
        with self._changed:
            self._poller = None
            server, self._server = self._server, None
            self._changed.notify_all()
        server.stop()

    # What people do.

    def say(self, user: int, text: str, *, reply_to: Message | None = None, kind: str = "private", **more: Any) -> None:
        message = self._spoken(user, text, kind, reply_to.id if reply_to else None)
        told = {**self._as_message(message, user, kind), **more}
        if reply_to is not None:
            told["reply_to_message"] = self._as_message(reply_to, BOT["id"], kind)
        self.push({"message": told})

    def tap(self, user: int, message: Message, label: str, *, kind: str = "private") -> str:
        """A user presses a button; the tap's id."""
        button = message.button(label)
        assert button is not None, f"no {label!r} among {message.labels}"
        return self.press(user, message, button["callback_data"], kind=kind)

    def press(self, user: int, message: Message, data: str, *, kind: str = "private") -> str:
        name = f"tap{next(self._numbers)}"
        self.toasts[name] = None
        query = {
            "id": name,
            "from": _person(user),
            "message": self._as_message(message, BOT["id"], kind),
            "chat_instance": "1",
            "data": data,
        }
        self.push({"callback_query": query})
        return name

    def push(self, update: Body) -> None:
        """An update as it is: also one that no reader expects."""
        with self._changed:
            self._updates.append({"update_id": next(self._update_numbers), **update})
            self._changed.notify_all()

    def in_chat(self, chat: int) -> list[Message]:
        with self._changed:
            return [one for (where, _), one in sorted(self.messages.items()) if where == chat and one.is_bots]

    def cards(self, chat: int) -> list[Message]:
        """What still looks as if it could be answered."""
        return [one for one in self.in_chat(chat) if one.buttons]

    def count(self, *methods: str) -> int:
        with self._changed:
            return sum(method in methods for method, _ in self.calls)

    def unread(self) -> int:
        """Updates that no poller has confirmed."""
        with self._changed:
            return len(self._updates)

    # What the bot does.

    def take(self, token: str, method: str, body: Body) -> Any:
        if token != self.token:
            raise RefusalError(401, "Unauthorized")
        act = getattr(self, f"_do_{method}", None)
        if act is None:
            raise RefusalError(404, "Not Found")
        with self._changed:
            self.calls.append((method, body))
            self._changed.notify_all()
            if method.startswith(("send", "edit")) and self.moods:
                mood = self.moods.pop(0)
                raise RefusalError(mood.code, mood.description, **mood.parameters)
        return act(body)

    def _do_getMe(self, _: Body) -> Any:  # noqa: N802  the service's own name, here and below
        return BOT

    def _do_deleteWebhook(self, _: Body) -> bool:  # noqa: N802
        self.webhook = False
        return True

    def _do_setMyCommands(self, body: Body) -> bool:  # noqa: N802
        self.commands = body["commands"]
        return True

    def _do_getUpdates(self, body: Body) -> list[Body]:  # noqa: N802
        if self.webhook:
            why = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
            raise RefusalError(409, f"Conflict: {why}")
        offset, patience = body.get("offset", 0), min(body.get("timeout", 0), 50)
        kinds = set(body.get("allowed_updates") or ())
        me = object()
        with self._changed:
            self._updates = [update for update in self._updates if update["update_id"] >= offset]
            self._poller = me
            self._changed.notify_all()
            end = time.monotonic() + patience
            while True:
                if self._server is None:
                    raise ConnectionAbortedError
                if self._poller is not me:
                    self.conflicts += 1
                    why = "terminated by other getUpdates request; make sure that only one bot instance is running"
                    raise RefusalError(409, f"Conflict: {why}")
                found = [one for one in self._updates if not kinds or kinds & one.keys() or len(one) == 1]
                left = end - time.monotonic()
                if found or left <= 0:
                    self._poller = None
                    return found[: body.get("limit", 100)]
                self._changed.wait(left)

    def _do_sendMessage(self, body: Body) -> Body:  # noqa: N802
        text, buttons, forces = self._content(body)
        message = Message(next(self._numbers), self._chat(body), text, buttons, True, forces, _answered(body))
        return self._sent(message)

    def _do_sendDocument(self, body: Body) -> Body:  # noqa: N802
        name, content = body["document"]
        message = Message(next(self._numbers), self._chat(body), body.get("caption", ""), [], True)
        message.file = (name, content)
        return self._sent(message)

    def _do_editMessageText(self, body: Body) -> Body:  # noqa: N802
        message = self._known(body)
        text, buttons, _ = self._content(body)
        self._change(message, text, buttons)
        return self._as_message(message, BOT["id"], "private")

    def _do_editMessageReplyMarkup(self, body: Body) -> Body:  # noqa: N802
        message = self._known(body)
        self._change(message, message.text, _keyboard(body)[0])
        return self._as_message(message, BOT["id"], "private")

    def _do_deleteMessage(self, body: Body) -> bool:  # noqa: N802
        message = self.messages.pop((int(body["chat_id"]), int(body["message_id"])), None)
        if message is None:
            raise RefusalError(400, "Bad Request: message to delete not found")
        return True

    def _do_answerCallbackQuery(self, body: Body) -> bool:  # noqa: N802
        if len(body.get("text", "")) > 200:
            raise RefusalError(400, "Bad Request: MESSAGE_TOO_LONG")
        if self.toasts.get(body["callback_query_id"], "") is not None:
            raise RefusalError(400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
        with self._changed:
            self.toasts[body["callback_query_id"]] = body.get("text", "")
        return True

    def _chat(self, body: Body) -> int:
        chat = int(body["chat_id"])
        if chat in self.blocked:
            raise RefusalError(403, "Forbidden: bot was blocked by the user")
        if chat not in self.people:
            raise RefusalError(400, "Bad Request: chat not found")
        return chat

    def _content(self, body: Body) -> tuple[str, list[list[Body]], bool]:
        text = body.get("text", "")
        if body.get("parse_mode") == "HTML":
            try:
                text = parsed(text)
            except MarkupError as error:
                raise RefusalError(400, f"Bad Request: can't parse entities: {error}") from None
        if not text.strip():
            raise RefusalError(400, "Bad Request: message text is empty")
        if len(text.encode("utf-16-le")) // 2 > LONGEST_TEXT:
            raise RefusalError(400, "Bad Request: message is too long")
        return (text, *_keyboard(body))

    def _sent(self, message: Message) -> Body:
        with self._changed:
            self.messages[message.chat, message.id] = message
            self._changed.notify_all()
        if self.on_message is not None:
            self.on_message(message)
        return self._as_message(message, BOT["id"], "private")

    def _known(self, body: Body) -> Message:
        message = self.messages.get((self._chat(body), int(body["message_id"])))
        if message is None or not message.is_bots:
            raise RefusalError(400, "Bad Request: message to edit not found")
        return message

    def _change(self, message: Message, text: str, buttons: list[list[Body]]) -> None:
        if (text, buttons) == (message.text, message.buttons):
            why = "specified new message content and reply markup are exactly the same as a current content"
            raise RefusalError(400, f"Bad Request: message is not modified: {why} and reply markup of the message")
        with self._changed:
            message.was.append(message.text)
            message.text, message.buttons = text, buttons
            self._changed.notify_all()

    def _spoken(self, user: int, text: str, kind: str, reply_to: int | None) -> Message:
        message = Message(next(self._numbers), user, text, [], False, reply_to=reply_to)
        if kind == "private":
            with self._changed:
                self.people.add(user)
                self.messages[user, message.id] = message
        return message

    def _as_message(self, message: Message, sender: Any, kind: str) -> Body:
        told: Body = {
            "message_id": message.id,
            "from": BOT if sender == BOT["id"] else _person(sender),
            "chat": {"id": message.chat if kind == "private" else -100_200, "type": kind},
            "date": int(time.time()),
            "text": message.text,
        }
        if message.buttons:
            told["reply_markup"] = {"inline_keyboard": message.buttons}
        return told


def _person(user: int) -> Body:
    return {"id": user, "is_bot": False, "first_name": f"Ada {user}"}


def _answered(body: Body) -> int | None:
    found = body.get("reply_parameters", {}).get("message_id")
    return found if isinstance(found, int) else None


def _keyboard(body: Body) -> tuple[list[list[Body]], bool]:
    markup = body.get("reply_markup") or {}
    if isinstance(markup, str):
        raise RefusalError(400, "Bad Request: object expected as reply markup")
    rows: list[list[Body]] = markup.get("inline_keyboard", [])
    for button in (one for row in rows for one in row):
        if not button["text"].strip():
            raise RefusalError(400, "Bad Request: inline keyboard button text must be non-empty")
        if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= LONGEST_DATA:
            raise RefusalError(400, "Bad Request: BUTTON_DATA_INVALID")
        if "url" in button and "." not in button["url"].partition("//")[2].partition("/")[0]:
            raise RefusalError(
                400, f"Bad Request: inline keyboard button URL '{button['url']}' is invalid: Wrong HTTP URL"
            )
    return [row for row in rows if row], bool(markup.get("force_reply"))


def _handler(service: Telegram) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Small answers at once, instead of after the other side's delayed acknowledgement.
        wbufsize = -1
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name is the base class's
            pass

        def do_GET(self) -> None:
            self._reply(405, {"ok": False, "error_code": 405, "description": "We only post here."})

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            _, bot, method = [*self.path.split("/"), "", ""][:3]
            if not service.is_up:
                self.close_connection = True
                return
            if service.hangs and method != "getUpdates":
                service.calls.append((method, {}))
                service.released.wait(30)
                self.close_connection = True
                return
            try:
                result = service.take(bot.removeprefix("bot"), method, self._body(raw))
            except RefusalError as error:
                service.refusals.append(error.description)
                said: Body = {"ok": False, "error_code": error.code, "description": error.description}
                self._reply(error.code, said | ({"parameters": error.parameters} if error.parameters else {}))
            except ConnectionAbortedError:
                self.close_connection = True
            else:
                self._reply(200, {"ok": True, "result": result})

        def _body(self, raw: bytes) -> Body:
            kind = self.headers.get("content-type", "")
            if kind == "application/json":
                output: Body = json.loads(raw)
                return output
            parts = BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + raw)
            body: Body = {}
            for part in parts.iter_parts():
                name = str(part.get_param("name", header="content-disposition"))
                content = bytes(part.get_payload(decode=True)).decode()
                body[name] = (part.get_filename(), content) if part.get_filename() else content
            return body

        def _reply(self, status: int, said: Body) -> None:
            content = json.dumps(said).encode()
            try:
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
                self.wfile.flush()
            except OSError:
                # The bot hung up first.
                self.close_connection = True

    return Handler
