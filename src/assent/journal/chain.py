"""The chain of records: how it grows, and whether it holds."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import MsgspecError, json
from msgspec.structs import replace

from assent.journal.base import Break, Checked, Head, JournalError
from assent.protocol.record import GENESIS, Draft, Record, chained, is_intact

# What the encoder says to values that JSON has no form for, half characters and endless nesting.
_NO_JSON = (TypeError, ValueError, OverflowError, RecursionError, MsgspecError)


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


def first_break(records: Iterable[Record]) -> Break | None:
    """The first record that was changed, lost or moved; records come in the order of their numbers.

    Records cut off the end leave a shorter chain that holds: only a head kept elsewhere shows that."""
    seq, tip = 0, GENESIS
    for record in records:
        if record.seq != seq + 1:
            return Break(seq + 1, _missing(seq + 1, record.seq - 1))
        if not is_intact(record):
            return Break(record.seq, f"record {record.seq} was changed")
        if record.prev != tip:
            before = f"record {seq}" if seq else "the beginning"
            return Break(record.seq, f"record {record.seq} does not follow {before}")
        seq, tip = record.seq, record.hash
    return None


def check(hub: str, records: Iterable[Record], against: Head | None) -> Checked:
    """Walk the chain, and look for a head that was kept elsewhere on the way."""
    end = Head(hub, 0, GENESIS)
    met = end.hash if against and against.seq == 0 else None

    def watched() -> Iterator[Record]:
        nonlocal end, met
        for record in records:
            yield record
            # Reached only if the record held.
            end = Head(hub, record.seq, record.hash)
            if against and record.seq == against.seq:
                met = record.hash

    broken = first_break(watched())
    if broken is None and against is not None:
        broken = _not_kept(against, end, met)
    return Checked(end, against, broken)


def _not_kept(against: Head, end: Head, met: str | None) -> Break | None:
    if against.hub != end.hub:
        return Break(1, f"this is the journal of hub {end.hub}, and the head was kept of hub {against.hub}")
    if met is None:
        return Break(end.seq + 1, f"{_missing(end.seq + 1, against.seq)}, for the head was kept at {against.seq}")
    if met != against.hash:
        return Break(against.seq, f"record {against.seq} is not the one whose hash was kept: history was rewritten")
    return None


def _missing(first: int, last: int) -> str:
    return f"record {first} is missing" if first == last else f"records {first} to {last} are missing"
