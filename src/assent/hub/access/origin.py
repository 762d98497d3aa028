"""Origin of a process at the desk socket: a person's terminal, an agent, or unknown.

Told by the kernel alone: who started whom, when, with which environment, and at which terminal."""

import secrets
import time
from dataclasses import dataclass, field
from enum import Enum

from assent.harnesses.names import MARKERS
from assent.hub import processes
from assent.hub.access.agents import REAPERS, Agents
from assent.hub.access.caller import Peer
from assent.hub.processes import Process
from assent.webapi.endpoint import ProblemError

CODE_SECONDS = 600.0
MOST_CODES = 256
MOST_SEATED = 1_000


class Origin(Enum):
    # At a terminal that no agent made.
    PERSON = "person"
    # Without a terminal: a service, a program of the desktop, a command over ssh.
    UNATTENDED = "unattended"
    # Its parents are gone, and an agent may have been among them.
    UNKNOWN = "unknown"
    AGENT = "agent"


@dataclass(slots=True)
class Origins:
    agents: Agents
    # Sessions of processes that a person vouched for: the leader's birth, by its id.
    _vouched: dict[int, int] = field(default_factory=dict)
    _seated: dict[Peer, bool] = field(default_factory=dict)
    # By code: the leader of a session that a person may vouch for, and until when.
    _codes: dict[str, tuple[Process, float]] = field(default_factory=dict)

    def of(self, peer: Peer) -> Origin:
        if not processes.TELLS:
            return Origin.PERSON
        line = processes.line_of(peer.pid) if peer.pid and peer.birth is not None else None
        if line is None or line[0].birth != peer.birth:
            return Origin.AGENT
        origin = self._of_line(line)
        if origin is Origin.PERSON and line[0].session not in (0, *(process.pid for process in line)):
            leaders = processes.line_of(line[0].session)
            origin = self._of_line(leaders) if leaders else Origin.UNKNOWN
        if origin is Origin.AGENT or origin is Origin.PERSON:
            return origin
        return Origin.PERSON if self._is_vouched_for(line[0].session) else origin

    def is_person(self, peer: Peer) -> bool:
        """As far as a place at the desk is concerned: looked at once for a process, which may want many."""
        is_seated = self._seated.get(peer)
        if is_seated is None:
            if len(self._seated) >= MOST_SEATED:
                self._seated.clear()
            is_seated = self._seated[peer] = self.of(peer) in (Origin.PERSON, Origin.UNATTENDED)
        return is_seated

    def code_for(self, peer: Peer) -> str:
        """With this a person can vouch for all that runs in the same session of processes; "" if impossible."""
        process = processes.look(peer.pid)
        leader = processes.look(process.session) if process and process.birth == peer.birth else None
        if leader is None:
            return ""
        now = time.monotonic()
        self._codes = {code: entry for code, entry in self._codes.items() if entry[1] > now}
        code = next((code for code, (owner, _) in self._codes.items() if owner == leader), None)
        if code is None and len(self._codes) < MOST_CODES:
            code = f"{secrets.randbelow(1_000_000):06}"
            self._codes[code] = (leader, now + CODE_SECONDS)
        return code or ""

    def vouch(self, code: str) -> Process:
        """Raises ProblemError."""
        leader, until = self._codes.pop(code, (None, 0.0))
        if leader is None or until < time.monotonic() or processes.birth(leader.pid) != leader.birth:
            raise ProblemError(
                404, "bad-code", "There is nothing to confirm under this code.", hint="try again what was refused."
            )
        alive = {pid: birth for pid, birth in self._vouched.items() if processes.birth(pid) == birth}
        self._vouched = alive | {leader.pid: leader.birth}
        return leader

    def _is_vouched_for(self, leader: int) -> bool:
        return leader in self._vouched and processes.birth(leader) == self._vouched[leader]

    def _of_line(self, line: tuple[Process, ...]) -> Origin:
        if any(map(self.agents.is_one, line)) or _is_marked(line):
            return Origin.AGENT
        if self._may_be_left_over(line):
            return Origin.UNKNOWN
        is_at_one = line[0].has_terminal or processes.reads_a_terminal(line[0].pid)
        return Origin.PERSON if is_at_one else Origin.UNATTENDED

    def _may_be_left_over(self, line: tuple[Process, ...]) -> bool:
        """Whether one of them was taken in by the system, is younger than an agent, and runs in the same control group:
        then the agent may have started it and its parent ended. What people start later has another control group where
        systemd starts it, or a parent that lives."""
        taken_in = [child for child, parent in processes.above(line) if parent.pid == 1 or parent.name in REAPERS]
        return any(
            agent.birth <= child.birth and processes.group_of(agent.pid) == processes.group_of(child.pid)
            for agent in (self.agents.alive() if taken_in else ())
            for child in taken_in
        )


def _is_marked(line: tuple[Process, ...]) -> bool:
    """Whether one of them was started with what agents put into the environment of all that they start."""
    names = processes.environment(line[0].pid)
    # Programs of people do not hide theirs.
    if names is None:
        return True
    above = (processes.environment(process.pid) for process in line[1:])
    return any(variables and not MARKERS.keys().isdisjoint(variables) for variables in (names, *above))
