"""A user of the app, and the surface that listens."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from assent.protocol.card import ShownAsk
from assent.surfaces.base import Audience, Ref
from assent.surfaces.registry import Tools
from assent.surfaces.slack.api import Web
from assent.surfaces.slack.surface import Slack as SlackSurface
from tests.component.surfaces.conformance import until
from tests.services.inbox import FakeInbox
from tests.services.slack import APP, APP_TOKEN, BOT_TOKEN, Message, Slack, View

ADA, BOB, EVE = "U0ADA", "U0BOB", "U0EVE"
KEY = b"k" * 32


@dataclass
class Chat:
    service: Slack
    inbox: FakeInbox
    surface: SlackSurface
    listening: "asyncio.Task[None]"
    kept: dict[str, Any] = field(default_factory=dict)
    ref: Ref = field(default_factory=lambda: Ref("slack", ""))

    async def shows(self, ask: ShownAsk, audience: Audience | None = None) -> Message:
        """The card in Ada's chat."""
        self.inbox.add(ask)
        self.ref = await self.surface.show(ask, audience or Audience())
        return self.newest

    async def press(self, message: Message, label: str, user: str = ADA) -> None:
        """Returns when it was confirmed."""
        await self.confirmed(self.service.press(user, message, label))

    async def opens(self, message: Message, label: str) -> View:
        before = len(self.service.views)
        self.service.press(ADA, message, label)
        await until(lambda: len(self.service.views) > before, f"the window of {label!r}")
        return self.service.views[-1]

    async def send(self, view: View, user: str = ADA, **given: Any) -> dict[str, Any]:
        """What went back with the confirmation."""
        return await self.confirmed(self.service.send(user, view, **given))

    async def say(self, text: str, user: str = ADA) -> str:
        """The app's answer."""
        before = len(self.service.in_chat(user))
        self.service.say(user, text)
        await until(lambda: len(self.service.in_chat(user)) > before, f"an answer to {text!r}")
        return self.service.in_chat(user)[-1].text

    async def told(self, words: str) -> None:
        await until(lambda: any(words in one.text for one in self.service.in_chat(ADA)), words)

    async def answered(self, count: int = 1) -> None:
        await until(lambda: len(self.inbox.answers) >= count, f"{count} answers")

    async def confirmed(self, envelope: str) -> dict[str, Any]:
        await until(lambda: envelope in self.service.acks, f"the confirmation of {envelope}")
        found: dict[str, Any] = self.service.acks[envelope].get("payload", {})
        return found

    @property
    def newest(self) -> Message:
        return self.service.in_chat(ADA)[-1]


@asynccontextmanager
async def chatting(
    service: Slack,
    users: tuple[str, ...] = (ADA,),
    *,
    inbox: FakeInbox | None = None,
    link: str = "",
    waits: bool = True,
    **more: Any,
) -> AsyncIterator[Chat]:
    inbox, kept = inbox or FakeInbox(), dict[str, Any]()

    async def keep(name: str, value: Any) -> None:
        kept[name] = value

    tools = Tools(inbox, KEY, lambda name: f"{link}/a/{name}" if link else "", keep)
    surface = SlackSurface(Web.of(BOT_TOKEN, APP_TOKEN, service.address), APP, users, tools, **more)
    surface.follow_up.first_look = surface.socket.first_pause = 0.02
    surface.socket.lasting = 0.0
    listening = asyncio.create_task(surface.listen())
    try:
        if waits:
            await until(lambda: surface.socket.is_open, "a connection")
        yield Chat(service, inbox, surface, listening, kept)
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await surface.close()
