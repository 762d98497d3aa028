"""How many events one hub takes, and whether its memory stays flat."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench import hub as hubs
from bench import load, machine, peers
from bench.before import Tree
from bench.events import ALLOWED, UNDECIDED, Session
from bench.machine import Effort
from bench.stats import Spread, paired, short
from bench.table import Check, Report, Table

NAME = "throughput"
CLIENTS, WINDOW = 16, 16
ALLOWS = "PreToolUse, allowed by a rule (2 records, replies wait for the disk)"
SILENT = "PreToolUse, no opinion (2 records)"
CALLS = "whole calls: PreToolUse allowed, then PostToolUse (3 records for 2 events)"
PEER = "the obvious hub, PreToolUse allowed (1 record)"
RECORDS_PER_EVENT = {ALLOWS: 2.0, SILENT: 2.0, CALLS: 1.5}


@dataclass(frozen=True, slots=True)
class Lap:
    events_per_second: float
    cores: float


def measure(effort: Effort) -> Report:
    if not machine.HAS_PROC:
        return Report(NAME, not_measured="throughput and memory: that needs Linux's /proc.")
    rounds, each = effort.pick(5, 1), effort.pick(4_000, 800)
    earlier = effort.against
    laps: dict[str, list[Lap]] = {}
    with ExitStack() as held:
        root = held.enter_context(machine.folder())
        own = held.enter_context(hubs.running(root))
        peer_pid, peer_socket = held.enter_context(peers.obvious_hub(root))
        kinds = [(kind, kind, own) for kind in RECORDS_PER_EVENT]
        if earlier is not None:
            other = held.enter_context(hubs.running(root / "before", python=earlier.python))
            kinds += [(_named(kind, earlier), kind, other) for kind in RECORDS_PER_EVENT]
        # Kinds beside each other, so that what is compared is measured at the same time.
        kinds.sort(key=lambda line: list(RECORDS_PER_EVENT).index(line[1]))
        for number in range(rounds):
            machine.say(f"  throughput: round {number + 1} of {rounds}, {each} events of each kind")
            for name, kind, hub in kinds:
                with machine.one_core_each(hub.pid):
                    laps.setdefault(name, []).append(_lap(hub, kind, each))
            with machine.one_core_each(peer_pid):
                laps.setdefault(PEER, []).append(_peer_lap(peer_pid, peer_socket, own.project, each // 4))
    memory = _memory(effort)
    spreads = {kind: Spread.of([lap.events_per_second for lap in found]) for kind, found in laps.items()}
    rows = tuple(
        (
            kind,
            *(short(value) for value in (spread.low, spread.p50, spread.top)),
            short(100 * Spread.of([lap.cores for lap in laps[kind]]).p50),
            short(1e6 * Spread.of([lap.cores / lap.events_per_second for lap in laps[kind]]).low),
        )
        for kind, spread in spreads.items()
    )
    columns = (
        "events per second until the last is on disk",
        "least",
        "p50",
        "most",
        "CPU, % of a core",
        "CPU per event, least, µs",
    )
    note = (
        f"{CLIENTS} clients with {WINDOW} events open each; the server on one core, the clients on the other. What "
        "else runs on the machine lowers events per second, but hardly the processor time of an event."
    )
    return Report(
        NAME,
        (Table("Throughput", columns, rows, note), _memory_table(memory)),
        (
            *(_compared(laps, earlier) if earlier is not None else ()),
            Check(
                "events per second, durable, one core, PreToolUse allowed", spreads[ALLOWS].p50, 3_000, at_least=True
            ),
            Check("events per second, durable, one core, whole calls", spreads[CALLS].p50, 3_000, at_least=True),
            Check(f"memory after {memory[-1][0]:,} events ÷ after {memory[1][0]:,}", memory[-1][1] / memory[1][1], 1.1),
        ),
    )


def _named(kind: str, earlier: Tree) -> str:
    return f"{earlier.name}: {kind}"


def _compared(laps: dict[str, list[Lap]], earlier: Tree) -> Iterator[Check]:
    """With the earlier tree's hub, whose laps were taken in turn with ours."""
    for kind, budget in ((CALLS, 1.4), (ALLOWS, 0.0), (SILENT, 0.0)):
        mine, its = laps[kind], laps[_named(kind, earlier)]
        rate = paired([lap.events_per_second for lap in mine], [lap.events_per_second for lap in its])
        what = f"{kind.partition(' (')[0]}, durable events per second ÷ {earlier.name}"
        yield Check(what, rate, budget or 1.0, at_least=True, is_goal=not budget)
        cpu = [min(lap.cores / lap.events_per_second for lap in each) for each in (mine, its)]
        yield Check("the same, processor time per event, least ÷ least", cpu[0] / cpu[1], 1.0, is_goal=True)


def _lap(hub: hubs.Hub, kind: str, events: int) -> Lap:
    clients = [lines_of(Session(hub.project), kind, events // CLIENTS) for _ in range(CLIENTS)]
    sent = [list(lines) for lines in clients]
    count = sum(map(len, sent))
    before = hub.recorded()
    spent, start = machine.cpu_seconds(hub.pid), time.monotonic()
    answered = load.pour(hub.socket, [iter(lines) for lines in sent], WINDOW)
    end = hub.wait_for_record(before + int(count * RECORDS_PER_EVENT[kind]))
    assert answered == count, f"{answered} of {count} events were answered"
    return Lap(count / (end - start), (machine.cpu_seconds(hub.pid) - spent) / (end - start))


def _peer_lap(pid: int, path: str, project: Path, events: int) -> Lap:
    sent = [list(lines_of(Session(project), ALLOWS, events // CLIENTS)) for _ in range(CLIENTS)]
    spent, start = machine.cpu_seconds(pid), time.monotonic()
    answered = load.pour(path, [iter(lines) for lines in sent], WINDOW)
    seconds = time.monotonic() - start
    return Lap(answered / seconds, (machine.cpu_seconds(pid) - spent) / seconds)


def lines_of(session: Session, kind: str, count: int) -> Iterator[bytes]:
    command = UNDECIDED if kind == SILENT else ALLOWED
    if kind == CALLS:
        for _ in range(count // 2):
            yield session.line(session.pre(command))
            yield session.line(session.post(command))
    else:
        for _ in range(count):
            yield session.line(session.pre(command))


def _memory(effort: Effort) -> list[tuple[int, float]]:
    """Resident memory of a fresh hub after so many events of whole calls."""
    marks = (10_000, 20_000, 40_000, 60_000) if not effort.is_quick else (2_000, 4_000)
    found = []
    with machine.folder() as root, hubs.running(root) as hub:
        found.append((0, machine.rss_mib(hub.pid)))
        sessions = [Session(hub.project) for _ in range(CLIENTS)]
        done = 0
        for mark in marks:
            machine.say(f"  throughput: memory after {mark} events")
            before = hub.recorded()
            step = (mark - done) // (2 * CLIENTS) * 2
            load.pour(hub.socket, [lines_of(session, CALLS, step) for session in sessions], WINDOW)
            hub.wait_for_record(before + step * CLIENTS * 3 // 2)
            done = mark
            found.append((mark, machine.rss_mib(hub.pid)))
    return found


def _memory_table(found: list[tuple[int, float]]) -> Table:
    rows = tuple((f"{events:,}", short(mib)) for events, mib in found)
    note = "It grows until the hub remembers as many answers as it keeps for shims that ask again, and then stays."
    return Table("Memory of the hub", ("events", "resident, MiB"), rows, note)
