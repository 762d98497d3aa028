"""Hubs for the tests of this folder."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.component.hub_process import HubProcess, running_hub

StartHub = Callable[..., HubProcess]


@pytest.fixture
def start_hub(tmp_path: Path) -> Iterator[StartHub]:
    """Start a hub with this configuration and these rules; stopped after the test."""
    with ExitStack() as stack:

        def start(*, config: str = "", rules: str = "") -> HubProcess:
            return stack.enter_context(running_hub(tmp_path, config=config, rules=rules))

        yield start


@pytest.fixture
def idle_hub(tmp_path: Path) -> Iterator[HubProcess]:
    """Not started yet, with a place for its journal; stopped after the test."""
    hub = HubProcess(tmp_path, rules=RULES)
    hub.paths.state.mkdir(parents=True, mode=0o700)
    yield hub
    if hub.process is not None and hub.process.poll() is None:
        hub.stop()


@pytest.fixture(scope="module")
def shared_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One hub for all tests of a file that ask it questions and change nothing."""
    with running_hub(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    return start_hub(rules=RULES)


RULES = """
[[rule]]
match = "Bash(git push *)"
decision = "deny"
reason = "Pushes are reviewed."

[[rule]]
match = "Bash(make build)"
decision = "allow"

[[rule]]
match = "Bash(npm publish *)"
decision = "ask"
reason = "Publishing is for people."
"""
