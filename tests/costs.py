"""What each test spends: time, processor time of its own process, and that of the programs it starts.

The ten slowest are printed at the end of every run; ``ASSENT_DEV_COSTS=FILE`` writes all of them, as tab-separated
lines. Programs that outlive their parents, as a hub started with ``--detach`` does, are missing."""

import os
import resource
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SHOWN = 10
WIDEST = 110
_NAMED = "costs"


class Spent(NamedTuple):
    """Seconds: on the clock, of this process's processors, and of its children's."""

    wall: float = 0.0
    own: float = 0.0
    children: float = 0.0

    @property
    def processors(self) -> float:
        return self.own + self.children

    def plus(self, other: "Spent") -> "Spent":
        return Spent(*map(sum, zip(self, other, strict=True)))

    def since(self, before: "Spent") -> "Spent":
        return Spent(*(late - early for late, early in zip(self, before, strict=True)))


def now() -> Spent:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(time.monotonic(), time.process_time(), ended.ru_utime + ended.ru_stime + _hubs())


def _hubs() -> float:
    """Of hubs that ended: children of the process that they were forked from, which itself goes on (Linux)."""
    server = getattr(sys.modules.get("multiprocessing.forkserver"), "_forkserver", None)
    try:
        fields = Path(f"/proc/{getattr(server, '_forkserver_pid', None)}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


class Watch:
    """In every process that runs tests, and in the one that prints."""

    def __init__(self, written_to: str | None = None) -> None:
        self._written_to = written_to
        self._before = now()
        self._collected = 0.0
        self.tests: dict[str, Spent] = {}
        # Of each process: the processor time of its collection, and all it and its children took.
        self.processes: list[tuple[float, float]] = []

    def pytest_collection_finish(self) -> None:
        self._collected = time.process_time()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        self._before = now()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        """After each of set-up, call and tear-down."""
        report = yield
        at = now()
        report.spent = tuple(at.since(self._before))
        self._before = at
        return report

    def pytest_runtest_logreport(self, report: Any) -> None:
        if spent := getattr(report, "spent", None):
            self.tests[report.nodeid] = self.tests.get(report.nodeid, Spent()).plus(Spent(*spent))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        taken = self._collected, now().processors
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[_NAMED] = taken
            return
        if not self.processes:
            self.processes.append(taken)
        if self._written_to:
            Path(self._written_to).write_text("".join(f"{line}\n" for line in table(self.tests.items())))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        if told := getattr(node, "workeroutput", {}).get(_NAMED):
            self.processes.append(tuple(told))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.summary():
            terminalreporter.write_line(line)

    def summary(self) -> list[str]:
        collected, taken = (sum(each) for each in zip(*self.processes, strict=True))
        return [
            f"slowest {SHOWN}: seconds on the clock, of processors in the test, of processors in what it starts",
            *(line.replace("\t", "  ")[:WIDEST] for line in table(slowest(self.tests))),
            f"processors: {taken:.0f} s in {len(self.processes)} processes, {collected:.0f} s of it to collect",
        ]


def slowest(tests: dict[str, Spent]) -> list[tuple[str, Spent]]:
    return sorted(tests.items(), key=lambda test: test[1].wall, reverse=True)[:SHOWN]


def table(tests: Iterable[tuple[str, Spent]]) -> Iterator[str]:
    for name, spent in tests:
        yield "\t".join([*(f"{seconds:6.2f}" for seconds in spent), name.partition("\n")[0]])
