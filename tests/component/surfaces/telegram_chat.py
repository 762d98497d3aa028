"""A phone with the bot in front of it, and the surface that listens."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from assent.protocol.card import ShownAsk
from assent.surfaces.base import Audience, Ref
from assent.surfaces.registry import Tools
from assent.surfaces.telegram.api import Bot, Pace
from assent.surfaces.telegram.surface import Telegram as TelegramSurface
from tests.component.surfaces.conformance import until
from tests.services.inbox import FakeInbox
from tests.services.telegram import BOT, TOKEN, Message, Telegram

ADA, BOB, EVE = 12345678, 23456789, 666
KEY = b"k" * 32
QUICK = 0.0005


@dataclass
class Chat:
    service: Telegram
    inbox: FakeInbox
    surface: TelegramSurface
    kept: dict[str, Any] = field(default_factory=dict)

    async def shows(self, ask: ShownAsk, audience: Audience | None = None) -> Message:
        """The card in Ada's chat."""
        self.inbox.add(ask)
        before = len(self.service.in_chat(ADA))
        self.ref = await self.surface.show(ask, audience or Audience())
        return self.service.in_chat(ADA)[before:][-1]

    ref: Ref = field(default_factory=lambda: Ref("telegram", ""))

    async def tap(self, message: Message, label: str, user: int = ADA) -> str:
        """The text shown for a moment after the press."""
        name = self.service.tap(user, message, label)
        await until(lambda: self.service.toasts[name] is not None, f"an answer to the tap on {label!r}")
        return self.service.toasts[name] or ""

    async def say(self, text: str, reply_to: Message | None = None) -> str:
        """The bot's answer."""
        before = len(self.service.in_chat(ADA))
        self.service.say(ADA, text, reply_to=reply_to)
        await until(lambda: len(self.service.in_chat(ADA)) > before, f"an answer to {text!r}")
        return self.service.in_chat(ADA)[-1].text

    async def heard(self) -> None:
        """All that people did so far was read and confirmed."""
        await until(lambda: not self.service.unread(), "that the news was read")

    @property
    def newest(self) -> Message:
        return self.service.in_chat(ADA)[-1]


@asynccontextmanager
async def chatting(
    service: Telegram,
    users: tuple[int, ...] = (ADA,),
    *,
    inbox: FakeInbox | None = None,
    link: str = "",
    **more: Any,
) -> AsyncIterator[Chat]:
    inbox, kept = inbox or FakeInbox(), dict[str, Any]()

    async def keep(name: str, value: Any) -> None:
        kept[name] = value

    tools = Tools(inbox, KEY, lambda name: f"{link}/a/{name}" if link else "", keep)
    bot = Bot.of(TOKEN, service.address, Pace(every=QUICK, overall=1 / QUICK))
    surface = TelegramSurface(bot, str(BOT["id"]), users, tools, first_pause=0.01, **more)
    surface.follow_up.first_look = 0.02
    listening = asyncio.create_task(surface.listen())
    try:
        yield Chat(service, inbox, surface, kept)
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await surface.close()
