"""The record from its beginning, for whoever learns from it: read-only, page by page, with the hub up or down."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from assent.journal.base import JournalError
from assent.journal.rows import QUERY, each, head_of
from assent.journal.schema import APPLICATION_ID, migrations, open_for_reading, told
from assent.journal.walk import hub_of
from assent.protocol.record import Record

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
            found = next(each(connection, QUERY["read"], self._hub, middle - 1, END, 1), None)
            if found is None or found.at >= self._since:
                high = middle
            else:
                low = found.seq + 1
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
