"""The journal of a hub that could not open its own: takes nothing, so nothing is allowed."""

import asyncio
from collections.abc import Awaitable, Sequence

from assent.filter import Filter
from assent.journal.alone import Alone
from assent.journal.base import Checked, Found, Head, JournalError, Mark, Removal
from assent.protocol.record import GENESIS, Draft, Record


class AbsentJournal(Alone):
    """Says why at every append."""

    hub = "absent"

    def __init__(self, why: str) -> None:
        self.trouble: str | None = why
        self.lost = 0

    def append(self, drafts: Sequence[Draft]) -> Awaitable[tuple[Record, ...]]:
        self.lost += len(drafts)
        future: asyncio.Future[tuple[Record, ...]] = asyncio.get_running_loop().create_future()
        future.set_exception(JournalError(self.trouble or "there is no journal"))
        return future

    async def decision_for(self, _request: str) -> Record | None:
        return None

    async def read(self, **_: object) -> list[Record]:
        return []

    async def tail(self, _limit: int) -> list[Record]:
        return []

    async def search(self, wanted: Filter, **_: object) -> Found:  # noqa: ARG002 - as every journal takes it
        return Found([])

    async def story(self, _call: str) -> list[Record]:
        return []

    async def head(self) -> Head:
        return Head(hub=self.hub, seq=0, hash=GENESIS)

    async def verify(self, against: Head | None = None) -> Checked:  # noqa: ARG002 - as every journal takes it
        raise JournalError(self.trouble or "there is no journal")

    async def size(self) -> int:
        # Nothing to prune would be the wrong answer.
        raise JournalError(self.trouble or "there is no journal")

    async def checkpoint(self) -> Record | None:
        return None

    async def marks(self, *, after: int = 0) -> list[Mark]:  # noqa: ARG002 - as every journal takes it
        return []

    async def remove(self, removal: Removal) -> Record:  # noqa: ARG002 - as every journal takes it
        raise JournalError(self.trouble or "there is no journal")

    async def close(self) -> None:
        return None
