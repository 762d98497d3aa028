"""A loop in which hours pass at once: where nothing is ready, the time is that of whatever comes next."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Jumping(selectors.SelectSelector):
    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found:
            assert timeout is not None, "nothing will ever happen"
            self.now += max(0.0, timeout)
        return found


class FakeTimeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def played(story: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=FakeTimeLoop) as runner:
        runner.run(story)


async def at(seconds: float) -> None:
    """Until it is so late, counted from the beginning."""
    await later(seconds - asyncio.get_running_loop().time())


async def later(seconds: float) -> None:
    """So much later. It takes no time."""
    assert isinstance(asyncio.get_running_loop(), FakeTimeLoop)
    await asyncio.sleep(seconds)
