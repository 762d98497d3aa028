"""Asks in a private chat with a bot: shown, changed where they stand, and closed when they are over."""

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.protocol.card import ShownAsk
from assent.surfaces import binding
from assent.surfaces import chat as chats
from assent.surfaces.base import (
    TURN,
    Audience,
    BadSettingsError,
    FailedError,
    Notice,
    RateLimitedError,
    Ref,
    SurfaceError,
)
from assent.surfaces.chat import Recipients
from assent.surfaces.registry import Checked, Tools
from assent.surfaces.telegram import updates
from assent.surfaces.telegram.answering import Answering
from assent.surfaces.telegram.api import Bot, ConflictError, TokenError
from assent.surfaces.telegram.card import notice_text
from assent.surfaces.telegram.commands import COMMANDS, Commands
from assent.surfaces.telegram.messages import NAME, Messages, Shown
from assent.surfaces.telegram.updates import Stranger, Tap, Words

log = logging.getLogger("assent.surfaces")

# Seconds until news is asked for again after a failure, and the most of it.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# One takeover is not yet a second reader: a hub that was restarted ends its predecessor's question for news.
CONFLICTS = 3
CONFLICT_LASTS = 90.0
CLOSING = 3.0
_NAME = re.compile(r"[A-Za-z0-9_]{1,64}")
# Telegram repeats what was not confirmed; nothing may be done twice.
REMEMBERED = 1_000
WELCOME = "You are connected. What your agents ask comes here.\n\n/help says what you can do."


@dataclass(slots=True)
class Conversation:
    """Presses, words and commands of people, each handled in the order in which it came from its chat."""

    messages: Messages
    _seen: deque[int] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _locks: dict[int, asyncio.Lock] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def take(self, news: Sequence[object], offset: int) -> int:
        """Begin with all of them; the number from which the next news is wanted."""
        for update in news:
            number = updates.number(update)
            if number is None:
                log.warning("telegram: an update without a number was left alone")
                continue
            offset = max(offset, number + 1)
            if number in self._seen:
                continue
            self._seen.append(number)
            try:
                action = updates.read(update, self.messages.users)
            except ValueError as error:
                log.warning("telegram: an update cannot be read: %s", error)
                continue
            if action is not None:
                task = asyncio.create_task(self._handle(action))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        return offset

    async def close(self, patience: float) -> None:
        """What was begun is finished, if that does not take long."""
        mine = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not mine]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=patience)
            for task in late:
                task.cancel()

    async def _handle(self, action: Tap | Words | Stranger) -> None:
        try:
            if isinstance(action, Stranger):
                await self._stranger(action)
                return
            async with self._locks.setdefault(action.chat, asyncio.Lock()):
                if isinstance(action, Tap):
                    await Answering(self.messages).tapped(action)
                elif not action.text.strip():
                    await self.messages.bot.send(action.chat, "Only text is understood here.", quiet=True)
                elif not await Answering(self.messages).said(action):
                    await Commands(self.messages).said(action)
        except RateLimitedError as error:
            log.info("telegram: an answer in the chat was left out: %s", error.message)
        except SurfaceError as error:
            log.info("telegram: not told in the chat: %s", error.message)
        except Exception:
            log.exception("telegram: an update could not be handled")

    async def _stranger(self, stranger: Stranger) -> None:
        messages = self.messages
        code = stranger.text if stranger.chat else None
        if reply := await messages.meet(stranger.who, stranger.chat, stranger.what, code, WELCOME):
            await messages.bot.send(stranger.chat, reply)


@dataclass(slots=True)
class Telegram(Messages):
    first_pause: float = FIRST_PAUSE
    clock: Callable[[], float] = time.monotonic
    conversation: Conversation = field(init=False)
    _recipients: Recipients[int, Shown] = field(default_factory=Recipients)
    _conflicts: list[float] = field(default_factory=list)
    _conflict: str = ""

    def __post_init__(self) -> None:
        Messages.__post_init__(self)
        self.conversation = Conversation(self)

    @property
    def trouble(self) -> str:
        if not self.users:
            return "nobody is connected to the bot yet: `assent connect telegram`"
        now = self.clock()
        recent = [at for at in self._conflicts if now - at < CONFLICT_LASTS]
        if len(recent) >= CONFLICTS:
            return self._conflict[:1].lower() + self._conflict[1:].removesuffix(".")
        return ""

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        ask = self.mine(ask)
        key = chats.key(ask, audience)
        reached, trouble = await self._recipients.send(
            key, self.users, lambda user: self.send_card(user, ask, audience)
        )
        return chats.sent(chats.ref(NAME, key, tuple(shown.text for shown in reached.values()), audience), trouble)

    async def notify(self, notice: Notice, audience: Audience) -> Ref:  # noqa: ARG002  how much is seen is set for the bot
        """What is replied to it is queued for the session, also long after."""
        text = notice_text(notice, is_masked=self.is_masked)

        async def send(chat: int) -> Shown:
            return Shown(chat, await self.bot.send(chat, text, self.buttons.next_of(chat, notice.session), quiet=True))

        reached, trouble = await self._recipients.send(f"{notice.key} {notice.at}", self.users, send)
        more = tuple(shown.text for shown in reached.values())
        return chats.sent(Ref(NAME, notice.key, more) if more else None, trouble)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        ask = self.mine(ask)
        await chats.each([self.update_card(Shown.read(each), ask, audience) for each in ref.more])

    async def withdraw(self, ref: Ref, why: str) -> None:
        if ref.key.startswith(TURN):
            # It says what was, and what is replied to it still reaches the session.
            return
        name = chats.ask_of(ref)
        ask = self.tools.inbox.ask(name) if name else None
        places = [(shown.chat, shown.message) for shown in map(Shown.read, ref.more)]
        if name:
            await self.delete_all(self.memory.over(name))
        await self.edit_over(name, ask, why, places)
        if ask is not None:
            self.follow_up.follow(ask, places)

    async def probe(self) -> str:
        name = (await self.bot.me()).get("username")
        return f"@{name} answers." if isinstance(name, str) and _NAME.fullmatch(name) else "Its bot answers."

    async def listen(self) -> None:
        offset, pause = 0, self.first_pause
        has_offered = await self._offer()
        while True:
            try:
                news = await self.bot.news(offset)
            except TokenError:
                raise
            except ConflictError as error:
                self._conflicts = [*self._conflicts, self.clock()][-CONFLICTS:]
                if self._conflict != error.message:
                    log.warning("telegram: %s", error.message)
                self._conflict = error.message
                await asyncio.sleep(self.first_pause)
            except RateLimitedError as error:
                await asyncio.sleep(max(error.retry_after, self.first_pause))
            except SurfaceError as error:
                log.info("telegram: %s Trying again in %.0f s.", error.message, pause)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                pause = self.first_pause
                # Handled beside the next question for news, which confirms them: a slow service blocks nothing.
                offset = self.conversation.take(news, offset)
                has_offered = has_offered or await self._offer()

    async def close(self) -> None:
        await self.conversation.close(CLOSING)
        self.follow_up.close()
        await self.bot.close()

    async def _offer(self) -> bool:
        try:
            await self.bot.offer(COMMANDS)
            return True
        except TokenError:
            raise
        except SurfaceError as error:
            # They can be typed all the same.
            log.info("telegram: its commands were not listed: %s", error.message)
            return False


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
    """Numbers of people. A name could be given up and taken by another person, and a group has a negative number."""
    users = settings.get("users", [])
    if not isinstance(users, list) or not all(type(each) is int and each > 0 for each in users):
        raise BadSettingsError("users in [surface.telegram] is a list of numbers, such as [12345678].")
    return tuple(dict.fromkeys(users))


KIND = TelegramKind()
