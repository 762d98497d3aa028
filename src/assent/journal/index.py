"""Full-text index of the journal, in a file of its own that can be rebuilt from the journal at any time.

It may be behind the journal, or not be there. Searches ask it about the records it has and read the others."""

import os
import secrets
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from assent.journal.tokens import TOKEN_CHARACTERS

APPLICATION_ID = 0x41534E49
# Counted up when the tokens or the tables change: an older file is then made anew.
VERSION = 2
SIDES = ("", "-wal", "-shm", "-journal")

Span = tuple[int, int]


def _sql(text: str) -> str:
    return text.replace("'", "''")


# Only numbers come back out, so nothing else is kept: no text, no places, no lengths.
_TABLES = f"""
BEGIN;
CREATE VIRTUAL TABLE words USING fts5(
    tokens, content = '', columnsize = 0, detail = none,
    tokenize = '{_sql(f"ascii tokenchars '{_sql(TOKEN_CHARACTERS)}'")}'
);
-- Which times lie in a run of numbers.
CREATE TABLE runs (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, earliest INTEGER NOT NULL, latest INTEGER NOT NULL
);
CREATE TABLE state (
    hub TEXT NOT NULL, through INTEGER NOT NULL, hash TEXT NOT NULL, count INTEGER NOT NULL, boot TEXT NOT NULL
);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
COMMIT;
"""


_SEQS = "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
_SPANS = """
SELECT first, last FROM runs WHERE first < ? AND last >= ? AND latest >= ? AND earliest < ? ORDER BY first DESC
"""


# What the file says of itself if it can be used.
_SOUND = {"application_id": APPLICATION_ID, "user_version": VERSION, "quick_check(1)": "ok"}


class IndexUnusableError(Exception):
    """It cannot be asked now. The journal can be read instead."""


class State(Struct, frozen=True):
    """How far it goes: the newest record in it, whose hash shows that the journal is still the same, and how many."""

    hub: str
    through: int
    hash: str
    count: int
    # In which life of the machine it is being written; empty once it was closed and is on disk.
    boot: str = ""


class Index:
    """What a search sees of it. One thread asks, another one fills the file and says how far it may be trusted."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(f"{journal.name}.index")
        # All records up to this number that were there when they were indexed.
        self.through = 0
        self.is_broken = False
        # Counted up with each new file.
        self.life = 0
        self._reading: tuple[int, sqlite3.Connection] | None = None

    def seqs(self, life: int, query: str, span: Span, most: int) -> list[int]:
        """The newest of those that may be wanted, newest first."""
        return [seq for (seq,) in self._rows(life, _SEQS, (query, *span, most))]

    def spans(self, life: int, times: Span, span: Span) -> list[Span]:
        """The parts of a span that hold records of these times, newest first."""
        spans: list[Span] = []
        for first, last in self._rows(life, _SPANS, (span[1], span[0], *times)):
            if spans and last + 1 >= spans[-1][0]:
                spans[-1] = (first, spans[-1][1])
            else:
                spans.append((first, last + 1))
        return [(max(first, span[0]), min(end, span[1])) for first, end in spans]

    def distrust(self) -> None:
        """Stop using the index after an impossible answer, until it has been rebuilt."""
        self.through = 0
        self.is_broken = True

    def close(self) -> None:
        if self._reading is not None:
            self._reading[1].close()
            self._reading = None

    def _rows(self, life: int, query: str, values: tuple[str | int, ...]) -> list[Any]:
        if life != self.life:
            raise IndexUnusableError("it was made anew")
        try:
            return self._connection().execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            raise IndexUnusableError(str(error)) from error
        except sqlite3.Error as error:
            self.distrust()
            raise IndexUnusableError(str(error)) from error

    def _connection(self) -> sqlite3.Connection:
        if self._reading is None or self._reading[0] != self.life:
            self.close()
            self._reading = (self.life, connect(self.path, "mode=ro"))
        return self._reading[1]


def make(path: Path) -> sqlite3.Connection:
    """An empty one, in place of whatever was there."""
    remove(path)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    connection = _open(path)
    connection.executescript(_TABLES)
    return connection


def reopen(path: Path) -> sqlite3.Connection | None:
    """The one that is there, if it is one of ours and of today's."""
    if not path.exists():
        return None
    connection = _open(path)
    with suppress(sqlite3.Error):
        if [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SOUND] == list(_SOUND.values()):
            return connection
    connection.close()
    return None


def remove(path: Path) -> None:
    for side in SIDES:
        path.with_name(f"{path.name}{side}").unlink(missing_ok=True)


def state(connection: sqlite3.Connection) -> State | None:
    row = connection.execute("SELECT hub, through, hash, count, boot FROM state").fetchone()
    return State(*row) if row else None


def connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def settle(connection: sqlite3.Connection) -> None:
    """See to it that all of it is on disk, and only then say so."""
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("UPDATE state SET boot = ''")


def boot() -> str:
    """This life of the machine: what a process wrote is there after its end, but not after the machine's."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        # Not known here, so every sudden end counts as one of the machine.
        return secrets.token_hex(16)


def _open(path: Path) -> sqlite3.Connection:
    connection = connect(path, "mode=rw")
    with suppress(sqlite3.Error):  # told by the first query
        connection.execute("PRAGMA journal_mode = WAL")
        # Never waits for the disk: a sync here would delay the journal's own syncs, and agents with them.
        connection.execute("PRAGMA synchronous = OFF")
    return connection
