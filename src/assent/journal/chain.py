"""The chain of records: how it grows, and whether it holds."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import MsgspecError, json
from msgspec.structs import replace

from assent.journal.base import Break, Checked, Head, JournalError
from assent.journal.left import Left
from assent.protocol.bodies import CheckpointBody, read
from assent.protocol.record import GENESIS, Draft, Record, chained, is_intact

# What the encoder says to values that JSON has no form for, half characters and endless nesting.
_NO_JSON = (TypeError, ValueError, OverflowError, RecursionError, MsgspecError)
# Nothing was pruned: the chain begins at its beginning.
WHOLE = CheckpointBody(through=0, hash=GENESIS, kept=0, digest=Left().digest(), removed=0)


def follow(head: Head, drafts: Sequence[Draft]) -> tuple[tuple[Record, ...], Head]:
    """Give the drafts their places after ``head``; also where the chain ends then."""
    records = []
    seq, tip = head.seq, head.hash
    try:
        for draft in drafts:
            seq += 1
            # A body of its own, as it will be read back: nobody can change it between hash and disk.
            own = replace(draft, body=json.decode(json.encode(draft.body)))
            record = chained(own, hub=head.hub, seq=seq, prev=tip)
            tip = record.hash
            records.append(record)
    except _NO_JSON as error:
        raise JournalError(f"Not recorded: a draft cannot be written as JSON ({error}).") from error
    return tuple(records), Head(head.hub, seq, tip)


def pruned(checkpoint: Record | None) -> CheckpointBody | Break:
    """What the newest checkpoint says was removed; the whole chain is there if there is none."""
    if checkpoint is None:
        return WHOLE
    if not is_intact(checkpoint):
        return Break(checkpoint.seq, f"record {checkpoint.seq} was changed")
    said = read(checkpoint, CheckpointBody)
    if said is None or not 0 <= said.kept <= said.through < checkpoint.seq:
        return Break(checkpoint.seq, f"record {checkpoint.seq} does not say what was removed")
    return said


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
