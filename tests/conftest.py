"""What every test gets: a marker from its folder, a home of its own, and no way to the real one."""

import functools
import gc
import itertools
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import costs, schedule, surroundings, unclosed
from tests.component.hub_process import HubProcess

HERE = Path(__file__).parent
TIERS = ("unit", "component", "browser", "e2e")

# The same examples every time on a build machine, new ones in `make soak`.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
HubProcess.forks = True
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


# Last, so that pytest's own output still follows the caller's NO_COLOR.
@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    surroundings.settle()
    unclosed.watch(config)
    config.pluginmanager.register(costs.Watch(os.environ.get("ASSENT_DEV_COSTS")))
    if hasattr(config, "workerinput"):
        # `make coverage` follows the workers alone: what the tests start is looked at by them, imports included.
        os.environ.pop("COVERAGE_PROCESS_CONFIG", None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, None, None]:
    """What is collected stays until the end: the garbage collector need not look at it, now or ever again."""
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@functools.cache
def tier_of(file: Path) -> str:
    return file.relative_to(HERE).parts[0]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        tier = tier_of(item.path)
        if tier in TIERS:
            item.add_marker(getattr(pytest.mark, tier))
    if hasattr(config, "workerinput"):
        items[:] = [items[place] for place in schedule.ordered([item.nodeid for item in items])]


def pytest_sessionfinish(session: pytest.Session) -> None:
    unclosed.hand_over(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    unclosed.taken(node.config, node)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for line in unclosed.summary(config):
        terminalreporter.write_line(f"lost connection: {line}")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadgroup``: the groups and the order of ``tests.schedule``."""
    return schedule.Scheduling(config, log) if config.getoption("dist") == "loadgroup" else None


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names for homes. Counted here: `mktemp` looks through all it has made so far, for thousands of tests."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A throw-away HOME. What a test writes to the real one would not be noticed, so it cannot."""
    folder = next(homes)
    folder.mkdir(mode=0o700)
    for name in list(os.environ):
        if name.startswith(("ASSENT_", "XDG_", "CLAUDE", "ANTHROPIC")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    """asyncio in debug mode: a forgotten await or a slow callback shows."""
    return "asyncio", {"debug": True}
