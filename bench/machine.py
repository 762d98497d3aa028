"""The machine measured on: its interpreter, a clean environment, and what a process costs."""

import contextlib
import os
import platform
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assent.shim import place
from bench.before import Tree

INTERPRETER = str(place.interpreter())
PATH = os.environ.get("PATH", "/usr/bin:/bin")
HAS_PROC = Path("/proc/self/schedstat").exists()


@dataclass(frozen=True, slots=True)
class Effort:
    """How long a run may take: everything, or a quick look. And what is measured beside, where that was asked for."""

    is_quick: bool = False
    against: Tree | None = None

    def pick(self, thorough: int, quick: int) -> int:
        return quick if self.is_quick else thorough


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class TooLongError(BaseException):
    """Not an Exception: what is measured catches those, and would answer for what we cut off."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Cut off what does not end; only in the main thread. Not by the alarm, which measurements use themselves."""

    def cut(*_: object) -> None:
        raise TooLongError(f"it took more than {seconds:g} s")

    before = signal.signal(signal.SIGUSR2, cut)
    timer = threading.Timer(seconds, signal.pthread_kill, (threading.main_thread().ident, signal.SIGUSR2))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGUSR2, before)


def words() -> str:
    """The machine in general words: numbers travel, names of machines do not."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} cores, {platform.system()}, {python}, load average {os.getloadavg()[0]:.1f} at the start"


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Throw-away and short: the sockets below it must fit into sun_path."""
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as name:
        yield Path(name)


def environ(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "PATH": PATH, "LANG": "C.UTF-8"}


def rss_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def cpu_seconds(pid: int) -> float:
    """Time on a core of all threads that were, in hundredths."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fine_cpu_seconds(pid: int) -> float:
    """The same to the nanosecond, for a process whose threads stay."""
    spent = (int((task / "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir())
    return sum(spent) / 1e9


def queued_seconds(pid: int) -> float:
    """How long its main thread could have run and got no core."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[1]) / 1e9


@contextlib.contextmanager
def one_core_each(pid: int) -> Iterator[bool]:
    """The process on one core and we on the others, where there are others; whether that could be done."""
    if not hasattr(os, "sched_setaffinity") or len(ours := os.sched_getaffinity(0)) < 2:
        yield False
        return
    its = min(ours)
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(ProcessLookupError):  # it ended meanwhile
            os.sched_setaffinity(int(task.name), {its})
    os.sched_setaffinity(0, ours - {its})
    try:
        yield True
    finally:
        os.sched_setaffinity(0, ours)
