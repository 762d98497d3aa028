"""A way out for every way in which a terminal UI ends: told to by a signal, or left alone by its terminal."""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context

# A terminal that is gone may keep whoever writes to it, or tidies up, waiting for ever.
LONGEST = 3.0
# Not every terminal that goes says so with a signal.
LOOK = 1.0


def obey_signals(leave: Callable[[int], object]) -> None:
    """``leave`` gets the exit code. Call it where the app runs, so that what it calls finds the app."""
    loop, context = asyncio.get_running_loop(), copy_context()

    def told(number: int, _: object = None) -> None:
        code = 128 + number
        last = threading.Timer(LONGEST, os._exit, (code,))
        last.daemon = True
        last.start()
        with suppress(RuntimeError):  # it ends already
            loop.call_soon_threadsafe(leave, code, context=context)

    def look() -> None:
        if is_gone(sys.__stdin__.fileno() if sys.__stdin__ else 0):
            told(signal.SIGHUP)
        else:
            loop.call_later(LOOK, look)

    # Not by the loop: it may be stuck in writing to a terminal that nobody reads any more.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, told)
    loop.call_later(LOOK, look)


def is_gone(terminal: int) -> bool:
    asked = select.poll()
    asked.register(terminal, 0)
    return any(what & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, what in asked.poll(0))
