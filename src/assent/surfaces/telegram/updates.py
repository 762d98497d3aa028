"""Parser of Telegram's updates: taps and messages, by connected users or strangers."""

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import Struct, field

from assent.surfaces.base import Sender
from assent.text.safe import notification_line

LONGEST_NAME = 40


class _User(Struct):
    id: int
    is_bot: bool = False
    first_name: str = ""


class _Chat(Struct):
    id: int
    type: str = ""


class _Button(Struct):
    callback_data: str = ""


class _Markup(Struct):
    inline_keyboard: list[list[_Button]] = []


class _Message(Struct):
    message_id: int
    chat: _Chat
    sender: _User | None = field(default=None, name="from")
    text: str = ""
    reply_to_message: "_Message | None" = None
    reply_markup: _Markup | None = None
    # Text of another author.
    forward_origin: Any = None
    forward_date: Any = None
    forward_from: Any = None
    via_bot: Any = None
    # Speaking for a group or channel.
    sender_chat: Any = None


class _Tap(Struct):
    id: str
    sender: _User = field(name="from")
    message: _Message | None = None
    data: str = ""


class _Update(Struct):
    message: _Message | None = None
    callback_query: _Tap | None = None
    edited_message: Any = None
    channel_post: Any = None
    edited_channel_post: Any = None


class Tap(Struct, frozen=True):
    """A button was pressed by a connected user."""

    id: str
    sender: Sender
    chat: int
    message: int
    data: str


class Words(Struct, frozen=True):
    """Something was written by a connected user; without a text it is a picture, a voice, a sticker."""

    sender: Sender
    chat: int
    message: int
    text: str
    # The message this answers, what it says and what its buttons carry.
    reply_to: int = 0
    reply_text: str = ""
    buttons: tuple[str, ...] = ()


class Stranger(Struct, frozen=True):
    """A user who is not connected, or a message that is not accepted."""

    who: str
    what: str
    # Where they may show a code: only in a private chat, in words of their own.
    chat: int = 0
    text: str = ""
    name: str = ""


def number(update: object) -> int | None:
    value = update.get("update_id") if isinstance(update, dict) else None
    return value if isinstance(value, int) else None


def read(update: object, users: Collection[int]) -> Tap | Words | Stranger | None:
    """None where it is no message or press. Raises ValueError where it cannot be read."""
    try:
        parsed = msgspec.convert(update, _Update)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    if parsed.callback_query is not None:
        return _tapped(parsed.callback_query, users)
    if parsed.message is not None:
        return _said(parsed.message, users)
    return None


def _tapped(tap: _Tap, users: Collection[int]) -> Tap | Stranger:
    who = tap.sender
    if who.id not in users or who.is_bot:
        return Stranger(str(who.id), "pressed a button")
    if tap.message is None or not _is_private(tap.message, who):
        return Stranger(str(who.id), "pressed a button outside of the private chat")
    return Tap(tap.id, _sender(who), tap.message.chat.id, tap.message.message_id, tap.data)


def _said(message: _Message, users: Collection[int]) -> Words | Stranger:
    who = message.sender
    if who is None or not _is_private(message, who) or message.sender_chat is not None:
        name = str(who.id) if who is not None else "a channel"
        return Stranger(name, f"wrote in a {message.chat.type or 'group'}, where nothing is taken")
    if who.is_bot or message.via_bot is not None:
        return Stranger(str(who.id), "wrote through a bot")
    if any(each is not None for each in (message.forward_origin, message.forward_date, message.forward_from)):
        return Stranger(str(who.id), "forwarded what somebody else wrote")
    if who.id not in users:
        return Stranger(str(who.id), "wrote a message", message.chat.id, message.text, _name(who))
    answered = message.reply_to_message
    if answered is None:
        return Words(_sender(who), message.chat.id, message.message_id, message.text)
    rows = answered.reply_markup.inline_keyboard if answered.reply_markup is not None else []
    return Words(
        _sender(who),
        message.chat.id,
        message.message_id,
        message.text,
        answered.message_id,
        # Only what the bot itself wrote tells which ask it is about.
        answered.text if answered.sender is not None and answered.sender.is_bot else "",
        tuple(button.callback_data for row in rows for button in row if button.callback_data),
    )


def _is_private(message: _Message, who: _User) -> bool:
    return message.chat.type == "private" and message.chat.id == who.id


def _sender(who: _User) -> Sender:
    return Sender(_name(who), str(who.id))


def _name(who: _User) -> str:
    return notification_line(who.first_name, LONGEST_NAME) or str(who.id)
