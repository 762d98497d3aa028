"""A way out for every way in which a terminal UI ends: told to by a signal, or left alone by its terminal."""

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable

# A terminal that is gone may keep whoever writes to it, or tidies up, waiting for ever.
LONGEST = 3.0
# Not every terminal that goes says so with a signal.
LOOK = 1.0


def obey_signals(leave: Callable[[int], object]) -> None:
    """``leave`` gets the exit code. Call it where the app runs, so that what it calls finds the app."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, _told, number, leave)
    loop.call_later(LOOK, _look, loop, leave)


def _look(loop: asyncio.AbstractEventLoop, leave: Callable[[int], object]) -> None:
    if is_gone(sys.__stdin__.fileno() if sys.__stdin__ else 0):
        _told(signal.SIGHUP, leave)
    else:
        loop.call_later(LOOK, _look, loop, leave)


def is_gone(terminal: int) -> bool:
    asked = select.poll()
    asked.register(terminal, 0)
    return any(what & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, what in asked.poll(0))


def _told(number: signal.Signals, leave: Callable[[int], object]) -> None:
    code = 128 + number
    last = threading.Timer(LONGEST, os._exit, (code,))
    last.daemon = True
    last.start()
    leave(code)
