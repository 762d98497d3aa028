"""What people do in the chat: presses, words and commands, each in the order in which it came from that chat."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assent.protocol.bodies import AskKind
from assent.protocol.card import ShownAsk
from assent.surfaces.base import RateLimitedError, SurfaceError
from assent.surfaces.links import is_button_address
from assent.surfaces.telegram import updates
from assent.surfaces.telegram.answering import Answering
from assent.surfaces.telegram.commanding import Commanding
from assent.surfaces.telegram.markup import mono
from assent.surfaces.telegram.memory import Draft
from assent.surfaces.telegram.updates import Stranger, Tap, Words

if TYPE_CHECKING:
    from assent.surfaces.telegram.surface import Telegram

log = logging.getLogger("assent.surfaces")

# Telegram tells again what was not confirmed; nobody should be told to do a thing twice.
REMEMBERED = 1_000
_THERE = "on the page or in <code>assent watch</code>"
_ELSEWHERE: dict[AskKind, str] = {
    "permission": f"Yes is said {_THERE}.",
    "question": f"It is answered {_THERE}.",
    "plan": f"It is approved {_THERE}.",
    "form": f"It is filled in {_THERE}.",
}
CUT = f"Not all of it fits in here, so yes is said {_THERE}."
WELCOME = "You are connected. What your agents ask comes here.\n\n/help says what you can do."


@dataclass(slots=True)
class Hands:
    surface: "Telegram"
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
                found = updates.read(update, self.surface.users)
            except ValueError as error:
                log.warning("telegram: an update cannot be read: %s", error)
                continue
            if found is not None:
                task = asyncio.create_task(self._handle(found))
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

    def notes(self, ask: ShownAsk, draft: Draft | None) -> list[str]:
        """Lines of a card that depend on where the person is with it."""
        link = self.surface.tools.link(ask.id)
        told = []
        if draft is not None and draft.answers:
            told += [f"{at + 1}: {mono(answer, 120)}" for at, answer in enumerate(draft.answers)]
        if draft is not None and draft.is_review:
            told.append("Nothing is sent yet.")
        if not any(way.choice in ("allow", "answer") for way in ask.choices) and ask.kind in _ELSEWHERE:
            told.append(_ELSEWHERE[ask.kind])
        if link and not is_button_address(link):
            told.append(f"Open: {mono(link, 300)}")
        return told

    async def _handle(self, found: Tap | Words | Stranger) -> None:
        try:
            if isinstance(found, Stranger):
                await self._stranger(found)
                return
            async with self._locks.setdefault(found.chat, asyncio.Lock()):
                if isinstance(found, Tap):
                    await Answering(self.surface).tapped(found)
                elif not found.text.strip():
                    await self.surface.bot.send(found.chat, "Only text is understood here.", quiet=True)
                elif not await Answering(self.surface).said(found):
                    await Commanding(self.surface).said(found)
        except RateLimitedError as error:
            log.info("telegram: an answer in the chat was left out: %s", error.message)
        except SurfaceError as error:
            log.info("telegram: not told in the chat: %s", error.message)
        except Exception:
            log.exception("telegram: something somebody did could not be handled")

    async def _stranger(self, found: Stranger) -> None:
        surface = self.surface
        code = found.text if found.chat else None
        if told := await surface.meet(found.who, found.chat, found.what, code, WELCOME):
            await surface.bot.send(found.chat, told)
