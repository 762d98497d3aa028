"""The chains of all hubs that share a journal, read as one by time, the newest first.

Each chain keeps its own order; between chains the time decides, and where it is the same, the hub's name. So the order
is the same however it is paged through."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from assent.filter import Filter
from assent.journal.base import Chain, Journal
from assent.protocol.record import Record

# Records that are fetched of one chain at a time, at least: many hubs share a page.
SMALLEST_FETCH = 20
MOST_HUBS = 500
# By hub: the records before this number are still to be told. A hub that is not named has none.
Places = Mapping[str, int]


class Merged(Struct, frozen=True):
    """A page, oldest first, and where the one before it ends; None at the beginning of all chains."""

    records: list[Record]
    before: dict[str, int] | None


@dataclass(slots=True)
class _Source:
    chain: Chain
    wanted: Filter
    # Where to look on; None once there is nothing before.
    before: int | None
    records: list[Record] = field(default_factory=list)

    @property
    def place(self) -> int | None:
        return self.records[-1].seq + 1 if self.records else self.before

    async def fetch(self, size: int) -> None:
        found = await self.chain.search(self.wanted, before=self.before, limit=size)
        self.records = found.records
        self.before = found.records[0].seq if len(found.records) >= size else found.unseen_before


async def search(journal: Journal, wanted: Filter, *, before: Places | None = None, limit: int = 100) -> Merged:
    """A page may be short or empty, as one chain's search may end early: ask again as long as there is ``before``."""
    heads = [head for head in await journal.heads() if before is None or head.hub in before][:MOST_HUBS]
    sources = [
        _Source(
            journal if head.hub == journal.hub else journal.of(head.hub),
            wanted,
            head.seq + 1 if before is None else min(before[head.hub], head.seq + 1),
        )
        for head in heads
    ]
    size = max(SMALLEST_FETCH, min(limit, 2 * limit // max(1, len(sources))))
    page: list[Record] = []
    while len(page) < limit:
        for source in sources:
            if not source.records and source.before is not None:
                await source.fetch(min(size, limit))
        if any(not source.records and source.before is not None for source in sources):
            # What was not looked at may be newer than what the others have.
            break
        ready = [source for source in sources if source.records]
        if not ready:
            break
        newest = max(ready, key=lambda source: (source.records[-1].at, source.chain.hub))
        page.append(newest.records.pop())
    places = {source.chain.hub: place for source in sources if (place := source.place) is not None and place > 1}
    return Merged(page[::-1], places or None)
