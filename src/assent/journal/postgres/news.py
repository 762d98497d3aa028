"""News of other hubs that record into the same database."""

import asyncio
import math
import threading
from collections.abc import Callable

from psycopg import Connection

from assent.journal.base import JournalError, News
from assent.journal.postgres.chain import heads
from assent.journal.postgres.link import Link, cut

# Between two looks at where the others are. A note with every commit would tell it sooner, and take a lock of the whole
# server for it: hubs would wait for one another with each record, for a number that a person may want to see.
LOOK = 10.0
RETRY = 1.0


class Listener:
    """A thread that looks where other hubs are, and notices at once when the server goes and when it comes back."""

    def __init__(
        self,
        link: Link,
        hub: str,
        loop: asyncio.AbstractEventLoop,
        callback: Callable[[News], None],
        is_there: Callable[[bool], None],
    ) -> None:
        self._link = link
        self._hub = hub
        self._loop = loop
        self._callback = callback
        self._is_there = is_there
        self._seen: dict[str, int] = {}
        self._closing = threading.Event()
        self._number: int | None = None
        self._thread = threading.Thread(target=self._run, name="journal-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        if self._number is not None:
            cut(self._number)
        self._thread.join()
        self._link.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with self._link.use(seconds=math.inf) as connection:
                    self._number = connection.fileno()
                    # In this order: close() sets the flag first, and then cuts what has a number.
                    if not self._closing.is_set():
                        self._listen(connection)
            except JournalError:
                self._on_loop(self._is_there, False)
                self._closing.wait(RETRY)
            finally:
                self._number = None

    def _listen(self, connection: Connection) -> None:
        is_new = True
        while not self._closing.is_set():
            for each in heads(connection):
                self._tell(News(each.hub, each.seq))
            if is_new:
                self._on_loop(self._is_there, True)
                is_new = False
            # Nothing comes, but the end of the connection.
            for _ in connection.notifies(timeout=LOOK):
                pass

    def _tell(self, news: News) -> None:
        if news.hub != self._hub and news.seq > self._seen.get(news.hub, 0):
            self._seen[news.hub] = news.seq
            self._on_loop(self._callback, news)

    def _on_loop(self, callback: Callable[..., None], *values: object) -> None:
        try:
            self._loop.call_soon_threadsafe(callback, *values)
        except RuntimeError:
            self._closing.set()  # The loop is closed, so there is no listener.
