"""Becoming the one hub of a state folder: the lock, and the person's last word about whether there should be one."""

import socket
import time

from assent.errors import AssentError
from assent.lock import HeldError, Lock
from assent.paths import Paths
from assent.shim import stopped

# How long a hub that a shim started waits for the one before it to end.
ENDING_PATIENCE = 25.0
POLL = 0.1


class StoppedError(AssentError):
    """The person stopped the hub."""

    def __init__(self) -> None:
        super().__init__(
            "The hub was stopped with `assent down` and stays stopped. Nothing was started.",
            hint="`assent up` starts it.",
        )


def claim(paths: Paths, *, from_shim: bool) -> tuple[Lock, str]:
    """The lock, and the secret with which this hub may leave a stop mark; every earlier mark is stale from now on.

    A hub that no person asked for raises StoppedError where `assent down` was their last word."""
    lock = _when_free(paths) if from_shim else Lock.take(paths.lock)
    # Not before the lock is ours: `assent down` leaves its mark with the lock held, so one of us sees the other.
    if from_shim and stopped.is_left(paths):
        lock.release()
        raise StoppedError
    return lock, stopped.arm(paths)


def _when_free(paths: Paths) -> Lock:
    """The lock, once a hub that is just ending lets go of it. Raises HeldError where another one is up."""
    until = time.monotonic() + ENDING_PATIENCE
    while True:
        try:
            return Lock.take(paths.lock)
        except HeldError:
            if _is_up(paths) or time.monotonic() > until:
                raise
        time.sleep(POLL)


def _is_up(paths: Paths) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(paths.hook_socket))
        except OSError:
            return False
    return True
