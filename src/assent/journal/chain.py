"""The chain of records: how it grows, and whether it holds."""

from collections.abc import Iterable, Sequence

from msgspec import MsgspecError, json
from msgspec.structs import replace

from assent.journal.base import Break, Head, JournalError
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


def _missing(first: int, last: int) -> str:
    return f"record {first} is missing" if first == last else f"records {first} to {last} are missing"
