"""A walk over the whole chain in one SQLite file."""

import sqlite3
from collections.abc import Callable, Iterator

from assent.journal.base import Checked, Head
from assent.journal.chain import check
from assent.journal.rows import QUERY, each
from assent.journal.schema import check_pages
from assent.protocol.record import Record

PAGE = 1000
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
    while page := list(each(connection, QUERY["read"], hub, seq, _END, PAGE)):
        yield from page
        seq = page[-1].seq
