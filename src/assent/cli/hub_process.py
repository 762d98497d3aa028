"""The hub as a process: is there one, start one that outlives us, stop the one there is."""

import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import IO

from assent.client import Client
from assent.errors import AssentError
from assent.lock import Holder, read_holder
from assent.paths import Paths

DEADLINE = 10.0
POLL = 0.05
KEPT_ENVIRONMENT = ("HOME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "ASSENT_HOME")
LOG_LINES = 10


def is_held(paths: Paths) -> bool:
    """Whether a hub has the lock, ready or not."""
    try:
        fd = os.open(paths.lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # Shared and for an instant, so that two who look do not see each other.
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(fd)


def start(paths: Paths) -> None:
    """Start a hub that does not end with this terminal, and wait until it answers."""
    with tempfile.TemporaryFile() as last_words:
        process = subprocess.Popen(
            [sys.executable, "-I", "-m", "assent", "up", "--from-shim"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            # The hub lets go of this as soon as it is ready; until then it is how we learn why it is not.
            stderr=last_words,
            cwd="/",
            env=environment(os.environ),
            start_new_session=True,
        )
        client = Client(paths)
        # Ours may end because somebody else's was faster: then there is a hub, or will be, which is what was wanted.
        _wait(lambda: client.healthy() or (process.poll() is not None and not is_held(paths)))
        if not client.healthy():
            raise _did_not_start(paths, process, last_words)


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What a hub needs. Not the rest: keys and tokens of this terminal are none of its business."""
    return {name: value for name, value in environ.items() if name in KEPT_ENVIRONMENT or name.startswith("XDG_")}


def stop(paths: Paths) -> Holder | None:
    """Stop the hub and wait until it is gone; who it was, or None if there was none."""
    if not is_held(paths):
        return None
    # A lock file keeps the words of a hub that was killed, so the pid counts only if the socket's owner has it too.
    found: list[Holder] = []

    def is_known() -> bool:
        holder = read_holder(paths.lock)
        if holder is not None and _is_listening(paths, holder.pid):
            found.append(holder)
        return bool(found) or not is_held(paths)

    _wait(is_known)
    if not is_held(paths):
        return found[0] if found else None
    if not found:
        raise AssentError(
            "A hub is starting but does not get ready. It was not stopped.",
            hint=f"{paths.log} may say why; end its process by hand.",
        )
    holder = found[0]
    try:
        os.kill(holder.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass
    if not _wait(lambda: not is_held(paths)):
        raise AssentError(
            f"The hub (pid {holder.pid}) did not stop within {DEADLINE:.0f} seconds.",
            hint=f"`kill -9 {holder.pid}` ends it; nothing on disk is harmed.",
        )
    return holder


def leave_stopped_mark(paths: Paths) -> None:
    """From now on shims start no hub and stay silent."""
    try:
        for folder in (paths.state, paths.run):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(paths.stopped_mark, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise AssentError(
            f"Cannot write {paths.stopped_mark}: {error.strerror}. The next hook would start the hub again, "
            "so it was not stopped.",
            hint="make the folder writable for you.",
        ) from error


def _wait(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(POLL)
    return True


def _is_listening(paths: Paths, pid: int) -> bool:
    """Whether this process has the desk socket; where the kernel does not tell whose it is (macOS), anybody will do."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(POLL)
        try:
            sock.connect(str(paths.desk_socket))
            if not hasattr(socket, "SO_PEERCRED"):
                return True
            peer = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        except OSError:
            return False
    return bool(struct.unpack("3i", peer)[0] == pid)


def _did_not_start(paths: Paths, process: "subprocess.Popen[bytes]", last_words: IO[bytes]) -> AssentError:
    code = process.poll()
    if code is None:
        process.kill()
        process.wait()
    last_words.seek(0)
    said = last_words.read(10_000).decode("utf-8", "replace").strip().removeprefix("assent: ")
    if code is None:
        said = f"The hub did not get ready within {DEADLINE:.0f} seconds and was ended."
    elif not said:
        said = f"The hub ended at once (exit code {code})."
    message, _, hint = said.partition("\nhint: ")
    return AssentError("\n".join([message, *_tail(paths)]), hint=hint or f"the whole log is {paths.log}.")


def _tail(paths: Paths) -> list[str]:
    try:
        return [f"  {line}" for line in paths.log.read_text("utf-8", "replace").splitlines()[-LOG_LINES:]]
    except OSError:
        return []
