"""Interface of journals."""

from collections.abc import Awaitable, Callable, Sequence
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
    # A head kept elsewhere, if one was given to check against.
    against: Head | None = None
    broken: Break | None = None
    # Why nothing can be said about the kept head: its record was removed on purpose.
    unchecked: str | None = None
    # The last record of the part that was pruned, 0 for none, and how many are left of it.
    pruned_through: int = 0
    left: int = 0


class Found(Struct, frozen=True):
    """The newest records a search found, oldest first."""

    records: list[Record]
    # Set if the search ended early, to keep others from waiting: the records before this number were not looked at.
    unseen_before: int | None = None


class Mark(Struct, frozen=True):
    """A record that makes all records of its call, ask and request evidence."""

    seq: int
    call: str | None = None
    ask: str | None = None
    request: str | None = None


class Removal(Struct, frozen=True):
    """Which records go, and the checkpoint that vouches for what is left. Ids are never used again, so it does no harm
    that a removed answer or decision no longer stands in the way of a second one."""

    seqs: tuple[int, ...]
    checkpoint: Draft
    # The newest checkpoint when this was planned, 0 for none.
    since: int


def outdated() -> JournalError:
    return JournalError("Not pruned: the journal is being pruned by another process.", hint="Try again in a minute.")


class News(Struct, frozen=True):
    """Another hub recorded something into the same database: its newest record."""

    hub: str
    seq: int


class Chain(Protocol):
    """Reading what one hub recorded."""

    hub: str

    async def read(self, *, after: int = 0, before: int | None = None, limit: int = 1000) -> list[Record]:
        """Records with ``after < seq < before``, oldest first."""

    async def tail(self, limit: int) -> list[Record]:
        """The newest records, oldest first."""

    async def search(self, wanted: Filter, *, before: int | None = None, limit: int = 100) -> Found:
        """The newest records with ``seq < before`` that are wanted."""

    async def head(self) -> Head: ...

    async def verify(self, against: Head | None = None) -> Checked:
        """Walk the chain to its first break; a head that was kept elsewhere must be in it.
        A removal meanwhile disturbs nothing: the walk sees the journal as it was before or after."""


class Journal(Chain, Protocol):
    """The chain of this hub, and a look at those of others that share its database."""

    @property
    def comes_back(self) -> bool:
        """Whether trouble may end by itself: a server that is away can be there again, a file cannot mend itself."""

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

    async def story(self, call: str) -> list[Record]:
        """All records of one call, oldest first."""

    async def heads(self) -> list[Head]:
        """Where every chain in the database ends, this hub's first."""

    async def machines(self) -> dict[str, str]:
        """What other hubs in the same database call the machines they run on, as far as they recorded it."""

    def of(self, hub: str) -> Chain:
        """The chain of another hub in the same database."""

    def hear(self, callback: Callable[[News], None]) -> None:
        """From now on, call back on the event loop once another hub has recorded something, within some seconds. What
        other hubs have recorded so far is told once, too."""

    async def size(self) -> int:
        """About how many bytes the records take. Falls as records are removed."""

    async def checkpoint(self) -> Record | None:
        """The newest checkpoint: what it says of the records before it is all that holds of them."""

    async def marks(self, *, after: int = 0) -> list[Mark]:
        """The records with ``seq > after`` that ``evidence.is_mark`` holds for, oldest first."""

    async def remove(self, removal: Removal) -> Record:
        """Remove these records and append the checkpoint, in one transaction, between two appends and before none.
        Fails, and removes nothing, if there is a newer checkpoint or one of the records is already gone."""

    async def close(self) -> None: ...
