"""Opening a journal's database: look first, touch only what is ours, bring it up to date."""

import functools
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from assent.journal.base import Head, JournalError
from assent.protocol.record import GENESIS, Record

MAGIC = b"SQLite format 3\0"
APPLICATION_ID = 0x41534E54  # as in the first migration


def open_for_writing(path: Path, *, busy_timeout: float) -> sqlite3.Connection:
    """The one connection that writes, on a database of today's schema; made if there is none.

    Whatever is refused is left as it was, byte for byte."""
    steps = migrations()
    with told(path):
        if path.exists():
            _look(path, newest=max(steps))
        else:
            # SQLite would create it as the umask says, and its side files take the mode of this one.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        path.chmod(0o600)
        connection = _connect(path, "mode=rw", busy_timeout)
        try:
            if not _number(connection, "SELECT count(*) FROM sqlite_master"):
                # Before the first table: larger pages waste less at their ends, and what pruning frees is given back
                # in slices. Said later they achieve nothing, and yet write to the file.
                connection.execute("PRAGMA page_size = 8192")
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            # What is pruned is written over, whatever this SQLite was built to do.
            connection.execute("PRAGMA secure_delete = ON")
            migrate(connection, steps)
        except BaseException:
            connection.close()
            raise
        return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; the database is there and up to date."""
    with told(path):
        connection = _connect(path, "mode=ro")
        # A tampered value must not hide the rest: it is shown as far as it goes, and verify names it.
        connection.text_factory = functools.partial(str, encoding="utf-8", errors="backslashreplace")
        return connection


def check_pages(connection: sqlite3.Connection) -> None:
    """What SQLite can tell: pages that do not fit together, indexes that hide or invent a record. No chain shows that.

    Blocks for some seconds on a million records."""
    if not _definitions() <= set(connection.execute(_DEFINED)):
        # A view over other rows, or over none, would make any chain hold.
        raise sqlite3.DatabaseError("its schema was changed")
    (result,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if result != "ok":
        raise sqlite3.DatabaseError(result)


_DEFINED = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'view', 'index') AND sql IS NOT NULL"


@functools.cache
def _definitions() -> frozenset[tuple[str, str, str]]:
    """The schema as the steps make it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        migrate(connection, migrations())
        return frozenset(connection.execute(_DEFINED))


def migrations(database: str = "sqlite") -> dict[int, str]:
    """The steps from nothing to today's schema: ``0001_initial.sql`` is number 1."""
    folder = resources.files("assent.journal") / "migrations" / database
    files = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".sql"))
    return {int(name.partition("_")[0]): file.read_text("utf-8") for name, file in files}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Say what SQLite and the system say in a sentence with a remedy."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        hint = f"See that the disk has room, that {path.parent} may be written to, and that no other program holds it."
        raise JournalError(f"The journal {path} cannot be used: {why}.", hint=hint) from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # The latter where SQLite's own message quotes what is no text: the schema is damaged.
        hint = f"Restore a backup, or move {path}* away and a new journal begins."
        reason = error if isinstance(error, sqlite3.Error) else "its schema is no text"
        raise JournalError(f"The journal {path} is damaged: {reason}. It was left as it is.", hint=hint) from error


def _look(path: Path, *, newest: int) -> None:
    if not path.is_file():
        # Opening a pipe would wait for a writer.
        hint = f"Move {path} away and a new journal begins."
        raise JournalError(f"{path} is not a file, so it cannot be the journal. It was left as it is.", hint=hint)
    with path.open("rb") as file:
        # SQLite takes a file shorter than a page for an empty database, and would write over it.
        if file.read(len(MAGIC)) not in (b"", MAGIC):
            raise sqlite3.DatabaseError("it is not a database")
    side = path.with_name(f"{path.name}-wal")
    # Even a reader leaves side files behind, unless there is nothing in them to read and it promises not to look.
    mode = "mode=ro" if side.exists() and side.stat().st_size else "mode=ro&immutable=1"
    with closing(_connect(path, mode)) as connection:
        version = _number(connection, "PRAGMA user_version")
        is_ours = _number(connection, "PRAGMA application_id") == APPLICATION_ID
        is_empty = not _number(connection, "SELECT count(*) FROM sqlite_master")
    # An empty one is ours, too: a process killed between making the file and filling it.
    if not is_ours and not is_empty:
        hint = f"Move {path}* away and a new journal begins."
        raise JournalError(f"{path} is a database of another program. It was left as it is.", hint=hint)
    if version > newest:
        hint = f"Update assent, or move {path}* away and a new journal begins."
        raise JournalError(
            f"The journal {path} was written by a newer assent (schema {version}, this one knows {newest}). "
            "It was left as it is.",
            hint=hint,
        )


def migrate(connection: sqlite3.Connection, steps: dict[int, str]) -> None:
    """Take the steps it has not taken yet."""
    version = _number(connection, "PRAGMA user_version")
    connection.create_function("as_bytes", 1, _as_bytes)
    for number, step in steps.items():
        if number > version:
            # One transaction with its number: a step is taken whole or not at all.
            connection.executescript(f"BEGIN IMMEDIATE;\n{step}\nPRAGMA user_version = {number};\nCOMMIT;")


def _as_bytes(text: Any) -> Any:
    """A hash as bytes. A tampered value stays as it is, and will not match."""
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        return text


def _number(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


def _connect(path: Path, mode: str, busy_timeout: float = 5.0) -> sqlite3.Connection:
    # One thread uses it and another opens and closes it, never two at a time: hence no check.
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, timeout=busy_timeout, isolation_level=None, check_same_thread=False)


_NAME = "-- name: "


def load(database: str) -> dict[str, str]:
    """The queries for one kind of database, by name."""
    text = (resources.files("assent.journal") / "sql" / f"{database}.sql").read_text("utf-8")
    named = (query.partition("\n") for query in text.split(_NAME)[1:])
    return {name.strip(): query.strip() for name, _, query in named}


QUERY = load("sqlite") | load("sqlite_search")


def head_of(connection: sqlite3.Connection, hub: str) -> Head:
    row = connection.execute(QUERY["head"], (hub,)).fetchone()
    return Head(hub, *row) if row else Head(hub, 0, GENESIS)


def each(connection: sqlite3.Connection, query: str, *values: Any) -> Iterator[Record]:
    with closing(connection.execute(query, values)) as rows:
        columns = [column[0] for column in rows.description]
        for row in rows:
            yield _record(dict(zip(columns, row, strict=True)))


def _record(row: dict[str, Any]) -> Record:
    kept = row.get("body")
    try:
        body = msgspec.json.decode(kept or "")
    except (msgspec.DecodeError, TypeError):
        # It was tampered with. One such record must not hide the others, and verify will name it.
        body = {"unreadable": str(kept)}
    try:
        return Record(**{**row, "body": body})
    except TypeError as error:
        raise sqlite3.DatabaseError("its columns are not those of a journal") from error


def row(record: Record, body: bytes) -> tuple[Any, ...]:
    """The values of ``insert``, in its order."""
    return (
        record.seq,
        record.at,
        record.kind,
        record.session,
        record.agent,
        record.call,
        record.ask,
        record.request,
        record.risk,
        record.decision,
        record.by,
        body.decode(),
        bytes.fromhex(record.prev),
        bytes.fromhex(record.hash),
    )
