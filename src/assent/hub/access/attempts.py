"""Guessing a code is hopeless, and is stopped all the same: after a few wrong ones an address is locked out, longer
each time; all addresses together have a limit too."""

import time
from collections import deque
from dataclasses import dataclass, field

from assent.hub.problem import ProblemError

WRONG_BEFORE_LOCK_OUT = 5
FIRST_LOCK_OUT = 60.0
LONGEST_LOCK_OUT = 3600.0
MOST_A_MINUTE = 30
# Addresses are not scarce for everybody; those that were wrong longest ago are forgotten first.
MOST_ADDRESSES = 1_000


@dataclass(slots=True)
class _Address:
    wrong: int = 0
    lock_outs: int = 0
    locked_until: float = 0.0


@dataclass(slots=True)
class Attempts:
    _tries: deque[float] = field(default_factory=deque)
    _addresses: dict[str, _Address] = field(default_factory=dict)

    def must_be_free(self, address: str) -> None:
        """Raises ProblemError: this address, or everybody, has to wait."""
        now = time.monotonic()
        known = self._addresses.get(address)
        if known and known.locked_until > now:
            wait = round(known.locked_until - now) or 1
            raise ProblemError(
                429,
                "locked-out",
                "Too many wrong codes came from this address.",
                hint=f"wait {wait} s, then take a new code.",
            )
        while self._tries and self._tries[0] < now - 60:
            self._tries.popleft()
        if len(self._tries) >= MOST_A_MINUTE:
            raise ProblemError(429, "too-many-claims", "Too many tries.", hint="wait a minute.")
        self._tries.append(now)

    def wrong(self, address: str) -> None:
        # To the end: the order is that of the last mistake.
        known = self._addresses.pop(address, None) or _Address()
        self._addresses[address] = known
        known.wrong += 1
        if known.wrong >= WRONG_BEFORE_LOCK_OUT:
            known.locked_until = time.monotonic() + min(FIRST_LOCK_OUT * 2**known.lock_outs, LONGEST_LOCK_OUT)
            known.lock_outs = min(known.lock_outs + 1, 16)
            known.wrong = 0
        if len(self._addresses) > MOST_ADDRESSES:
            del self._addresses[next(iter(self._addresses))]

    def right(self, address: str) -> None:
        self._addresses.pop(address, None)
