"""The chain of records: how it grows, and whether it holds."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import MsgspecError, json

from assent.journal.base import Break, Chain, Checked, Head, JournalError, News
from assent.protocol.bodies import CheckpointBody, read
from assent.protocol.record import GENESIS, Draft, Record, chained, is_intact

_SEQ = 8
_ENTRY = _SEQ + 32


class Place(NamedTuple):
    seq: int
    at: int


class Left:
    """Numbers and hashes, oldest first, packed: there may be hundreds of thousands."""

    def __init__(self) -> None:
        self._packed = bytearray()
        self._times: deque[int] = deque()

    def __len__(self) -> int:
        return len(self._times)

    def add(self, record: Record) -> None:
        self._packed += record.seq.to_bytes(_SEQ, "big") + bytes.fromhex(record.hash)
        self._times.append(record.at)

    def oldest(self) -> Place | None:
        return Place(int.from_bytes(self._packed[:_SEQ], "big"), self._times[0]) if self._times else None

    def pop(self) -> Place | None:
        """Take the oldest out."""
        oldest = self.oldest()
        if oldest:
            del self._packed[:_ENTRY]
            self._times.popleft()
        return oldest

    def digest(self) -> str:
        return hashlib.sha256(self._packed).hexdigest()


class Alone:
    comes_back = False

    async def heads(self: Chain) -> list[Head]:
        return [await self.head()]

    async def machines(self) -> dict[str, str]:
        return {}

    def of(self: Chain, hub: str) -> Chain:
        if hub != self.hub:
            raise JournalError(f"This journal has no records of hub {hub}.")
        return self

    def hear(self, callback: Callable[[News], None]) -> None:
        """Nothing to subscribe to: no other hub records here."""


# What the encoder says to values that JSON has no form for, half characters and endless nesting.
_NO_JSON = (TypeError, ValueError, OverflowError, RecursionError, MsgspecError)
# Nothing was pruned: the chain begins at its beginning.
WHOLE = CheckpointBody(through=0, hash=GENESIS, kept=0, digest=Left().digest(), removed=0)


_encode = json.Encoder().encode
_decode = json.Decoder().decode


class Grown(NamedTuple):
    """What was added to a chain, and where it ends then."""

    records: tuple[Record, ...]
    head: Head
    # Of each record, as it is stored: in the order in which its names came, while its hash is of sorted ones.
    bodies: tuple[bytes, ...] = ()


def follow(head: Head, drafts: Sequence[Draft]) -> Grown:
    """Give the drafts their places after ``head``."""
    records, bodies = [], []
    seq, tip = head.seq, head.hash
    try:
        for draft in drafts:
            seq += 1
            stored = _encode(draft.body)
            # A body of its own, as it will be read back: the caller cannot change it between hash and disk.
            record = chained(draft, hub=head.hub, seq=seq, prev=tip, body=_decode(stored))
            tip = record.hash
            records.append(record)
            bodies.append(stored)
    except _NO_JSON as error:
        raise JournalError(f"Not recorded: a draft cannot be written as JSON ({error}).") from error
    return Grown(tuple(records), Head(head.hub, seq, tip), tuple(bodies))


def pruned(checkpoint: Record | None) -> CheckpointBody | Break:
    """What the newest checkpoint says was removed; the whole chain is there if there is none."""
    if checkpoint is None:
        return WHOLE
    if not is_intact(checkpoint):
        return Break(checkpoint.seq, f"record {checkpoint.seq} was changed")
    body = read(checkpoint, CheckpointBody)
    if body is None or not 0 <= body.kept <= body.through < checkpoint.seq:
        return Break(checkpoint.seq, f"record {checkpoint.seq} does not say what was removed")
    return body


def first_break(records: Iterable[Record], since: CheckpointBody = WHOLE) -> Break | None:
    """The first record that was changed, lost, moved or put in; records come in the order of their numbers.

    Records cut off the end leave a shorter chain that holds: only a head kept elsewhere shows that."""
    left: Left | None = Left()
    last = 0
    seq, tip = since.through, since.hash
    for record in records:
        if record.seq <= last:
            return Break(record.seq, f"record {record.seq} was put in")
        last = record.seq
        if last <= since.through and left is not None:
            if not is_intact(record):
                return _changed(record)
            left.add(record)
            continue
        if left is not None and (broken := _not_left(left, since)):
            return broken
        left = None
        if record.seq != seq + 1:
            return Break(seq + 1, _missing(seq + 1, record.seq - 1))
        if not is_intact(record):
            return _changed(record)
        if record.prev != tip:
            before = f"record {seq}" if seq else "the beginning"
            return Break(record.seq, f"record {record.seq} does not follow {before}")
        seq, tip = record.seq, record.hash
    return None if left is None else _not_left(left, since)


def check(
    hub: str, records: Iterable[Record], against: Head | None = None, *, checkpoint: Record | None = None
) -> Checked:
    """Walk the chain, and look for a head that was kept elsewhere on the way."""
    end = Head(hub, 0, GENESIS)
    since = pruned(checkpoint)
    if isinstance(since, Break):
        return Checked(end, against, since)
    met = {0: GENESIS, since.through: since.hash}

    def watched() -> Iterator[Record]:
        nonlocal end
        for record in records:
            yield record
            # Reached only if the record held.
            end = Head(hub, record.seq, record.hash)
            if against and record.seq == against.seq:
                met[record.seq] = record.hash

    broken = first_break(watched(), since)
    unchecked = None
    if broken is None and checkpoint is not None and end.seq < checkpoint.seq:
        broken = Break(end.seq + 1, _missing(end.seq + 1, checkpoint.seq))
    if broken is None and against is not None:
        if against.hub == hub and 0 < against.seq < since.through and against.seq not in met:
            unchecked = f"record {against.seq} was removed on purpose, with others up to {since.through}"
        else:
            broken = _not_kept(against, end, met.get(against.seq))
    return Checked(end, against, broken, unchecked, pruned_through=since.through, left=since.kept)


def _not_kept(against: Head, end: Head, met: str | None) -> Break | None:
    if against.hub != end.hub:
        return Break(1, f"this is the journal of hub {end.hub}, and the head was kept of hub {against.hub}")
    if met is None:
        return Break(end.seq + 1, f"{_missing(end.seq + 1, against.seq)}, for the head was kept at {against.seq}")
    if met != against.hash:
        return Break(against.seq, f"record {against.seq} is not the one whose hash was kept: history was rewritten")
    return None


def _not_left(left: Left, since: CheckpointBody) -> Break | None:
    """Which one is missing or was put in cannot be told: the checkpoint knows them by one digest."""
    of = f"of records 1 to {since.through}, {since.kept} were left when the others were removed"
    if len(left) != since.kept:
        return Break(1, f"{of}, and {len(left)} are there")
    return None if left.digest() == since.digest else Break(1, f"{of}, and they are not the same ones")


def _changed(record: Record) -> Break:
    return Break(record.seq, f"record {record.seq} was changed")


def _missing(first: int, last: int) -> str:
    return f"record {first} is missing" if first == last else f"records {first} to {last} are missing"
