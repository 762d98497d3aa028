"""What the hub costs before and between events: its start, its memory, its idle processor time."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import hub as hubs
from bench import machine
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table
from tests.component.hub_process import HubProcess

NAME = "resting"
FLOOR = "`python -I -c pass`, to its end"
SERVER = "`import asyncio, sqlite3, msgspec, starlette, uvicorn`, to its end"
START = "**`assent up`** until its socket takes a connection"
START_SECONDS = 15.0


def measure(effort: Effort) -> Report:
    if not machine.HAS_PROC:
        return Report(NAME, not_measured="start, memory and idle time of the hub: that needs Linux's /proc.")
    rounds = effort.pick(10, 2)
    taken: dict[str, list[float]] = {FLOOR: [], SERVER: [], START: []}
    memory: list[float] = []
    with machine.folder() as root:
        for number in range(-1, rounds):
            machine.say(f"  resting: start {number + 1} of {rounds}")
            floor = _run_through(root, "pass")
            server = _run_through(root, "import asyncio, sqlite3, msgspec, starlette.applications, uvicorn")
            with _started(root / f"{number + 1}") as (seconds, pid):
                if number >= 0:
                    memory.append(machine.rss_mib(pid))
                    for name, value in ((FLOOR, floor), (SERVER, server), (START, seconds)):
                        taken[name].append(value)
    cores = _idle(effort.pick(30, 3))
    spreads = {name: Spread.of(times) for name, times in taken.items()}
    rows = tuple((name, *spread.cells(1e3)) for name, spread in spreads.items())
    return Report(
        NAME,
        (
            Table("Start of the hub", ("ms", "min", "p50", "p99", "runs"), rows),
            Table(
                "The hub at rest",
                ("what", "measured"),
                (
                    ("resident memory after the start, MiB", short(Spread.of(memory).p50)),
                    (f"processor time over {effort.pick(30, 3)} s without events, % of a core", short(100 * cores)),
                ),
            ),
        ),
        (
            Check("start of the hub, p50", spreads[START].p50, 1, "s"),
            Check("idle processor time", 100 * cores, 0.5, "% of a core"),
        ),
    )


def _run_through(root: Path, code: str) -> float:
    command = [HubProcess(root / "none").python, "-I", "-c", code]
    start = time.perf_counter()
    subprocess.run(command, env=machine.environ(root), check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start


@contextmanager
def _started(root: Path) -> Iterator[tuple[float, int]]:
    """A hub on an empty home: seconds until it can be reached, and its process id."""
    made = HubProcess(root)
    start = time.perf_counter()
    with subprocess.Popen(
        [made.python, "-I", "-m", "assent", "up"],
        env=made.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            while not _takes_connections(str(made.paths.hook_socket)):
                if process.poll() is not None or time.perf_counter() - start > START_SECONDS:
                    raise AssertionError("the hub did not start")
                time.sleep(0.002)
            yield time.perf_counter() - start, process.pid
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def _takes_connections(path: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(path)
        except OSError:
            return False
    return True


def _idle(seconds: int) -> float:
    """Cores used while nothing happens."""
    with machine.folder() as root, hubs.running(root) as hub:
        # The start itself is over once the first chores are done.
        time.sleep(3)
        machine.say(f"  resting: idle for {seconds} s")
        before, start = machine.fine_cpu_seconds(hub.pid), time.monotonic()
        time.sleep(seconds)
        return (machine.fine_cpu_seconds(hub.pid) - before) / (time.monotonic() - start)
