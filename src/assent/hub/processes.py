"""Process information from the kernel, without starting a program and without trusting the process itself."""

import contextlib
import itertools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

if sys.platform == "darwin":  # pragma: no cover - there is no such machine to try it on
    from assent.hub import processes_mac

DEEPEST = 256
# Of an environment, the most that is read at once.
LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    parent: int
    # The process id of its session's leader.
    session: int
    has_terminal: bool
    # In ticks since the machine started: with its id it tells a process from a later one.
    birth: int
    name: str

    @property
    def leads(self) -> bool:
        return self.pid == self.session


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def look(pid: int) -> Process | None:
    """None for one that is gone."""
    if sys.platform == "darwin":  # pragma: no cover
        facts = processes_mac.look(pid)
        return Process(pid, *facts) if facts else None
    if not (content := _read(f"/proc/{pid}/stat")):
        return None
    text = content.decode("utf-8", "replace")
    # The name stands in parentheses and may hold spaces and parentheses itself.
    head, _, tail = text.rpartition(")")
    fields = tail.split()
    try:
        if fields[0] in "ZX":
            return None
        return Process(
            pid=pid,
            parent=int(fields[1]),
            session=int(fields[3]),
            has_terminal=fields[4] != "0",
            birth=int(fields[19]),
            name=head.partition("(")[2],
        )
    except (IndexError, ValueError):
        return None


def birth(pid: int) -> int | None:
    """Tells a process from a later one with the same id; None where there is none."""
    process = look(pid)
    return process.birth if process else None


def line_of(pid: int) -> tuple[Process, ...] | None:
    """The process, its parent, and so on. None where that cannot be told: one is gone, ids changed hands meanwhile, or
    there is no end to it."""
    line: list[Process] = []
    for _ in range(DEEPEST):
        process = look(pid)
        # A parent is older. A younger one got the id after the parent had ended.
        if process is None or (line and process.birth > line[-1].birth):
            return None
        line.append(process)
        if process.parent <= 0 or process.pid == 1:
            return tuple(line)
        pid = process.parent
    return None


def environment(pid: int) -> frozenset[str] | None:
    """The names of the variables it was started with; None where they cannot be read."""
    if sys.platform == "darwin":  # pragma: no cover
        entries = processes_mac.environment(pid)
    else:
        content = _read(f"/proc/{pid}/environ")
        entries = None if content is None else content.split(b"\0")
    if entries is None:
        return None
    return frozenset(entry.partition(b"=")[0].decode("utf-8", "replace") for entry in entries if entry)


def arguments(pid: int) -> list[bytes]:
    return (_read(f"/proc/{pid}/cmdline") or b"").split(b"\0")[:-1]


def group_of(pid: int) -> bytes | None:
    """Its control group, which its children get too, and which no program leaves by itself; None: not told."""
    return _read(f"/proc/{pid}/cgroup")


def reads_a_terminal(pid: int) -> bool:
    """Whether its input is one, also if that is not the one its session has."""
    try:
        return str(Path(f"/proc/{pid}/fd/0").readlink()).startswith(("/dev/pts/", "/dev/tty"))
    except OSError:
        return False


def boot() -> str:
    """Tells this life of the machine from another, in which the same numbers meant other processes."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def _read(path: str) -> bytes | None:
    """By the shortest way: every hook run pays for it."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        content = os.read(handle, 4096)
        while len(content) and len(content) % 4096 == 0 and (more := os.read(handle, LARGEST)):
            content += more
        return content
    except OSError:
        return None
    finally:
        os.close(handle)


def _tells() -> bool:
    """Whether the kernel answers, and in the form that is expected here."""
    own = look(os.getpid())
    return own is not None and own.parent == os.getppid() and own.session == os.getsid(0)


TELLS = _tells()


def above(line: tuple[Process, ...]) -> Iterator[tuple[Process, Process]]:
    """Each process with its parent."""
    return itertools.pairwise(line)
