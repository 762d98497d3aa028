"""The hub as a process: find, start in the background, stop."""

import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO

from assent.client import ApiError, Client
from assent.errors import AssentError, HubUnreachableError
from assent.lock import HeldError, Holder, Lock, read_holder
from assent.paths import Paths
from assent.shim import stopped

# On a busy machine a start takes many seconds; an end does not.
DEADLINE = 30.0
ENDS_WITHIN = 10.0
POLL = 0.05
# How often `assent down` begins again because a hub came up in between.
ROUNDS = 3
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


@contextmanager
def right_to_start(paths: Paths) -> Iterator[None]:
    """Shims that find no hub wait for us meanwhile instead of starting one. Where it cannot be had, we go on without:
    who holds it for so long hangs, and a folder that cannot be used is told by who needs it."""
    try:
        make_run_folder(paths)
        fd = os.open(paths.starting, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        _wait(lambda: _is_ours(fd))
        yield
    finally:
        os.close(fd)


def make_run_folder(paths: Paths) -> None:
    for folder in (paths.state, paths.run):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def start(paths: Paths, *, ordered: bool = False) -> None:
    """Start a hub that does not end with this terminal, and wait until it answers.

    Only a person's ``assent up`` orders it where ``assent down`` stopped the last one."""
    if not ordered and stopped.is_left(paths):
        raise AssentError("The hub was stopped with `assent down`. Nothing was started.", hint="`assent up` starts it.")
    with tempfile.TemporaryFile() as last_words:
        process = subprocess.Popen(
            [sys.executable, "-I", "-m", "assent", "up", "--background" if ordered else "--from-shim"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            # The hub lets go of this as soon as it is ready; until then it is how we learn why it is not.
            stderr=last_words,
            cwd="/",
            env=environment(os.environ),
            start_new_session=True,
        )
        client = Client(paths)
        # Ours may end because another one was faster: then there is a hub, or will be, which is what was wanted.
        _wait(lambda: client.healthy() or (process.poll() is not None and not is_held(paths)))
        if not client.healthy():
            raise _did_not_start(paths, process, last_words)


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What a hub needs. Not the rest: keys and tokens of this terminal are none of its business."""
    return {name: value for name, value in environ.items() if name in KEPT_ENVIRONMENT or name.startswith("XDG_")}


def shut_down(paths: Paths) -> Holder | None:
    """Stop the hub for good: from now on shims start none and stay silent. Who it was, or None if there was none.

    The hub leaves the mark that says so. Where none runs, this command takes the hub's lock and writes it."""
    try:
        make_run_folder(paths)
    except OSError as error:
        raise _no_mark(paths, error) from error
    was: Holder | None = None
    with right_to_start(paths):
        for _ in range(ROUNDS):
            was = stop(paths, for_good=True) or was
            if stopped.is_left(paths):
                return was
            if _agent():
                raise AssentError(
                    "Only a person stops the hub for good, not an agent's session. The next hook starts it again.",
                    hint="run it in a terminal of your own.",
                )
            try:
                lock = Lock.take(paths.lock)
            except HeldError:
                # One that a shim had started before was faster.
                continue
            except OSError as error:
                raise _no_mark(paths, error) from error
            try:
                stopped.leave(paths, stopped.arm(paths))
            except OSError as error:
                raise _no_mark(paths, error) from error
            finally:
                lock.release()
            return was
    raise AssentError("Hubs are started again and again. The last one was not stopped.", hint="look who starts them.")


def stop(paths: Paths, *, for_good: bool = False) -> Holder | None:
    """Stop the hub and wait until it is gone; who it was, or None if there was none.

    For good, it is told so and answers what waits. Otherwise what waits goes on with the next hub."""
    if not is_held(paths):
        return None
    # A lock file keeps the words of a hub that was killed, so the pid counts only if the socket's owner has it too.
    holders: list[Holder] = []

    def is_known() -> bool:
        holder = read_holder(paths.lock)
        if holder is not None and _is_listening(paths, holder.pid):
            holders.append(holder)
        return bool(holders) or not is_held(paths)

    _wait(is_known)
    if not is_held(paths):
        return holders[0] if holders else None
    if not holders:
        raise AssentError(
            "A hub is starting but does not get ready. It was not stopped.",
            hint=f"{paths.log} may say why; end its process by hand.",
        )
    holder = holders[0]
    if not (for_good and _is_told(paths)):
        try:
            os.kill(holder.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
    if not _wait(lambda: not is_held(paths), ENDS_WITHIN):
        raise AssentError(
            f"The hub (pid {holder.pid}) did not stop within {ENDS_WITHIN:.0f} seconds.",
            hint=f"`kill -9 {holder.pid}` ends it; nothing on disk is harmed.",
        )
    return holder


def _is_told(paths: Paths) -> bool:
    """Give the hub the person's order; False where it does not know it, or does not answer."""
    try:
        Client(paths).stop()
    except HubUnreachableError:
        return stopped.is_left(paths)
    except ApiError as error:
        if error.status == 404:
            return False
        raise
    return True


def _agent() -> str | None:
    """The agent that started us, as far as that can be told without a hub."""
    from assent.install import rotation  # no other verb needs it

    return rotation.agent_around(os.environ)


def _no_mark(paths: Paths, error: OSError) -> AssentError:
    return AssentError(
        f"Cannot write {paths.stopped_mark}: {error.strerror}. The next hook would start the hub again, "
        "so it was not stopped.",
        hint="make the folder writable for you.",
    )


def _is_ours(fd: int) -> bool:
    try:
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _wait(condition: Callable[[], bool], patience: float | None = None) -> bool:
    until = time.monotonic() + (DEADLINE if patience is None else patience)
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(POLL)
    return True


def _is_listening(paths: Paths, pid: int) -> bool:
    """Whether this process has the desk socket; where the kernel does not tell whose it is (macOS), any will do."""
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
    message_of_hub = last_words.read(10_000).decode("utf-8", "replace").strip().removeprefix("assent: ")
    if code is None:
        message_of_hub = f"The hub did not get ready within {DEADLINE:.0f} seconds and was ended."
    elif not message_of_hub:
        message_of_hub = f"The hub ended at once (exit code {code})."
    message, _, hint = message_of_hub.partition("\nhint: ")
    return AssentError("\n".join([message, *_tail(paths)]), hint=hint or f"the whole log is {paths.log}.")


def _tail(paths: Paths) -> list[str]:
    try:
        return [f"  {line}" for line in paths.log.read_text("utf-8", "replace").splitlines()[-LOG_LINES:]]
    except OSError:
        return []
