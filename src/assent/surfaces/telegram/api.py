"""The few methods of the Bot API that are used, and what its refusals mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.surfaces.base import FailedError, GoneError, RateLimitedError
from assent.surfaces.chat import MissingError, NobodyError
from assent.surfaces.service import Answer, Service
from assent.surfaces.telegram.pace import Pace

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
    """Somebody else gets this bot's news."""


@dataclass(slots=True)
class Bot:
    service: Service
    pace: Pace
    # What is changed disturbs nobody, and is counted for itself.
    edits: Pace = field(default_factory=lambda: Pace(every=0.5, burst=12))

    @classmethod
    def of(cls, token: str, address: str = "", pace: Pace | None = None) -> "Bot":
        return cls(Service(f"{address or HOME}/bot{token}", TITLE), pace or Pace())

    async def me(self) -> dict[str, Any]:
        return _fields(await self._call("getMe", {}))

    async def take_over(self) -> None:
        """From now on news is asked for, and no longer sent to an address that somebody named."""
        await self._call("deleteWebhook", {})

    async def offer(self, commands: Mapping[str, str]) -> None:
        listed = [{"command": name, "description": words} for name, words in commands.items()]
        await self._call("setMyCommands", {"commands": listed, "scope": {"type": "all_private_chats"}})

    async def news(self, offset: int) -> list[Any]:
        """Updates from this number on; those before it are confirmed and not told again."""
        body = {"offset": offset, "timeout": LONG_POLL, "allowed_updates": WANTED}
        found = await self._call("getUpdates", body, patience=LONG_POLL + GRACE)
        if not isinstance(found, list):
            raise FailedError("Telegram answered something that cannot be read.")
        return found

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
        """What is shown for a moment to whoever pressed a button."""
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
    said = _fields(answer.json())
    if said.get("ok") is True:
        return said.get("result")
    code, why = said.get("error_code", answer.status), str(said.get("description", ""))
    match code:
        case 401 | 404:
            raise TokenError("Telegram does not know this token (any more). `assent connect telegram` asks for one.")
        case 403:
            raise NobodyError("The bot was blocked on the other side.")
        case 409:
            raise ConflictError(_WEBHOOK if "webhook" in why else _SECOND)
        case 429:
            raise RateLimitedError("Telegram wants fewer messages.", _pause(said, answer))
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


def _pause(said: Mapping[str, Any], answer: Answer) -> float:
    wished = _fields(said.get("parameters")).get("retry_after")
    if isinstance(wished, int | float) and not isinstance(wished, bool):
        return min(max(float(wished), 0.0), 3_600.0)
    return answer.retry_after if answer.retry_after is not None else PATIENCE_WITHOUT_WORDS


def _fields(found: object) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _number(found: object) -> int:
    number = _fields(found).get("message_id")
    if not isinstance(number, int):
        raise FailedError("Telegram answered something that cannot be read.")
    return number
