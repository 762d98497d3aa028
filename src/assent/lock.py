"""Lock of a state folder, with a note of its holder: pid and address."""

import fcntl
import os
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct

from assent.errors import AssentError


class Holder(Struct, frozen=True):
    """What the lock file says about the hub that holds it."""

    pid: int
    version: str
    # Unix milliseconds.
    started: int
    # None while the HTTP side is off.
    port: int | None = None


class HeldError(AssentError):
    """Another hub is running."""

    def __init__(self, holder: Holder | None) -> None:
        who = f"pid {holder.pid}, version {holder.version}" if holder else "which is just starting"
        super().__init__(
            f"A hub is already running ({who}). Nothing was started.",
            hint="`assent status` shows it, `assent restart` replaces it.",
        )
        self.holder = holder


@dataclass(slots=True)
class Lock:
    """Held as long as this process lives; the kernel lets go of it even after SIGKILL."""

    _fd: int

    @classmethod
    def take(cls, path: Path) -> "Lock":
        """Raises HeldError where another process has it."""
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        for patience in (0.01, 0.05, 0.0):
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return cls(fd)
            except BlockingIOError:
                # A process that only checks whether it is held holds it for an instant.
                time.sleep(patience)
        os.close(fd)
        raise HeldError(read_holder(path))

    def write(self, holder: Holder) -> None:
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, msgspec.json.encode(holder), 0)

    def release(self) -> None:
        # The file stays: removing it would let two hubs lock two files of one name.
        os.ftruncate(self._fd, 0)
        os.close(self._fd)


def read_holder(path: Path) -> Holder | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Holder)
    except (OSError, msgspec.DecodeError):
        return None
