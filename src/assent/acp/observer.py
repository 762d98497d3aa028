"""Events that are only told to the hub: in their order, and never in the way of a message."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Fields = dict[str, Any]
MOST = 1_000
# How long a question waits for what happened before it to be told.
PATIENCE = 2.0


@dataclass(slots=True)
class Observer:
    ask: Callable[[str, Fields], Awaitable[object]]
    _waiting: "asyncio.Queue[tuple[str, Fields]]" = field(default_factory=lambda: asyncio.Queue(MOST))
    # Events that there was no room for.
    missed: int = 0

    def tell(self, event: str, payload: Fields) -> None:
        try:
            self._waiting.put_nowait((event, payload))
        except asyncio.QueueFull:
            self.missed += 1

    async def run_forever(self) -> None:
        while True:
            event, payload = await self._waiting.get()
            try:
                await self.ask(event, payload)
            finally:
                self._waiting.task_done()

    async def caught_up(self, patience: float = PATIENCE) -> None:
        """Wait until all of it is told, but not for long."""
        try:
            async with asyncio.timeout(patience):
                await self._waiting.join()
        except TimeoutError:
            pass
