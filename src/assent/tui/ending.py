"""End of the terminal UI by a signal, or when its terminal is gone."""

import asyncio
import gc
import os
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, copy_context
from threading import Event, Thread

from assent.client import Client
from assent.hub_state import News, follow

# Faster than the eye can see; half as often while there is no end of news.
PAINT = 0.05
BUSY = 0.25
# With so many not handed over yet, the terminal takes none: then no more is read, and the hub lets go of us.
MOST_NEWS = 5_000


class Following:
    def __init__(self, client: Client, screen: str, take: Callable[[list[News]], None]) -> None:
        self._client = client
        self._screen = screen
        self._take = take
        self._news: deque[News] = deque()
        self._ending = Event()
        self._is_due = False
        self._handed_over = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._context: Context | None = None

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        # Textual finds its app by the context: what is called from the thread must have ours.
        self._context = copy_context()
        # Not waited for at the end: it may sit in a read, and holds nothing that has to be let go.
        Thread(target=self._run, name="following the hub", daemon=True).start()

    def stop(self) -> None:
        self._ending.set()

    @property
    def is_on(self) -> bool:
        return not self._ending.is_set()

    def _run(self) -> None:
        for news in follow(self._client, self._ending, screen=self._screen):
            self._news.append(news)
            if not self._is_due:
                self._is_due = True
                try:
                    self._in_loop(self._hand_over)
                except RuntimeError:
                    return  # the loop is closed: the screen is gone
            while len(self._news) >= MOST_NEWS and not self._ending.wait(BUSY):
                pass

    def _in_loop(self, call: Callable[[], None]) -> None:
        assert self._loop is not None
        is_busy = time.monotonic() - self._handed_over < BUSY
        soon = PAINT * 2 if is_busy else PAINT
        self._loop.call_soon_threadsafe(self._loop.call_later, soon, call, context=self._context)

    def _hand_over(self) -> None:
        self._is_due = False
        if self._ending.is_set():
            return
        news = [self._news.popleft() for _ in range(len(self._news))]
        if news:
            self._take(news)


# By then everything is loaded, drawn, and the hub's snapshot is there.
SETTLED_AFTER = 1.0


def settle_soon() -> None:
    """Before the rest is loaded: it makes no garbage worth looking for."""
    gc.disable()
    timer = threading.Timer(SETTLED_AFTER, settle)
    timer.daemon = True
    timer.start()


def settle() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


# A write to a terminal that is gone, or its cleanup, may block for ever.
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

    # Not by the loop: it may be stuck in writing to a terminal that is not read any more.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, told)
    loop.call_later(LOOK, look)


def is_gone(terminal: int) -> bool:
    asked = select.poll()
    asked.register(terminal, 0)
    return any(events & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, events in asked.poll(0))
