"""Statistics are kept up to date behind everything else, and survive restarts or are counted again."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from assent.hub.recorder import Live
from assent.hub.upkeep import statistics as module
from assent.hub.upkeep.statistics import LONGEST_PAUSE, Kept, Statistics, pause_after
from assent.journal.base import JournalError
from assent.journal.memory import MemoryJournal
from assent.protocol.record import Draft, Record
from assent.views import stats
from assent.views.report import Counted
from tests.waiting import HANG

pytestmark = pytest.mark.anyio

DAY = 86_400_000
START = 1_700_000_000_000


def drafts(count: int, first: int = 0) -> list[Draft]:
    body = {"event": "PreToolUse", "project": "/p", "payload": {"tool_name": "Bash"}}
    return [
        Draft(at=START + number * DAY // 10, kind="event", session="s", call=f"c{number}", body=body)
        for number in range(first, first + count)
    ]


async def written(journal: MemoryJournal, live: Live, count: int, first: int = 0) -> None:
    live.publish(await journal.append(drafts(count, first)))


@asynccontextmanager
async def counting(journal: MemoryJournal, live: Live, path: Path) -> AsyncIterator[Statistics]:
    """One life of a hub's statistics."""
    summary = Statistics(journal, live, path)
    running = asyncio.ensure_future(summary.run_forever())
    try:
        yield summary
    finally:
        running.cancel()
        await summary.close()


async def all_of(summary: Statistics) -> Counted:
    """Asked for until everything is counted, as a person would."""
    async with asyncio.timeout(HANG):
        while not (
            told := await summary.report(since="2000-01-01", until="2030-01-01", wanted=lambda _: True)
        ).complete:
            pass
    return told


def kept(path: Path) -> Kept:
    return msgspec.json.decode(path.read_bytes(), type=Kept)


async def test_report_knows_the_newest_records(tmp_path: Path) -> None:
    """A report includes what was recorded just before."""
    journal, live = MemoryJournal(), Live()
    async with counting(journal, live, tmp_path / "stats.json") as summary:
        assert (await all_of(summary)).report.totals.calls == 0
        await written(journal, live, 700)
        told = await all_of(summary)
    assert (told.complete, told.counted, told.of, told.report.totals.calls) == (True, 700, 700, 700)


async def test_lives_in_a_row_count_what_one_fold_would(tmp_path: Path) -> None:
    """Stopped and started again, also while something was written in between."""
    journal, live, path = MemoryJournal(), Live(), tmp_path / "stats.json"
    for first in (0, 300, 610):
        await written(journal, live, 310, first)
        async with counting(journal, live, path) as summary:
            await all_of(summary)
    assert kept(path).stats == stats.rebuilt(await journal.read(limit=10_000))
    assert kept(path).seq == 930


async def test_next_life_goes_on_where_the_last_one_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was counted is not read again."""
    journal, live, path = MemoryJournal(), Live(), tmp_path / "stats.json"
    await written(journal, live, 500)
    async with counting(journal, live, path) as summary:
        await all_of(summary)
    first_read: list[int] = []
    read = journal.read

    async def watched(*, after: int = 0, before: int | None = None, limit: int = 1000) -> list[Record]:
        first_read.append(after)
        return await read(after=after, before=before, limit=limit)

    monkeypatch.setattr(journal, "read", watched)
    await written(journal, live, 5, 500)
    async with counting(journal, live, path) as summary:
        assert (await all_of(summary)).report.totals.calls == 505
    assert min(first_read) == 499


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"hub": "another", "seq": 3}',
        b'{"hub": "HUB", "seq": 3, "hash": "' + b"0" * 64 + b'"}',
        b'{"hub": "HUB", "seq": 99999, "hash": "' + b"0" * 64 + b'"}',
        b'{"hub": "HUB", "version": 99, "seq": 0}',
        b'{"hub": "HUB", "seq": 0, "hash": "x"}',
        b"\x00" * 1000,
    ],
)
async def test_what_is_odd_is_counted_again(tmp_path: Path, content: bytes) -> None:
    """A file of another journal, another version, cut off or changed is no reason for wrong numbers."""
    journal, live, path = MemoryJournal(), Live(), tmp_path / "stats.json"
    path.write_bytes(content.replace(b"HUB", journal.hub.encode()))
    await written(journal, live, 30)
    async with counting(journal, live, path) as summary:
        assert (await all_of(summary)).report.totals.calls == 30
    assert kept(path).stats == stats.rebuilt(await journal.read())


async def test_file_is_private_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    """Names of projects are private."""
    journal, live, path = MemoryJournal(), Live(), tmp_path / "stats.json"
    await written(journal, live, 3)
    async with counting(journal, live, path) as summary:
        await all_of(summary)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == [path.name]


async def test_unwritable_file_costs_only_a_recount(tmp_path: Path) -> None:
    """Statistics that cannot be kept are told all the same."""
    journal, live = MemoryJournal(), Live()
    await written(journal, live, 3)
    async with counting(journal, live, tmp_path / "missing" / "stats.json") as summary:
        assert (await all_of(summary)).report.totals.calls == 3


async def test_report_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal that does not answer leaves an incomplete count, not an error and not a lie."""
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    journal, live = MemoryJournal(), Live()
    await written(journal, live, 30)

    async def broken(**_: object) -> list[Record]:
        raise JournalError("Not read: the disk is gone.")

    monkeypatch.setattr(journal, "read", broken)
    async with counting(journal, live, tmp_path / "stats.json") as summary:
        told = await summary.report(since="2000-01-01", until="2030-01-01", wanted=lambda _: True)
    assert (told.complete, told.counted, told.of) == (False, 0, 30)


async def test_only_wanted_projects_are_told(tmp_path: Path) -> None:
    """A report of one project leaves the others out."""
    journal, live = MemoryJournal(), Live()
    await written(journal, live, 3)
    async with counting(journal, live, tmp_path / "stats.json") as summary:
        await all_of(summary)
        told = await summary.report(since="2000-01-01", until="2030-01-01", wanted=lambda name: name == "/q")
    assert told.report.totals.calls == 0


async def test_life_that_ends_before_it_began_leaves_what_was_kept(tmp_path: Path) -> None:
    """A hub that stops at once does not write over what others counted."""
    journal, live, path = MemoryJournal(), Live(), tmp_path / "stats.json"
    await written(journal, live, 30)
    async with counting(journal, live, path) as summary:
        await all_of(summary)
    before = path.read_bytes()
    async with counting(journal, live, path):
        pass
    assert path.read_bytes() == before


def test_busy_hub_is_left_alone() -> None:
    """The more events come, the less is counted meanwhile; and it never stops."""
    pauses = [pause_after(0.02, rate) for rate in (0, 5, 50, 3_000, 100_000)]
    assert pauses == [0.02, 0.04, pytest.approx(0.22), LONGEST_PAUSE, LONGEST_PAUSE]
