"""How fast a bot may speak: about one message a second in each chat, and thirty a second in all."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from assent.surfaces.base import RateLimitedError

# Whoever would wait longer than this is better told to come again.
LONGEST_TURN = 10.0
MOST_CHATS = 200


@dataclass(slots=True)
class Pace:
    # Seconds for each message in one chat, and how many may come at once.
    every: float = 1.0
    burst: int = 4
    overall: float = 25.0
    clock: Callable[[], float] = time.monotonic
    _due: dict[int, float] = field(default_factory=dict)
    _all: float = 0.0

    async def turn(self, chat: int) -> None:
        """Returns when a message may be sent. Raises RateLimitedError where that would take too long."""
        now = self.clock()
        due = max(self._due.get(chat, 0.0), now)
        in_all = max(self._all, now)
        wait = max(due - (self.burst - 1) * self.every, in_all - 1.0) - now
        if wait > LONGEST_TURN:
            raise RateLimitedError("Telegram takes one message a second in each chat, and more are waiting.", wait)
        self._due.pop(chat, None)
        self._due[chat], self._all = due + self.every, in_all + 1 / self.overall
        if len(self._due) > MOST_CHATS:
            del self._due[next(iter(self._due))]
        if wait > 0:
            await asyncio.sleep(wait)
