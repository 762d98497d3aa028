"""What tests spend, as the end of a run shows it."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests import costs
from tests.costs import Spent
from tests.waiting import HANG


def report(name: str, *spent: float) -> Any:
    return SimpleNamespace(nodeid=name, spent=spent)


def test_set_up_call_and_tear_down_are_one_test() -> None:
    """Of each test all three reports count."""
    watch = costs.Watch()
    for _ in range(3):
        watch.pytest_runtest_logreport(report("a", 1.0, 0.25, 0.5))
    assert watch.tests == {"a": Spent(3.0, 0.75, 1.5)}


def test_slowest_come_first_and_are_ten() -> None:
    """By the clock; what is quick is not shown."""
    tests = {str(number): Spent(wall=number) for number in range(20)}
    assert [name for name, _ in costs.slowest(tests)] == [str(number) for number in range(19, 9, -1)]


def test_summary_adds_the_processes_up() -> None:
    """Five processes collect the same tests: what each takes counts."""
    watch = costs.Watch()
    watch.tests["tests/a.py::test_b[long\nname]"] = Spent(2, 1, 0.5)
    watch.processes = [(1.0, 10.0), (2.0, 20.0)]
    lines = watch.summary()
    assert lines[1].split() == ["2.00", "1.00", "0.50", "tests/a.py::test_b[long"]
    assert lines[-1] == "processors: 30 s in 2 processes, 3 s of it to collect"


def test_program_that_a_test_waits_for_is_its_child() -> None:
    """Its processor time is not the test's own."""
    before = costs.now()
    subprocess.run([sys.executable, "-c", "sum(range(3_000_000))"], check=True, timeout=HANG)
    spent = costs.now().since(before)
    assert spent.children > 0
    assert spent.processors > spent.own


def test_all_tests_can_be_written_to_a_file(tmp_path: Path) -> None:
    """One line each, for a spreadsheet or sort(1)."""
    watch = costs.Watch(str(tmp_path / "costs"))
    watch.pytest_runtest_logreport(report("a", 1.0, 0.25, 0.5))
    session: Any = SimpleNamespace(config=SimpleNamespace())
    watch.pytest_sessionfinish(session)
    assert (tmp_path / "costs").read_text().split() == ["1.00", "0.25", "0.50", "a"]
    assert len(watch.processes) == 1
