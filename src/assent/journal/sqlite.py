"""The journal in one SQLite file: a thread that writes, a thread that reads, and nothing on the event loop."""

import asyncio
import functools
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from assent.filter import Filter
from assent.journal.base import (
    Checked,
    DuplicateError,
    Found,
    Head,
    JournalError,
    Mark,
    Removal,
    duplicate,
    outdated,
)
from assent.journal.chain import Alone, Grown, follow
from assent.journal.index import Index
from assent.journal.indexer import Indexer
from assent.journal.reading import hub_of, newest_checkpoint, walk
from assent.journal.schema import QUERY, each, head_of, open_for_reading, open_for_writing, row, told
from assent.journal.search import Search
from assent.journal.writer import Outcome, Writer
from assent.protocol.record import Draft, Record

T = TypeVar("T")

# A gate has two seconds in all. A lock on the file that lasts longer than this makes the append fail.
BUSY_TIMEOUT = 1.0
MOST_WAITING = 50_000
END = 2**63 - 1


def open_sqlite(
    path: Path,
    *,
    on_failure: Callable[[JournalError], None] | None = None,
    busy_timeout: float = BUSY_TIMEOUT,
    most_waiting: int = MOST_WAITING,
    is_indexed: bool = False,
) -> "SqliteJournal":
    """Open or make the journal at ``path``. Blocks; raises JournalError and leaves a file it cannot use as it was.

    ``on_failure`` is called on the event loop, once for each transaction that was not kept. With ``is_indexed``, a
    thread keeps an index beside it, by which searches are fast whatever they look for."""
    writing = open_for_writing(path, busy_timeout=busy_timeout)
    try:
        with told(path):
            hub = hub_of(writing)
            head_of(writing, hub)
        journal = SqliteJournal(path, hub, writing, on_failure, most_waiting)
        if is_indexed:
            journal.indexer.start()
        return journal
    except BaseException:
        writing.close()
        raise


# Writes after the head it is given, and says where the chain ends then.
Place = Callable[[Head], tuple[T, Head]]


class _OneFailedError(Exception):
    """One append of a batch cannot be kept."""


class SqliteJournal(Alone):
    """Made by ``open_sqlite``."""

    def __init__(
        self,
        path: Path,
        hub: str,
        writing: sqlite3.Connection,
        on_failure: Callable[[JournalError], None] | None,
        most_waiting: int,
    ) -> None:
        self.path = path
        self.hub = hub
        self.commits = 0
        self._file = path.stat()
        # Where the chain ends, as far as this process wrote it. No other process writes: the hub's lock ensures it.
        self._tip: Head | None = None
        self._writing = writing
        self._reading = open_for_reading(path)
        self._closed = False
        # A walk over the chain goes page by page and would take a removal in between for a break.
        self._walking = asyncio.Lock()
        self.index = Index(path)
        self.indexer = Indexer(path, hub, self.index)
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="journal-reader")
        self._writer = Writer(self._commit, on_failure=on_failure, most_waiting=most_waiting)

    @property
    def trouble(self) -> str | None:
        return self._writer.trouble

    @property
    def lost(self) -> int:
        return self._writer.lost

    def append(self, drafts: Sequence[Draft]) -> asyncio.Future[tuple[Record, ...]]:
        return self._writer.put(drafts)

    async def decision_for(self, request: str) -> Record | None:
        return next(iter(await self._ask(lambda: _records(self._reading, QUERY["decision_for"], request))), None)

    async def read(self, *, after: int = 0, before: int | None = None, limit: int = 1000) -> list[Record]:
        bounds = (after, END if before is None else before, max(limit, 0))
        return await self._ask(lambda: _records(self._reading, QUERY["read"], self.hub, *bounds))

    async def tail(self, limit: int) -> list[Record]:
        return (await self._ask(lambda: _records(self._reading, QUERY["tail"], self.hub, max(limit, 0))))[::-1]

    async def head(self) -> Head:
        return await self._ask(lambda: head_of(self._reading, self.hub))

    async def search(self, wanted: Filter, *, before: int | None = None, limit: int = 100) -> Found:
        search = Search(self._reading, self.hub, self.index, wanted, before=before, limit=limit)
        # A step a turn, so that other readers come in between.
        while await self._ask(search.step):
            pass
        return search.found

    async def story(self, call: str) -> list[Record]:
        return await self._ask(lambda: _records(self._reading, QUERY["story"], call))

    async def verify(self, against: Head | None = None) -> Checked:
        self._check_open()
        async with self._walking:
            # Its own connection and thread: a walk over a million records keeps no other reader waiting.
            return await asyncio.to_thread(self._walk, against)

    async def size(self) -> int:
        return await self._ask(lambda: int(self._reading.execute(QUERY["size"]).fetchone()[0]))

    async def checkpoint(self) -> Record | None:
        return await self._ask(lambda: newest_checkpoint(self._reading))

    async def marks(self, *, after: int = 0) -> list[Mark]:
        return await self._ask(lambda: [Mark(*row) for row in self._reading.execute(QUERY["marks"], (after,))])

    async def remove(self, removal: Removal) -> Record:
        self._check_open()
        async with self._walking:
            record = await self._writer.run(functools.partial(self._remove, removal))
        # A transaction of its own, so that no append waits for both. Not awaited: records are announced in
        # the order of the numbers.
        self._writer.run(self._give_back)
        return record

    async def close(self) -> None:
        """Commit what waits, then leave one file without side files behind."""
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writer.close()
        self._reader.shutdown()
        self._reading.close()
        self.index.close()
        self.indexer.stop()
        try:
            self._writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            pass  # What could not be moved is safe in the side file, and moved by the next hub.
        self._writing.close()

    async def _ask(self, question: Callable[[], T]) -> T:
        self._check_open()

        def answer() -> T:
            with told(self.path):
                return question()

        return await asyncio.get_running_loop().run_in_executor(self._reader, answer)

    def _check_open(self) -> None:
        if self._closed:
            raise JournalError("Not read: the journal is closed.")

    def _walk(self, against: Head | None) -> Checked:
        with told(self.path), closing(open_for_reading(self.path)) as connection:
            return walk(connection, against, is_stopped=lambda: self._closed)

    def _commit(self, batch: Sequence[Sequence[Draft]]) -> list[Outcome]:
        self._check_file()
        try:
            outcomes = self._transaction(functools.partial(self._place_all, batch))
        except _OneFailedError:
            # Seldom, so the usual way need not pay for it: once more, each append in a savepoint of its own.
            outcomes = self._transaction(functools.partial(self._place_each, batch))
        self.commits += 1
        return outcomes

    def _remove(self, removal: Removal) -> Record:
        self._check_file()
        return self._transaction(functools.partial(self._place_removal, removal))

    def _give_back(self) -> None:
        """Cut what was freed off the file, a slice at a time: as much as one removal frees, and some more."""
        try:
            # A script, because a statement without rows is stepped once, and each step gives back one page.
            self._writing.executescript(QUERY["give_back"])
        except sqlite3.Error:
            pass  # What stays free is used again by the records to come.

    def _place_removal(self, removal: Removal, head: Head) -> tuple[Record, Head]:
        newest = newest_checkpoint(self._writing)
        if (newest.seq if newest else 0) != removal.since:
            raise outdated()
        gone = self._writing.executemany(QUERY["remove"], [(seq,) for seq in removal.seqs])
        if gone.rowcount != len(removal.seqs):
            raise outdated()
        grown = follow(head, [removal.checkpoint])
        self._writing.executemany(QUERY["insert"], _rows(grown))
        return grown.records[0], grown.head

    def _transaction(self, place: Place[T]) -> T:
        # Asked again after whatever went wrong: the chain goes on from what is stored.
        head, self._tip = self._tip, None
        try:
            with told(self.path):
                self._writing.execute("BEGIN IMMEDIATE")
                outcome, end = place(head or head_of(self._writing, self.hub))
                self._writing.execute("COMMIT")
        finally:
            self._writing.rollback()  # does nothing after COMMIT
        self._tip = end
        return outcome

    def _place_all(self, batch: Sequence[Sequence[Draft]], head: Head) -> tuple[list[Outcome], Head]:
        outcomes: list[Outcome] = []
        rows: list[tuple[Any, ...]] = []
        for drafts in batch:
            try:
                grown = follow(head, drafts)
            except JournalError as error:
                raise _OneFailedError from error
            head = grown.head
            outcomes.append(grown.records)
            rows += _rows(grown)
        try:
            self._writing.executemany(QUERY["insert"], rows)
        except sqlite3.IntegrityError as error:
            raise _OneFailedError from error
        return outcomes, head

    def _place_each(self, batch: Sequence[Sequence[Draft]], head: Head) -> tuple[list[Outcome], Head]:
        outcomes = []
        for drafts in batch:
            outcome, head = self._place(drafts, head)
            outcomes.append(outcome)
        return outcomes, head

    def _place(self, drafts: Sequence[Draft], head: Head) -> tuple[Outcome, Head]:
        """One append in a savepoint of its own, so that it harms no other one of the transaction."""
        try:
            grown = follow(head, drafts)
        except JournalError as error:
            return error, head
        self._writing.execute("SAVEPOINT append")
        try:
            self._writing.executemany(QUERY["insert"], _rows(grown))
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                raise
            self._writing.execute("ROLLBACK TO append")
            self._writing.execute("RELEASE append")
            return _duplicate(error), head
        self._writing.execute("RELEASE append")
        return grown.records, grown.head

    def _check_file(self) -> None:
        # A file that was removed or replaced still takes writes through the open handle, and they can never be read.
        try:
            now = os.stat(self.path)  # noqa: PTH116 - before every transaction
            is_gone = (now.st_dev, now.st_ino) != (self._file.st_dev, self._file.st_ino)
        except OSError:
            is_gone = True
        if is_gone:
            raise JournalError(
                f"Not recorded: the journal {self.path} was removed or replaced.",
                hint="Restart the hub: assent restart",
            )


def _rows(grown: Grown) -> Iterator[tuple[Any, ...]]:
    return map(row, grown.records, grown.bodies)


def _records(connection: sqlite3.Connection, query: str, *values: Any) -> list[Record]:
    return list(each(connection, query, *values))


def _duplicate(error: sqlite3.IntegrityError) -> DuplicateError:
    return duplicate("answer" if "entries.ask" in str(error) else "decision")
