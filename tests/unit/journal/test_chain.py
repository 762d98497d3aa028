"""How a chain of records grows, and whether it holds."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assent.journal.base import Break, Checked, Head, JournalError
from assent.journal.chain import Left, check, first_break, follow
from assent.protocol.bodies import CheckpointBody, body
from assent.protocol.record import GENESIS, Draft, Record, chained

START = Head("h", 0, GENESIS)
ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


def chain(length: int) -> list[Record]:
    return list(follow(START, [Draft(at=n, kind="event", body={"n": n}) for n in range(1, length + 1)])[0])


def test_follow_numbers_without_gaps_and_ends_at_the_last() -> None:
    """Records are numbered on from the head, and the new head is the last record."""
    records, head, _ = follow(Head("h", 7, "a" * 64), [Draft(at=1, kind="event"), Draft(at=2, kind="event")])
    assert [record.seq for record in records] == [8, 9]
    assert records[0].prev == "a" * 64
    assert head == Head("h", 9, records[1].hash)


def test_follow_of_nothing_stays_where_it_is() -> None:
    """No drafts, no records, the same head."""
    assert follow(START, []) == ((), START, ())


def test_follow_takes_a_copy_of_the_body() -> None:
    """Changing a body after it was handed over changes no record."""
    inner = ["a"]
    records, _, _ = follow(START, [Draft(at=1, kind="event", body={"list": inner})])
    inner.append("b")
    assert records[0].body == {"list": ["a"]}
    assert first_break(records) is None


def test_stored_body_is_in_the_order_in_which_it_came() -> None:
    """People read and edit what a client sent as it was sent; only the hash is of sorted names."""
    grown = follow(START, [Draft(at=1, kind="event", body={"b": {"z": 1, "a": 2}, "a": ()})])
    assert grown.bodies == (b'{"b":{"z":1,"a":2},"a":[]}',)
    assert list(grown.records[0].body) == ["b", "a"]
    assert first_break(grown.records) is None


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(object(), id="no form"),
        pytest.param("\ud800", id="half a character"),
        pytest.param(ENDLESS, id="endless"),
    ],
)
def test_follow_refuses_what_is_not_json(value: Any) -> None:
    """A body that JSON cannot hold is a journal error, not a crash of the writer."""
    with pytest.raises(JournalError, match=r"^Not recorded: "):
        follow(START, [Draft(at=1, kind="event", body={"value": value})])


def test_first_break_of_a_whole_chain_is_none() -> None:
    """Neither an empty nor a whole chain breaks."""
    assert first_break([]) is None
    assert first_break(chain(5)) is None


def test_first_break_names_a_changed_record() -> None:
    """A record whose hash no longer fits was changed."""
    records = chain(5)
    records[2] = replace(records[2], body={"n": 33})
    assert first_break(records) == Break(3, "record 3 was changed")


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ([3], Break(3, "record 3 is missing")),
        ([2, 3, 4], Break(2, "records 2 to 4 are missing")),
        ([1, 2], Break(1, "records 1 to 2 are missing")),
    ],
)
def test_first_break_names_missing_records(gone: list[int], expected: Break) -> None:
    """A gap in the numbers is named from end to end."""
    assert first_break(record for record in chain(6) if record.seq not in gone) == expected


def test_first_break_names_a_record_that_does_not_follow() -> None:
    """A record hashed anew over other contents is intact itself, but the next one does not follow it."""
    records = chain(4)
    forged = Draft(at=2, kind="event", body={"n": "forged"})
    records[1] = chained(forged, hub="h", seq=2, prev=records[0].hash)
    assert first_break(records) == Break(3, "record 3 does not follow record 2")


def test_first_break_names_a_chain_that_begins_elsewhere() -> None:
    """The first record follows nothing."""
    stranger = chained(Draft(at=1, kind="event"), hub="h", seq=1, prev="a" * 64)
    assert first_break([stranger]) == Break(1, "record 1 does not follow the beginning")


def test_check_ends_at_the_last_record_that_holds() -> None:
    """A walk claims what it saw: where the chain ended, or the last record before the break."""
    records = chain(5)
    assert check("h", records, None) == Checked(Head("h", 5, records[4].hash))
    broken = [*records[:3], replace(records[3], at=0), records[4]]
    assert check("h", broken, None) == Checked(Head("h", 3, records[2].hash), broken=Break(4, "record 4 was changed"))


def test_check_names_the_break_before_the_kept_head() -> None:
    """The first break counts, and the head it was checked against is repeated."""
    records = chain(5)
    kept = Head("h", 5, records[4].hash)
    assert check("h", records[:2] + records[3:], kept) == Checked(
        Head("h", 2, records[1].hash), kept, Break(3, "record 3 is missing")
    )


def pruned_chain(length: int, through: int, kept: set[int]) -> list[Record]:
    """A chain whose first records were removed but for some, then its checkpoint, then one more."""
    records = chain(length)
    left = Left()
    for record in records[:through]:
        if record.seq in kept:
            left.add(record)
    checkpoint = CheckpointBody(
        through=through, hash=records[through - 1].hash, kept=len(left), digest=left.digest(), removed=through
    )
    head = Head("h", length, records[-1].hash)
    more = [Draft(at=1, kind="checkpoint", body=body(checkpoint)), Draft(at=2, kind="event")]
    return [r for r in records if r.seq > through or r.seq in kept] + list(follow(head, more)[0])


def checked(records: list[Record], against: Head | None = None) -> Checked:
    checkpoint = next((record for record in reversed(records) if record.kind == "checkpoint"), None)
    return check("h", records, against, checkpoint=checkpoint)


def test_check_of_a_pruned_chain_says_how_much_was_pruned() -> None:
    """What was removed on purpose is no break, and the result names it."""
    records = pruned_chain(9, 6, {2, 4})
    assert checked(records) == Checked(Head("h", 11, records[-1].hash), pruned_through=6, left=2)


def test_check_refuses_a_checkpoint_that_says_nothing() -> None:
    """A checkpoint that stands in the chain and cannot be read vouches for nothing."""
    records, _, _ = follow(START, [Draft(at=1, kind="event"), Draft(at=1, kind="checkpoint", body={"through": "all"})])
    assert checked(list(records)).broken == Break(2, "record 2 does not say what was removed")


def test_check_names_a_record_put_in_before_the_first() -> None:
    """Numbers begin at 1."""
    records = chain(3)
    stranger = chained(Draft(at=1, kind="event"), hub="h", seq=0, prev=GENESIS)
    assert first_break([stranger, *records]) == Break(0, "record 0 was put in")


def test_check_misses_a_checkpoint_that_was_cut_off_with_the_end() -> None:
    """A checkpoint that the walk never met vouches for nothing."""
    records = pruned_chain(9, 6, {2})
    assert check("h", records[:-2], None, checkpoint=records[-2]).broken == Break(10, "record 10 is missing")


@given(
    kept=st.sets(st.integers(1, 6)),
    place=st.integers(0, 20),
    name=st.sampled_from([*Draft.__struct_fields__, "seq", "prev", "hash", "added", "removed"]),
)
def test_any_field_changed_anywhere_in_a_pruned_chain_is_found(kept: set[int], place: int, name: str) -> None:
    """Be it in a record that was left, in the checkpoint or after it; also a record put in or taken out."""
    records = pruned_chain(9, 6, kept)
    head = Head("h", records[-1].seq, records[-1].hash)
    assert checked(records, head).broken is None
    at = place % len(records)
    there = {record.seq for record in records}
    if name == "removed":
        del records[at]
    elif name == "added":
        seq = next((seq for seq in range(1, 7) if seq not in there), 0)
        records.append(chained(Draft(at=1, kind="event"), hub="h", seq=seq, prev=GENESIS))
    elif name == "seq":
        records[at] = replace(records[at], seq=records[at].seq + 100)
    else:
        other: dict[str, Any] = {"at": 77, "kind": "gap", "body": {"forged": 1}}
        records[at] = replace(records[at], **{name: other.get(name, "f" * 64)})
    records.sort(key=lambda record: record.seq)
    assert checked(records, head).broken is not None
