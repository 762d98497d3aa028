"""The judge over the labelled lines: the first time, again, with nothing to judge by, and beside an earlier tree."""

import random
import sys
from contextlib import ExitStack
from typing import Any

from accuracy import corpus
from bench import machine
from bench.events import rules
from bench.machine import Effort
from bench.probe import Probe
from bench.stats import Spread, short
from bench.table import Check, Report, Table

NAME = "corpus"
NOW, EMPTY = "**judge**, 20 rules", "`true` and no rules"
# Nanoseconds for the first and the second time, and what was decided; by line, of all laps.
Laps = list[list[tuple[int, int, str]]]


def measure(effort: Effort) -> Report:
    lines = [line.command for line in corpus.load()]
    # The same every time, and of all kinds.
    lines = random.Random(1).sample(lines, min(len(lines), effort.pick(len(lines), 200)))
    rounds = effort.pick(7, 2)
    trees = {NOW: sys.executable}
    if effort.against is not None:
        trees[effort.against.name] = effort.against.python
    taken: dict[str, Laps] = {}
    with ExitStack() as held:
        root = held.enter_context(machine.folder())
        probes = {}
        for number, (name, python) in enumerate([*trees.items(), (EMPTY, sys.executable)]):
            home = root / str(number)
            home.mkdir()
            probe = probes[name] = held.enter_context(Probe("judging_probe.py", home=home, python=python))
            is_empty = name == EMPTY
            given: dict[str, Any] = {"root": str(home), "rules": "" if is_empty else rules()}
            probe.ask({**given, "commands": ["true" + " " * more for more in range(50)] if is_empty else lines})
        for number in range(rounds):
            machine.say(f"  corpus: round {number + 1} of {rounds}, {len(lines)} lines")
            for name, probe in probes.items():
                taken.setdefault(name, []).append(probe.ask("lap"))
    means = {name: (_mean(laps, 0), _mean(laps, 1)) for name, laps in taken.items()}
    rows = tuple((name, *(short(mean / 1e3) for mean in means[name]), _p99(laps)) for name, laps in taken.items())
    note = (
        f"Mean processor time over {len(lines)} labelled lines; of each line the least of {rounds} laps. Again: the "
        "same line in the same place, with the same answers from the disk."
    )
    checks: tuple[Check, ...] = ()
    if effort.against is not None:
        before = effort.against.name
        (first, again), (its_first, its_again) = means[NOW], means[before]
        checks = (
            Check(f"verdict, mean over the corpus, first time ÷ {before}", first / its_first, 0.75),
            Check(f"verdict, mean over the corpus, again ÷ {before}, again", again / its_again, 0.3),
        )
        pairs = zip(taken[NOW][0], taken[before][0], strict=True)
        note += f" {sum(mine[2] != its[2] for mine, its in pairs)} lines are judged differently than before."
    columns = ("a verdict, µs", "first time", "again", "first time, p99")
    return Report(NAME, (Table("Judging the corpus", columns, rows, note),), checks)


def _least(laps: Laps, which: int) -> list[int]:
    return [min(lap[which] for lap in line) for line in zip(*laps, strict=True)]


def _mean(laps: Laps, which: int) -> float:
    least = _least(laps, which)
    return sum(least) / len(least)


def _p99(laps: Laps) -> str:
    return short(Spread.of([nanoseconds / 1e3 for nanoseconds in _least(laps, 0)]).p99)
