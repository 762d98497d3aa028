"""How Telegram is connected: a bot's token, and the people who may answer it."""

import re
from collections.abc import Mapping
from typing import Any

from assent.surfaces import binding
from assent.surfaces.base import BadSettingsError, FailedError
from assent.surfaces.kind import Checked, Tools
from assent.surfaces.telegram.api import Bot, TokenError
from assent.surfaces.telegram.surface import NAME, Telegram

# Nothing else may become part of an address.
_TOKEN = re.compile(r"(\d{5,20}):[A-Za-z0-9_-]{30,64}")
_NO_TOKEN = "This is no token of a bot. @BotFather gives one: it looks like 1234567890:AAH…"  # noqa: S105
SETTINGS = ("on", "users", "scope", "privacy")
_TELLING_SCOPE = "instruct"


class TelegramKind:
    name = NAME
    title = "Telegram"
    secrets: Mapping[str, str] = {"token": "The bot's token"}

    guide = "In Telegram, write /newbot to @BotFather: it gives you the token. Use this bot for Assent alone."

    async def check(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Checked:
        """Takes the bot over, and hands out a code by which one person is connected."""
        users, token = _users(settings), _token(secrets)
        bot = Bot.of(token, tools.address)
        try:
            name = (await bot.me()).get("username")
            await bot.take_over()
        finally:
            await bot.close()
        if not isinstance(name, str) or not re.fullmatch(r"\w{1,64}", name):
            raise FailedError("Telegram answered something that cannot be read.")
        code = binding.begun(bot_id(token)).code
        todo = f"Send {code} to @{name} on Telegram, in a private chat. Whoever sends it can answer your agents."
        return Checked(f"This is @{name}.", {"users": list(users)}, todo)

    def made(self, settings: Mapping[str, Any], secrets: Mapping[str, str], tools: Tools) -> Telegram:
        token = _token(secrets)
        if odd := [name for name in settings if name not in SETTINGS]:
            raise BadSettingsError(f"[surface.telegram] has no setting “{odd[0]}”; it has {', '.join(SETTINGS)}.")
        privacy = settings.get("privacy", "open")
        if privacy not in ("open", "masked"):
            raise BadSettingsError('privacy in [surface.telegram] is "open" or "masked".')
        return Telegram(
            Bot.of(token, tools.address),
            bot_id(token),
            _users(settings),
            tools,
            is_masked=privacy == "masked",
            can_tell=settings.get("scope", _TELLING_SCOPE) == _TELLING_SCOPE,
        )


def bot_id(token: str) -> str:
    return token.partition(":")[0]


def _token(secrets: Mapping[str, str]) -> str:
    token = secrets.get("token", "").strip()
    if not _TOKEN.fullmatch(token):
        raise TokenError(_NO_TOKEN)
    return token


def _users(settings: Mapping[str, Any]) -> tuple[int, ...]:
    """Numbers of people. A name could be given up and taken by somebody else, and a group has a negative number."""
    found = settings.get("users", [])
    if not isinstance(found, list) or not all(type(each) is int and each > 0 for each in found):
        raise BadSettingsError("users in [surface.telegram] is a list of numbers, such as [12345678].")
    return tuple(dict.fromkeys(found))


KIND = TelegramKind()
