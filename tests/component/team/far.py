"""A team on a network: hubs, relays, the database and the identity provider, each on a host of its own.

The hosts are network namespaces. What listens on loopback only, as the database and the provider of the tests do, is
carried there through a Unix socket."""

import contextlib
import datetime
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from assent.hub.access.authority import Authority
from tests.component.hub_process import HubProcess
from tests.network import Host, Network, network
from tests.services.oidc_provider import Provider, an_hour_ago
from tests.waiting import HANG, until

OWNER = "ada@example.org"
RELAY_PORT, DATABASE_PORT = 8719, 5432
DATABASE = "database"
HUB = """
[hub]
port = 0
[team]
ca_file = "{ca}"
"""
RELAY = """
[team]
name = "Far"
[relay]
listen = "{address}:{port}"
certificate = "{certificate}"
key = "{key}"
[database]
url = "{database}"
[people]
issuer = "{issuer}"
client_id = "{client}"
"""


@dataclass
class FarTeam:
    """Its hubs are ``HubProcess``es: their sockets are files, so a test speaks to each of them from where it runs."""

    network: Network
    provider: Provider
    root: Path
    database: str
    hubs: dict[str, HubProcess] = field(default_factory=dict)
    relays: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _others: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def relay_url(self, name: str) -> str:
        return f"https://{self.network[name].address}:{RELAY_PORT}"

    def start_relay(self, name: str) -> None:
        host = self.network[name]
        authority = Authority(self.root / f"{name}-tls", host.address)
        authority.folder.mkdir(exist_ok=True)
        authority.renew(datetime.datetime.now(datetime.UTC))
        config = self.root / f"{name}.toml"
        config.write_text(
            RELAY.format(
                address=host.address,
                port=RELAY_PORT,
                certificate=authority.server_certificate,
                key=authority.server_key,
                database=self._database_there(),
                issuer=self.provider.issuer,
                client=self.provider.client_id,
            )
        )
        command = [sys.executable, "-m", "assent", "relay", "--config", str(config)]
        environ = {"HOME": str(self.root), "PATH": os.environ["PATH"]}
        with (self.root / f"{name}.log").open("ab") as output:
            self.relays[name] = subprocess.Popen(
                host.command(*command), env=environ, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        self.wait_for_relay(name)

    def wait_for_relay(self, name: str) -> None:
        look = [sys.executable, "-c", _LOOK, self.network[name].address, str(RELAY_PORT)]

        def answers() -> bool:
            log = (self.root / f"{name}.log").read_text()
            assert self.relays[name].poll() is None, f"the relay ended:\n{log}"
            return subprocess.run(self.network[name].command(*look), capture_output=True).returncode == 0

        until(answers, f"{name} listens")

    def kill_relay(self, name: str) -> None:
        process = self.relays.pop(name)
        process.kill()
        process.wait(HANG)

    def start_hub(self, name: str, relays: Sequence[str]) -> HubProcess:
        """A hub on this host, whose owner has joined and which is connected."""
        home = self.root / name
        home.mkdir()
        bundle = self.root / "authorities.pem"
        bundle.write_text("".join(path.read_text() for path in sorted(self.root.glob("*-tls/ca.crt"))))
        hub = self.hubs[name] = HubProcess(home, config=HUB.format(ca=bundle))
        # No test's own time: the agent's folder is there for as long as the hub.
        (home / "project").mkdir()
        host = self.network[name]
        hub.start(*host.command(hub.python, "-m", "assent", "up"))
        urls = [self.relay_url(relay) for relay in relays]
        self.assent(name, "join", *urls, "--yes", "--machine", name)
        until(lambda: self.is_connected(name), f"the link of {name}")
        return hub

    def assent(self, name: str, *arguments: str) -> str:
        hub = self.hubs[name]
        done = subprocess.run(
            self.network[name].command(hub.python, "-m", "assent", *arguments),
            env=hub.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=HANG,
        )
        assert done.returncode == 0, f"assent {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def is_connected(self, name: str) -> bool:
        _, status = self.hubs[name].api("GET", "/api/status")
        return bool((status.get("team") or {}).get("state") == "connected")

    def carry(self, host: Host | None, *pairs: tuple[str, str]) -> None:
        command = [sys.executable, "-m", "tests.component.team.forward", *(part for pair in pairs for part in pair)]
        process = subprocess.Popen(host.command(*command) if host else command, stdout=subprocess.PIPE)
        self._others.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"

    def _database_there(self) -> str:
        parts = urlsplit(self.database)
        host = self.network[DATABASE].address
        return f"postgresql://{parts.username}:{parts.password}@{host}:{DATABASE_PORT}{parts.path}"

    def close(self) -> None:
        for hub in self.hubs.values():
            if hub.process is not None:
                hub.stop()
        for process in (*self.relays.values(), *self._others):
            process.terminate()
            process.wait(HANG)
            if process.stdout is not None:
                process.stdout.close()


_LOOK = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 5).close()"


@contextlib.contextmanager
def far_team(
    root: Path,
    database: str,
    hubs: Sequence[str] = ("alpha", "beta"),
    relays: Sequence[str] = ("relay",),
    *,
    delay: float = 0.0,
    loss: float = 0.0,
) -> Iterator[FarTeam]:
    """All on their hosts, and joined. ``database`` is the address of an empty one; ``delay`` is of each frame on its
    way to the other host, in seconds."""
    with (
        network((*hubs, *relays, DATABASE), delay=delay, loss=loss) as hosts,
        Provider(automatic=OWNER, now=an_hour_ago) as provider,
    ):
        team = FarTeam(hosts, provider, root, database)
        try:
            people, records = str(root / "provider.sock"), str(root / "database.sock")
            parts = urlsplit(database)
            team.carry(None, (people, f"127.0.0.1:{provider.port}"), (records, f"{parts.hostname}:{parts.port}"))
            team.carry(hosts[DATABASE], (f"{hosts[DATABASE].address}:{DATABASE_PORT}", records))
            for name in (*hubs, *relays):
                team.carry(hosts[name], (f"127.0.0.1:{provider.port}", people))
            for name in relays:
                team.start_relay(name)
            for name in hubs:
                team.start_hub(name, relays)
            yield team
        finally:
            team.close()


def permission(number: int, project: Path) -> dict[str, Any]:
    """A call that a person is asked about."""
    return {
        "session_id": f"s{number}",
        "hook_event_name": "PermissionRequest",
        "cwd": str(project),
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": f"npm install left-pad-{number}", "description": "Install"},
    }


def asked_there(hub: HubProcess, number: int) -> dict[str, Any] | None:
    """The ask of that call as a hub shows it, once it can be answered."""
    _, snapshot = hub.api("GET", "/api/snapshot")
    return next((ask for ask in snapshot["asks"] if ask.get("choices") and number_of(ask) == number), None)


def number_of(ask: dict[str, Any]) -> int | None:
    """Which call it is about."""
    found = re.search(r"npm install left-pad-(\d+)", json.dumps(ask))
    return int(found[1]) if found else None


def answer(hub: HubProcess, ask: dict[str, Any], choice: str) -> tuple[int, Any]:
    body = {"rev": ask["rev"], "hash": ask["hash"], "choice": choice}
    return hub.api("POST", f"/api/asks/{ask['id']}/answer", json.dumps(body).encode())
