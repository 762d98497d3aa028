"""Start of the commands that people type all day, beside a program of click that does nothing."""

import os
import sys
import time
from pathlib import Path

from bench import hub as hubs
from bench import machine
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table

NAME = "startup"
FLOOR = "an empty program of click"
BUDGET = 1.5
VERBS = {
    **{f"`assent {verb}`": (verb,) for verb in ("status", "asks", "statusline", "--version", "--help")},
    "`assent try`": ("try", "git push --force origin main"),
}

EMPTY = "import click\n\n\n@click.command()\ndef main() -> None:\n    pass\n\n\nmain()\n"
PROGRAM = "from assent.__main__ import main\n\nmain()\n"


def measure(effort: Effort) -> Report:
    rounds = effort.pick(40, 5)
    with machine.folder() as root, hubs.running(root) as hub:
        empty, program = root / "empty.py", root / "program.py"
        empty.write_text(EMPTY)
        program.write_text(PROGRAM)
        ways = {FLOOR: [sys.executable, str(empty)]}
        ways |= {name: [sys.executable, str(program), *words] for name, words in VERBS.items()}
        whole: dict[str, list[float]] = {name: [] for name in ways}
        cores: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(-1, rounds):
            for name, argv in ways.items():
                taken, spent = _run(argv, hub.environ)
                if number >= 0:
                    whole[name].append(taken)
                    cores[name].append(spent)
    least = {name: min(spent) for name, spent in cores.items()}
    spreads = {name: Spread.of(taken) for name, taken in whole.items()}
    rows = tuple(
        (
            name,
            *spread.cells(1e3),
            short(1e3 * least[name]),
            short(spread.low / spreads[FLOOR].low),
            short(least[name] / least[FLOOR]),
        )
        for name, spread in spreads.items()
    )
    columns = ("whole process, ms", "min", "p50", "p99", "runs", "CPU, min", "÷ empty, min", "÷ empty, CPU")
    note = "With a hub that runs and nothing that waits. The processor time is what a busy machine changes least."
    return Report(
        NAME,
        (Table("Start of commands", columns, rows, note),),
        tuple(Check(f"{name} ÷ {FLOOR}, CPU", least[name] / least[FLOOR], BUDGET) for name in ways if name != FLOOR),
    )


def _run(argv: list[str], environ: dict[str, str]) -> tuple[float, float]:
    """How long the whole process took, and how long it was on a core."""
    nowhere = os.fspath(Path(os.devnull))
    actions = [(os.POSIX_SPAWN_OPEN, 0, nowhere, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, nowhere, os.O_WRONLY, 0)]
    start = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    taken = time.perf_counter() - start
    if status:
        raise AssertionError(f"{argv} ended with {status}")
    return taken, usage.ru_utime + usage.ru_stime
