"""What every journal does, whatever it is kept in."""

from collections.abc import Awaitable, Sequence
from typing import Protocol

from msgspec import Struct

from assent.errors import AssentError
from assent.filter import Filter
from assent.protocol.record import Draft, Record


class JournalError(AssentError):
    """The journal could not take or give a record."""


class DuplicateError(JournalError):
    """A second answer to one ask, or a second decision for one request: the first one stands."""


# What there is one of, and for what: the journal's compare-and-set.
ONE_PER = {"answer": "ask", "decision": "request"}


def duplicate(kind: str) -> DuplicateError:
    return DuplicateError(f"Not recorded: the {ONE_PER[kind]} already has its {kind}, and the first one stands.")


class Head(Struct, frozen=True):
    """Where a chain ends."""

    hub: str
    seq: int
    hash: str


class Break(Struct, frozen=True):
    """The first record at which a chain does not hold."""

    seq: int
    why: str


class Checked(Struct, frozen=True):
    """What a walk over the whole chain found, and no more: where it ended, and whether it held until there."""

    head: Head
    # The head somebody kept elsewhere, if one was given to check against.
    against: Head | None = None
    broken: Break | None = None


class Found(Struct, frozen=True):
    """The newest records a search found, oldest first."""

    records: list[Record]
    # Set if the search ended early, to keep others from waiting: the records before this number were not looked at.
    unseen_before: int | None = None


class Journal(Protocol):
    hub: str

    @property
    def trouble(self) -> str | None:
        """Why nothing could be recorded last; None again after the next commit."""

    @property
    def lost(self) -> int:
        """How many drafts were not kept, duplicates aside."""

    def append(self, drafts: Sequence[Draft]) -> Awaitable[tuple[Record, ...]]:
        """Take all drafts or none. The call itself never blocks and keeps the order of calls;
        awaiting the result waits until the records are durable."""

    async def decision_for(self, request: str) -> Record | None:
        """The decision recorded for a request id, for a shim that asks again."""

    async def read(self, *, after: int = 0, before: int | None = None, limit: int = 1000) -> list[Record]:
        """Records with ``after < seq < before``, oldest first."""

    async def tail(self, limit: int) -> list[Record]:
        """The newest records, oldest first."""

    async def search(self, wanted: Filter, *, before: int | None = None, limit: int = 100) -> Found:
        """The newest records with ``seq < before`` that are wanted."""

    async def story(self, call: str) -> list[Record]:
        """All records of one call, oldest first."""

    async def head(self) -> Head: ...

    async def verify(self, against: Head | None = None) -> Checked:
        """Walk the chain to its first break; a head that was kept elsewhere must be in it."""

    async def close(self) -> None: ...
