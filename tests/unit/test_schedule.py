"""The order of a distributed run, and what stays together in it."""

from types import SimpleNamespace
from typing import Any

from tests import schedule

NAMES = [
    "tests/unit/test_few.py::test_one",
    "tests/unit/test_many.py::test_one",
    "tests/unit/test_many.py::test_two[a@b]",
    "tests/component/hub/test_asks.py::test_one",
    "tests/component/hub/test_killed.py::test_long[0]",
    "tests/e2e/test_judge.py::test_one",
    "tests/e2e/test_judge.py::test_two",
    "tests/e2e/test_judge.py::test_three",
    "tests/browser/test_plan.py::test_one",
]


def test_the_page_and_the_client_begin_and_the_long_ones_follow() -> None:
    """At the end only short tests are left."""
    assert [NAMES[place].partition("tests/")[2] for place in schedule.ordered(NAMES)] == [
        "browser/test_plan.py::test_one",
        "e2e/test_judge.py::test_one",
        "e2e/test_judge.py::test_two",
        "e2e/test_judge.py::test_three",
        "component/hub/test_killed.py::test_long[0]",
        "component/hub/test_asks.py::test_one",
        "unit/test_many.py::test_one",
        "unit/test_many.py::test_two[a@b]",
        "unit/test_few.py::test_one",
    ]


def test_one_browser_lanes_for_clients_and_unit_files_stay_together() -> None:
    """Every other test goes wherever there is time for it."""
    found = schedule.groups(NAMES)
    assert {found[name] for name in NAMES if "/browser/" in name} == {"browser"}
    assert [found[name] for name in NAMES if "/e2e/" in name] == ["client 0", "client 1", "client 0"]
    assert found["tests/unit/test_many.py::test_two[a@b]"] == "tests/unit/test_many.py"
    assert found["tests/component/hub/test_asks.py::test_one"] == "tests/component/hub/test_asks.py::test_one"


class Process:
    """One of a distributed run, which is told what to do next."""

    shutting_down = False
    gateway = SimpleNamespace(id="gw")

    def __init__(self) -> None:
        self.todo: list[int] = []

    def send_runtest_some(self, places: list[int]) -> None:
        self.todo += places

    def shutdown(self) -> None:
        self.shutting_down = True


def test_every_test_is_handed_out_once_and_what_is_done_is_forgotten() -> None:
    """Two processes take turns; in the end nothing is left, neither to do nor to count."""
    config: Any = SimpleNamespace(getvalue=lambda _: ["popen"] * 2, option=SimpleNamespace(loadscopereorder=True))
    handing = schedule.Scheduling(config)
    processes = [Process(), Process()]
    for process in processes:
        handing.add_node(process)
        handing.add_node_collection(process, NAMES)
    handing.schedule()
    done = []
    while any(process.todo for process in processes):
        for process in processes:
            if process.todo:
                place = process.todo.pop(0)
                done.append(NAMES[place])
                handing.mark_test_complete(process, place)
    assert sorted(done) == sorted(NAMES)
    assert [handing.assigned_work[process] for process in processes] == [{}, {}]
    assert handing.tests_finished
    assert not handing.has_pending
