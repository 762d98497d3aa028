"""Read-only history from the SQLite file: page by page from its beginning, and a walk over the whole chain."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from assent.journal.base import Checked, Head, JournalError, Mark
from assent.journal.chain import check
from assent.journal.schema import APPLICATION_ID, QUERY, check_pages, each, head_of, migrations, open_for_reading, told
from assent.protocol.record import Draft, Record

MARKING_KINDS = ("answer", "refused")
MARKING_DECISIONS = ("deny", "block", "halt")
MARKING_RISK = "danger"
# Evidence by themselves, of no call.
ALONE = frozenset({"checkpoint", "rules", "config", "hub", "gap"})


def is_mark(draft: Draft) -> bool:
    return draft.kind in MARKING_KINDS or draft.decision in MARKING_DECISIONS or draft.risk == MARKING_RISK


@dataclass(slots=True)
class Evidence:
    """The calls, asks and requests that were marked so far."""

    seen: int = 0
    _calls: set[str] = field(default_factory=set)
    _asks: set[str] = field(default_factory=set)
    _requests: set[str] = field(default_factory=set)

    def add(self, marks: Iterable[Mark]) -> None:
        for mark in marks:
            self.seen = max(self.seen, mark.seq)
            if mark.call is not None:
                self._calls.add(mark.call)
            if mark.ask is not None:
                self._asks.add(mark.ask)
            if mark.request is not None:
                self._requests.add(mark.request)

    def covers(self, draft: Draft) -> bool:
        return (
            draft.kind in ALONE
            or draft.call in self._calls
            or draft.ask in self._asks
            or draft.request in self._requests
            or is_mark(draft)
        )


STEP = 1000
# Of SQLite's machine, between two looks at whether to go on: a part of a page, and of the check of the file.
STEPS = 10_000
_END = 2**63 - 1


def walk(
    connection: sqlite3.Connection, against: Head | None = None, *, is_stopped: Callable[[], bool] = lambda: False
) -> Checked:
    """Nothing may be removed meanwhile: the walk would take it for a break. A walk that is stopped fails: it may take
    minutes, and a hub that is to end must not wait for it."""
    connection.set_progress_handler(is_stopped, STEPS)
    hub = hub_of(connection)
    checked = check(hub, _all(connection, hub), against, checkpoint=newest_checkpoint(connection))
    if checked.broken is None:
        check_pages(connection)
    return checked


def hub_of(connection: sqlite3.Connection) -> str:
    row = connection.execute(QUERY["hub"]).fetchone()
    if row is None:
        raise sqlite3.DatabaseError("its hub id is missing")
    return str(row[0])


def newest_checkpoint(connection: sqlite3.Connection) -> Record | None:
    return next(each(connection, QUERY["checkpoint"]), None)


def _all(connection: sqlite3.Connection, hub: str) -> Iterator[Record]:
    # Page by page: a reader that never lets go keeps the write-ahead log growing.
    seq = -_END
    while page := list(each(connection, QUERY["read"], hub, seq, _END, STEP)):
        yield from page
        seq = page[-1].seq


PAGE = 1000
END = 2**63 - 1


class History:
    """The records of one journal up to the moment it was opened."""

    def __init__(self, path: Path, *, since: int = 0) -> None:
        """``since`` in Unix milliseconds. Raises JournalError where there is nothing that can be read."""
        if not path.exists():
            raise JournalError(f"Nothing was read: there is no journal at {path} yet.", hint="`assent up` begins one.")
        self._path = path
        self._since = since
        with told(path), closing(open_for_reading(path)) as connection:
            _check(path, connection)
            self._hub = hub_of(connection)
            self._last = head_of(connection, self._hub).seq
            self._before = self._begin(connection) - 1

    def __len__(self) -> int:
        """About how many records there are to read: some may have been pruned."""
        return max(0, self._last - self._before)

    def __iter__(self) -> Iterator[Record]:
        with told(self._path), closing(open_for_reading(self._path)) as connection:
            seen = self._before
            # Page by page: a reader that never lets go keeps the write-ahead log growing.
            while page := list(each(connection, QUERY["read"], self._hub, seen, self._last + 1, PAGE)):
                seen = page[-1].seq
                yield from (record for record in page if record.at >= self._since)

    def _begin(self, connection: sqlite3.Connection) -> int:
        """The number of the first record that is new enough, found by halving: times grow with numbers."""
        low, high = 1, self._last + 1
        while low < high:
            middle = (low + high) // 2
            record = next(each(connection, QUERY["read"], self._hub, middle - 1, END, 1), None)
            if record is None or record.at >= self._since:
                high = middle
            else:
                low = record.seq + 1
        return low


def _check(path: Path, connection: sqlite3.Connection) -> None:
    newest = max(migrations())
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if int(connection.execute("PRAGMA application_id").fetchone()[0]) != APPLICATION_ID:
        raise JournalError(f"Nothing was read: {path} is not a journal of Assent.")
    if version > newest:
        raise JournalError(
            f"Nothing was read: {path} was written by a newer assent (schema {version}, this one knows {newest}).",
            hint="update assent.",
        )
    if version < newest:
        raise JournalError(
            f"Nothing was read: {path} was written by an older assent.", hint="`assent restart` brings it up to date."
        )
