"""News of other hubs that record into the same database."""

import asyncio
import math
import threading
from collections.abc import Callable, Sequence

import msgspec
from psycopg import Connection

from assent.journal.base import JournalError, News
from assent.journal.postgres.chain import heads
from assent.journal.postgres.link import Link, cut
from assent.protocol.record import Record

CHANNEL = "assent_records"
# The server takes no note of 8,000 bytes.
LONGEST_NOTE = 7_000
RETRY = 1.0


class _Note(msgspec.Struct):
    """What goes with a commit. The schema, because all schemas of a database share the channel."""

    schema: str
    news: News


def note(schema: str, hub: str, records: Sequence[Record]) -> str:
    kinds = tuple(sorted({record.kind for record in records}))
    asks = tuple(sorted({record.ask for record in records if record.ask and record.kind in ("ask", "answer")}))
    news = News(hub, records[-1].seq, kinds, asks)
    text = msgspec.json.encode(_Note(schema, news))
    if len(text) > LONGEST_NOTE:
        # Listeners that need the details read the records.
        text = msgspec.json.encode(_Note(schema, News(hub, news.seq, kinds)))
    return text.decode()


class Listener:
    """A thread that waits for notes, and comes back after each loss with what was missed meanwhile."""

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
        row = connection.execute("SELECT current_schema()").fetchone()
        connection.execute(f"LISTEN {CHANNEL}")
        # After listening: what was committed before is seen here, what is committed later is heard.
        for each in heads(connection):
            self._tell(News(each.hub, each.seq))
        self._on_loop(self._is_there, True)
        for heard in connection.notifies():
            if self._closing.is_set():
                return
            try:
                note = msgspec.json.decode(heard.payload, type=_Note)
            except msgspec.MsgspecError:
                continue  # Other programs may notify on this channel too.
            if row is not None and note.schema == row[0]:
                self._tell(note.news)

    def _tell(self, news: News) -> None:
        if news.hub != self._hub and news.seq > self._seen.get(news.hub, 0):
            self._seen[news.hub] = news.seq
            self._on_loop(self._callback, news)

    def _on_loop(self, callback: Callable[..., None], *values: object) -> None:
        try:
            self._loop.call_soon_threadsafe(callback, *values)
        except RuntimeError:
            self._closing.set()  # The loop is closed, so there is no listener.
