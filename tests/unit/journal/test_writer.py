"""The thread that commits, over a commit that the test controls."""

import asyncio
import functools
import gc
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from assent.journal.base import Head, JournalError, duplicate
from assent.journal.chain import follow
from assent.journal.writer import Outcome, Writer
from assent.protocol.record import GENESIS, Draft
from tests.waiting import HANG

ONE = [Draft(at=1, kind="event")]


class Disk:
    """Commits when it is let, and remembers how many appends came together."""

    def __init__(self) -> None:
        self.may_go = threading.Event()
        self.may_go.set()
        self.is_busy = threading.Event()
        self.batches: list[int] = []
        self.error: Exception | None = None
        self.head = Head("h", 0, GENESIS)

    def commit(self, batch: Sequence[Sequence[Draft]]) -> list[Outcome]:
        self.is_busy.set()
        assert self.may_go.wait(10)
        self.batches.append(len(batch))
        if self.error is not None:
            raise self.error
        outcomes: list[Outcome] = []
        for drafts in batch:
            if drafts and drafts[0].kind == "answer":
                outcomes.append(duplicate("answer"))
                continue
            records, self.head, _ = follow(self.head, drafts)
            outcomes.append(records)
        return outcomes


@asynccontextmanager
async def running(disk: Disk, failures: list[JournalError], most_waiting: int = 100) -> AsyncIterator[Writer]:
    writer = Writer(disk.commit, on_failure=failures.append, most_waiting=most_waiting)
    try:
        yield writer
    finally:
        disk.may_go.set()
        await asyncio.to_thread(writer.close)


async def busy(disk: Disk, writer: Writer) -> asyncio.Future[Any]:
    """Hold the disk with one append, so that what comes next has to wait."""
    disk.may_go.clear()
    first = writer.put(ONE)
    await asyncio.to_thread(disk.is_busy.wait, HANG)
    return first


@pytest.mark.anyio
async def test_appends_that_wait_are_committed_together_and_in_order() -> None:
    """While one transaction is under way all others gather in the next one."""
    disk = Disk()
    async with running(disk, []) as writer:
        first = await busy(disk, writer)
        others = [writer.put(ONE) for _ in range(20)]
        disk.may_go.set()
        records = [record for batch in await asyncio.gather(first, *others) for record in batch]
    assert [record.seq for record in records] == list(range(1, 22))
    assert disk.batches == [1, 20]


@pytest.mark.anyio
async def test_too_many_waiting_drafts_are_refused_at_once() -> None:
    """Above the bound an append fails while the disk still works on the first, and is counted as lost."""
    disk, failures = Disk(), list[JournalError]()
    async with running(disk, failures, most_waiting=4) as writer:
        first = await busy(disk, writer)
        fits = [writer.put(ONE) for _ in range(3)]
        with pytest.raises(JournalError, match="4 records already wait"):
            await writer.put(ONE)
        assert not first.done()
        assert (writer.lost, len(failures)) == (1, 1)
        assert writer.trouble is not None
        disk.may_go.set()
        await asyncio.gather(first, *fits)
        assert writer.trouble is None


@pytest.mark.anyio
async def test_a_failed_transaction_fails_all_its_appends_and_the_next_one_is_tried() -> None:
    """The thread outlives any error, says what was lost, and forgets the trouble once it is over."""
    disk, failures = Disk(), list[JournalError]()
    async with running(disk, failures) as writer:
        for error in (JournalError("The disk is full.", hint="Make room."), ZeroDivisionError("a bug")):
            disk.error = error
            appends = [writer.put(ONE), writer.put(ONE * 2)]
            outcomes = await asyncio.gather(*appends, return_exceptions=True)
            assert all(isinstance(outcome, JournalError) for outcome in outcomes)
            assert [outcome.__cause__ for outcome in outcomes if isinstance(outcome, JournalError)] == [error, error]
        assert writer.lost == 6
        assert (failures[0].message, failures[0].hint) == ("The disk is full.", "Make room.")
        assert "a bug" in failures[-1].message
        assert writer.trouble == str(failures[-1])
        disk.error = None
        assert len(await writer.put(ONE)) == 1
        assert writer.trouble is None


@pytest.mark.anyio
async def test_a_duplicate_is_neither_a_failure_nor_lost() -> None:
    """Losing the race for an answer is how one answer wins, not trouble."""
    disk, failures = Disk(), list[JournalError]()
    async with running(disk, failures) as writer:
        with pytest.raises(JournalError, match="first one stands"):
            await writer.put([Draft(at=1, kind="answer", ask="abcde")])
        assert (writer.lost, writer.trouble, failures) == (0, None, [])


@pytest.mark.anyio
async def test_a_failure_that_is_not_awaited_logs_no_warning() -> None:
    """An append that was not awaited leaves no 'exception was never retrieved' behind."""
    noise: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: noise.append(context))
    disk, failures = Disk(), list[JournalError]()
    async with running(disk, failures) as writer:
        disk.error = JournalError("The disk is full.")
        writer.put(ONE)
    gc.collect()
    assert len(failures) == 1
    assert noise == []


@pytest.mark.anyio
async def test_an_append_whose_waiter_was_cancelled_is_committed() -> None:
    """Cancelling the wait does not take the record back, and disturbs no other append."""
    disk = Disk()
    async with running(disk, []) as writer:
        first = await busy(disk, writer)
        cancelled, last = writer.put(ONE), writer.put(ONE)
        cancelled.cancel()
        disk.may_go.set()
        await first
        assert [record.seq for record in await last] == [3]


@pytest.mark.anyio
async def test_close_commits_what_waits_and_refuses_what_comes_after() -> None:
    """Nothing that was queued before closing is lost."""
    disk = Disk()
    async with running(disk, []) as writer:
        first = await busy(disk, writer)
        others = [writer.put(ONE) for _ in range(5)]
        disk.may_go.set()
        await asyncio.to_thread(writer.close)
        assert all(append.done() and not append.exception() for append in (first, *others))
        with pytest.raises(JournalError, match="closed"):
            await writer.put(ONE)


@pytest.mark.anyio
async def test_a_job_goes_after_all_that_waits_and_one_after_each_transaction() -> None:
    """Appends never queue behind jobs, and a busy thread still gets its jobs done."""
    disk, order = Disk(), list[str]()
    async with running(disk, []) as writer:
        first = await busy(disk, writer)

        def job() -> None:
            order.append(f"after {len(disk.batches)}")

        jobs = [writer.run(job) for _ in range(2)]
        last = writer.put(ONE)
        disk.may_go.set()
        await asyncio.gather(first, last, *jobs)
    assert disk.batches == [1, 1]
    assert order == ["after 2", "after 2"]


@pytest.mark.anyio
async def test_a_job_that_fails_harms_no_other() -> None:
    """Its error is its own; the thread goes on, and the journal has no trouble."""
    disk, failures = Disk(), list[JournalError]()
    async with running(disk, failures) as writer:
        with pytest.raises(ZeroDivisionError):
            await writer.run(lambda: 1 // 0)
        assert await writer.run(lambda: 7) == 7
        assert len(await writer.put(ONE)) == 1
        assert (writer.trouble, failures) == (None, [])


@pytest.mark.anyio
async def test_a_job_is_done_or_refused_when_the_journal_closes() -> None:
    """A job that was queued behind the end does not wait for ever."""
    disk, done = Disk(), list[int]()
    async with running(disk, []) as writer:
        first = await busy(disk, writer)
        jobs = [writer.run(functools.partial(done.append, n)) for n in range(3)]
        disk.may_go.set()
        await asyncio.to_thread(writer.close)
        outcomes = await asyncio.gather(*jobs, return_exceptions=True)
        assert len(await first) == 1
        refused = [outcome for outcome in outcomes if isinstance(outcome, JournalError)]
        assert len(refused) + len(done) == 3
        with pytest.raises(JournalError, match="closed"):
            await writer.run(lambda: None)


def test_a_loop_that_is_gone_does_not_end_the_thread() -> None:
    """Records outlive the loop that sent them, and the thread serves the next one."""
    disk = Disk()
    writer = Writer(disk.commit, on_failure=None, most_waiting=10)

    async def leave_early() -> None:
        await busy(disk, writer)

    async def come_after() -> int:
        disk.may_go.set()
        return (await writer.put(ONE))[0].seq

    asyncio.run(leave_early())
    assert asyncio.run(come_after()) == 2
    writer.close()
