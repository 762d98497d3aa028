"""Choice of the journal by the settings."""

import os
import re
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from assent.journal.base import Journal, JournalError
from assent.journal.schema import load
from assent.journal.sqlite import open_sqlite

if TYPE_CHECKING:
    from assent.journal.postgres import PostgresJournal
    from assent.journal.postgres.chain import PostgresHistory

SQLITE = "sqlite"
_HUB = re.compile(r"[0-9a-f]{8}")


def open_journal(url: str, *, file: Path, hub_file: Path) -> Journal:
    """Blocks for a second at most. Raises JournalError if it cannot be used before something is mended; a server that
    is away is no error, but the journal's ``trouble``."""
    return open_sqlite(file, is_indexed=True) if url == SQLITE else _open_postgres(url, file, hub_file)


def _open_postgres(url: str, file: Path, hub_file: Path) -> "PostgresJournal":
    with _driver():
        # Here and not above: a hub on SQLite neither needs the driver nor pays for loading it.
        from assent.journal.postgres import open_postgres
    return open_postgres(url, hub_id(hub_file, file))


def postgres_history(url: str, since: int, *, file: Path, hub_file: Path) -> "PostgresHistory":
    """What this hub recorded there, for rule suggestions."""
    with _driver():
        from assent.journal.postgres.chain import PostgresHistory
    return PostgresHistory(url, hub_id(hub_file, file), since=since)


@contextmanager
def _driver() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise JournalError(
            f"The settings name a journal in PostgreSQL, and its driver is not there ({error}).",
            hint='Install it beside Assent: pipx install --force "assent[postgres]"',
        ) from error


def hub_id(hub_file: Path, sqlite_file: Path) -> str:
    """The name of this hub's chain: minted once, and kept here because a database is for many. A hub that kept its
    journal in SQLite before goes on under the same name."""
    try:
        text = hub_file.read_text("ascii", errors="replace").strip()
        if not _HUB.fullmatch(text):
            hint = "Write its eight letters back, or remove the file, and a new chain begins."
            raise JournalError(f"{hub_file} does not name a hub, so nothing is recorded.", hint=hint)
        return text
    except FileNotFoundError:
        hub = _named_in(sqlite_file) or secrets.token_hex(4)
    except OSError as error:
        raise JournalError(f"{hub_file} cannot be read: {error.strerror}.") from error
    try:
        _write(hub_file, hub)
    except OSError as error:
        raise JournalError(f"The hub's name cannot be kept in {hub_file}: {error.strerror}.") from error
    return hub


def _named_in(sqlite_file: Path) -> str | None:
    if not sqlite_file.is_file():
        return None
    side = sqlite_file.with_name(f"{sqlite_file.name}-wal")
    # Even a reader leaves side files behind, unless there is nothing in them to read and it promises not to look.
    mode = "mode=ro" if side.exists() and side.stat().st_size else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{sqlite_file.absolute().as_uri()}?{mode}", uri=True)) as connection:
            row = connection.execute(load("sqlite")["hub"]).fetchone()
    except sqlite3.Error:
        return None
    return str(row[0]) if row and _HUB.fullmatch(str(row[0])) else None


def _write(path: Path, text: str) -> None:
    """Whole or not at all: a name cut off by a crash would be another hub's."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    number, half = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(number, "w") as file:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(file.fileno())
        Path(half).rename(path)
    finally:
        Path(half).unlink(missing_ok=True)
