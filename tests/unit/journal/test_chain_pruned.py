"""What is left of pruned records, and its digest."""

import hashlib

from assent.journal.chain import Left, Place
from assent.protocol.record import GENESIS, Draft, Record, chained


def record(seq: int) -> Record:
    return chained(Draft(at=seq * 10, kind="event"), hub="h", seq=seq, prev=GENESIS)


def test_digest_is_of_numbers_and_hashes_in_order() -> None:
    """It can be computed by hand: eight bytes of the number and the hash's own 32, one record after the other."""
    left = Left()
    assert left.digest() == hashlib.sha256(b"").hexdigest()
    records = [record(3), record(2**40)]
    for each in records:
        left.add(each)
    packed = b"".join(each.seq.to_bytes(8, "big") + bytes.fromhex(each.hash) for each in records)
    assert left.digest() == hashlib.sha256(packed).hexdigest()


def test_oldest_goes_first_and_is_out_of_the_digest() -> None:
    """As if it had never been added."""
    left, rest = Left(), Left()
    for seq in (1, 2, 3):
        left.add(record(seq))
    for seq in (2, 3):
        rest.add(record(seq))
    assert left.oldest() == left.pop() == Place(1, 10)
    assert (len(left), left.digest()) == (2, rest.digest())
    assert (left.pop(), left.pop(), left.pop(), left.oldest()) == (Place(2, 20), Place(3, 30), None, None)
