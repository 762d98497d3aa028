"""The SQLite journal: restarts, a disk that fails, and a process that is killed."""

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from assent.journal import reading
from assent.journal.base import Checked, Head, JournalError
from assent.journal.prune import Pruning, prune
from assent.journal.sqlite import SqliteJournal, open_sqlite
from assent.protocol.record import GENESIS, Draft, Record
from tests.waiting import HANG

pytestmark = pytest.mark.anyio
KILLS = 300 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 10


def event(n: int = 0, size: int = 0) -> Draft:
    return Draft(at=1, kind="event", body={"n": n, "pad": "x" * size})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
async def journal(path: Path) -> AsyncIterator[SqliteJournal]:
    journal = open_sqlite(path, busy_timeout=0.05)
    yield journal
    await journal.close()


async def test_restart_continues_the_chain(path: Path) -> None:
    """The next process goes on where the last one ended, under the same hub id."""
    hubs = set()
    for n in range(3):
        journal = open_sqlite(path)
        hubs.add(journal.hub)
        (record,) = await journal.append([event(n)])
        assert record.seq == n + 1
        assert (await journal.verify()).broken is None
        await journal.close()
    (hub,) = hubs
    assert re.fullmatch("[0-9a-f]{8}", hub)


async def test_hub_id_is_minted_for_each_file(tmp_path: Path) -> None:
    """Two journals are two chains."""
    one, other = open_sqlite(tmp_path / "one.db"), open_sqlite(tmp_path / "other.db")
    assert one.hub != other.hub
    await one.close()
    await other.close()


async def test_duplicate_of_an_earlier_process_is_refused(path: Path) -> None:
    """A decision outlives the hub that made it: the next one finds it and makes no second."""
    decision = Draft(at=1, kind="decision", request="r", decision="deny")
    journal = open_sqlite(path)
    (kept,) = await journal.append([decision])
    await journal.close()
    journal = open_sqlite(path)
    with pytest.raises(JournalError, match="first one stands"):
        await journal.append([decision])
    assert await journal.decision_for("r") == kept
    await journal.close()


async def test_close_flushes_and_leaves_one_file(path: Path, journal: SqliteJournal) -> None:
    """What was queued is kept without being awaited, and the log is folded into the database."""
    appends = [journal.append([event(n)]) for n in range(500)]
    await journal.close()
    assert all(each.done() and each.exception() is None for each in appends)
    assert [file.name for file in path.parent.iterdir()] == ["journal.db"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM records").fetchone() == (500,)


async def test_closed_journal_is_not_read(journal: SqliteJournal) -> None:
    """Reading after closing is an error, not an empty answer."""
    await journal.close()
    for read in (journal.read, journal.head, journal.verify):
        with pytest.raises(JournalError, match="closed"):
            await read()


async def test_appends_that_wait_share_a_commit(path: Path) -> None:
    """What gathers while the file is busy is committed in one transaction, not one each."""
    journal = open_sqlite(path, busy_timeout=60)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        appends = [journal.append([event(n), event(n)]) for n in range(1000)]
        assert journal.commits == 0
        other.execute("ROLLBACK")
    await asyncio.gather(*appends)
    assert 1 <= journal.commits <= 2
    assert (await journal.head()).seq == 2000
    assert (await journal.verify()).broken is None
    await journal.close()


async def test_queue_is_bounded(path: Path) -> None:
    """A disk that hangs fills the queue to its bound and no further."""
    journal = open_sqlite(path, most_waiting=10, busy_timeout=60)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        appends = [journal.append([event(n)]) for n in range(100)]
        with pytest.raises(JournalError, match="already wait"):
            await appends[-1]
        other.execute("ROLLBACK")
    outcomes = await asyncio.gather(*appends, return_exceptions=True)
    kept = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    assert 10 <= len(kept) < 100
    assert journal.lost == 100 - len(kept)
    assert (await journal.head()).seq == len(kept)
    await journal.close()


async def test_full_disk_fails_appends_and_recovers(path: Path) -> None:
    """Without room nothing is acknowledged and all is counted; with room again the chain goes on."""
    failures: list[JournalError] = []
    journal = open_sqlite(path, on_failure=failures.append)
    await journal.append([event(1)])
    (pages,) = journal._writing.execute("PRAGMA page_count").fetchone()
    journal._writing.execute(f"PRAGMA max_page_count = {pages}")
    for _ in range(3):
        with pytest.raises(JournalError, match="full"):
            await journal.append([event(2, size=10_000), event(2)])
    assert str(path) in failures[-1].message
    assert journal.trouble == str(failures[-1])
    assert (journal.lost, len(failures)) == (6, 3)
    journal._writing.execute("PRAGMA max_page_count = 1000000")
    (record,) = await journal.append([event(3)])
    assert record.seq == 2
    assert journal.trouble is None
    assert (await journal.verify()).broken is None
    await journal.close()


async def test_lock_held_by_another_program_fails_appends_and_recovers(path: Path, journal: SqliteJournal) -> None:
    """Past the busy timeout an append fails rather than wait for ever; the next one is tried afresh."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked"):
            await journal.append([event()])
        assert await journal.read() == []
        other.execute("ROLLBACK")
    assert len(await journal.append([event()])) == 1
    assert (journal.lost, journal.trouble) == (1, None)


@pytest.mark.parametrize("is_replaced", [False, True])
async def test_journal_removed_under_the_hub_acknowledges_nothing(
    path: Path, journal: SqliteJournal, is_replaced: bool
) -> None:
    """Records written to a file that has no name any more are not durable, so they are refused."""
    await journal.append([event()])
    os.unlink(path)
    if is_replaced:
        sqlite3.connect(path).close()
    with pytest.raises(JournalError, match="removed or replaced"):
        await journal.append([event()])
    assert journal.trouble is not None


async def test_prune_that_finds_no_way_to_write_changes_nothing(path: Path, journal: SqliteJournal) -> None:
    """Locked or gone: one clear sentence, and every record as it was."""
    await journal.append([event(n) for n in range(50)])
    before = await journal.read()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked"):
            await prune(journal, Pruning(before=99), now=lambda: 1)
        other.execute("ROLLBACK")
    assert await journal.read() == before
    os.rename(path, path.with_name("moved.db"))
    with pytest.raises(JournalError, match="removed or replaced"):
        await prune(journal, Pruning(before=99), now=lambda: 1)
    os.rename(path.with_name("moved.db"), path)
    assert (await prune(journal, Pruning(before=99), now=lambda: 1)).removed == 50


async def test_pruned_records_are_written_over(path: Path) -> None:
    """What was removed is in no file of the journal any more once it is closed, and the file is small again."""
    journal = open_sqlite(path)
    await journal.append([Draft(at=n, kind="event", body={"secret": f"needle{n}" * 50}) for n in range(3000)])
    await prune(journal, Pruning(before=2990), now=lambda: 1)
    await journal.close()
    contents = await asyncio.to_thread(path.read_bytes)
    assert b"needle2995" in contents
    assert b"needle1500" not in contents
    assert len(contents) < 300_000


async def test_unreadable_body_hides_no_other_record_and_is_named(path: Path, journal: SqliteJournal) -> None:
    """A tampered record is shown as such, and verify names it."""
    await journal.append([event(n) for n in range(3)])
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DROP TRIGGER entries_never_change")
        other.execute("UPDATE entries SET body = 'no json' WHERE seq = 2")
    assert [record.body.get("unreadable") for record in await journal.read()] == [None, "no json", None]
    broken = (await journal.verify()).broken
    assert broken is not None
    assert broken.why == "record 2 was changed"


async def test_text_that_is_no_text_hides_no_other_record_and_is_named(path: Path, journal: SqliteJournal) -> None:
    """Bytes that stand for no character are shown as such, not taken for a file that cannot be used."""
    await journal.append([event(n) for n in range(3)])
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DROP TRIGGER entries_never_change")
        other.execute(
            "UPDATE entries SET body = CAST(x'7B22FF227D' AS TEXT), session = CAST(x'FF' AS TEXT) WHERE seq = 2"
        )
    kept = await journal.read()
    assert [record.body.get("unreadable") for record in kept] == [None, '{"\\xff"}', None]
    assert kept[1].session == "\\xff"
    broken = (await journal.verify()).broken
    assert broken is not None
    assert broken.why == "record 2 was changed"


async def test_verify_walks_beyond_one_page(journal: SqliteJournal) -> None:
    """The walk goes through all records, page after page."""
    await journal.append([event(n) for n in range(2500)])
    assert (await journal.verify()).broken is None
    with closing(sqlite3.connect(journal.path)) as other, other:
        other.execute("DELETE FROM entries WHERE seq BETWEEN 2001 AND 2400")
    broken = (await journal.verify()).broken
    assert broken is not None
    assert broken.why == "records 2001 to 2400 are missing"


async def test_walk_ends_when_the_journal_closes(journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of a large journal may take minutes, and a hub that is to stop does not wait for it."""
    await journal.append([event(n) for n in range(5000)])
    begun, may_go = threading.Event(), threading.Event()

    def check_slowly(hub: str, records: Iterator[Record], *rest: object, **named: object) -> Checked:
        next(records)
        begun.set()
        assert may_go.wait(10)
        return Checked(Head(hub, sum(1 for _ in records), GENESIS))

    monkeypatch.setattr(reading, "check", check_slowly)
    walking = asyncio.create_task(journal.verify())
    await asyncio.to_thread(begun.wait, HANG)
    await journal.close()
    may_go.set()
    with pytest.raises(JournalError, match="interrupted"):
        await walking


WRITER = """
import asyncio, os, sys
from pathlib import Path
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import GENESIS, Draft, Record

async def one(journal):
    while True:
        records = await journal.append([Draft(at=1, kind="event", body={"pad": "x" * 300}) for _ in range(2)])
        os.write(1, "".join(f"{record.seq} {record.hash}\\n" for record in records).encode())

async def main():
    journal = open_sqlite(Path(sys.argv[1]))
    await asyncio.gather(*(one(journal) for _ in range(16)))

asyncio.run(main())
"""


def kill_while_writing(path: Path, lines: int, program: str = WRITER) -> dict[int, str]:
    """Run a process that writes without end, kill it in the middle, and give what it had acknowledged."""
    acknowledged: dict[int, str] = {}
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for count, line in enumerate(child.stdout, 1):
            if not line.endswith("\n"):
                break
            seq, digest = line.split()
            acknowledged[int(seq)] = digest
            if count == lines:
                child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    return acknowledged


@pytest.mark.timeout(HANG * (1 + KILLS / 10))
async def test_killed_writer_loses_nothing_it_acknowledged(path: Path) -> None:
    """After each SIGKILL in mid-write the journal opens, its chain holds, and every acknowledged record is there."""
    acknowledged: dict[int, str] = {}
    for kill in range(KILLS):
        acknowledged |= await asyncio.to_thread(kill_while_writing, path, 20 + 37 * (kill % 10))
        if kill % 2 == 0:
            continue  # The next process, too, is to find the files as a kill left them.
        journal = open_sqlite(path)
        kept = {record.seq: record.hash for record in await journal.read(limit=10**6)}
        assert (await journal.verify()).broken is None
        await journal.close()
        assert {seq: kept.get(seq) for seq in acknowledged} == acknowledged
    assert len(acknowledged) >= KILLS * 20


PRUNER = """
import asyncio, os, sys, time
from pathlib import Path
from assent.journal import prune
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import GENESIS, Draft, Record

prune.MOST_IN_A_STEP, prune.PAUSE = 20, 0

async def write(journal):
    while True:
        drafts = [Draft(at=n, kind="event" if n % 9 else "hub", body={"pad": "x" * 300}) for n in range(1, 11)]
        records = await journal.append(drafts)
        os.write(1, "".join(f"{record.seq} {record.hash}\\n" for record in records).encode())

async def main():
    journal = open_sqlite(Path(sys.argv[1]))
    writing = [asyncio.create_task(write(journal)) for _ in range(4)]
    while True:
        wanted = prune.Pruning(down_to=await journal.size() * 3 // 4, newest=30)
        await prune.prune(journal, wanted, now=lambda: 1)
        await asyncio.sleep(0)

asyncio.run(main())
"""


@pytest.mark.timeout(HANG * (1 + KILLS / 10))
async def test_killed_while_pruning_leaves_a_whole_journal(path: Path) -> None:
    """After each SIGKILL between or in removals the chain holds, and of what was acknowledged only what a checkpoint
    tells of is gone."""
    acknowledged: dict[int, str] = {}
    pruned = left = 0
    for kill in range(KILLS):
        acknowledged |= await asyncio.to_thread(kill_while_writing, path, 300 + 137 * (kill % 7), PRUNER)
        journal = open_sqlite(path)
        checked = await journal.verify()
        assert checked.broken is None
        kept = {record.seq: record.hash for record in await journal.read(limit=10**6)}
        after = {seq: digest for seq, digest in acknowledged.items() if seq > checked.pruned_through}
        assert {seq: kept.get(seq) for seq in after} == after
        pruned, left = checked.pruned_through, checked.left
        await journal.close()
    assert pruned > 300
    assert left > 0
