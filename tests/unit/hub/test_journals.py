"""What a hub that starts knows again from its journal, and what it does without one."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from assent.hub import journals
from assent.hub.journals import REMEMBERED_RECORDS, Recall, opened
from assent.hub.recorder import Live, Recorder
from assent.journal.base import JournalError
from assent.journal.memory import AbsentJournal, MemoryJournal
from assent.paths import Paths
from assent.protocol.record import Draft, Record
from tests.waiting import HANG

pytestmark = pytest.mark.anyio


@dataclass
class Recalled:
    """Stands in for a part that knows again."""

    records: list[Record] | None = None

    def recall(self, records: list[Record]) -> None:
        self.records = records


class Behind(MemoryJournal):
    """Each error once, then tails without the newest records as often as is said."""

    comes_back = False

    def __init__(self, *errors: Exception, stale: int = 0) -> None:
        super().__init__()
        self.errors = list(errors)
        self.stale = stale
        self.asked: list[int] = []

    async def tail(self, limit: int) -> list[Record]:
        self.asked.append(limit)
        if self.errors:
            raise self.errors.pop(0)
        records = await super().tail(limit)
        self.stale -= 1
        return records[:-1] if self.stale >= 0 else records


class Away(Behind):
    """A journal whose server may come back."""

    comes_back = True


@dataclass
class Hub:
    journal: Behind
    pipeline: Recalled = field(default_factory=Recalled)
    queues: Recalled = field(default_factory=Recalled)

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.journal, Live())
        self.recall = Recall(self.recorder, cast("Any", self.pipeline), cast("Any", self.queues))

    @property
    def known(self) -> list[list[int] | None]:
        parts = (self.pipeline, self.queues)
        return [None if part.records is None else [r.seq for r in part.records] for part in parts]


async def filled(journal: Behind) -> Hub:
    await journal.append([Draft(at=n, kind="event") for n in range(3)])
    return Hub(journal)


async def test_all_parts_know_the_last_records_again() -> None:
    """And where the chain ends."""
    hub = await filled(Behind())
    await hub.recall.begin()
    assert hub.known == [[1, 2, 3]] * 2
    assert (hub.recorder.live.seq, hub.recorder.live.hash) == (3, (await hub.journal.head()).hash)
    assert hub.journal.asked == [REMEMBERED_RECORDS]
    hub.recall.stop()


async def test_what_was_recorded_meanwhile_is_known_too() -> None:
    """A tail that ends before what is live is read again, until it does not."""
    hub = await filled(Behind(stale=2))
    hub.recorder.live.seq = 3
    await hub.recall.begin()
    assert hub.known == [[1, 2, 3]] * 2
    assert len(hub.journal.asked) == 3


async def test_empty_journal_is_read_once() -> None:
    """There is nothing to wait for."""
    hub = Hub(Behind())
    hub.recorder.live.seq = 3
    await hub.recall.begin()
    assert hub.known == [[]] * 2


@pytest.mark.parametrize(
    ("journal", "why"),
    [
        (Behind(JournalError("It is locked.")), "It is locked."),
        (Behind(ValueError("x")), "The journal is damaged"),
        (Away(ValueError("x")), "The journal is damaged"),
    ],
)
async def test_journal_that_cannot_be_read_is_left(journal: Behind, why: str) -> None:
    """The hub goes on without one, and says why at each append."""
    hub = Hub(journal)
    await hub.recall.begin()
    assert isinstance(hub.recorder.journal, AbsentJournal)
    assert (hub.recorder.journal.trouble or "").startswith(why)
    assert hub.known == [None, None]


async def test_journal_whose_server_is_away_is_read_once_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub starts at once, and tries again until it answers."""
    monkeypatch.setattr(journals, "POLL", 0)
    hub = await filled(Away(JournalError("away"), JournalError("still")))
    await hub.recall.begin()
    assert hub.known == [None, None]
    assert hub.recall._later is not None
    await asyncio.wait_for(hub.recall._later, HANG)
    assert hub.known == [[1, 2, 3]] * 2
    assert hub.recorder.journal is hub.journal


async def test_stopped_hub_waits_for_no_server() -> None:
    """The task ends with it."""
    hub = Hub(Away(JournalError("away")))
    await hub.recall.begin()
    later = hub.recall._later
    assert later is not None
    hub.recall.stop()
    with pytest.raises(asyncio.CancelledError):
        await later


async def test_journal_that_cannot_be_opened_is_absent(tmp_path: Path) -> None:
    """With the reason, and what to do."""
    journal = opened("gopher://x", Paths(tmp_path, tmp_path))
    assert isinstance(journal, AbsentJournal)
    assert (journal.trouble or "").endswith("When that is done: assent restart")
