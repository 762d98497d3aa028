"""What is left of the records that were pruned, and the digest a checkpoint keeps of it."""

import hashlib
from collections import deque
from typing import NamedTuple

from assent.protocol.record import Record

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
