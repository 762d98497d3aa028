"""Asks in a private chat with a bot: shown, changed where they stand, and closed when they are over."""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from assent.protocol.bodies import Choice
from assent.protocol.card import ShownAsk
from assent.surfaces import chat as chats
from assent.surfaces.afterwards import Afterwards
from assent.surfaces.base import TURN, Audience, Notice, RateLimitedError, Ref, SurfaceError, Traits
from assent.surfaces.chat import Chat, Everybody
from assent.surfaces.kind import Tools
from assent.surfaces.seal import Seal
from assent.surfaces.telegram import card as cards
from assent.surfaces.telegram import hands, listing, notices
from assent.surfaces.telegram.api import Bot, ConflictError, TokenError
from assent.surfaces.telegram.buttons import Buttons, Rows
from assent.surfaces.telegram.card import Card
from assent.surfaces.telegram.hands import Hands
from assent.surfaces.telegram.memory import Memory, Place
from assent.surfaces.telegram.updates import Tap

log = logging.getLogger("assent.surfaces")

NAME = "telegram"
# Seconds until news is asked for again after a failure, and the most of it.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# One takeover is not yet a second reader: a hub that was restarted ends its predecessor's question for news.
CONFLICTS = 3
CONFLICT_LASTS = 90.0
CLOSING = 3.0
_NAME = re.compile(r"[A-Za-z0-9_]{1,64}")


class Shown(Struct, frozen=True):
    """One message in one chat, as a Ref keeps it."""

    chat: int
    message: int
    rev: int = 0
    # The whole text stands in messages above it.
    has_parts: bool = False

    @property
    def text(self) -> str:
        return f"{self.chat}:{self.message}:{self.rev}:{int(self.has_parts)}"

    @classmethod
    def read(cls, text: str) -> "Shown":
        chat, message, rev, parts = (int(each) for each in text.split(":"))
        return cls(chat, message, rev, bool(parts))


@dataclass(slots=True)
class Telegram(Chat):
    bot: Bot
    bot_id: str
    users: tuple[int, ...]
    tools: Tools
    is_masked: bool = False
    can_tell: bool = True
    first_pause: float = FIRST_PAUSE
    clock: Callable[[], float] = time.monotonic
    name: str = NAME
    traits: Traits = field(init=False)
    memory: Memory = field(default_factory=Memory)
    buttons: Buttons = field(init=False)
    hands: Hands = field(init=False)
    afterwards: Afterwards[Place] = field(init=False)
    _everybody: Everybody[int, Shown] = field(default_factory=Everybody)
    _conflicts: list[float] = field(default_factory=list)
    _conflict: str = ""

    def __post_init__(self) -> None:
        # Telegram's servers can read along; whoever does not want that has it masked.
        self.traits = Traits(shows_all=not self.is_masked, may_answer=True, is_private=not self.is_masked)
        self.buttons = Buttons(Seal(self.tools.key), self.tools.link, self.can_tell)
        self.hands = Hands(self)
        self.afterwards = Afterwards(NAME, self.tools.inbox.ask, self.edit_over)

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
        reached, trouble = await self._everybody.told(key, self.users, lambda user: self.send_card(user, ask, audience))
        return chats.sent(chats.ref(NAME, key, tuple(shown.text for shown in reached.values()), audience), trouble)

    async def notify(self, notice: Notice, audience: Audience) -> Ref:  # noqa: ARG002  how much is seen is set for the bot
        """What is replied to it is queued for the session, also long after."""
        text = notices.text(notice, is_masked=self.is_masked)

        async def send(chat: int) -> Shown:
            return Shown(chat, await self.bot.send(chat, text, self.buttons.next_of(chat, notice.session), quiet=True))

        reached, trouble = await self._everybody.told(f"{notice.key} {notice.at}", self.users, send)
        more = tuple(shown.text for shown in reached.values())
        return chats.sent(Ref(NAME, notice.key, more) if more else None, trouble)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        ask = self.mine(ask)
        await chats.each([self._update(Shown.read(each), ask, audience) for each in ref.more])

    async def withdraw(self, ref: Ref, why: str) -> None:
        if ref.key.startswith(TURN):
            # It says what was, and what is replied to it still reaches the session.
            return
        name = chats.ask_of(ref)
        ask = self.tools.inbox.ask(name) if name else None
        places = [(shown.chat, shown.message) for shown in map(Shown.read, ref.more)]
        if name:
            await self._tidy(self.memory.over(name))
        await self.edit_over(name, ask, why, places)
        if ask is not None:
            self.afterwards.follow(ask, places)

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
                # Handled beside the next question for news, which confirms them: a service that hangs holds up nobody.
                offset = self.hands.take(news, offset)
                has_offered = has_offered or await self._offer()

    async def close(self) -> None:
        await self.hands.close(CLOSING)
        self.afterwards.close()
        await self.bot.close()

    async def _offer(self) -> bool:
        try:
            await self.bot.offer(listing.COMMANDS)
            return True
        except TokenError:
            raise
        except SurfaceError as error:
            # They can be typed all the same.
            log.info("telegram: its commands were not listed: %s", error.message)
            return False

    async def toast(self, tap: Tap, text: str, *, is_loud: bool = False) -> None:
        """Said for a moment, and only that: a tap that is hours old cannot be answered so, and counts all the same."""
        try:
            await self.bot.toast(tap.id, text, is_loud=is_loud)
        except SurfaceError as error:
            log.info("telegram: a tap was not answered: %s", error.message)

    async def confirm(self, chat: int, message: int, ask: ShownAsk, what: Choice) -> None:
        """The second step of a yes, in another place than the first."""
        draft = self.memory.draft(chat, ask) if what == "answer" else None
        text = cards.sure(ask, draft.answers if draft is not None else ())
        sent = await self.bot.send(chat, text, self.buttons.sure(chat, ask, what), reply_to=message)
        self.memory.aside(ask.id, (chat, sent))

    async def show_again(self, chat: int, ask: ShownAsk) -> None:
        """Somebody asked for it; no Ref knows this message, so it is looked after here."""
        shown = await self.send_card(chat, ask, Audience())
        self.afterwards.follow(ask, [(chat, shown.message)])

    async def redraw(self, chat: int, message: int, ask: ShownAsk) -> None:
        """The card as this person has it now, where it stands; below, where it needs more room."""
        drawn, rows = self.drawn(chat, ask, Audience())
        if drawn.before or drawn.file:
            await self.show_again(chat, ask)
            await self.bot.edit(chat, message, f"Goes on below.\n{cards.ID}{ask.id}")
        else:
            await self.bot.edit(chat, message, drawn.text, rows)

    async def send_card(self, chat: int, ask: ShownAsk, audience: Audience) -> Shown:
        """All messages of it, and the buttons with the last one."""
        drawn, rows = self.drawn(chat, ask, audience)
        done = self.memory.parts.get((ask.id, ask.rev, chat), 0)
        sends: list[Callable[[], Awaitable[int]]] = [
            lambda text=text: self.bot.send(chat, text, quiet=True)  # type: ignore[misc]
            for text in drawn.before
        ]
        if drawn.file:
            sends.append(lambda: self.bot.send_file(chat, f"{ask.id}.txt", drawn.file))
        for at, send in enumerate(sends):
            if at >= done:
                await send()
                self.memory.parts[ask.id, ask.rev, chat] = at + 1
        message = await self.bot.send(chat, drawn.text, rows)
        self.memory.parts.pop((ask.id, ask.rev, chat), None)
        self._remember(chat, ask, drawn)
        return Shown(chat, message, ask.rev, bool(drawn.before))

    def drawn(
        self, chat: int, ask: ShownAsk, audience: Audience, *, has_parts: bool | None = None
    ) -> tuple[Card, Rows]:
        seen = audience if self.is_masked else replace(audience, privacy="open")
        if audience.gist:
            made = cards.card(ask, seen, now=_now())
            return made, self.buttons.of_many(chat, ask, self.offered(ask, audience, is_whole=False))
        draft = self.memory.draft(chat, ask) if ask.view.questions else None
        notes = self.hands.notes(ask, draft)
        step = draft.step if draft is not None else 0
        cut = hands.CUT if any(way.choice in ("allow", "answer") for way in ask.choices) else ""
        made = cards.card(ask, seen, now=_now(), notes=notes, if_cut=cut, step=step, has_parts=has_parts)
        ways = self.offered(ask, audience, is_whole=made.is_whole)
        return made, self.buttons.of(chat, ask, ways, draft)

    def _remember(self, chat: int, ask: ShownAsk, drawn: Card) -> None:
        if drawn.is_whole:
            self.memory.shown[ask.id, chat] = (ask.rev, ask.hash)
        else:
            self.memory.shown.pop((ask.id, chat), None)

    async def _update(self, shown: Shown, ask: ShownAsk, audience: Audience) -> None:
        # What stands above it is about the revision it was sent with.
        has_parts = shown.has_parts and shown.rev == ask.rev
        drawn, rows = self.drawn(shown.chat, ask, audience, has_parts=has_parts)
        await self.bot.edit(shown.chat, shown.message, drawn.text, rows)
        # Not before it stands there: a typed yes is for what is seen.
        if not audience.gist:
            self._remember(shown.chat, ask, drawn)

    async def edit_over(self, name: str, ask: ShownAsk | None, why: str, places: Sequence[Place]) -> None:
        if self.is_masked:
            ask = None
        text = cards.over(ask, name, why, _now())
        await chats.each([self.bot.edit(chat, message, text) for chat, message in places])

    async def _tidy(self, places: Sequence[Place] | set[Place]) -> None:
        for chat, message in places:
            try:
                await self.bot.delete(chat, message)
            except SurfaceError:
                # It says "Too late" when it is pressed.
                continue


def _now() -> float:
    return time.time() * 1_000
