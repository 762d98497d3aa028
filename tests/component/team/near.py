"""A team on this machine, of programs that can be killed: hubs, relays, and a PostgreSQL of the caller's."""

import os
import signal
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assent.paths import Paths
from assent.protocol.team import Identity, TeamInfo
from assent.relay.settings import DATABASE_VARIABLE
from assent.team import membership as memberships
from assent.team.keys import HubKey
from assent.team.membership import Membership
from tests.component.forked import ASSENT, ForkedProgram
from tests.component.hub_process import HubProcess
from tests.services.oidc_provider import Provider
from tests.waiting import HANG, until

OWNER = "ada@example.org"
RELAY = """
[team]
name = "Near"
[relay]
listen = "127.0.0.1:{port}"
[people]
issuer = "{issuer}"
client_id = "{client}"
"""


@dataclass
class NearRelay:
    """``assent relay`` at a port of its own, which stays the same when it is started again."""

    config: Path
    port: int
    environ: dict[str, str]
    program: str = ASSENT
    process: ForkedProgram | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = ForkedProgram(self.program, ["relay", "--config", str(self.config)], self.environ, self.log)
        until(self.listens, "the relay")

    def listens(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the relay ended:\n{self.log.read_text()}"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def log(self) -> Path:
        return self.config.with_suffix(".log")

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(HANG)


@dataclass
class NearTeam:
    root: Path
    provider: Provider
    database: str
    # Which its hubs and relays run.
    program: str = ASSENT
    relays: list[NearRelay] = field(default_factory=list)
    hubs: list[HubProcess] = field(default_factory=list)

    def relay(self) -> NearRelay:
        number = len(self.relays)
        config, port = self.root / f"relay-{number}.toml", free_port()
        config.write_text(RELAY.format(port=port, issuer=self.provider.issuer, client=self.provider.client_id))
        environ = {"HOME": str(self.root), "PATH": os.environ["PATH"], DATABASE_VARIABLE: self.database}
        self.relays.append(NearRelay(config, port, environ, self.program))
        self.relays[-1].start()
        return self.relays[-1]

    def hub(self, name: str, mail: str = OWNER, *, config: str = "", rules: str = "") -> HubProcess:
        """Its owner has signed in; with its first connection it joins the team by itself."""
        home = self.root / name
        home.mkdir()
        hub = HubProcess(home, config=config, rules=rules)
        hub.program = self.program
        self.join(hub.paths, name, mail)
        self.hubs.append(hub.start())
        until(lambda: is_connected(hub), f"the link of {name}")
        return hub

    def join(self, paths: Paths, name: str, mail: str = OWNER) -> Membership:
        """Write down what `assent join` writes down."""
        paths.keys.mkdir(parents=True, exist_ok=True, mode=0o700)
        key = HubKey.load_or_create(paths.team_key)
        person = self.provider.users[mail]
        info = TeamInfo(1, "Near", self.provider.issuer, self.provider.client_id)
        membership = Membership(
            urls=tuple(relay.url for relay in self.relays),
            info=info,
            hub=key.id,
            machine=name,
            owner=mail,
            joined_at=1,
            identity=Identity(info.issuer, person.subject, person.mail, person.name, person.groups),
            proof=self.provider.proof(mail, key),
        )
        memberships.save(paths.team, membership)
        return membership

    def close(self) -> None:
        for hub in self.hubs:
            kill(hub)
        for relay in self.relays:
            relay.kill()


class Answering(Protocol):
    def api(self, method: str, path: str, /) -> tuple[int, Any]: ...


def is_connected(hub: Answering) -> bool:
    _, status = hub.api("GET", "/api/status")
    return bool((status.get("team") or {}).get("state") == "connected")


def kill(hub: HubProcess) -> None:
    if hub.process is not None:
        hub.process.send_signal(signal.SIGKILL)
        hub.process.wait(HANG)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
