"""How long an agent waits for the hub's answer to a PreToolUse, at 200 events a second."""

import random
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench import hub as hubs
from bench import load, machine, peers
from bench.events import ALLOWED, UNDECIDED, Session
from bench.load import Shot, Target
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table

NAME = "latency"
RATE = 200
SOCKET, HTTP, PEER, FLOOR = "socket", "HTTP", "socket, the obvious hub", "socket, a server that does nothing"
# What the reply says, and whether it waits for the disk.
COMMANDS = {"no opinion": UNDECIDED, "allowed by a rule": ALLOWED}


@dataclass(frozen=True, slots=True)
class Case:
    transport: str
    kind: str
    clients: int
    # All clients at the same instant instead of each in its own time.
    bursts: bool = False

    def title(self) -> tuple[str, str, str]:
        who = f"{self.clients} client{'s' * (self.clients > 1)}"
        return self.transport, self.kind, f"{who}, all at once" if self.bursts else who

    def times(self, count: int, chance: random.Random) -> list[float]:
        """The same average rate either way."""
        if self.bursts:
            return [index // self.clients * self.clients / RATE for index in range(count)]
        pace = self.clients / RATE
        phases = [chance.random() * pace for _ in range(self.clients)]
        return sorted(phases[index % self.clients] + index // self.clients * pace for index in range(count))


BUDGETED = 16
CASES = (
    *(Case(SOCKET, kind, clients) for clients in (1, BUDGETED, 64) for kind in COMMANDS),
    *(Case(SOCKET, kind, clients, bursts=True) for clients in (BUDGETED, 64) for kind in COMMANDS),
    *(Case(HTTP, kind, clients) for clients in (1, BUDGETED, 64) for kind in COMMANDS),
    Case(PEER, "allowed by a rule", BUDGETED),
    *(Case(FLOOR, "no opinion", clients) for clients in (1, BUDGETED, 64)),
)


def measure(effort: Effort) -> Report:
    rounds, each = effort.pick(5, 1), effort.pick(400, 100)
    cases = list(CASES)
    if effort.against is not None:
        cases += [Case(f"socket, {effort.against.name}", kind, BUDGETED) for kind in COMMANDS]
    taken: dict[Case, list[float]] = {case: [] for case in cases}
    chance = random.Random(1)
    with ExitStack() as held:
        root = held.enter_context(machine.folder())
        hub = held.enter_context(hubs.running(root))
        targets = {
            SOCKET: load.unix(hub.socket),
            HTTP: load.http(hub.port),
            PEER: load.unix(held.enter_context(peers.obvious_hub(root))[1]),
            FLOOR: load.unix(held.enter_context(peers.trivial_hub(root))),
        }
        if effort.against is not None:
            earlier = held.enter_context(hubs.running(root / "before", python=effort.against.python))
            targets[f"socket, {effort.against.name}"] = load.unix(earlier.socket)
        for target in targets.values():
            load.fire(target, shots(Case(SOCKET, "no opinion", 1), 20, chance, hub, target))
        for number in range(rounds):
            machine.say(f"  latency: round {number + 1} of {rounds}, {len(cases)} cases of {each / RATE:g} s")
            for case in cases:
                target = targets[case.transport]
                taken[case] += load.fire(target, shots(case, each, chance, hub, target))
    spreads = {case: Spread.of(times) for case, times in taken.items()}
    rows = tuple((*case.title(), *spread.cells(1e3), *_ratios(case, spreads)) for case, spread in spreads.items())
    columns = (
        "over",
        "answer",
        "200 events/s from",
        "min, ms",
        "p50, ms",
        "p99, ms",
        "events",
        "÷ nothing, p50",
        "p99",
    )
    checks = []
    for kind in COMMANDS:
        spread = spreads[Case(SOCKET, kind, BUDGETED)]
        what = f"hub's answer to PreToolUse over the socket, {kind}, {BUDGETED} clients, 200 events/s"
        checks += [Check(f"{what}, p50", spread.p50 * 1e3, 1, "ms"), Check(f"{what}, p99", spread.p99 * 1e3, 10, "ms")]
    allowed, floor = (spreads[Case(*case, BUDGETED)] for case in ((SOCKET, "allowed by a rule"), (FLOOR, "no opinion")))
    what = f"allow over the socket, {BUDGETED} clients, 200 events/s ÷ a server that does nothing"
    checks += [Check(f"{what}, p50", allowed.p50 / floor.p50, 5), Check(f"{what}, p99", allowed.p99 / floor.p99, 3.3)]
    note = (
        "A new connection for every event on the socket, as a shim makes it; kept connections over HTTP. The time runs "
        "from connecting to the whole reply, on an open loop. An allow waits for the disk, no opinion does not. The "
        "last columns: ÷ a server that does nothing, from as many clients over the socket."
    )
    return Report(NAME, (Table("The hub's answer", columns, rows, note),), tuple(checks))


def _ratios(case: Case, spreads: dict[Case, Spread]) -> tuple[str, str]:
    nothing = spreads[Case(FLOOR, "no opinion", case.clients)]
    if case.bursts:
        # Nothing was asked that much at once.
        return "", ""
    return short(spreads[case].p50 / nothing.p50), short(spreads[case].p99 / nothing.p99)


def shots(case: Case, count: int, chance: random.Random, hub: hubs.Hub, target: Target) -> list[Shot]:
    sessions = [Session(Path(hub.project)) for _ in range(case.clients)]
    expects = b'"allow"' if case.kind == "allowed by a rule" else (b"{}" if target.keeps else b"passthrough")
    token, port = (hub.token(), hub.port) if target.keeps else ("", 0)
    made = []
    for index, at in enumerate(case.times(count, chance)):
        session = sessions[index % case.clients]
        payload = session.pre(COMMANDS[case.kind])
        request = session.post_request(payload, port, token) if target.keeps else session.line(payload)
        made.append(Shot(at, request, expects))
    return made
