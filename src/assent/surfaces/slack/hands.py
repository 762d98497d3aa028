"""What people do in the chat: presses, windows they send and words, each in the order in which it came from them."""

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assent.surfaces import seal
from assent.surfaces.base import SurfaceError
from assent.surfaces.slack import buttons, envelopes, windows
from assent.surfaces.slack.answering import Answering
from assent.surfaces.slack.envelopes import Filled, Press, Stranger, Words

if TYPE_CHECKING:
    from assent.surfaces.slack.surface import Slack

log = logging.getLogger("assent.surfaces")

# Slack tells again what it thinks was not heard; nobody should be told to do a thing twice.
REMEMBERED = 1_000
WELCOME = "You are connected. What your agents ask comes here. Write help to read what you can do."


@dataclass(slots=True)
class Hands:
    surface: "Slack"
    _seen: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def take(self, envelope: Mapping[str, Any]) -> dict[str, Any] | None:
        """Begin with it; what goes back at once, where a window lacks something."""
        try:
            found = envelopes.read(envelope, self.surface.users)
        except ValueError as error:
            log.warning("slack: something cannot be read: %s", error)
            return None
        if found is None:
            return None
        if isinstance(found, Filled) and (errors := self._lacking(found)):
            return {"response_action": "errors", "errors": errors}
        name = found.window if isinstance(found, Filled) else found.id if isinstance(found, Words) else ""
        if name and name in self._seen:
            return None
        if name:
            self._seen.append(name)
        task = asyncio.create_task(self._handle(found))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return None

    async def close(self, patience: float) -> None:
        """What was begun is finished, if that does not take long."""
        mine = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not mine]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=patience)
            for task in late:
                task.cancel()

    def _lacking(self, found: Filled) -> dict[str, str]:
        of = windows.origin(found.metadata)
        pressed = seal.read(of.value) if of is not None else None
        if pressed is None or pressed.act != buttons.ANSWER:
            return {}
        ask = self.surface.tools.inbox.ask(pressed.ask)
        return windows.lacking(ask, found.given) if ask is not None else {}

    async def _handle(self, found: Press | Filled | Words | Stranger) -> None:
        try:
            if isinstance(found, Stranger):
                await self._stranger(found)
                return
            async with self._locks.setdefault(found.sender.id, asyncio.Lock()):
                answering = Answering(self.surface)
                if isinstance(found, Press):
                    await answering.pressed(found)
                elif isinstance(found, Filled):
                    await answering.filled(found)
                else:
                    await answering.said(found)
        except SurfaceError as error:
            log.info("slack: not told in the chat: %s", error.message)
        except Exception:
            log.exception("slack: something somebody did could not be handled")

    async def _stranger(self, found: Stranger) -> None:
        surface = self.surface
        code = found.text if found.channel else None
        if told := await surface.meet(found.who, found.who, found.what, code, WELCOME):
            await surface.tell(found.channel, told)
