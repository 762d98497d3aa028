"""10,000 hubs of a team at two relays on one PostgreSQL: streams held, the way of an ask, memory of a relay."""

import datetime
import re
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assent.hub.access.authority import Authority
from assent.relay.settings import DATABASE_VARIABLE
from assent.team.keys import binding, fresh_salt
from bench import machine
from bench.machine import Effort
from bench.probe import Probe, together
from bench.stats import Spread, short
from bench.table import Check, Report, Table
from scripts.postgres_server import CannotBeHadError, Server
from tests.services.oidc_provider import Provider, user

NAME = "fleet"
HUBS, PROCESSES = 10_000, 5
LAPS, SECONDS, RATE = 3, 20, 40
MOST_MIB = 200.0
# Last lap ÷ first: what is over is remembered for 15 minutes, a few hundred bytes for each request.
FLAT = 1.05
RELAY = """
[team]
name = "Fleet"
[relay]
listen = "127.0.0.1:0"
{tls}
[people]
issuer = "{issuer}"
client_id = "{client}"
"""


@dataclass(slots=True)
class Found:
    hubs: int
    # MiB of each relay: as it starts, with all streams held, after each lap.
    began: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    laps: list[list[float]] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    asked: int = 0
    lost: int = 0
    refused: int = 0
    streams: int = 0

    @property
    def growth(self) -> float:
        return max(last / first for first, last in zip(self.laps[0], self.laps[-1], strict=True))


def measure(effort: Effort) -> Report:
    if not machine.HAS_PROC:
        return Report(NAME, not_measured="a fleet of hubs: memory is read from /proc.")
    hubs, laps, seconds = effort.pick(HUBS, 500), effort.pick(LAPS, 2), effort.pick(SECONDS, 4)
    ways = ("plain", "TLS")
    try:
        found = {way: _measured(hubs, laps, seconds, is_tls=way == "TLS") for way in ways}
    except CannotBeHadError as problem:
        return Report(NAME, not_measured=f"a fleet of hubs: {problem}.")
    rows = []
    for way, each in found.items():
        memory = [short(max(values)) for values in (each.began, each.held, each.laps[-1])]
        spreads = [Spread.of(values) for values in (each.shown, each.answered)]
        times = [short(1e3 * value) for spread in spreads for value in (spread.p50, spread.p99)]
        rows.append((f"{way}, {hubs:,} hubs", f"{each.streams:,}", *memory, *times, str(each.refused), str(each.lost)))
    columns = (
        "two relays",
        "streams at the end",
        "MiB at the start",
        "MiB, streams held",
        "MiB at the end",
        "shown p50, ms",
        "p99",
        "answered p50, ms",
        "p99",
        "429s",
        "lost",
    )
    note = (
        f"MiB of the larger relay, each with half of the hubs; {laps} laps of {seconds} s with {RATE} asks a second "
        "over all. Each ask goes to the person's other hub, at the other relay; it answers at once, is told the "
        f"result, and the ask ends. Hubs are tasks of {PROCESSES} processes on the same machine. Where a proxy speaks "
        "TLS, the relay needs what it needs in plain."
    )
    checks = []
    for way, each in found.items():
        checks += [
            Check(f"memory of a relay with {hubs // 2:,} hubs, {way}", max(each.held), MOST_MIB, "MiB"),
            Check(f"the same after the last lap ÷ the first, {way}", each.growth, FLAT, is_goal=True),
            Check(f"asks and answers that were lost, {way}", each.lost, 0),
            Check(f"streams that are held at the end, {way}", each.streams, hubs, at_least=True),
        ]
    return Report(NAME, (Table(f"{hubs:,} hubs of a team", columns, tuple(rows), note),), tuple(checks))


def _measured(hubs: int, laps: int, seconds: int, *, is_tls: bool) -> Found:
    found = Found(hubs)
    people = {f"p{number}@example.org": user(f"p{number}@example.org", ("dev",)) for number in range(hubs // 2)}
    with ExitStack() as held:
        root = held.enter_context(machine.folder())
        server = Server()
        held.callback(server.remove)
        provider = held.enter_context(Provider(users=people))
        authority = _authority(root) if is_tls else None
        relays = [_relay(held, root, number, server, provider, authority) for number in range(2)]
        found.began = [machine.rss_mib(relay.pid) for relay, _ in relays]
        probes = [held.enter_context(Probe("fleet_probe.py", home=root)) for _ in range(PROCESSES)]
        _provide(probes, hubs, [port for _, port in relays], provider, authority)
        for step in ("join", "connect"):
            machine.say(f"  fleet: {hubs:,} hubs {step}")
            together(probes, {"do": step})
        found.held = [machine.rss_mib(relay.pid) for relay, _ in relays]
        for lap in range(laps):
            machine.say(f"  fleet: lap {lap + 1} of {laps}")
            said = together(probes, {"do": "load", "seconds": seconds, "rate": RATE / PROCESSES})
            found.laps.append([machine.rss_mib(relay.pid) for relay, _ in relays])
            _add(found, said)
    return found


def _add(found: Found, said: list[dict[str, Any]]) -> None:
    for each in said:
        found.shown += each["shown"]
        found.answered += each["answered"]
        found.asked += each["asked"]
        found.lost += each["lost"]
    found.refused = sum(each["refused"] for each in said)
    found.streams = sum(each["held"] for each in said)


def _authority(root: Path) -> Authority:
    authority = Authority(root / "tls", "127.0.0.1")
    authority.folder.mkdir()
    authority.renew(datetime.datetime.now(datetime.UTC))
    return authority


def _relay(
    held: ExitStack, root: Path, number: int, server: Server, provider: Provider, authority: Authority | None
) -> tuple["subprocess.Popen[str]", int]:
    """Its process, and its port."""
    tls = ""
    if authority is not None:
        tls = f'certificate = "{authority.server_certificate}"\nkey = "{authority.server_key}"'
    config = root / f"relay-{number}.toml"
    config.write_text(RELAY.format(tls=tls, issuer=provider.issuer, client=provider.client_id))
    with (root / f"relay-{number}.log").open("w") as log:
        relay = subprocess.Popen(
            [sys.executable, "-m", "assent", "relay", "--config", str(config)],
            env=machine.environ(root) | {DATABASE_VARIABLE: server.place.url, "PYTHONUNBUFFERED": "1"},
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    held.callback(_end, relay)
    assert relay.stdout is not None
    port = re.search(r":(\d+)\.$", relay.stdout.readline())
    assert port is not None, (root / f"relay-{number}.log").read_text()
    return relay, int(port[1])


def _end(relay: "subprocess.Popen[str]") -> None:
    relay.terminate()
    relay.communicate(timeout=60)


def _provide(probes: list[Probe], hubs: int, ports: list[int], provider: Provider, authority: Authority | None) -> None:
    """Keys, and proofs that they belong to people: two hubs to each."""
    count = hubs // len(probes)
    ca = str(authority.certificate) if authority is not None else ""
    begin = {"hubs": count, "relays": [("127.0.0.1", port) for port in ports], "ca": ca}
    for number, (probe, keys) in enumerate(zip(probes, together(probes, begin), strict=True)):
        proofs = []
        for index, key in enumerate(keys):
            mail, salt = f"p{(number * count + index) // 2}@example.org", fresh_salt()
            proofs.append((salt, provider.id_token(mail, nonce=binding(key, salt))))
        probe.ask({"do": "prove", "proofs": proofs})
