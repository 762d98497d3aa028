"""The record read from outside, beside a hub that writes and without one."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from assent.journal import reading
from assent.journal.base import JournalError
from assent.journal.reading import History
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import Draft
from tests.component.journal.backends import Sqlite


def write(path: Path, times: list[int]) -> None:
    async def append() -> None:
        journal = open_sqlite(path)
        await journal.append([Draft(at=at, kind="hub", body={"n": at}) for at in times])
        await journal.close()

    asyncio.run(append())


def test_history_gives_every_record_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages do not show."""
    monkeypatch.setattr(reading, "PAGE", 7)
    write(tmp_path / "j.db", list(range(1, 101)))
    history = History(tmp_path / "j.db")
    assert [record.body["n"] for record in history] == list(range(1, 101))
    assert len(history) == 100


@pytest.mark.parametrize("since", [0, 1, 50, 100, 101])
def test_history_begins_where_it_is_told_to(tmp_path: Path, since: int) -> None:
    """The beginning is found without reading what comes before it."""
    write(tmp_path / "j.db", list(range(1, 101)))
    history = History(tmp_path / "j.db", since=since)
    wanted = [n for n in range(1, 101) if n >= since]
    assert [record.at for record in history] == wanted
    assert len(history) == len(wanted)


def test_history_passes_over_what_was_pruned(tmp_path: Path) -> None:
    """Numbers may be missing, at the beginning and in between."""
    write(tmp_path / "journal.db", list(range(1, 101)))
    backend = Sqlite(tmp_path)
    backend.remove(*range(1, 30), *range(40, 81))
    asyncio.run(backend.journal.close())
    assert [record.at for record in History(backend.path, since=35)] == [*range(35, 40), *range(81, 101)]


def test_history_ends_where_it_was_opened(tmp_path: Path) -> None:
    """A hub may go on writing while the record is read."""

    async def run() -> list[int]:
        journal = open_sqlite(tmp_path / "j.db")
        await journal.append([Draft(at=1, kind="hub")])
        history = History(tmp_path / "j.db")
        await journal.append([Draft(at=2, kind="hub")])
        seen = [record.at for record in history]
        await journal.close()
        return seen

    assert asyncio.run(run()) == [1]


def test_empty_journal_has_no_history(tmp_path: Path) -> None:
    """A hub that has just begun."""
    write(tmp_path / "j.db", [])
    assert list(History(tmp_path / "j.db", since=5)) == []


def test_missing_journal_is_refused(tmp_path: Path) -> None:
    """No file is made by looking for one."""
    with pytest.raises(JournalError, match="there is no journal"):
        History(tmp_path / "j.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("pragma", "message"),
    [
        ("user_version = 999", "newer assent"),
        ("user_version = 1", "older assent"),
        ("application_id = 7", "not a journal"),
    ],
)
def test_other_schema_is_refused(tmp_path: Path, pragma: str, message: str) -> None:
    """Only a journal of today's form is read."""
    write(tmp_path / "j.db", [1])
    with closing(sqlite3.connect(tmp_path / "j.db")) as connection, connection:
        connection.execute(f"PRAGMA {pragma}")
    connection.close()
    before = (tmp_path / "j.db").read_bytes()
    with pytest.raises(JournalError, match=message):
        History(tmp_path / "j.db")
    assert (tmp_path / "j.db").read_bytes() == before


def test_damaged_journal_is_refused(tmp_path: Path) -> None:
    """The message says what it is and what to do."""
    (tmp_path / "j.db").write_bytes(b"not a database at all, but long enough to look like a file" * 100)
    with pytest.raises(JournalError, match="damaged"):
        History(tmp_path / "j.db")
