"""Sixty hubs that keep their record in one PostgreSQL: appends a second, and how long each of them waits."""

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench import machine
from bench.machine import Effort
from bench.probe import Probe, together
from bench.stats import Spread, paired, short
from bench.table import Check, Report, Table
from scripts.postgres_server import CannotBeHadError, Server

NAME = "writers"
HUBS, PROCESSES = 60, 4
NOW, DEAF, BARE = (
    "**journal**, {} hubs that hear of each other",
    "the same hubs, and none hears of the others",
    "bare inserts, {} connections",
)


@dataclass(frozen=True, slots=True)
class Lap:
    per_second: float
    seconds: list[float]


def measure(effort: Effort) -> Report:
    rounds, seconds = effort.pick(7, 1), effort.pick(4, 1)
    kinds = {
        NOW.format(HUBS): (sys.executable, "hears"),
        DEAF: (sys.executable, "writes"),
        BARE.format(HUBS): (sys.executable, "inserts"),
    }
    if effort.against is not None:
        kinds[f"{effort.against.name}, {HUBS} hubs"] = (effort.against.python, "writes")
    laps: dict[str, list[Lap]] = {name: [] for name in kinds}
    try:
        with ExitStack() as held:
            root = held.enter_context(machine.folder())
            probes = {name: _started(held, root, *kind) for name, kind in kinds.items()}
            for number in range(rounds):
                machine.say(f"  writers: round {number + 1} of {rounds}")
                for name, each in probes.items():
                    taken = [one for found in together(each, seconds) for one in found]
                    laps[name].append(Lap(len(taken) / seconds, taken))
    except CannotBeHadError as problem:
        return Report(NAME, not_measured=f"hubs that share a PostgreSQL: {problem}.")
    mine = laps[NOW.format(HUBS)]
    rows = []
    for name, found in laps.items():
        spread = Spread.of([one for lap in found for one in lap.seconds])
        ratio = paired([lap.per_second for lap in mine], [lap.per_second for lap in found])
        rows.append((name, short(Spread.of([lap.per_second for lap in found]).p50), *spread.cells(1e3), short(ratio)))
    columns = ("each writes one event after the other", "appends/s, p50", "min, ms", "p50, ms", "p99, ms", "appends")
    note = (
        f"An append is an event with its decision, in one commit. The writers are in {PROCESSES} processes on the same "
        f"machine as the server; {rounds} laps of {seconds} s, in turn, each tree with a server of its own. The last "
        "column: appends a second of today's journal ÷ those of the row."
    )
    deaf = laps[DEAF]
    what = f"appends per second of {HUBS} hubs that hear of each other ÷ of those that do not"
    heard = paired([lap.per_second for lap in mine], [lap.per_second for lap in deaf])
    checks = [Check(what, heard, 0.9, at_least=True)]
    if effort.against is not None:
        its, mine = laps[f"{effort.against.name}, {HUBS} hubs"], deaf
        rate = paired([lap.per_second for lap in mine], [lap.per_second for lap in its])
        wait = paired(*([Spread.of(lap.seconds).p50 for lap in each] for each in (mine, its)))
        what = f"PostgreSQL, {HUBS} hubs"
        checks += [
            Check(f"{what}, appends per second ÷ {effort.against.name}", rate, 1.5, at_least=True, is_goal=True),
            Check(f"{what}, p50 of an append ÷ {effort.against.name}", wait, 0.7, is_goal=True),
        ]
    table = Table(f"{HUBS} hubs and one PostgreSQL", (*columns, "today ÷ it"), tuple(rows), note)
    return Report(NAME, (table,), tuple(checks))


def _started(held: ExitStack, root: Path, python: str, does: str) -> list[Probe]:
    # Each hub has one that writes and one that reads.
    server = Server(max_connections=str(3 * HUBS))
    held.callback(server.remove)
    probes = [held.enter_context(Probe("writers_probe.py", home=root, python=python)) for _ in range(PROCESSES)]
    for number, probe in enumerate(probes):
        hubs = [f"bench{hub:03}" for hub in range(number, HUBS, PROCESSES)]
        probe.ask({"url": server.place.url, "hubs": hubs, "does": does})
    return probes
