"""What an event costs the hub when there is more of something: records, sessions, open asks, rules."""

import contextlib
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import hub as hubs
from bench import load, machine, million
from bench.events import Session, rules
from bench.homes import home
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table
from bench.throughput import CALLS, CLIENTS, RECORDS_PER_EVENT, WINDOW, lines_of
from bench.waiting import Room
from tests.component.signing import desk_browser
from tests.waiting import until

NAME = "growth"
MOST = 1.25
OPENED_PER_SECOND = 100
ASKS_PER_SESSION = 8
COLUMNS = ("", "CPU per event, least, µs", "p50, µs", "÷ first row, least", "resident, MiB")


@dataclass(frozen=True, slots=True)
class Grown:
    """A hub that has much of something, and the sessions that send it events."""

    hub: hubs.Hub
    sessions: list[Session]


# Makes a hub of this size below this folder.
Grow = Callable[[Path, int], AbstractContextManager[Grown]]


@dataclass(frozen=True, slots=True)
class Growth:
    what: str
    sizes: tuple[int, ...]
    quick_sizes: tuple[int, ...]
    grow: Grow
    note: str = ""


def measure(effort: Effort) -> Report:
    if not machine.HAS_PROC:
        return Report(NAME, not_measured="growth: that needs Linux's /proc.")
    tables, checks = [], []
    for growth in GROWTHS:
        table, check = _measured(growth, effort)
        tables.append(table)
        checks.append(check)
    return Report(NAME, tuple(tables), tuple(checks))


def _measured(growth: Growth, effort: Effort) -> tuple[Table, Check]:
    sizes = growth.quick_sizes if effort.is_quick else growth.sizes
    rounds, events = effort.pick(9, 2), effort.pick(1_600, 320)
    taken: dict[int, list[float]] = {size: [] for size in sizes}
    mib: dict[int, float] = {}
    with ExitStack() as held:
        root = held.enter_context(machine.folder())
        grown = {}
        for size in sizes:
            machine.say(f"  growth: {size:,} {growth.what}")
            grown[size] = held.enter_context(growth.grow(root / str(size), size))
        for number in range(-1, rounds):
            for size, each in grown.items():
                seconds = _lap(each, events)
                if number >= 0:
                    taken[size].append(seconds)
        mib = {size: machine.rss_mib(each.hub.pid) for size, each in grown.items()}
    spreads = {size: Spread.of(times) for size, times in taken.items()}
    first, last = spreads[sizes[0]].low, spreads[sizes[-1]].low
    rows = tuple(
        (f"{size:,}", short(1e6 * each.low), short(1e6 * each.p50), short(each.low / first), short(mib[size]))
        for size, each in spreads.items()
    )
    columns = (growth.what, *COLUMNS[1:])
    note = " ".join(filter(None, (f"{rounds} laps of {events} events of whole calls each, in turn.", growth.note)))
    what = f"an event with {sizes[-1]:,} {growth.what} ÷ with {sizes[0]:,}, processor time"
    return Table(f"Growth: {growth.what}", columns, rows, note), Check(what, last / first, MOST, is_goal=True)


def _lap(grown: Grown, events: int) -> float:
    """Processor time of one event."""
    hub, sessions = grown.hub, grown.sessions
    # Each session has one connection at a time, and all of them have their share.
    per_session = max(2, events // len(sessions) // 2 * 2)
    chosen = sessions[: max(1, events // per_session)]
    clients: list[list[bytes]] = [[] for _ in range(min(CLIENTS, len(chosen)))]
    for number, session in enumerate(chosen):
        clients[number % len(clients)] += lines_of(session, CALLS, per_session)
    # Other sessions have their turn in the next lap.
    grown.sessions[:] = sessions[len(chosen) :] + chosen
    count = sum(map(len, clients))
    before, spent = hub.recorded(), machine.fine_cpu_seconds(hub.pid)
    answered = load.pour(hub.socket, [iter(lines) for lines in clients], WINDOW)
    assert answered == count, f"{answered} of {count} events were answered"
    hub.wait_for_record(before + int(count * RECORDS_PER_EVENT[CALLS]))
    return (machine.fine_cpu_seconds(hub.pid) - spent) / count


# --- what grows


@contextlib.contextmanager
def _records(root: Path, records: int) -> Iterator[Grown]:
    with hubs.running(root, home=home(records) if records else None) as hub:
        if records:
            million.wait_for_index(hub.process)
        yield Grown(hub, _sessions(hub, CLIENTS))


@contextlib.contextmanager
def _many_sessions(root: Path, count: int) -> Iterator[Grown]:
    with hubs.running(root) as hub:
        sessions = _sessions(hub, count)
        load.pour(hub.socket, [(line for each in sessions for line in lines_of(each, CALLS, 2))], WINDOW)
        yield Grown(hub, sessions)


@contextlib.contextmanager
def _asks(root: Path, count: int) -> Iterator[Grown]:
    # Not us: what an agent starts may not answer for a person.
    with hubs.running(root) as hub, subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as agent:
        asking = [Session(hub.project, agent.pid) for _ in range(max(1, count // ASKS_PER_SESSION))]
        room = Room(hub, asking, desk_browser(hub.process), "")
        try:
            for number in range(count):
                session = asking[number % len(asking)]
                room.crowd.at(time.perf_counter() + number / OPENED_PER_SECOND, partial(room.ask, session))
            room.crowd.run(lambda: sum(ask.reply is not None for ask in room.held.values()) == count, "asks are opened")
            until(lambda: len(hub.get("/api/snapshot")["asks"]) == count, f"{count} open asks")
            yield Grown(hub, _sessions(hub, CLIENTS))
        finally:
            room.crowd.close()


@contextlib.contextmanager
def _rules(root: Path, count: int) -> Iterator[Grown]:
    twenty = rules()
    more = count - twenty.count("[[rule]]")
    kinds = ("Bash(tool{} run *)", "Bash(make target{} *)", "Read(./src/dir{}/**)")
    others = (
        f'[[rule]]\nmatch = "{kinds[number % len(kinds)].format(number)}"\ndecision = "allow"\nreason = "So."\n\n'
        for number in range(more)
    )
    with hubs.running(root, ruled=twenty + "".join(others)) as hub:
        yield Grown(hub, _sessions(hub, CLIENTS))


def _sessions(hub: hubs.Hub, count: int) -> list[Session]:
    return [Session(hub.project) for _ in range(count)]


GROWTHS = (
    Growth("records", (0, 100_000, million.RECORDS), (0, million.RECORDS_QUICK), _records),
    Growth("sessions", (1, 50, 500, 2_000), (1, 50), _many_sessions, "All of them send."),
    Growth("open asks", (0, 200, 400), (0, 50), _asks, "More than 400 a hub does not hold open."),
    Growth(
        "rules",
        (20, 1_000, 10_000),
        (20, 1_000),
        _rules,
        "A third each of command rules with first words of their own, of one first word, and of path rules.",
    ),
)
