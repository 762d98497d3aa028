"""News of other hubs that record into the same database."""

import asyncio
import os
import select
import threading
from collections.abc import Callable

from psycopg import Connection

from assent.journal.base import Head, JournalError, News
from assent.journal.postgres.chain import Reader, heads

# Between two looks at where the others are. A note with every commit would tell it sooner, and take a lock of the whole
# server for it: hubs would wait for one another with each record, for a number that a person may want to see.
LOOK = 10.0
RETRY = 1.0
# The other side is gone. Where a system does not tell that of a half-closed connection, the next look finds out.
GONE = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR


class Listener:
    """A thread that looks where other hubs are, and notices at once when the server goes and when it comes back.

    It asks over the reader's connection and watches that one: a server has few connections, and many hubs."""

    def __init__(
        self,
        reader: Reader,
        hub: str,
        loop: asyncio.AbstractEventLoop,
        callback: Callable[[News], None],
        is_there: Callable[[bool], None],
    ) -> None:
        self._reader = reader
        self._hub = hub
        self._loop = loop
        self._callback = callback
        self._is_there = is_there
        self._seen: dict[str, int] = {}
        self._closing = threading.Event()
        # Closed to end a wait.
        self._awake, self._asleep = os.pipe()
        self._thread = threading.Thread(target=self._run, name="journal-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        os.close(self._asleep)
        self._thread.join()
        os.close(self._awake)

    def _run(self) -> None:
        was_there = False
        while not self._closing.is_set():
            try:
                every, number = self._reader.ask_from_thread(_look)
            except JournalError:
                self._on_loop(self._is_there, False)
                was_there = False
                self._closing.wait(RETRY)
                continue
            try:
                for each in every:
                    self._tell(News(each.hub, each.seq))
                if not was_there:
                    self._on_loop(self._is_there, True)
                if not (was_there := not self._is_gone(number)):
                    self._on_loop(self._is_there, False)
            finally:
                os.close(number)

    def _is_gone(self, number: int) -> bool:
        """Whether the connection ended before it is time for the next look."""
        watched = select.poll()
        watched.register(number, GONE)
        watched.register(self._awake, 0)
        return any(which == number for which, _ in watched.poll(LOOK * 1000)) and not self._closing.is_set()

    def _tell(self, news: News) -> None:
        if news.hub != self._hub and news.seq > self._seen.get(news.hub, 0):
            self._seen[news.hub] = news.seq
            self._on_loop(self._callback, news)

    def _on_loop(self, callback: Callable[..., None], *values: object) -> None:
        try:
            self._loop.call_soon_threadsafe(callback, *values)
        except RuntimeError:
            self._closing.set()  # The loop is closed, so there is no listener.


def _look(connection: Connection) -> tuple[list[Head], int]:
    """Where all hubs are, and a handle of the connection that stays valid when the reader lets go of it."""
    return heads(connection), os.dup(connection.fileno())
