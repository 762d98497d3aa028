"""Waiting for evidence: the only place where tests let time pass."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
# The bound of every wait. Only a hang reaches it: a machine with thirty busy programs on it takes a tenth.
HANG = 120.0
HANG_MS = HANG * 1_000
# Between two looks.
PAUSE = 0.01


def until(probe: Callable[[], T | None], what: str, seconds: float = HANG, pause: float = PAUSE) -> T:
    """The first true value that ``probe`` gives; fails, naming what did not come, after a hang."""
    end = time.monotonic() + seconds
    while not (found := probe()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not seen within {seconds:g} s")
        time.sleep(pause)
    return found


async def seen(probe: Callable[[], T | None], what: str, seconds: float = HANG) -> T:
    """``until`` for a probe that looks at what the same event loop does."""
    end = time.monotonic() + seconds
    while not (found := probe()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not seen within {seconds:g} s")
        await asyncio.sleep(PAUSE)
    return found


def let_pass(seconds: float) -> None:
    """For a rule that is itself about time, such as keys that count only so long after a dialog was painted.

    Longer than asked must do no harm: a busy machine takes its time."""
    if seconds > 0:
        time.sleep(seconds)


async def let_pass_in_loop(seconds: float) -> None:
    """``let_pass`` while the event loop goes on."""
    await asyncio.sleep(seconds)
