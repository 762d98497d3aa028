"""The thread that follows the hub, and the hand-over of its news to the screen: together, and not more often than it
can paint."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from threading import Event, Thread

from assent.client import Client
from assent.mirror import News, follow

# Sooner than anybody can see a difference; half as often while there is no end of news.
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
                    return  # the loop is closed: nobody is there any more
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
