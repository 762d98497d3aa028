"""A copy of the journal while it is in use: whole, checked, and never written over anything."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from assent.journal.base import Checked, JournalError
from assent.journal.reading import walk
from assent.journal.schema import open_for_reading

# A slice of the copy, and the rest after it: the disk is needed for records, too.
PAGES = 512
REST = 0.002


class Copied(Struct, frozen=True):
    file: str
    size: int
    checked: Checked


class StoppedError(Exception):
    """The caller no longer waits for the copy."""


# Hears how many of all pages are copied.
Report = Callable[[int, int], None]


def back_up(source: Path, target: Path, *, report: Report, is_stopped: Callable[[], bool]) -> Copied:
    """Copy the journal as it is now. Blocks.

    Written beside its place first, so that half a copy is never taken for a backup."""
    part = target.with_name(f"{target.name}.part")
    with _refused(target), _new(target, part):
        with closing(open_for_reading(source)) as reading, closing(sqlite3.connect(part)) as writing:
            _copy(reading, writing, report, is_stopped)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        with closing(open_for_reading(part)) as connection:
            checked = walk(connection, is_stopped=is_stopped)
        size = part.stat().st_size
        _put(part, target)
    return Copied(str(target), size, checked)


def _copy(
    reading: sqlite3.Connection, writing: sqlite3.Connection, report: Report, is_stopped: Callable[[], bool]
) -> None:
    # One view from the beginning to the end: otherwise every record written meanwhile would start the copy anew.
    reading.execute("BEGIN")
    reading.execute("SELECT value FROM meta").fetchone()

    def rest(_status: int, remaining: int, total: int) -> None:
        if is_stopped():
            raise StoppedError
        report(total - remaining, total)
        time.sleep(REST)

    reading.backup(writing, pages=PAGES, progress=rest)
    # No side files: a backup is one file.
    writing.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _new(target: Path, part: Path) -> Iterator[None]:
    if target.exists():
        raise _taken(target)
    # Left behind by a copy that was killed.
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield
    finally:
        for side in ("", "-wal", "-shm", "-journal"):
            part.with_name(part.name + side).unlink(missing_ok=True)


def _put(part: Path, target: Path) -> None:
    """Unlike a rename, a link never replaces what came there meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise _taken(target) from None
    except OSError:
        part.rename(target)  # a file system without links


@contextmanager
def _refused(target: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise JournalError(
            f"Not backed up to {target}: {why}. The journal was left as it is.",
            hint=f"See that {target.parent} may be written to and has room.",
        ) from error


def _taken(target: Path) -> JournalError:
    return JournalError(f"Not backed up: {target} exists already.", hint="Choose another name; nothing is overwritten.")
