"""Journal in memory, for tests."""

import asyncio
from collections.abc import Awaitable, Sequence

import msgspec

from assent.filter import Filter
from assent.journal.base import (
    ONE_PER,
    Checked,
    DuplicateError,
    Found,
    Head,
    JournalError,
    Mark,
    Removal,
    duplicate,
    outdated,
)
from assent.journal.chain import Alone, check, follow
from assent.journal.reading import is_mark
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


_decode = msgspec.json.Decoder(Record).decode


class MemoryJournal(Alone):
    """Set ``trouble`` to a sentence, and every append fails with it, as on a full disk."""

    def __init__(self, hub: str = "memory") -> None:
        self.hub = hub
        self.trouble: str | None = None
        self.lost = 0
        # Kept encoded: what is read back has been through JSON here too, and callers cannot change it by reference.
        self._kept: list[bytes] = []
        self._taken: set[tuple[str, str]] = set()
        self._head = Head(hub, 0, GENESIS)
        self._closed = False

    def append(self, drafts: Sequence[Draft]) -> asyncio.Future[tuple[Record, ...]]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[tuple[Record, ...]] = loop.create_future()
        try:
            records = self._place(drafts)
        except JournalError as error:
            if not isinstance(error, DuplicateError):
                self.lost += len(drafts)
            future.set_exception(error)
            future.exception()  # Retrieved: an append that is not awaited must not log a warning.
        else:
            # Not at once: an append that is done before it is awaited would hide races from tests.
            loop.call_soon(_resolve, future, records)
        return future

    def _place(self, drafts: Sequence[Draft]) -> tuple[Record, ...]:
        if wrong := self.trouble or ("Not recorded: the journal is closed." if self._closed else None):
            raise JournalError(wrong)
        records, head, _ = follow(self._head, drafts)
        fresh: set[tuple[str, str]] = set()
        for draft in drafts:
            key = _one_per(draft)
            if key is None:
                continue
            if key in self._taken or key in fresh:
                raise duplicate(draft.kind)
            fresh.add(key)
        self._kept += map(msgspec.json.encode, records)
        self._taken |= fresh
        self._head = head
        return records

    async def decision_for(self, request: str) -> Record | None:
        return next((r for r in self._read() if r.kind == "decision" and r.request == request), None)

    async def read(self, *, after: int = 0, before: int | None = None, limit: int = 1000) -> list[Record]:
        return [r for r in self._read() if r.seq > after and (before is None or r.seq < before)][:limit]

    async def tail(self, limit: int) -> list[Record]:
        return self._read()[-limit:] if limit > 0 else []

    async def search(self, wanted: Filter, *, before: int | None = None, limit: int = 100) -> Found:
        matches = [r for r in self._read() if (before is None or r.seq < before) and wanted.matches(r)]
        return Found(matches[-limit:] if limit > 0 else [])

    async def story(self, call: str) -> list[Record]:
        return [r for r in self._read() if r.call == call]

    async def head(self) -> Head:
        kept = self._read()
        return Head(self.hub, kept[-1].seq, kept[-1].hash) if kept else Head(self.hub, 0, GENESIS)

    async def verify(self, against: Head | None = None) -> Checked:
        return check(self.hub, self._read(), against, checkpoint=await self.checkpoint())

    async def size(self) -> int:
        return sum(map(len, self._kept))

    async def checkpoint(self) -> Record | None:
        return next((record for record in reversed(self._read()) if record.kind == "checkpoint"), None)

    async def marks(self, *, after: int = 0) -> list[Mark]:
        return [Mark(r.seq, r.call, r.ask, r.request) for r in self._read() if r.seq > after and is_mark(r)]

    async def remove(self, removal: Removal) -> Record:
        newest = await self.checkpoint()
        kept = self._read()
        gone = [record for record in kept if record.seq in set(removal.seqs)]
        if (newest.seq if newest else 0) != removal.since or len(gone) != len(removal.seqs):
            raise outdated()
        (record,) = self._place([removal.checkpoint])
        self._taken -= {key for each in gone if (key := _one_per(each))}
        self._kept = [msgspec.json.encode(each) for each in (*kept, record) if each not in gone]
        return record

    async def close(self) -> None:
        self._closed = True

    def _read(self) -> list[Record]:
        return [_decode(kept) for kept in self._kept]


def _one_per(draft: Draft) -> tuple[str, str] | None:
    key = getattr(draft, ONE_PER[draft.kind]) if draft.kind in ONE_PER else None
    return None if key is None else (draft.kind, key)


def _resolve(future: asyncio.Future[tuple[Record, ...]], records: tuple[Record, ...]) -> None:
    if not future.done():  # the awaiting task was cancelled
        future.set_result(records)
