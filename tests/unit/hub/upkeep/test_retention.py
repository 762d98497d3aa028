"""The journal is kept to its limits, and nothing goes that is within them."""

import asyncio
import logging
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest

from assent import config
from assent.config import Bytes, Config
from assent.hub.bus import now_ms
from assent.hub.upkeep import retention as module
from assent.hub.upkeep.retention import Limits, Retention
from assent.journal import prune
from assent.journal.base import JournalError
from assent.journal.memory import AbsentJournal, MemoryJournal
from assent.protocol.record import Draft, Record
from tests.unit.hub.doubles import InForce, Published
from tests.waiting import HANG, seen

pytestmark = pytest.mark.anyio
DAY = 86_400_000


class Tells(Published):
    """Sets an event when something is published."""

    def __init__(self, event: asyncio.Event) -> None:
        super().__init__()
        self.event = event

    def publish(self, records: Iterable[Record]) -> None:
        self.event.set()


async def filled(*ages: int) -> MemoryJournal:
    """A journal with records of these ages in days."""
    journal = MemoryJournal()
    now = now_ms()
    await journal.append([Draft(at=now - age * DAY, kind="event", body={"pad": "x" * 100}) for age in ages])
    return journal


def looked_after(journal: MemoryJournal, published: list[Record], **settings: object) -> Retention:
    policy = InForce(Config(journal=config.Journal(**settings)))  # type: ignore[arg-type]
    return Retention(journal, policy, Published(published), Path("/nowhere"))


async def ages(journal: MemoryJournal) -> list[int]:
    now = now_ms()
    return [round((now - record.at) / DAY) for record in await journal.read() if record.kind != "checkpoint"]


async def test_what_is_older_than_the_settings_say_goes(caplog: pytest.LogCaptureFixture) -> None:
    """One line in the log says so, and listeners hear of the checkpoint."""
    journal, published = await filled(200, 190, 100, 1), list[Record]()
    with caplog.at_level(logging.INFO):
        await looked_after(journal, published).keep_to_settings()
    await asyncio.sleep(0)
    assert await ages(journal) == [100, 1]
    assert [(record.kind, record.by) for record in published] == [("checkpoint", "hub:prune")]
    assert [record.getMessage() for record in caplog.records] == [
        "pruned 2 records, 0 older ones are left as evidence, 0 MiB in use"
    ]


async def test_nothing_goes_that_is_within_the_limits(caplog: pytest.LogCaptureFixture) -> None:
    """The usual hour leaves no trace."""
    journal, published = await filled(100, 1), list[Record]()
    with caplog.at_level(logging.INFO):
        await looked_after(journal, published).keep_to_settings()
    assert (await ages(journal), published, caplog.records) == ([100, 1], [], [])


async def test_too_much_is_pruned_to_somewhat_less_and_the_newest_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it need not be done every hour, and the hub finds what it starts with."""
    monkeypatch.setattr(module, "NEWEST", 3)
    monkeypatch.setattr(prune, "MOST_IN_A_STEP", 10)
    journal = await filled(*range(100, 0, -1))
    size = await journal.size()
    keeper = looked_after(journal, [])
    found = await keeper.prune(Limits(max_size=size - 1), by="person:desk")
    assert (found.removed, (await ages(journal))[0]) == (20, 80)
    assert found.size_after < 0.9 * size
    again = await keeper.prune(Limits(max_size=found.size_after), by="person:desk")
    assert again.removed == 0
    tiny = await keeper.prune(Limits(max_size=1), by="person:desk")
    assert tiny.size_after > 1
    assert (await ages(journal))[-1] == 1
    assert (await journal.verify()).broken is None


async def test_two_who_prune_at_once_take_turns() -> None:
    """The hourly chore and a person meet without a quarrel."""
    journal = await filled(*[200] * 2500, 1)
    keeper = looked_after(journal, [])
    found = await asyncio.gather(*(keeper.prune(Limits(timedelta(days=180)), by="x") for _ in range(2)))
    assert sorted(each.removed for each in found) == [0, 2500]


async def test_plan_removes_nothing() -> None:
    """It says what the same limits would take."""
    journal = await filled(200, 1)
    planned = await looked_after(journal, []).plan(Limits(timedelta(days=100)))
    assert (planned.removed, planned.records, await ages(journal)) == (1, 2, [200, 1])


async def test_settings_are_read_each_time() -> None:
    """A change of keep holds from the next hour on, without a restart."""
    journal = await filled(50, 20, 1)
    keeper = looked_after(journal, [], keep=timedelta(days=30), max_size=Bytes(2**30))
    await keeper.keep_to_settings()
    assert await ages(journal) == [20, 1]
    assert keeper.limits() == Limits(timedelta(days=30), 2**30)


async def test_a_journal_elsewhere_is_backed_up_by_its_own_tools() -> None:
    """The refusal names one."""
    with pytest.raises(JournalError, match="Not backed up") as refused:
        await looked_after(await filled(1), []).back_up(None, lambda done, of: None)
    assert "pg_dump" in str(refused.value.hint)


async def test_without_a_journal_nothing_is_claimed() -> None:
    """Neither that there was nothing to remove nor that there is a copy."""
    keeper = Retention(AbsentJournal("The disk is gone."), InForce(), Published(), Path("/nowhere"))
    for refused in (
        keeper.plan(Limits(max_size=1)),
        keeper.prune(Limits(timedelta(days=1)), by="x"),
        keeper.back_up(None, lambda done, of: None),
    ):
        with pytest.raises(JournalError, match="The disk is gone"):
            await refused


async def test_stopping_ends_what_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that is to end waits for no prune, and what was removed until then is a whole step."""
    monkeypatch.setattr(prune, "PAUSE", 60.0)
    journal = await filled(*[200] * 1200, 1)
    keeper = looked_after(journal, [])
    begun = asyncio.Event()
    working = asyncio.create_task(keeper.prune(Limits(timedelta(days=180)), by="x", report=lambda _: begun.set()))
    await begun.wait()
    keeper.stop()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert (await journal.verify()).pruned_through == prune.MOST_IN_A_STEP


async def test_hourly_look_goes_on_after_a_failure(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A chain that does not hold is said once an hour, and pruned as soon as it holds again."""
    monkeypatch.setattr(module, "FIRST", 0.0)
    monkeypatch.setattr(module, "INTERVAL", 0.0)
    journal, gone = await filled(200, 1), asyncio.Event()
    whole = journal._kept[0]
    journal._kept[0] = whole.replace(b"xxx", b"yyy", 1)
    keeper = Retention(journal, InForce(), Tells(gone), Path("/nowhere"))
    with caplog.at_level(logging.INFO):
        looking = asyncio.create_task(keeper.run_forever())
        # The event loop may speak of itself, too, where it is slow.
        await seen(lambda: "Not pruned" in caplog.text, "the failure in the log")
        journal._kept[0] = whole
        await asyncio.wait_for(gone.wait(), HANG)
    looking.cancel()
    messages = [record.message for record in caplog.records if record.name.startswith("assent")]
    assert messages[0] == "Not pruned: record 1 was changed, and what is broken is not removed."
    assert await ages(journal) == [1]
