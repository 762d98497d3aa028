"""Commands: what waits, who works, what is to be done next, and quiet."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assent.surfaces.telegram import listing
from assent.surfaces.telegram.markup import line
from assent.surfaces.telegram.updates import Words
from assent.surfaces.text import escaped

if TYPE_CHECKING:
    from assent.surfaces.telegram.surface import Telegram

_NOTHING = "Reply to a message to answer it. /help says more."


@dataclass(frozen=True, slots=True)
class Commanding:
    surface: "Telegram"

    async def said(self, words: Words) -> None:
        command, _, rest = words.text.partition(" ")
        name = command.partition("@")[0]
        match name:
            case "/asks":
                await self._asks(words)
            case "/sessions":
                await self._tell(words, listing.sessions(self.surface.tools.inbox.sessions(), time.time() * 1_000))
            case "/queue":
                await self._queue(words, rest.strip())
            case "/quiet":
                await self._quiet(words, rest.strip())
            case _:
                await self._tell(words, listing.HELP if name in ("/help", "/start") else _NOTHING)

    async def _asks(self, words: Words) -> None:
        waiting = self.surface.tools.inbox.asks()
        rows = self.surface.buttons.listed(words.chat, waiting[: listing.MOST], listing.label)
        await self.surface.bot.send(words.chat, listing.asks(waiting), rows)

    async def _queue(self, words: Words, rest: str) -> None:
        inbox = self.surface.tools.inbox
        name, _, text = rest.partition(" ")
        found = listing.picked(inbox.sessions(), name)
        if isinstance(found, str) or not text.strip():
            why = found if isinstance(found, str) else "What should it do?"
            listed = listing.sessions(inbox.sessions(), time.time() * 1_000)
            await self._tell(words, f"{why}\n{listed}\n\n<code>/queue webshop run the tests</code>")
            return
        outcome = await inbox.queue(words.sender, found.id, text.strip())
        await self._tell(words, escaped(outcome.words))

    async def _quiet(self, words: Words, rest: str) -> None:
        if not rest:
            await self.surface.bot.send(words.chat, "Quiet for how long?", self.surface.buttons.quiet(words.chat))
            return
        wish = listing.wish(rest)
        if wish is None:
            await self._tell(
                words,
                f"{line(rest, 40)} is no time: <code>30m</code>, <code>2h</code>, "
                "<code>morning</code> or <code>off</code>.",
            )
            return
        outcome = await self.surface.tools.inbox.quiet(words.sender, wish)
        await self._tell(words, escaped(outcome.words))

    async def _tell(self, words: Words, text: str) -> None:
        await self.surface.bot.send(words.chat, text, quiet=True)
