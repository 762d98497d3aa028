"""Which processes are agents, from what events claim and the kernel's tables say."""

import asyncio
import logging
import os
from dataclasses import replace
from pathlib import Path

import pytest

from assent.hub import state_file
from assent.hub.access import agents as module
from assent.hub.access.agents import MOST, Agents
from assent.hub.access.caller import Peer
from assent.hub.processes import Process
from tests.unit.hub.access.test_origin import Kernel

INIT = Process(1, 0, 1, has_terminal=False, birth=0, name="systemd")
TERMINAL = Process(10, 1, 10, has_terminal=False, birth=1, name="kitty")
AGENT = Process(20, 10, 20, has_terminal=True, birth=20, name="node")
BETWEEN = Process(30, 20, 20, has_terminal=True, birth=30, name="sh")
SHIM = Process(40, 30, 20, has_terminal=True, birth=40, name="python")
PEER = Peer(40, 1000, birth=40)


class Table(Kernel):
    """And the arguments of each."""

    given: dict[int, list[bytes]]

    def arguments(self, pid: int) -> list[bytes]:
        return self.given.get(pid, [])

    def boot(self) -> str:
        return "this life"


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Table:
    found = Table()
    found.given = {30: [b"sh", b"-c", b"hook"]}
    found.put(INIT, TERMINAL, AGENT, BETWEEN, SHIM)
    monkeypatch.setattr(module, "processes", found)
    return found


def test_agent_that_started_the_shim_by_a_shell_is_known(kernel: Table) -> None:
    """And lives as long as its process does."""
    agents = Agents()
    assert agents.confirmed(PEER, "20")
    assert agents.is_one(AGENT)
    assert agents.behind(PEER) == 20
    assert agents.alive() == [AGENT]
    kernel.put(replace(AGENT, birth=21))
    assert agents.alive() == []


def test_agent_that_started_the_shim_itself_is_known(kernel: Table) -> None:
    """Without a shell between."""
    kernel.put(replace(SHIM, parent=20))
    agents = Agents()
    assert agents.confirmed(PEER, "20")
    assert agents.is_one(AGENT)


@pytest.mark.parametrize(
    "claimed", ["", "x", "-20", "0", "1", "10", "99", "٢٠", "²", "20.0", "0000000000020", "100000000000000000000000"]
)
def test_claim_that_is_not_true_is_not_confirmed(kernel: Table, claimed: str) -> None:
    """No number, no such process, or one that did not start the shim."""
    assert kernel.TELLS
    agents = Agents()
    assert not agents.confirmed(PEER, claimed)
    assert agents.alive() == []


def test_number_of_eleven_digits_is_read(kernel: Table) -> None:
    """The longest that is."""
    assert kernel.TELLS
    assert Agents().confirmed(PEER, "00000000020")


@pytest.mark.parametrize("peer", [Peer(99, 1000, birth=40), Peer(40, 1000, birth=41)])
def test_shim_that_is_gone_confirms_nothing(kernel: Table, peer: Peer) -> None:
    """Another process may have its id."""
    assert kernel.TELLS
    assert not Agents().confirmed(peer, "20")


@pytest.mark.parametrize(
    ("change", "arguments"),
    [
        ({"name": "node"}, [b"node", b"-c", b"hook"]),
        ({}, [b"sh"]),
        ({}, [b"sh", b"-i", b"-c"]),
        ({"session": 30}, [b"sh", b"-c", b"hook"]),
    ],
)
def test_only_a_shell_with_one_line_stands_between(
    kernel: Table, change: dict[str, object], arguments: list[bytes]
) -> None:
    """Not another program, nor an interactive shell, which leads its session at a terminal."""
    kernel.put(replace(BETWEEN, **change))  # type: ignore[arg-type]
    kernel.given[30] = arguments
    assert not Agents().confirmed(PEER, "20")


def test_shell_that_leads_without_a_terminal_stands_between(kernel: Table) -> None:
    """As agents start hooks in a session of their own."""
    kernel.put(replace(BETWEEN, session=30, has_terminal=False))
    assert Agents().confirmed(PEER, "20")


@pytest.mark.parametrize(("birth", "is_true"), [(29, True), (30, True), (31, False)])
def test_parent_is_not_younger(kernel: Table, birth: int, is_true: bool) -> None:
    """A younger process got the id after the parent had ended."""
    kernel.put(replace(AGENT, birth=birth))
    assert Agents().confirmed(PEER, "20") is is_true


def test_parent_that_is_gone_confirms_nothing(kernel: Table) -> None:
    """Of the shim, or of the shell."""
    del kernel.table[20]
    assert not Agents().confirmed(PEER, "20")
    del kernel.table[30]
    assert not Agents().confirmed(PEER, "20")


@pytest.mark.parametrize("name", ["bash", "systemd"])
def test_shell_or_reaper_is_confirmed_and_no_agent(kernel: Table, name: str) -> None:
    """Else all that runs below it would be an agent's."""
    kernel.put(replace(AGENT, name=name))
    agents = Agents()
    assert agents.confirmed(PEER, "20")
    assert agents.alive() == []


def test_process_above_the_hub_is_no_agent(kernel: Table) -> None:
    """Else the terminal it was started from would be one."""
    kernel.put(Process(os.getpid(), 20, 20, has_terminal=True, birth=50, name="assent"))
    agents = Agents()
    assert agents.confirmed(PEER, "20")
    assert agents.alive() == []


def test_forwarder_may_be_the_agent_itself(kernel: Table) -> None:
    """Whatever it is called; then it speaks for itself only."""
    kernel.put(replace(SHIM, name="bash"))
    agents = Agents()
    assert agents.confirmed(PEER, "40")
    assert [process.pid for process in agents.alive()] == [40]


def test_nothing_is_refused_where_nothing_can_be_told(kernel: Table) -> None:
    """Another kernel, or another way in."""
    assert Agents().confirmed(None, "x")
    kernel.TELLS = False
    assert Agents().confirmed(PEER, "x")
    assert Agents().behind(Peer(99, 1, 1)) is None


def test_most_that_are_known_are_limited(kernel: Table) -> None:
    """The newest is known in any case, and those that ended are forgotten."""
    agents = Agents()
    several = [Process(1_000 + n, 1, 1, has_terminal=False, birth=n, name="x") for n in range(MOST + 1)]
    kernel.put(*several)
    agents._births = {process.pid: process.birth for process in several} | {9_999: 1}
    assert agents.confirmed(PEER, "20")
    assert agents.is_one(AGENT)
    assert len(agents._births) == MOST + 1


@pytest.mark.anyio
async def test_agents_are_known_to_the_next_hub(kernel: Table, tmp_path: Path) -> None:
    """In the same life of the machine; a file that cannot be read tells nothing."""
    assert kernel.TELLS
    file = tmp_path / "agents.json"
    agents = Agents(file)
    assert agents.confirmed(PEER, "20")
    await asyncio.get_running_loop().shutdown_default_executor()
    assert Agents(file).alive() == [AGENT]
    state_file.write(file, (state_file.read(file) or b"").replace(b"this life", b"another"))
    assert Agents(file).alive() == []
    state_file.write(file, b"{")
    assert Agents(file).alive() == []


def test_trouble_with_the_file_is_logged(kernel: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The agents of this life are known all the same."""
    assert kernel.TELLS
    with caplog.at_level(logging.WARNING):
        Agents()._keep(tmp_path / "missing" / "agents.json")
    assert "not kept" in caplog.text
