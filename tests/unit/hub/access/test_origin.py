"""Where a process at the desk socket comes from, told from a table of processes."""

from dataclasses import dataclass, field, replace

import pytest

from assent.harnesses.names import MARKERS
from assent.hub.access import origin
from assent.hub.access.agents import Agents
from assent.hub.access.caller import Peer
from assent.hub.access.origin import CODE_SECONDS, MOST_CODES, MOST_SEATED, Origin, Origins
from assent.hub.processes import Process, above
from assent.webapi.endpoint import ProblemError

INIT = Process(1, 0, 1, has_terminal=False, birth=0, name="systemd")
# A terminal that lives, with its shell and a program of a person.
TERMINAL = Process(10, 1, 10, has_terminal=False, birth=10, name="kitty")
SHELL = Process(11, 10, 11, has_terminal=True, birth=11, name="bash")
PROGRAM = Process(12, 11, 11, has_terminal=True, birth=30, name="assent")
AGENT = Process(20, 11, 11, has_terminal=True, birth=20, name="agent")
PEER = Peer(12, 1000, birth=30)


@dataclass
class Kernel:
    """Stands in for the kernel's tables."""

    table: dict[int, Process] = field(default_factory=dict)
    variables: dict[int, frozenset[str] | None] = field(default_factory=dict)
    groups: dict[int, bytes] = field(default_factory=dict)
    terminals: set[int] = field(default_factory=set)
    TELLS: bool = True
    looked: int = 0

    def put(self, *processes: Process) -> None:
        self.table |= {process.pid: process for process in processes}

    def look(self, pid: int) -> Process | None:
        return self.table.get(pid)

    def birth(self, pid: int) -> int | None:
        return self.table[pid].birth if pid in self.table else None

    def line_of(self, pid: int) -> tuple[Process, ...] | None:
        self.looked += 1
        line = []
        while pid:
            if (process := self.table.get(pid)) is None:
                return None
            line.append(process)
            pid = process.parent
        return tuple(line)

    def environment(self, pid: int) -> frozenset[str] | None:
        return self.variables.get(pid, frozenset({"HOME"}))

    def group_of(self, pid: int) -> bytes | None:
        return self.groups.get(pid, b"user")

    def reads_a_terminal(self, pid: int) -> bool:
        return pid in self.terminals

    above = staticmethod(above)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    found = Kernel()
    found.put(INIT, TERMINAL, SHELL, PROGRAM)
    monkeypatch.setattr(origin, "processes", found)
    monkeypatch.setattr("assent.hub.access.agents.processes", found)
    return found


@pytest.fixture
def origins() -> Origins:
    return Origins(Agents())


def know(origins: Origins, kernel: Kernel, agent: Process = AGENT) -> None:
    kernel.put(agent)
    origins.agents._births[agent.pid] = agent.birth


def test_program_at_a_terminal_is_a_persons(kernel: Kernel, origins: Origins) -> None:
    """Without one it is unattended, unless its input is one."""
    assert origins.of(PEER) is Origin.PERSON
    kernel.put(replace(PROGRAM, has_terminal=False))
    assert origins.of(PEER) is Origin.UNATTENDED
    kernel.terminals.add(12)
    assert origins.of(PEER) is Origin.PERSON


def test_machine_that_tells_nothing_trusts(kernel: Kernel, origins: Origins) -> None:
    """Nothing could be told from one another there."""
    kernel.TELLS = False
    assert origins.of(Peer(0, 1000)) is Origin.PERSON


@pytest.mark.parametrize("peer", [Peer(0, 1000, birth=30), Peer(12, 1000), Peer(12, 1000, birth=29), Peer(99, 1, 1)])
def test_process_that_is_not_known_counts_as_an_agents(kernel: Kernel, origins: Origins, peer: Peer) -> None:
    """No id, no birth, another process with the same id, or gone."""
    assert kernel.TELLS
    assert origins.of(peer) is Origin.AGENT


def test_child_of_an_agent_is_an_agents(kernel: Kernel, origins: Origins) -> None:
    """However far below."""
    know(origins, kernel)
    kernel.put(replace(PROGRAM, parent=20))
    assert origins.of(PEER) is Origin.AGENT


@pytest.mark.parametrize("pid", [12, 11, 1])
def test_mark_in_any_environment_of_the_line_is_an_agents(kernel: Kernel, origins: Origins, pid: int) -> None:
    """Agents mark all that they start."""
    kernel.variables[pid] = frozenset({"HOME", next(iter(MARKERS))})
    assert origins.of(PEER) is Origin.AGENT


@pytest.mark.parametrize(("pid", "expected"), [(12, Origin.AGENT), (1, Origin.PERSON)])
def test_hidden_environment_counts_for_the_process_itself(
    kernel: Kernel, origins: Origins, pid: int, expected: Origin
) -> None:
    """That of a system process cannot be read, which tells nothing."""
    kernel.variables[pid] = None
    assert origins.of(PEER) is expected


@pytest.mark.parametrize(
    ("birth", "group", "parent", "expected"),
    [
        (21, b"user", INIT, Origin.UNKNOWN),
        (20, b"user", INIT, Origin.UNKNOWN),
        # Older than the agent.
        (19, b"user", INIT, Origin.PERSON),
        # Started by the system for another purpose.
        (21, b"other", INIT, Origin.PERSON),
        (21, b"user", Process(2, 1, 2, has_terminal=False, birth=1, name="tini"), Origin.UNKNOWN),
        (21, b"user", Process(2, 0, 2, has_terminal=False, birth=1, name="kitty"), Origin.PERSON),
    ],
)
def test_orphan_younger_than_an_agent_is_unknown(
    kernel: Kernel, origins: Origins, birth: int, group: bytes, parent: Process, expected: Origin
) -> None:
    """Where one that takes in orphans is above it, in the control group of the agent."""
    know(origins, kernel)
    kernel.put(parent, Process(30, parent.pid, 30, has_terminal=True, birth=birth, name="bash"))
    if parent.pid == 2 and parent.parent == 1:
        kernel.groups[2] = b"system"
    kernel.groups[30] = group
    assert origins.of(Peer(30, 1000, birth=birth)) is expected


@pytest.mark.parametrize(
    ("leader", "expected"),
    [
        (None, Origin.UNKNOWN),
        (Process(40, 20, 40, has_terminal=True, birth=25, name="sh"), Origin.AGENT),
        (Process(40, 11, 40, has_terminal=True, birth=25, name="sh"), Origin.PERSON),
    ],
)
def test_leader_of_the_session_counts_where_it_is_not_above(
    kernel: Kernel, origins: Origins, leader: Process | None, expected: Origin
) -> None:
    """A process may have been handed to a parent of a person."""
    know(origins, kernel)
    kernel.put(replace(PROGRAM, session=40), *([leader] if leader else []))
    assert origins.of(PEER) is expected


def test_process_without_a_session_is_told_by_its_parents(kernel: Kernel, origins: Origins) -> None:
    """As those of the system are."""
    kernel.put(replace(PROGRAM, session=0))
    assert origins.of(PEER) is Origin.PERSON


def orphan(kernel: Kernel, origins: Origins) -> Peer:
    """One that a person has to vouch for."""
    know(origins, kernel)
    kernel.put(Process(30, 1, 30, has_terminal=True, birth=40, name="bash"))
    return Peer(30, 1000, birth=40)


def test_vouched_session_is_a_persons(kernel: Kernel, origins: Origins) -> None:
    """Until its leader is another process; a code is good once."""
    peer = orphan(kernel, origins)
    code = origins.code_for(peer)
    assert len(code) == 6
    assert origins.code_for(peer) == code
    assert origins.of(peer) is Origin.UNKNOWN
    assert origins.vouch(code).pid == 30
    assert origins.of(peer) is Origin.PERSON
    with pytest.raises(ProblemError, match="nothing to confirm"):
        origins.vouch(code)
    kernel.put(Process(30, 1, 30, has_terminal=True, birth=41, name="bash"))
    assert origins.of(Peer(30, 1000, birth=41)) is Origin.UNKNOWN


def test_vouching_does_not_make_a_person_of_an_agent(kernel: Kernel, origins: Origins) -> None:
    """Nor of what comes from a session that was not vouched for."""
    peer = orphan(kernel, origins)
    origins.vouch(origins.code_for(peer))
    kernel.variables[30] = frozenset(MARKERS)
    assert origins.of(peer) is Origin.AGENT
    kernel.put(Process(31, 1, 31, has_terminal=True, birth=40, name="bash"))
    assert origins.of(Peer(31, 1000, birth=40)) is Origin.UNKNOWN


def test_vouching_for_one_keeps_the_others_that_live(kernel: Kernel, origins: Origins) -> None:
    """Those that ended are forgotten."""
    first = orphan(kernel, origins)
    origins.vouch(origins.code_for(first))
    kernel.put(Process(31, 1, 31, has_terminal=True, birth=41, name="bash"))
    second = Peer(31, 1000, birth=41)
    origins.vouch(origins.code_for(second))
    assert [origins.of(peer) for peer in (first, second)] == [Origin.PERSON, Origin.PERSON]
    del kernel.table[30]
    origins.vouch(origins.code_for(second))
    assert origins._vouched == {31: 41}


def test_leader_that_ended_cannot_be_vouched_for(kernel: Kernel, origins: Origins) -> None:
    """A later process may have its id."""
    peer = orphan(kernel, origins)
    code = origins.code_for(peer)
    kernel.put(Process(30, 1, 30, has_terminal=True, birth=41, name="bash"))
    with pytest.raises(ProblemError, match="nothing to confirm"):
        origins.vouch(code)


@pytest.mark.parametrize(("late", "is_good"), [(-1.0, True), (0.0, False), (1.0, False)])
def test_code_ends_after_a_while(
    kernel: Kernel, origins: Origins, monkeypatch: pytest.MonkeyPatch, late: float, is_good: bool
) -> None:
    """Then there is another, and the old one confirms nothing."""
    peer = orphan(kernel, origins)
    now = 1_000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    code = origins.code_for(peer)
    now += CODE_SECONDS + late
    assert (origins.code_for(peer) == code) is is_good
    assert (code in origins._codes) is is_good


def test_old_code_does_not_vouch(kernel: Kernel, origins: Origins, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no other was asked for since."""
    peer = orphan(kernel, origins)
    now = 1_000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    code = origins.code_for(peer)
    now += CODE_SECONDS + 0.1
    with pytest.raises(ProblemError, match="nothing to confirm"):
        origins.vouch(code)


@pytest.mark.parametrize("peer", [Peer(99, 1000, birth=1), Peer(30, 1000, birth=39)])
def test_process_that_is_gone_gets_no_code(kernel: Kernel, origins: Origins, peer: Peer) -> None:
    """Nor does one whose id belongs to another now."""
    orphan(kernel, origins)
    assert origins.code_for(peer) == ""


def test_codes_are_limited(kernel: Kernel, origins: Origins) -> None:
    """Beyond the limit there is none; those who have one keep it."""
    numbers = range(100, 100 + MOST_CODES + 1)
    kernel.put(*(Process(n, 1, n, has_terminal=True, birth=n, name="sh") for n in numbers))
    codes = [origins.code_for(Peer(n, 1000, birth=n)) for n in numbers]
    # Two may have drawn the same number.
    assert len(origins._codes) == MOST_CODES or codes[-1] != ""
    assert all(codes[:MOST_CODES])


def test_place_at_the_desk_is_looked_at_once(kernel: Kernel, origins: Origins) -> None:
    """For people and what runs unattended; not for agents and orphans."""
    assert origins.is_person(PEER)
    looked = kernel.looked
    assert origins.is_person(PEER)
    assert kernel.looked == looked
    assert not origins.is_person(orphan(kernel, origins))
    kernel.put(Process(50, 10, 50, has_terminal=False, birth=12, name="cron"))
    assert origins.is_person(Peer(50, 1000, birth=12))
    assert not origins.is_person(Peer(99, 1000, birth=1))


@pytest.mark.parametrize(("count", "kept"), [(MOST_SEATED - 1, MOST_SEATED), (MOST_SEATED, 1)])
def test_places_at_the_desk_that_are_remembered_are_limited(
    kernel: Kernel, origins: Origins, count: int, kept: int
) -> None:
    """Then all are looked at anew."""
    assert kernel.TELLS
    origins._seated = {Peer(1_000 + n, 1, 1): False for n in range(count)}
    assert origins.is_person(PEER)
    assert len(origins._seated) == kept
