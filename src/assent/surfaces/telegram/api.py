"""The few methods of the Bot API that are used, and what its refusals mean."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.surfaces.base import FailedError, GoneError, RateLimitedError
from assent.surfaces.chat import MissingError, NobodyError
from assent.surfaces.service import Answer, Service

# A longer wait is refused; the caller tries again later.
LONGEST_TURN = 10.0
MOST_CHATS = 200


@dataclass(slots=True)
class Pace:
    # Seconds for each message in one chat, and how many may come at once.
    every: float = 1.0
    burst: int = 4
    overall: float = 25.0
    clock: Callable[[], float] = time.monotonic
    _due: dict[int, float] = field(default_factory=dict)
    _all: float = 0.0

    async def turn(self, chat: int) -> None:
        """Returns when a message may be sent. Raises RateLimitedError where that would take too long."""
        now = self.clock()
        due = max(self._due.get(chat, 0.0), now)
        in_all = max(self._all, now)
        wait = max(due - (self.burst - 1) * self.every, in_all - 1.0) - now
        if wait > LONGEST_TURN:
            raise RateLimitedError("Telegram takes one message a second in each chat, and more are waiting.", wait)
        self._due.pop(chat, None)
        self._due[chat], self._all = due + self.every, in_all + 1 / self.overall
        if len(self._due) > MOST_CHATS:
            del self._due[next(iter(self._due))]
        if wait > 0:
            await asyncio.sleep(wait)


HOME = "https://api.telegram.org"
TITLE = "Telegram"
# Seconds for which a question for news stays open, and how much longer its answer may take.
LONG_POLL = 25
GRACE = 10.0
LONGEST_TOAST = 200
PATIENCE_WITHOUT_WORDS = 5.0
WANTED = ("message", "callback_query")

Keyboard = Sequence[Sequence[Mapping[str, str]]]


class TokenError(GoneError):
    """The token is none, or was revoked."""


class ConflictError(FailedError):
    """Another program gets this bot's updates."""


@dataclass(slots=True)
class Bot:
    service: Service
    pace: Pace
    # Edits do not notify, and are counted separately.
    edits: Pace = field(default_factory=lambda: Pace(every=0.5, burst=12))

    @classmethod
    def of(cls, token: str, address: str = "", pace: Pace | None = None) -> "Bot":
        return cls(Service(f"{address or HOME}/bot{token}", TITLE), pace or Pace())

    async def me(self) -> dict[str, Any]:
        return _fields(await self._call("getMe", {}))

    async def take_over(self) -> None:
        """Switch from a webhook to polling."""
        await self._call("deleteWebhook", {})

    async def offer(self, commands: Mapping[str, str]) -> None:
        listed = [{"command": name, "description": words} for name, words in commands.items()]
        await self._call("setMyCommands", {"commands": listed, "scope": {"type": "all_private_chats"}})

    async def news(self, offset: int) -> list[Any]:
        """Updates from this number on; those before it are confirmed and not told again."""
        body = {"offset": offset, "timeout": LONG_POLL, "allowed_updates": WANTED}
        updates = await self._call("getUpdates", body, patience=LONG_POLL + GRACE)
        if not isinstance(updates, list):
            raise FailedError("Telegram answered something that cannot be read.")
        return updates

    async def send(
        self,
        chat: int,
        text: str,
        keyboard: Keyboard = (),
        *,
        reply_to: int = 0,
        ask_for: str = "",
        quiet: bool = False,
    ) -> int:
        """The number of the message. ``ask_for`` opens the other side's keyboard for an answer to it."""
        body: dict[str, Any] = {"chat_id": chat, "text": text, **_LOOK}
        if keyboard:
            body["reply_markup"] = {"inline_keyboard": keyboard}
        elif ask_for:
            body["reply_markup"] = {"force_reply": True, "input_field_placeholder": ask_for[:64]}
        if reply_to:
            body["reply_parameters"] = {"message_id": reply_to, "allow_sending_without_reply": True}
        if quiet:
            body["disable_notification"] = True
        await self.pace.turn(chat)
        return _number(await self._call("sendMessage", body))

    async def send_file(self, chat: int, name: str, content: str) -> int:
        await self.pace.turn(chat)
        form = {"chat_id": str(chat), "disable_notification": "true"}
        files = {"document": (name, content.encode("utf-8", "replace"), "text/plain; charset=utf-8")}
        return _number(_result(await self.service.call("POST", "/sendDocument", form=form, files=files)))

    async def edit(self, chat: int, message: int, text: str, keyboard: Keyboard = ()) -> None:
        body = {"chat_id": chat, "message_id": message, "text": text, **_LOOK}
        body["reply_markup"] = {"inline_keyboard": keyboard}
        await self.edits.turn(chat)
        await self._call("editMessageText", body)

    async def delete(self, chat: int, message: int) -> None:
        await self._call("deleteMessage", {"chat_id": chat, "message_id": message})

    async def toast(self, tap: str, text: str, *, is_loud: bool = False) -> None:
        """Short text for the user who pressed a button."""
        shown = text if len(text) <= LONGEST_TOAST else text[: LONGEST_TOAST - 1] + "…"
        await self._call("answerCallbackQuery", {"callback_query_id": tap, "text": shown, "show_alert": is_loud})

    async def close(self) -> None:
        await self.service.close()

    async def _call(self, method: str, body: Mapping[str, Any], patience: float = 15.0) -> Any:
        return _result(await self.service.call("POST", f"/{method}", json=body, patience=patience))


# What an agent names is not fetched to be looked at, and nothing of it becomes a picture.
_LOOK: dict[str, Any] = {"parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
_UNCHANGED = "message is not modified"
_MISSING = ("message to edit not found", "message can't be edited", "message to delete not found", "MESSAGE_ID_INVALID")
_NOBODY = ("chat not found", "user is deactivated", "PEER_ID_INVALID")


def _result(answer: Answer) -> Any:
    if answer.status >= 500:
        raise FailedError(f"Telegram failed ({answer.status}).")
    reply = _fields(answer.json())
    if reply.get("ok") is True:
        return reply.get("result")
    code, why = reply.get("error_code", answer.status), str(reply.get("description", ""))
    match code:
        case 401 | 404:
            raise TokenError("Telegram does not know this token (any more). `assent connect telegram` asks for one.")
        case 403:
            raise NobodyError("The bot was blocked on the other side.")
        case 409:
            raise ConflictError(_WEBHOOK if "webhook" in why else _SECOND)
        case 429:
            raise RateLimitedError("Telegram wants fewer messages.", _pause(reply, answer))
        case _ if _UNCHANGED in why:
            return None
        case _ if any(words in why for words in _MISSING):
            raise MissingError("The message is not there any more.")
        case _ if any(words in why for words in _NOBODY):
            raise NobodyError("Nobody there has written to the bot yet.")
        case _:
            raise GoneError(f"Telegram refused the message ({code}).")


_SECOND = (
    "Another program reads this bot's messages, so answers get lost: stop it, or make a bot for Assent alone and run "
    "`assent connect telegram`."
)
_WEBHOOK = "This bot sends its messages to a webhook that another program set. `assent connect telegram` takes it over."


def _pause(reply: Mapping[str, Any], answer: Answer) -> float:
    wished = _fields(reply.get("parameters")).get("retry_after")
    if isinstance(wished, int | float) and not isinstance(wished, bool):
        return min(max(float(wished), 0.0), 3_600.0)
    return answer.retry_after if answer.retry_after is not None else PATIENCE_WITHOUT_WORDS


def _fields(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(message: object) -> int:
    number = _fields(message).get("message_id")
    if not isinstance(number, int):
        raise FailedError("Telegram answered something that cannot be read.")
    return number
