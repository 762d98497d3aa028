"""Waiting for evidence: the only place where tests let time pass."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
# The bound of every wait. Only a hang reaches it: a machine with thirty busy programs on it takes a tenth.
HANG = 120.0
HANG_MS = HANG * 1_000
# Between two looks: soon at first, then a tenth of the time that passed already. A look mostly asks another program,
# which takes from it what it needs to get there.
PAUSE, LONGEST_PAUSE = 0.01, 0.1


def pause(waited: float, least: float = PAUSE) -> float:
    """How long not to look, after so many seconds."""
    return max(least, min(LONGEST_PAUSE, waited / 10))


def until(probe: Callable[[], T | None], what: str, seconds: float = HANG, least: float = PAUSE) -> T:
    """The first true value that ``probe`` gives; fails, naming what did not come, after a hang."""
    began = time.monotonic()
    while not (found := probe()):
        waited = time.monotonic() - began
        if waited > seconds:
            raise AssertionError(f"{what}: not seen within {seconds:g} s")
        time.sleep(pause(waited, least))
    return found


async def seen(probe: Callable[[], T | None], what: str, seconds: float = HANG) -> T:
    """``until`` for a probe that looks at what the same event loop does."""
    began = time.monotonic()
    while not (found := probe()):
        waited = time.monotonic() - began
        if waited > seconds:
            raise AssertionError(f"{what}: not seen within {seconds:g} s")
        await asyncio.sleep(pause(waited))
    return found


def let_pass(seconds: float) -> None:
    """For a rule that is itself about time, such as keys that count only so long after a dialog was painted.

    Longer than asked must do no harm: a busy machine takes its time."""
    if seconds > 0:
        time.sleep(seconds)


async def let_pass_in_loop(seconds: float) -> None:
    """``let_pass`` while the event loop goes on."""
    await asyncio.sleep(seconds)
