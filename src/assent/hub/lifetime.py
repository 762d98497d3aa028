"""How long a hub lives: since when, on which port, and who told it to stop."""

import asyncio
import os
import socket
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path

from assent import keys
from assent.errors import AssentError
from assent.hub.bus import now_ms
from assent.hub.recorder import Recording
from assent.lock import HeldError, Lock
from assent.paths import Paths
from assent.shim import stopped


@dataclass(slots=True)
class Lifetime:
    paths: Paths
    recorder: Recording
    # Revealed when the person stops the hub: the mark that shims obey.
    stop_secret: str
    port: int | None
    port_trouble: str | None = None
    started: int = field(default_factory=now_ms)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    is_going_down: bool = False

    def go_down(self) -> None:
        """The person's order. The mark comes first: a shim that finds no hub from here on starts none.

        Raises OSError where the mark cannot be written."""
        stopped.leave(self.paths, self.stop_secret)
        self.is_going_down = True
        self.recorder.note("told to stop", "person:desk")
        self.stopping.set()


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


def prepare(paths: Paths) -> None:
    """Create missing folders and make sure other users cannot read them."""
    for folder in (
        paths.state,
        paths.run,
        paths.keys,
        paths.spool,
        paths.hook_socket.parent,
        paths.desk_socket.parent,
    ):
        _private(folder)


def mend_keys(paths: Paths) -> list[str]:
    """Make the keys private before one of them is used; what was wrong, one sentence each."""
    try:
        return keys.mend(paths)
    except OSError as error:
        raise AssentError(
            f"Cannot make the keys in {paths.keys} private: {error.strerror}. The hub did not start.",
            hint="look whose files they are, and remove those that are not yours.",
        ) from error


def _private(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            # Only possible for the folder under the shared temporary folder: another user took our name.
            raise AssentError(
                f"{folder} is not a folder of yours. The hub did not start.",
                hint="remove it, or set TMPDIR to a folder of your own.",
            )
        if stat.S_IMODE(status.st_mode) != 0o700:
            folder.chmod(0o700)
    except OSError as error:
        raise AssentError(
            f"Cannot use the folder {folder}: {error.strerror}. The hub did not start.",
            hint="make it writable for you, or set ASSENT_HOME to another folder.",
        ) from error


def make_private(socket: Path) -> None:
    socket.chmod(0o600)


def listening_socket_path(path: Path) -> str:
    """Where to bind. Called with the hub's lock held, so whatever is left there is stale."""
    path.unlink(missing_ok=True)
    return str(path)
