"""The index beside the journal: what it must never cost, and what happens when it is not what it should be."""

import asyncio
import sqlite3
import stat
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from assent.filter import parse
from assent.journal import index as files
from assent.journal import indexer, search
from assent.journal.base import Journal
from assent.journal.sqlite import SqliteJournal, open_sqlite
from assent.protocol.record import Draft
from tests.component.hub_process import until
from tests.component.journal.indexed import fill, small_steps

pytestmark = pytest.mark.anyio


def said(n: int) -> Draft:
    """Each third record is of a tool of its own, and each has a unique word."""
    body = {"payload": {"tool_name": "Write" if n % 3 == 0 else "Bash", "tool_input": {"command": f"echo w{n:05d}."}}}
    return Draft(at=n * 1000, kind="event", session=f"session-{n % 7}", call=f"c{n}", body=body)


async def found(journal: Journal, text: str, before: int | None = None) -> list[int]:
    return [record.seq for record in (await journal.search(parse(text, now=0), before=before)).records]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    small_steps(monkeypatch)


@pytest.fixture
async def journal(path: Path, steps: None) -> AsyncIterator[SqliteJournal]:
    journal = open_sqlite(path)
    await journal.append([said(n) for n in range(1, 31)])
    yield journal
    await journal.close()


def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, reading the journal instead of asking the index fails."""

    def refuse(_: search.Search, span: files.Span) -> Iterator[int]:
        assert span[0] >= span[1], "the journal was read"
        return iter(())

    monkeypatch.setattr(search.Search, "_read", refuse)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w00007.", [7]),
        ("W00007.", [7]),
        ("tool:write echo", list(range(3, 31, 3))),
        ("session:session-3 -tool:bash", [3, 24]),
        ("-session:session-0,session-1,session-2,session-3,session-4,session-5", [6, 13, 20, 27]),
        ("nobody", []),
        ("since:28s", [28, 29, 30]),
        ("until:3s -tool:write", [1, 2]),
        ("call:c27", [27]),
        ("7. -w00007.", [17, 27]),
        ("risk:>=look", []),
    ],
)
async def test_what_the_index_has_is_not_read(
    journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch, text: str, expected: list[int]
) -> None:
    """Words, keys, negated keys and times are looked up; only what may match is fetched."""
    await fill(journal)
    if not text.startswith(("since", "until")):
        unread(monkeypatch)
    wanted = parse(text.replace("since:28s", "since:1970-01-01T00:00:28Z").replace("until:3s", _until(3)), now=0)
    assert [record.seq for record in (await journal.search(wanted)).records] == expected


def _until(second: int) -> str:
    return f"until:1970-01-01T00:00:0{second}Z"


async def test_times_are_looked_up(journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a time long ago only the records around it are read, whatever came later."""
    await fill(journal)
    looked = []
    whole = search.Search._read

    def watched(self: search.Search, span: files.Span) -> Iterator[int]:
        looked.append(span)
        return whole(self, span)

    monkeypatch.setattr(search.Search, "_read", watched)
    assert await found(journal, "until:1970-01-01T00:00:05Z") == [1, 2, 3, 4]
    assert [span for span in looked if span[0] < span[1]] == [(1, 7)]


async def test_what_the_index_lacks_is_read(journal: SqliteJournal) -> None:
    """A search finds what was recorded a moment ago, indexed or not, page by page."""
    await fill(journal, through=15)
    await journal.append([said(n) for n in range(31, 41)])
    assert 15 <= journal.index.through < 20
    assert await found(journal, "tool:write") == list(range(3, 41, 3))
    assert await found(journal, "tool:write", before=12) == [3, 6, 9]
    assert await found(journal, "w00040.") == [40]
    assert await found(journal, "w00002.") == [2]


async def test_next_hub_goes_on_with_the_index(path: Path, journal: SqliteJournal) -> None:
    """What was indexed once is not indexed again."""
    await fill(journal)
    await journal.close()
    inode = journal.index.path.stat().st_ino
    journal = open_sqlite(path)
    await fill(journal)
    assert journal.index.path.stat().st_ino == inode
    assert await found(journal, "w00009.") == [9]
    await journal.close()


def _boot(file: Path) -> str | None:
    with closing(sqlite3.connect(file)) as connection:
        state = files.state(connection)
    return None if state is None else state.boot


async def test_index_of_a_killed_hub_is_used(path: Path, journal: SqliteJournal) -> None:
    """What a process wrote outlives it without a sync. Only what a machine was writing when it went down is suspect."""
    await fill(journal)
    assert _boot(journal.index.path) == files.boot()
    await journal.close()
    assert _boot(journal.index.path) == ""
    inode = journal.index.path.stat().st_ino
    with closing(sqlite3.connect(journal.index.path)) as connection, connection:
        connection.execute("UPDATE state SET boot = ?", (files.boot(),))
    journal = open_sqlite(path)
    journal.indexer.turn()
    assert (journal.index.through, journal.index.path.stat().st_ino) == (30, inode)
    await journal.close()


async def test_index_is_private_and_leaves_no_side_files(path: Path, journal: SqliteJournal) -> None:
    """Other users cannot read it, and after closing there are two files."""
    await fill(journal)
    assert stat.S_IMODE(journal.index.path.stat().st_mode) == 0o600
    await found(journal, "w00001.")
    await journal.close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["journal.db", "journal.db.index"]


def _garbage(file: Path) -> None:
    file.write_bytes(b"not a database, and longer than any header of one could ever be: " * 200)


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _alien(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")


def _older(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA user_version = {files.VERSION - 1}")


def _of_another_hub(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE state SET hub = 'other'")


def _of_another_boot(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE state SET boot = 'before the power failed'")


def _without_state(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TABLE state")


def _half_overwritten(file: Path) -> None:
    whole = file.read_bytes()
    half = len(whole) // 2
    file.write_bytes(whole[:half] + b"\xff" * (len(whole) - half))


@pytest.mark.parametrize(
    "spoil",
    [
        _garbage,
        _empty,
        _alien,
        _older,
        _of_another_hub,
        _of_another_boot,
        _without_state,
        _half_overwritten,
        Path.unlink,
    ],
)
async def test_index_that_is_not_ours_is_made_anew(
    path: Path, journal: SqliteJournal, spoil: Callable[[Path], None]
) -> None:
    """Whatever stands in its place: searches find everything meanwhile and afterwards."""
    await fill(journal)
    await journal.close()
    spoil(journal.index.path)
    journal = open_sqlite(path)
    assert await found(journal, "w00009.") == [9]
    await fill(journal)
    assert await found(journal, "tool:write w00009.") == [9]
    with closing(sqlite3.connect(journal.index.path)) as connection:
        assert files.state(connection) == files.State(journal.hub, 30, (await journal.head()).hash, 30, files.boot())
    await journal.close()


async def test_damaged_index_is_noticed_by_a_search_and_made_anew(path: Path, journal: SqliteJournal) -> None:
    """The search reads the journal instead; the next turn of the indexer begins again."""
    await fill(journal)
    with closing(sqlite3.connect(journal.index.path)) as connection, connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _half_overwritten(journal.index.path)
    assert await found(journal, "w00009.") == [9]
    assert journal.index.is_broken
    await fill(journal)
    assert await found(journal, "w00009.") == [9]
    assert not journal.index.is_broken


async def test_index_removed_under_the_hub_is_made_anew(journal: SqliteJournal) -> None:
    """No restart is needed."""
    await fill(journal)
    files.remove(journal.index.path)
    await journal.append([said(31)])
    journal.indexer.turn()
    await fill(journal)
    assert journal.index.path.exists()
    assert await found(journal, "w00009.") == [9]


async def test_journal_that_was_set_back_gets_a_new_index(path: Path, journal: SqliteJournal) -> None:
    """A backup was restored and grew: the same numbers are other records now."""
    await fill(journal, through=30)
    await journal.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM entries WHERE seq > 20")
    journal = open_sqlite(path)
    await journal.append([said(n) for n in range(101, 121)])
    await fill(journal)
    assert await found(journal, "w00025.") == []
    assert await found(journal, "w00105.") == [25]
    await journal.close()


async def test_pruned_records_are_not_found_and_the_index_shrinks_in_time(
    path: Path, journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers that are gone cost a look; once they are most of the index it is made anew."""
    await fill(journal)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM entries WHERE seq < 25 AND seq % 5")
    assert await found(journal, "tool:write") == [15, 27, 30]
    monkeypatch.setattr(indexer, "CHECK_SECONDS", 0.0)
    journal.indexer.turn()
    assert journal.index.is_broken
    monkeypatch.setattr(indexer, "CHECK_SECONDS", 3600.0)
    await fill(journal)
    with closing(sqlite3.connect(journal.index.path)) as connection:
        state = files.state(connection)
        assert state is not None
        assert state.count == 10
    assert await found(journal, "tool:write") == [15, 27, 30]


async def test_small_journal_has_no_index(path: Path) -> None:
    """A few records are read as fast; a file for nothing is not made."""
    journal = open_sqlite(path)
    await journal.append([said(n) for n in range(indexer.FEWEST - 1)])
    assert journal.indexer.turn() > 0
    assert not journal.index.path.exists()
    await journal.close()


async def test_busy_hub_is_left_alone_until_much_waits(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While records keep coming nothing is indexed, unless searches would have to read too much."""
    monkeypatch.setattr(indexer, "FEWEST", 10)
    monkeypatch.setattr(indexer, "ENOUGH", 10)
    monkeypatch.setattr(indexer, "MUCH", 200)
    monkeypatch.setattr(indexer, "BATCH", 50)
    journal = open_sqlite(path)
    await journal.append([said(n) for n in range(1, 101)])
    for _ in range(5):
        journal.indexer.turn()
    assert journal.index.through == 0
    await journal.append([said(n) for n in range(101, 251)])
    # So much longer than its work that the time of the test itself does not count.
    monkeypatch.setattr(indexer, "RESTS_BUSY", 1e6)
    started = time.monotonic()
    rest = journal.indexer.turn()
    assert journal.index.through == 50
    assert rest > time.monotonic() - started
    await journal.close()


async def test_hub_fills_the_index_by_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread starts by itself, and closing ends it."""
    monkeypatch.setattr(indexer, "IDLE_SECONDS", 0.05)
    monkeypatch.setattr(indexer, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(indexer, "START_SECONDS", 0.0)
    journal = open_sqlite(path, is_indexed=True)
    for begin in range(0, 4_000, 400):
        await journal.append([said(n) for n in range(begin, begin + 400)])
    await asyncio.to_thread(until, lambda: journal.index.through >= 4_000, "the index")
    assert await found(journal, "w00123.") == [124]
    await journal.close()
    assert not journal.indexer.is_running


@pytest.mark.parametrize("why", ["database or disk is full", "no such module: fts5"])
async def test_trouble_with_the_index_is_no_trouble_of_the_journal(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, why: str
) -> None:
    """It is said once and tried again later; records are taken and found all the same."""
    monkeypatch.setattr(indexer, "FEWEST", 1)
    monkeypatch.setattr(indexer, "START_SECONDS", 0.0)
    monkeypatch.setattr(indexer, "AFTER_TROUBLE_SECONDS", 0.01)
    tries = []

    def fail(file: Path) -> sqlite3.Connection:
        tries.append(file)
        raise sqlite3.OperationalError(why)

    monkeypatch.setattr(files, "make", fail)
    journal = open_sqlite(path, is_indexed=True)
    await journal.append([said(n) for n in range(1, 11)])
    await asyncio.to_thread(until, lambda: len(tries) > 2, "another try")
    await journal.append([said(11)])
    assert await found(journal, "w00011.") == [11]
    assert (journal.trouble, journal.lost) == (None, 0)
    await journal.close()
    assert caplog.text.count(why) == 1
