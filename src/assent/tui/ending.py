"""A way out for every way in which a terminal UI ends: told to by a signal, or left alone by its terminal."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable

# A terminal that is gone may keep whoever writes to it, or tidies up, waiting for ever.
LONGEST = 3.0


def obey_signals(leave: Callable[[int], object]) -> None:
    """``leave`` gets the exit code. Call it where the app runs, so that what it calls finds the app."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, _told, number, leave)


def _told(number: signal.Signals, leave: Callable[[int], object]) -> None:
    code = 128 + number
    last = threading.Timer(LONGEST, os._exit, (code,))
    last.daemon = True
    last.start()
    leave(code)
