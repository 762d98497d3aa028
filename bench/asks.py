"""A person's answer while much is going on: 200 asks held open, 20 pages that watch, 200 events a second."""

import contextlib
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import chat, machine
from bench import hub as hubs
from bench.events import Session
from bench.load import quiet
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table
from bench.waiting import CHAT, TERMINAL, TOLD, Room, Taken
from tests.component.signing import desk_browser

NAME = "asks"
RATE = 200
SESSIONS, PAGES = 50, 20
ANSWERS_PER_SECOND = 10
OPENED_PER_SECOND = 100
# At the end a person goes through all that is left.
LAST_ANSWERS_PER_SECOND = 50


@dataclass(frozen=True, slots=True)
class Phase:
    """What a while of load cost the hub, and what its agents waited for."""

    name: str
    allows: Spread
    cores: float
    # The share of the time in which the hub wanted a core and got none: what else runs here is in its latencies.
    starved: float
    mib: float

    def cells(self) -> tuple[str, ...]:
        return (
            self.name,
            *self.allows.cells(1e3)[1:3],
            short(100 * self.cores),
            short(100 * self.starved),
            short(self.mib),
        )


@dataclass(frozen=True, slots=True)
class Found:
    phases: tuple[Phase, ...]
    taken: Taken
    memory: dict[str, float]
    messages: int
    sent_mib: float
    beats: int


def measure(effort: Effort) -> Report:
    if not machine.HAS_PROC:
        return Report(NAME, not_measured="answers under load: that needs Linux's /proc.")
    with machine.folder() as root, _hub(root) as hub, _agent() as agent:
        sessions = [Session(hub.project, agent) for _ in range(SESSIONS)]
        room = Room(hub, sessions, desk_browser(hub.process), _chat(root))
        try:
            with machine.one_core_each(hub.pid), quiet():
                found = _played(room, effort)
        finally:
            room.crowd.close()
    return report(found, asks=effort.pick(200, 50))


def _hub(root: Path) -> contextlib.AbstractContextManager[hubs.Hub]:
    return hubs.running(root, config=chat.settings(_chat(root)), command=chat.COMMAND)


def _chat(root: Path) -> str:
    return str(root / "chat.sock")


@contextlib.contextmanager
def _agent() -> Iterator[int]:
    """A process that is said to run the sessions. Not ours: what an agent starts may not answer for a person."""
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as process:
        # It ends with its input.
        yield process.pid


def _played(room: Room, effort: Effort) -> Found:
    asks, short_while, long_while = effort.pick(200, 50), effort.pick(10, 2), effort.pick(20, 4)
    memory = {"after the start": machine.rss_mib(room.hub.pid)}
    phases = [_phase(room, f"{RATE} events/s in {SESSIONS} sessions", short_while)]

    machine.say(f"  asks: opening {asks}")
    for number in range(asks):
        session = room.sessions[number % SESSIONS]
        room.crowd.at(time.perf_counter() + number / OPENED_PER_SECOND, partial(room.ask, session))
    room.crowd.run(lambda: _held(room) == asks, "asks are opened")
    phases.append(_phase(room, f"and {asks} asks held open", short_while))

    room.look(room.hub.get("/api/snapshot")["asks"])
    assert room.ready == asks, f"{room.ready} of {asks} asks can be answered"
    room.watch(PAGES)
    phases.append(_phase(room, f"and {PAGES} pages that watch", short_while))
    memory["then"] = phases[-1].mib

    room.taken = Taken()
    phases.append(_phase(room, f"and {ANSWERS_PER_SECOND} answers/s", long_while, ANSWERS_PER_SECOND))
    memory["after the answers"] = phases[-1].mib
    taken = room.taken

    machine.say("  asks: answering what is left")
    room.goes_on, room.taken = False, Taken()
    room.crowd.run(lambda: room.ready >= len(room.held), "all are seen")
    for number in range(room.ready):
        room.crowd.at(time.perf_counter() + number / LAST_ANSWERS_PER_SECOND, room.answer)
    beats = sum(ask.reply.beats for ask in room.held.values() if ask.reply)
    room.crowd.run(lambda: not room.held, "every ask is over on all screens")
    memory["when nothing waits any more"] = machine.rss_mib(room.hub.pid)
    messages, size = sum(page.count for page in room.pages), sum(page.size for page in room.pages)
    return Found(tuple(phases), taken, memory, messages, size / (1 << 20), beats)


def _held(room: Room) -> int:
    return sum(ask.reply is not None for ask in room.held.values())


def _phase(room: Room, name: str, seconds: int, answers: int = 0) -> Phase:
    machine.say(f"  asks: {name}, {seconds} s")
    room.taken.allows = []
    start = time.perf_counter() + 0.05
    _every(room, start, seconds, RATE, room.event)
    _every(room, start, seconds, answers, lambda _: room.answer())
    pid, began = room.hub.pid, time.perf_counter()
    spent, waited = machine.cpu_seconds(pid), machine.queued_seconds(pid)
    room.crowd.run(lambda: time.perf_counter() >= start + seconds, name)
    took = time.perf_counter() - began
    cores, starved = (machine.cpu_seconds(pid) - spent) / took, (machine.queued_seconds(pid) - waited) / took
    if answers:
        # Those that take long belong to it, too.
        room.crowd.run(lambda: not room.answered, "answers arrive")
    return Phase(name, Spread.of(room.taken.allows), cores, starved, machine.rss_mib(pid))


def _every(room: Room, start: float, seconds: int, rate: int, act: Callable[[int], None]) -> None:
    for number in range(seconds * rate):
        room.crowd.at(start + number / rate, partial(act, number))


def report(found: Found, asks: int) -> Report:
    told, seen = found.taken.told, found.taken.seen
    answers = [
        *((f"answered {place} → its agent is told", Spread.of(told[place])) for place in TOLD),
        *((f"answered {place} → {PAGES} pages know", Spread.of(seen[place])) for place in (*TOLD, TERMINAL)),
    ]
    highest = max(found.memory.values())
    return Report(
        NAME,
        (
            Table(
                "Load, one thing after the other",
                (
                    "load",
                    "allow by a rule, p50, ms",
                    "p99, ms",
                    "CPU, % of a core",
                    "waits for a core, %",
                    "resident, MiB",
                ),
                tuple(phase.cells() for phase in found.phases),
                "Allowed calls and their ends, and every six seconds a session's reminder that its dialog waits. An "
                "answered ask is followed by the end of its call and by the next ask, which come on top. A hub waits "
                "for a core while others use it: that much of the times is the machine's.",
            ),
            Table(
                f"Answers, {asks} asks open, {PAGES} pages, {RATE} events/s",
                ("from the press", "min, ms", "p50, ms", "p99, ms", "answers"),
                tuple((what, *spread.cells(1e3)) for what, spread in answers),
                "The chat is a stand-in that takes no time, with every ask on it. "
                f"The last of {PAGES} pages counts. They were sent {found.messages:,} messages, {found.sent_mib:,.0f} "
                f"MiB, and the hooks that waited at the end {found.beats:,} signs of life.",
            ),
            Table(
                "Memory of the hub with asks and pages",
                ("when", "resident, MiB"),
                tuple((when, short(mib)) for when, mib in found.memory.items()),
            ),
        ),
        (
            Check("answer posted → agent told, p99", _worst(told), 100, "ms"),
            Check("tap in a chat → agent told, p99", _worst({CHAT: told[CHAT]}), 100, "ms"),
            Check(f"answer → {PAGES} pages know, p99", _worst(seen), 2_000, "ms"),
            Check(f"resident memory, {asks} asks, {PAGES} pages, at its highest", highest, 120, "MiB"),
        ),
    )


def _worst(taken: dict[str, list[float]]) -> float:
    """Of all places together, in milliseconds."""
    return 1e3 * Spread.of([seconds for times in taken.values() for seconds in times]).p99
