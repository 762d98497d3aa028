"""Follow-up of messages after an answer, until the agent has acted on it or not."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from assent.protocol.card import ShownAsk
from assent.surfaces.base import SurfaceError
from assent.text.ask_state import is_waiting

log = logging.getLogger("assent.surfaces")

FIRST_LOOK, LONGEST_PAUSE, GROWS = 0.5, 15.0, 1.5
# Older messages are not scrolled back to.
GIVEN_UP_AFTER = 1_800.0
MOST = 100
_OVER = "No longer waiting"

# Where a message stands.
Place = TypeVar("Place")


@dataclass(slots=True)
class FollowUp(Generic[Place]):
    name: str
    ask: Callable[[str], ShownAsk | None]
    edit: Callable[[str, ShownAsk | None, str, Sequence[Place]], Awaitable[None]]
    first_look: float = FIRST_LOOK
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def follow(self, ask: ShownAsk, places: Sequence[Place]) -> None:
        """Until it is closed; a second message about the same ask is followed for itself."""
        key = f"{ask.id} {places}"
        if ask.state == "closed" or not places or key in self._tasks or len(self._tasks) >= MOST:
            return
        task = self._tasks[key] = asyncio.create_task(self._follow(ask, places))
        task.add_done_callback(lambda _: self._tasks.pop(key, None))

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    async def _follow(self, ask: ShownAsk, places: Sequence[Place]) -> None:
        pause, waited, shown = self.first_look, 0.0, ask.state
        while waited < GIVEN_UP_AFTER:
            await asyncio.sleep(pause)
            waited, pause = waited + pause, min(pause * GROWS, LONGEST_PAUSE)
            now = self.ask(ask.id)
            if now is None:
                return
            # While it waits its card stays as it is; a longer look at it is as good as a quick one.
            if is_waiting(now):
                pause = min(pause, 2.0)
                continue
            if now.state == "closed" or (is_waiting(ask) and shown != now.state):
                try:
                    await self.edit(now.id, now, _OVER, places)
                    shown = now.state
                except SurfaceError as error:
                    log.info("%s: a message was not changed: %s", self.name, error.message)
                    continue
            if now.state == "closed":
                return
