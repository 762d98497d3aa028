"""A hub under load that is killed over and over, and started again by its clients."""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from assent.shim import stopped
from tests.component.fire.clients import Client, ShimClient, SocketClient, Told, owner
from tests.component.fire.gun import EXCHANGE, Gun
from tests.component.hub_process import DEADLINE, HubProcess, until

MOMENTS = (*EXCHANGE, "commit", "starting")
SOCKET_CLIENTS = 4
SHIM_CLIENTS = 2
# Longer than a hub takes to start: a kill by then finds it anywhere between its first line and its first reply.
LONGEST_START = 0.4


@dataclass(slots=True)
class Battle:
    hub: HubProcess
    seed: str
    gun: Gun = field(default_factory=Gun)
    clients: list[Client] = field(default_factory=list)
    # What to choose from, and what of it is done to something else than the hub.
    moments: tuple[str, ...] = MOMENTS
    harms: Mapping[str, Callable[[Random], None]] = field(default_factory=dict)
    kills: dict[str, int] = field(default_factory=dict)
    _started: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def rage(self, kills: int) -> None:
        """Kill or harm it that often; ends with a hub that runs and clients that are done."""
        rng = Random(self.seed)
        self.start()
        self.clients = [self._client(SocketClient, n) for n in range(SOCKET_CLIENTS)]
        self.clients += [self._client(ShimClient, n) for n in range(SHIM_CLIENTS)]
        for client in self.clients:
            client.start()
        while sum(self.kills.values()) < kills:
            self._round(rng)
        self._listening()
        for client in self.clients:
            client.finish()

    def _allows(self) -> int:
        return sum(told.says == "allow" for client in self.clients for told in client.told)

    def told(self) -> list[list[Told]]:
        """What was told to each client, in order."""
        return [client.told for client in self.clients]

    def stop(self) -> None:
        """End the hub as `assent down` does."""
        pid = self._listening()
        # One that was started beside it steps back as soon as it finds the lock taken.
        until(lambda: self._hubs() == {pid}, "the end of all hubs but one")
        os.kill(pid, signal.SIGTERM)
        until(lambda: not self._hubs(), "the end of the hub")

    def start(self) -> None:
        self._start()
        self._listening()

    def end(self) -> None:
        """Leave no hub behind, whatever went wrong."""
        # Shims that still run start none.
        stopped.leave(self.hub.paths, stopped.arm(self.hub.paths))
        for client in self.clients:
            client.over.set()

        def all_ended() -> bool:
            for pid in self._hubs():
                os.kill(pid, signal.SIGKILL)
            return not self._hubs()

        until(all_ended, "the end of all hubs")
        for process in self._started:
            process.wait()

    def _client(self, kind: type[Client], n: int) -> Client:
        return kind(self.hub.paths, self.gun, f"{self.seed} {kind.__name__} {n}")

    def _round(self, rng: Random) -> None:
        moment = rng.choice(self.moments)
        self.kills[moment] = self.kills.get(moment, 0) + 1
        if moment in self.harms:
            # Allows, and not just replies: what was harmed before has mended.
            enough = self._allows() + rng.randint(1, 15)
            until(lambda: self._allows() >= enough, "allows")
            self.harms[moment](rng)
            return
        if moment == "starting":
            self._kill_next_start(rng)
            return
        pid = self._listening()
        if moment == "commit":
            self.gun.arm(pid, moment, rng.randint(1, 100))
            side = self.hub.paths.journal.with_name("journal.db-wal")
            self.gun.at_each_change(moment, lambda: _written(side), DEADLINE)
        else:
            self.gun.arm(pid, moment, rng.randint(1, 150), rng.choice((0.0, 0.0, rng.uniform(0, 0.003))))
        assert self.gun.fired.wait(DEADLINE), f"the moment {moment!r} did not come"
        self._gone(pid)
        # A shim that finds no hub starts one; with a person at hand it may come second.
        if rng.random() < 0.5:
            self._start()

    def _kill_next_start(self, rng: Random) -> None:
        """End the hub, and the next one while it comes up."""
        pid = self._listening()
        os.kill(pid, signal.SIGKILL)
        self._gone(pid)
        started = self._start()
        try:
            started.wait(rng.uniform(0, LONGEST_START))
        except subprocess.TimeoutExpired:
            pass
        started.kill()
        started.wait()

    def _start(self) -> "subprocess.Popen[bytes]":
        nowhere = subprocess.DEVNULL
        argv = [self.hub.python, "-m", "assent", "up"]
        self._started.append(
            subprocess.Popen(argv, env=self.hub.environ, stdin=nowhere, stdout=nowhere, stderr=nowhere)
        )
        return self._started[-1]

    def _listening(self) -> int:
        return until(lambda: owner(self.hub.paths), "a hub that listens")

    def _gone(self, pid: int) -> None:
        until(lambda: owner(self.hub.paths) != pid, "the end of the hub")

    def _hubs(self) -> set[int]:
        """Every hub of this battle, however young: a shim does not tell which process it started."""
        for process in self._started:
            process.poll()
        ours = f"ASSENT_HOME={self.hub.environ['ASSENT_HOME']}\0".encode()
        return {int(found.parent.name) for found in Path("/proc").glob("[0-9]*/environ") if ours in _read(found)}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""  # gone meanwhile, or another user's


def _written(side: os.PathLike[str]) -> tuple[int, int]:
    try:
        status = os.stat(side)
    except FileNotFoundError:
        return 0, 0
    return status.st_size, status.st_mtime_ns
