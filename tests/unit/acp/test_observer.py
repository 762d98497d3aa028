"""Events that are only told."""

import asyncio
from typing import Any

import pytest

from assent.acp import observer
from assent.acp.observer import Observer


@pytest.mark.anyio
async def test_events_are_told_in_order_and_waited_for() -> None:
    told = []

    async def ask(event: str, _: dict[str, Any]) -> None:
        await asyncio.sleep(0)
        told.append(event)

    watched = Observer(ask)
    telling = asyncio.ensure_future(watched.run_forever())
    for name in "abc":
        watched.tell(name, {})
    await watched.caught_up()
    assert told == ["a", "b", "c"]
    telling.cancel()
    await asyncio.gather(telling, return_exceptions=True)


@pytest.mark.anyio
async def test_what_there_is_no_room_for_is_counted() -> None:
    """An agent that floods the proxy does not fill its memory."""

    async def never(_: str, __: dict[str, Any]) -> None:
        raise AssertionError

    watched = Observer(never)
    for _ in range(observer.MOST + 3):
        watched.tell("a", {})
    assert watched.missed == 3
    await watched.caught_up(patience=0)
