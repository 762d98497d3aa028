"""At most two clients at once on this machine, and one forgiven start per run, across worker processes."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from tests.e2e.lab.waiting import until

SLOTS = 2
# Other runs on this machine may be before us.
LONGEST_TURN = 1_800.0


@contextmanager
def one_slot() -> Iterator[None]:
    """Hold one of the slots; waits for it."""
    with ExitStack() as held:
        files = [held.enter_context(_slot(number)) for number in range(SLOTS)]
        until(lambda: any(_try_lock(file) for file in files), "a free slot", LONGEST_TURN)
        yield


@contextmanager
def every_slot() -> Iterator[None]:
    """Hold all slots: this test alone starts clients."""
    with ExitStack() as held:
        for number in range(SLOTS):
            fcntl.flock(held.enter_context(_slot(number)), fcntl.LOCK_EX)
        yield


def _slot(number: int) -> IO[bytes]:
    folder = Path(tempfile.gettempdir(), f"assent-e2e-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    return (folder / f"slot-{number}").open("ab")


def _try_lock(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Forgiveness:
    """One false start of the client is forgiven per run; the second one fails its test."""

    def __init__(self, tally: Path) -> None:
        self._tally = tally

    def forgive(self, what: str) -> bool:
        with self._tally.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            is_first = not file.read()
            file.write(what + "\n")
        return is_first

    def forgiven(self) -> list[str]:
        return self._tally.read_text().splitlines() if self._tally.exists() else []
