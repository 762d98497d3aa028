"""Chains of several hubs, read as one by time."""

from collections.abc import Sequence

import pytest

from assent.filter import Filter, parse
from assent.journal.base import Chain, Found, Head
from assent.journal.memory import MemoryJournal
from assent.journal.merged import Merged, search
from assent.protocol.record import Draft, Record

pytestmark = pytest.mark.anyio

ALL = Filter()


class Hurried(MemoryJournal):
    """A chain whose search looks at a few records at a time."""

    step = 3

    async def search(self, wanted: Filter, *, before: int | None = None, limit: int = 100) -> Found:
        end = before if before is not None else self._head.seq + 1
        seen = await self.read(after=max(0, end - 1 - self.step), before=end)
        found = [record for record in seen if wanted.matches(record)][-limit:]
        if len(found) == limit:
            return Found(found)
        return Found(found, unseen_before=seen[0].seq if seen and seen[0].seq > 1 else None)


class Shared(MemoryJournal):
    """The journal of one hub in a database of several."""

    def __init__(self, hub: str, others: Sequence[MemoryJournal]) -> None:
        super().__init__(hub)
        self.others = {other.hub: other for other in others}

    async def heads(self) -> list[Head]:
        return [await self.head(), *[await other.head() for other in self.others.values()]]

    def of(self, hub: str) -> Chain:
        return self.others[hub]


async def recorded(journal: MemoryJournal, times: Sequence[int], decision: str = "allow") -> None:
    await journal.append([Draft(at=at, kind="decision", decision=decision) for at in times])


async def shared(kind: type[MemoryJournal] = MemoryJournal) -> Shared:
    """Three hubs whose times are interleaved; the clock of one was set back once."""
    others = [kind("bb"), kind("cc")]
    journal = Shared("aa", others)
    await recorded(journal, range(0, 100, 2))
    await recorded(others[0], [*range(1, 60, 2), 20, 21, *range(61, 100, 2)])
    await recorded(others[1], [50] * 30, decision="deny")
    return journal


def names(records: Sequence[Record]) -> list[tuple[str, int]]:
    return [(record.hub, record.seq) for record in records]


async def paged(journal: Shared, limit: int, wanted: Filter = ALL) -> list[tuple[str, int]]:
    told: list[tuple[str, int]] = []
    page = Merged([], {})
    before: dict[str, int] | None = None
    while page.before is not None:
        page = await search(journal, wanted, before=before, limit=limit)
        assert len(page.records) <= limit
        told = names(page.records) + told
        before = page.before
    return told


@pytest.mark.parametrize("kind", [MemoryJournal, Hurried])
async def test_records_of_all_hubs_come_by_time(kind: type[MemoryJournal]) -> None:
    """None is missing and none comes twice."""
    journal = await shared(kind)
    told = await paged(journal, 500)
    chains = [await chain.read() for chain in (journal, *journal.others.values())]
    assert sorted(told) == sorted(name for chain in chains for name in names(chain))
    times = {(r.hub, r.seq): r.at for chain in (journal, journal.others["cc"]) for r in await chain.read()}
    of_right_clocks = [times[name] for name in told if name in times]
    assert of_right_clocks == sorted(of_right_clocks)


@pytest.mark.parametrize("kind", [MemoryJournal, Hurried])
@pytest.mark.parametrize("limit", [1, 7, 64])
async def test_order_is_the_same_however_it_is_paged(kind: type[MemoryJournal], limit: int) -> None:
    """A page goes on exactly where the one before it ended."""
    assert await paged(await shared(kind), limit) == await paged(await shared(), 500)


async def test_each_chain_keeps_its_own_order() -> None:
    """Also where its clock was set back."""
    told = await paged(await shared(), 10)
    for hub in ("aa", "bb", "cc"):
        numbers = [seq for name, seq in told if name == hub]
        assert numbers == sorted(numbers)


@pytest.mark.parametrize("kind", [MemoryJournal, Hurried])
async def test_filter_holds_for_all_hubs(kind: type[MemoryJournal]) -> None:
    """A hub that has nothing to tell keeps the others from nothing."""
    told = await paged(await shared(kind), 7, parse("decision:deny", now=0.0))
    assert told == [("cc", number) for number in range(1, 31)]


async def test_records_that_come_meanwhile_do_not_move_the_pages() -> None:
    """What is newer than the first page is on none."""
    journal = await shared()
    first = await search(journal, ALL, limit=20)
    await recorded(journal, [1_000] * 30)
    late = MemoryJournal("dd")
    await recorded(late, [3])
    journal.others["dd"] = late
    rest = await search(journal, ALL, before=first.before, limit=500)
    assert [*names(rest.records), *names(first.records)] == await paged(await shared(), 500)


async def test_one_hub_alone_is_its_own_chain() -> None:
    """A journal in a file."""
    journal = MemoryJournal("aa")
    assert await search(journal, ALL) == Merged([], None)
    await recorded(journal, [3, 2, 1])
    page = await search(journal, ALL, limit=2)
    assert (names(page.records), page.before) == ([("aa", 2), ("aa", 3)], {"aa": 2})
