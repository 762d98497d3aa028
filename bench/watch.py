"""The terminal UI in a terminal of its own, against a real hub, beside a bare Textual app: start, pictures, memory."""

import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import hub as hubs
from bench import machine
from bench.before import Tree
from bench.events import ALLOWED, UNDECIDED, Session
from bench.hub import Hub
from bench.load import Shot, fire, unix
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table
from bench.terminal import BARE_IS_UP, RATE, ROWS, Terminal, opened
from tests.component.hub_process import until

NAME = "watch"
SESSIONS, ASKING = 10, 50
PAGE_UP, PRESSES_PER_SECOND = "\x1b[5~", 5
IMPORT = "`import textual.app, textual.widgets`, to its end"
BARE = "a bare Textual app until it is drawn"
WATCH = "**`assent watch`** until it is drawn"


@dataclass(frozen=True, slots=True)
class Phase:
    """What a while cost a program that draws."""

    name: str
    pictures: Spread
    per_second: float
    late: Spread
    cores: float
    mib: float

    def cells(self) -> tuple[str, ...]:
        return (
            self.name,
            short(1e3 * self.pictures.p50),
            short(1e3 * self.pictures.p99),
            short(self.per_second),
            short(1e3 * self.late.p99),
            short(100 * self.cores),
            short(self.mib),
        )


def measure(effort: Effort) -> Report:
    if not machine.HAS_PROC:
        return Report(NAME, not_measured="the terminal UI: that needs Linux's /proc.")
    with machine.folder() as root, hubs.running(root) as hub:
        starts = _starts(hub, effort.pick(10, 1), effort.against)
        phases = [*_phases(root, hub, "bare", effort), *_phases(root, hub, "watch", effort)]
    spreads = {name: Spread.of(times) for name, times in starts.items()}
    beyond = spreads[WATCH].p50 - spreads[IMPORT].p50
    checks = []
    if effort.against is not None:
        before = effort.against.name
        ratio = beyond / (spreads[before].p50 - spreads[IMPORT].p50)
        checks.append(Check(f"terminal UI, start beyond the import of Textual ÷ {before}, p50", ratio, 0.5))
    worst = max(phase.pictures.p99 for phase in phases if not phase.name.startswith("bare"))
    return Report(
        NAME,
        (
            Table(
                "Start of the terminal UI",
                ("ms", "min", "p50", "p99", "runs"),
                tuple((name, *spread.cells(1e3)) for name, spread in spreads.items()),
                "With a hub that runs already. A bare app is one list of lines.",
            ),
            Table(
                f"The terminal UI at work, {RATE} events/s",
                (
                    "load",
                    "picture, p50, ms of CPU",
                    "p99, ms",
                    "pictures/s",
                    "a key waits, p99, ms",
                    "CPU, % of a core",
                    "resident, MiB",
                ),
                tuple(phase.cells() for phase in phases),
                "A picture is all that happens for it, in processor time: news are taken in, the screen is laid out, "
                "drawn and written. The bare app is given the lines of as many events, and talks to no hub. A key "
                "waits for what the loop does, and for a core.",
            ),
        ),
        (
            Check("terminal UI, start beyond the import of Textual, p50", beyond, 0.5, "s"),
            *checks,
            Check("terminal UI, picture, p99", 1e3 * worst, 50, "ms", is_goal=True),
        ),
    )


def _starts(hub: Hub, rounds: int, against: Tree | None) -> dict[str, list[float]]:
    ways: dict[str, Callable[[], float]] = {
        IMPORT: lambda: _imported(hub),
        BARE: lambda: _drawn(hub, ["-m", "bench.watch_bare"], BARE_IS_UP),
        WATCH: lambda: _drawn(hub, ["-m", "assent", "watch"], "Inbox"),
    }
    if against is not None:
        ways[against.name] = lambda: _drawn(hub, ["-m", "assent", "watch"], "Inbox", against.python)
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(-1, rounds):
        machine.say(f"  watch: start {number + 1} of {rounds}")
        for name, way in ways.items():
            seconds = way()
            if number >= 0:
                taken[name].append(seconds)
    return taken


def _imported(hub: Hub) -> float:
    start = time.perf_counter()
    command = [sys.executable, "-c", "import textual.app, textual.widgets"]
    subprocess.run(command, env=hub.environ, check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start


def _drawn(hub: Hub, arguments: list[str], text: str, python: str = sys.executable) -> float:
    with opened([python, *arguments], hub.environ) as terminal:
        return terminal.wait_for(text)


def _phases(root: Path, hub: Hub, kind: str, effort: Effort) -> list[Phase]:
    result = root / f"{kind}.json"
    name = "bare app" if kind == "bare" else "**`assent watch`**, its feed"
    seconds = effort.pick(15, 2)
    spans: list[tuple[str, float, float, float, float]] = []
    with opened([sys.executable, "-m", "bench.watch_probe", kind, str(result)], hub.environ) as terminal:
        terminal.wait_for(BARE_IS_UP if kind == "bare" else "Inbox")
        if kind == "watch":
            terminal.press("3")
            terminal.wait_for("live")
        terminal.tell(signal.SIGUSR2)

        def phase(what: str, keys: str = "") -> None:
            machine.say(f"  watch: {kind}, {what}, {seconds} s")
            spans.append((what, *_loaded(hub, terminal, kind, seconds, keys)))

        phase(f"{name}, at its start")
        terminal.tell(signal.SIGUSR1)
        rows = until(lambda: _read(result.with_suffix(".rows")), "the rows")
        assert int(rows) >= ROWS, f"{rows} rows are held"
        phase(f"{name}, {ROWS:,} rows")
        phase(f"{name}, {ROWS:,} rows, paged through", PAGE_UP)
        if kind == "watch":
            with _held(hub, effort.pick(200, 50)) as asks:
                terminal.press("1")
                phase(f"**`assent watch`**, its inbox with {asks} asks, gone through", "j")
    measured = json.loads(result.read_text())
    return [_phase(span, measured) for span in spans]


@contextlib.contextmanager
def _held(hub: Hub, count: int) -> Iterator[int]:
    """Hooks that wait for a person, of as many sessions as nobody is told off for asking too much."""
    sessions = [Session(hub.project) for _ in range(ASKING)]
    with contextlib.ExitStack() as held:
        for number in range(count):
            session = sessions[number % ASKING]
            wish = session.wish(session.pre(f"{UNDECIDED} --number {number}"))
            sock = held.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            sock.connect(hub.socket)
            sock.sendall(session.line(wish))
        until(lambda: len(hub.get("/api/snapshot")["asks"]) >= count, f"{count} asks")
        yield count


def _read(file: Path) -> str | None:
    return file.read_text() if file.exists() else None


def _loaded(hub: Hub, terminal: Terminal, kind: str, seconds: int, keys: str) -> tuple[float, float, float, float]:
    """From when to when, how much of a core it took, and how much memory it has at the end."""
    pid = terminal.process.pid
    pressing = threading.Thread(target=_press, args=(terminal, keys, seconds))
    began, spent = time.monotonic(), machine.cpu_seconds(pid)
    if keys:
        pressing.start()
    if kind == "watch":
        fire(unix(hub.socket), _shots(hub, seconds))
    time.sleep(max(0.0, began + seconds - time.monotonic()))
    ended = time.monotonic()
    cores = (machine.cpu_seconds(pid) - spent) / (ended - began)
    if keys:
        pressing.join()
    return began, ended, cores, machine.rss_mib(pid)


def _press(terminal: Terminal, keys: str, seconds: int) -> None:
    for _ in range(seconds * PRESSES_PER_SECOND):
        terminal.press(keys)
        time.sleep(1 / PRESSES_PER_SECOND)


def _shots(hub: Hub, seconds: int) -> list[Shot]:
    """Calls and their ends in turn, which a rule allows."""
    sessions = [Session(hub.project) for _ in range(SESSIONS)]
    shots = []
    for number in range(seconds * RATE // 2):
        session = sessions[number % SESSIONS]
        for half, payload in enumerate((session.pre(ALLOWED), session.post(ALLOWED))):
            expects = b'"allow"' if half == 0 else b""
            shots.append(Shot((2 * number + half) / RATE, session.line(payload), expects))
    return shots


def _phase(span: tuple[str, float, float, float, float], measured: dict[str, list[list[float]]]) -> Phase:
    name, began, ended, cores, mib = span
    pictures = [taken + drawn for at, taken, drawn in measured["pictures"] if began <= at <= ended]
    late = [seconds for at, seconds in measured["late"] if began <= at <= ended]
    assert pictures, f"{name}: nothing was drawn"
    return Phase(name, Spread.of(pictures), len(pictures) / (ended - began), Spread.of(late), cores, mib)
