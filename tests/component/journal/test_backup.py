"""A copy of a journal that is in use."""

import asyncio
import os
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from assent.journal import backup
from assent.journal.backup import StoppedError, back_up
from assent.journal.base import JournalError
from assent.journal.sqlite import SqliteJournal, open_sqlite
from assent.protocol.record import Draft

pytestmark = pytest.mark.anyio


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[SqliteJournal]:
    journal = open_sqlite(tmp_path / "journal.db")
    await journal.append([Draft(at=n, kind="event", body={"pad": "x" * 500}) for n in range(2000)])
    yield journal
    await journal.close()


def nobody_looks(_done: int, _of: int) -> None:
    pass


def never() -> bool:
    return False


async def test_copy_holds_and_is_one_file_for_its_owner(journal: SqliteJournal, tmp_path: Path) -> None:
    """The copy is checked, has mode 0600 whatever the umask, and can be used as a journal."""
    target = tmp_path / "copies" / "one.db"
    target.parent.mkdir()
    old = os.umask(0)
    try:
        copied = await asyncio.to_thread(back_up, journal.path, target, report=nobody_looks, is_stopped=never)
    finally:
        os.umask(old)
    assert copied.checked.broken is None
    assert copied.checked.head == await journal.head()
    assert (copied.file, copied.size) == (str(target), target.stat().st_size)
    assert [file.name for file in target.parent.iterdir()] == ["one.db"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    restored = open_sqlite(target)
    assert restored.hub == journal.hub
    assert await restored.read(limit=9999) == await journal.read(limit=9999)
    (after,) = await restored.append([Draft(at=1, kind="event")])
    assert after.prev == copied.checked.head.hash
    await restored.close()


async def test_copy_ends_while_records_are_written(
    journal: SqliteJournal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is the journal as it was when it began, however much is appended meanwhile."""
    monkeypatch.setattr(backup, "PAGES", 4)
    before = await journal.head()
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    seen: list[tuple[int, int]] = []

    def report(done: int, of: int) -> None:
        seen.append((done, of))
        loop.call_soon_threadsafe(begun.set)

    copying = asyncio.create_task(
        asyncio.to_thread(back_up, journal.path, tmp_path / "copy.db", report=report, is_stopped=never)
    )
    await begun.wait()
    written = 0
    while not copying.done():
        await journal.append([Draft(at=1, kind="event")])
        written += 1
    copied = await copying
    assert copied.checked.head == before
    assert copied.checked.broken is None
    assert written > 1
    assert len(seen) > 10
    assert seen[-1][0] == seen[-1][1]


async def test_nothing_is_overwritten(journal: SqliteJournal, tmp_path: Path) -> None:
    """A file that is there stays what it is."""
    target = tmp_path / "letter.txt"
    target.write_text("Dear")
    with pytest.raises(JournalError, match="exists already"):
        back_up(journal.path, target, report=nobody_looks, is_stopped=never)
    assert target.read_text() == "Dear"


async def test_nothing_is_left_of_a_cancelled_copy(
    journal: SqliteJournal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in the middle, there is neither a copy nor half of one."""
    monkeypatch.setattr(backup, "PAGES", 4)
    folder = tmp_path / "copies"
    folder.mkdir()
    with pytest.raises(StoppedError):
        back_up(journal.path, folder / "copy.db", report=nobody_looks, is_stopped=lambda: True)
    assert list(folder.iterdir()) == []


async def test_folder_that_is_missing_is_named(journal: SqliteJournal, tmp_path: Path) -> None:
    """A typing mistake makes no folders."""
    with pytest.raises(JournalError, match=r"^Not backed up to .*: No such file or directory\."):
        back_up(journal.path, tmp_path / "gone" / "copy.db", report=nobody_looks, is_stopped=never)
    assert not (tmp_path / "gone").exists()


async def test_copy_of_a_broken_chain_says_so(journal: SqliteJournal, tmp_path: Path) -> None:
    """What cannot be mended is copied as it is, and named."""
    with closing(sqlite3.connect(journal.path)) as other, other:
        other.execute("DELETE FROM entries WHERE seq = 7")
    copied = back_up(journal.path, tmp_path / "copy.db", report=nobody_looks, is_stopped=never)
    assert copied.checked.broken is not None
    assert copied.checked.broken.why == "record 7 is missing"
