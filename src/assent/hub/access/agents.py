"""Registry of running agents: an event says which process its agent is, and counts only if that process started
the one that sent it, by the kernel's word.

Who is known stays known until the process is dead, whatever later events say; a hub that starts anew reads it back."""

import asyncio
import contextlib
import logging
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from assent.hub import processes, state_file
from assent.hub.access.caller import Peer
from assent.hub.processes import Process

log = logging.getLogger("assent.hub")

# Agents start hooks by way of one of these.
SHELLS = frozenset(
    ("sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "mksh", "tcsh", "csh", "nu", "elvish", "pwsh", "busybox")
)
# They take in processes whose parent ended, so their children may belong to any program.
REAPERS = frozenset(("systemd", "init", "tini", "dumb-init", "docker-init", "catatonit", "s6-svscan", "runsvdir"))
MOST = 4_096


class _Kept(msgspec.Struct):
    boot: str
    agents: list[tuple[int, int]]


@dataclass(slots=True)
class Agents:
    # Where they stand while no hub runs.
    file: Path | None = None
    # When each was born, by process id.
    _births: dict[int, int] = field(default_factory=dict)
    _writing: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        with contextlib.suppress(msgspec.DecodeError):
            saved = msgspec.json.decode((state_file.read(self.file) if self.file else None) or b"{}", type=_Kept)
            if saved.boot == processes.boot():
                self._births = dict(saved.agents)

    def confirmed(self, peer: Peer | None, claimed: str) -> bool:
        """Whether the process that an event names did start who sent it; if it can be an agent, it is known as one."""
        if not processes.TELLS or peer is None:
            return True
        pid = int(claimed) if claimed.isascii() and claimed.isdigit() and len(claimed) < 12 else 0
        agent = _starter(peer, pid)
        if agent is None:
            return False
        # A forwarder may be the agent itself; then it speaks for itself only.
        if not self.is_one(agent) and (pid == peer.pid or _can_be_an_agent(agent)):
            self._learn(agent)
        return True

    def is_one(self, process: Process) -> bool:
        return self._births.get(process.pid) == process.birth

    def behind(self, peer: Peer) -> int | None:
        """The agent that a process comes from."""
        line = processes.line_of(peer.pid) or ()
        return next((process.pid for process in line if self.is_one(process)), None)

    def alive(self) -> list[Process]:
        running = [processes.look(pid) for pid in list(self._births)]
        return [process for process in running if process is not None and self.is_one(process)]

    def _learn(self, agent: Process) -> None:
        # Each is a live process that started another; more than this is an attempt to fill memory.
        births = {process.pid: process.birth for process in self.alive()[:MOST]}
        self._births = births | {agent.pid: agent.birth}
        if self.file:
            asyncio.get_running_loop().run_in_executor(None, self._keep, self.file)

    def _keep(self, file: Path) -> None:
        try:
            with self._writing:
                state_file.write(file, msgspec.json.encode(_Kept(processes.boot(), list(self._births.items()))))
        except OSError as error:
            log.warning("which agents run is not kept for the next hub: %s", error)


def _starter(peer: Peer, claimed: int) -> Process | None:
    """The process with that id, if it is the peer or started it, by itself or with a shell's help."""
    # What it was started by does not change, and a later process of that id is younger.
    shim = peer.process or processes.look(peer.pid)
    if claimed <= 1 or shim is None or shim.birth != peer.birth:
        return None
    if shim.pid == claimed:
        return shim
    parent = processes.look(shim.parent)
    if parent is not None and parent.pid != claimed and _is_between(parent):
        shim, parent = parent, processes.look(parent.parent)
    if parent is None or parent.pid != claimed or parent.birth > shim.birth:
        return None
    return parent


def _can_be_an_agent(process: Process) -> bool:
    """An orphan would otherwise make an agent of the process that adopts it, and so of every terminal below that."""
    return process.name not in SHELLS | REAPERS and process.pid not in _above_us()


def _is_between(process: Process) -> bool:
    """Whether it is a shell that was given one line to run, and not an interactive one."""
    if process.name not in SHELLS or (process.leads and process.has_terminal):
        return False
    return processes.arguments(process.pid)[1:2] == [b"-c"]


def _above_us() -> frozenset[int]:
    return frozenset(process.pid for process in processes.line_of(os.getpid()) or () if process.pid != os.getpid())
