"""Shared code of chats: who has a message already, what may be answered there, how a message is known again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from msgspec.structs import replace

from assent.errors import AssentError
from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, ShownAsk, Way
from assent.surfaces import binding
from assent.surfaces.base import Audience, GoneError, Outcome, Ref, Sender, SurfaceError, Traits, offered
from assent.surfaces.registry import Tools


def is_button_address(url: str) -> bool:
    """Chats refuse a whole message over a button to a name without a dot."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return url.startswith(("https://", "http://")) and ("." in host or ":" in host)


MOST = 300

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentDict(dict[Key, Value], Generic[Key, Value]):
    def __setitem__(self, key: Key, value: Value) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > MOST:
            del self[next(iter(self))]


log = logging.getLogger("assent.surfaces")

BURST = "burst-"

User = TypeVar("User")
Place = TypeVar("Place")


class NobodyError(GoneError):
    """That person cannot be written to."""


class MissingError(GoneError):
    """The message is not there any more."""


@dataclass(slots=True)
class Recipients(Generic[User, Place]):
    """Sends to all users; those reached at the last try are skipped."""

    _reached: RecentDict[str, dict[User, Place]] = field(default_factory=RecentDict)

    async def send(
        self, key: str, users: Sequence[User], send: Callable[[User], Awaitable[Place]]
    ) -> tuple[dict[User, Place], BaseException | None]:
        """Who has it now, and what keeps the rest from it."""
        if not users:
            return {}, GoneError("Nobody is connected.")
        reached = self._reached.pop(key, {})
        waiting = [user for user in users if user not in reached]
        results = await asyncio.gather(*(send(user) for user in waiting), return_exceptions=True)
        troubles = []
        for user, result in zip(waiting, results, strict=True):
            if isinstance(result, BaseException):
                troubles.append(result)
            else:
                reached[user] = result
        later = [result for result in troubles if not isinstance(result, NobodyError)]
        if later or (troubles and not reached):
            self._reached[key] = reached
            return reached, (later or troubles)[0]
        return reached, None


class Chat:
    """A surface that is a chat with people who were connected to it."""

    name: str
    # By which the service knows the bot: a part of its token, and no secret.
    bot_id: str
    users: tuple[object, ...]
    tools: Tools
    traits: Traits

    @property
    def binding(self) -> binding.State:
        """How far the connecting of a person is."""
        return binding.standing(self.bot_id, is_anybody=bool(self.users))

    @property
    def state_words(self) -> str:
        """The same for people to read."""
        if self.users and self.binding != "waiting":
            return "Connected to 1 person." if len(self.users) == 1 else f"Connected to {len(self.users)} people."
        return binding.words(self.binding, self.name) or "Nobody is connected."

    async def meet(self, who: str, person: object, action: str, code: str | None, welcome: str) -> str:
        """A stranger did something; ``code`` is what they wrote where a code may be shown. What they
        are told: nothing, unless it was the one that connects them."""
        waiting = binding.of(self.bot_id)
        fits = waiting.tried(code) if waiting is not None and code is not None else None
        if not fits:
            self.tools.inbox.stranger(who, action if fits is None else "sent a wrong code")
            return ""
        users = (*self.users, person)
        try:
            if self.tools.keep is not None:
                await self.tools.keep("users", list(users))
        except (AssentError, OSError) as error:
            log.error("%s: who was connected could not be written down: %s", self.name, error)
            binding.forgotten(self.bot_id)
            return "This could not be written down, so you are not connected."
        self.users = users
        return welcome

    def mine(self, ask: ShownAsk) -> ShownAsk:
        """With what may be answered here, where the hub still knows it so."""
        now = self.tools.inbox.ask(ask.id)
        return now if now is not None and (now.rev, now.hash) == (ask.rev, ask.hash) else ask

    def offered(self, ask: ShownAsk, audience: Audience, *, is_whole: bool) -> tuple[Way, ...]:
        ways = offered(ask, replace(self.traits, shows_all=self.traits.shows_all and is_whole), audience)
        if audience.gist or not self.traits.is_private:
            return ways
        # Notes on a plan send it back, whatever the rest of it says.
        return (*(way for way in ask.choices if way.choice == "revise" and way not in ways), *ways)

    async def answer(
        self,
        sender: Sender,
        ask: ShownAsk,
        choice: Choice,
        message: str = "",
        answers: dict[str, str] | None = None,
    ) -> Outcome:
        request = AnswerRequest(rev=ask.rev, hash=ask.hash, choice=choice, message=message, answers=answers or {})
        return await self.tools.inbox.answer(sender, ask.id, request)


def sent(ref: Ref | None, trouble: BaseException | None) -> Ref:
    """Where some have it and others do not yet, the trouble carries where it stands already."""
    if isinstance(trouble, SurfaceError):
        trouble.ref = ref
    if trouble is not None:
        raise trouble
    assert ref is not None
    return ref


def key(ask: ShownAsk, audience: Audience) -> str:
    if audience.gist:
        return f"{BURST}{ask.subject.session[:40]}"
    return f"{ask.id}+" if audience.is_reminder else ask.id


def ref(name: str, about: str, more: tuple[str, ...], audience: Audience) -> Ref | None:
    """A reminder has a name of its own, so that the messages before it are not forgotten. None where no chat has it."""
    if not more:
        return None
    return Ref(name, f"{about}{more[0]}" if audience.is_reminder and not audience.gist else about, more)


def ask_of(ref: Ref) -> str:
    """The ask it is about; "" for a message about many."""
    return "" if ref.key.startswith(BURST) else ref.key.partition("+")[0]


async def each(calls: Sequence[Awaitable[None]]) -> None:
    """All of them; what is gone needs no change."""
    for result in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(result, BaseException) and not isinstance(result, MissingError | NobodyError):
            raise result
