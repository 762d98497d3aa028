"""What a team costs a hub that nobody asks anything: its answers while it is joined to a relay, and while it is not."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench import hub as hubs
from bench import latency, load, machine
from bench.hub import Hub
from bench.latency import BUDGETED, RATE, SOCKET, Case
from bench.machine import Effort
from bench.stats import Spread, paired, short
from bench.table import Check, Report, Table
from scripts.postgres_server import CannotBeHadError, Server
from tests.component.team.near import OWNER, NearTeam, is_connected
from tests.services.oidc_provider import Provider, user
from tests.waiting import until

NAME = "joined"
ALONE, JOINED = "not in a team", "**joined**, relay over loopback"
MOST = 1.02
KIND = "allowed by a rule"
CASE = Case(SOCKET, KIND, BUDGETED)


def measure(effort: Effort) -> Report:
    """Many short turns: what else the machine does is far more than what is looked for."""
    rounds, each = effort.pick(60, 4), effort.pick(150, 100)
    taken: dict[str, list[list[float]]] = {ALONE: [], JOINED: []}
    spent: dict[str, list[float]] = {ALONE: [], JOINED: []}
    chance = random.Random(1)
    try:
        with ExitStack() as held:
            root = held.enter_context(machine.folder())
            running = {
                ALONE: held.enter_context(hubs.running(root / "alone")),
                JOINED: held.enter_context(_joined(root)),
            }
            for number in range(rounds + 1):
                machine.say(f"  joined: round {number} of {rounds}")
                for name in (ALONE, JOINED) if number % 2 else (JOINED, ALONE):
                    seconds, cpu = _lap(running[name], each, chance)
                    if number:
                        taken[name].append(seconds)
                        spent[name].append(cpu / each)
    except CannotBeHadError as problem:
        return Report(NAME, not_measured=f"a hub in a team: {problem}.")
    rows = []
    for name, laps in taken.items():
        cells = Spread.of([one for lap in laps for one in lap]).cells(1e3)
        rows.append((name, *cells, short(1e6 * min(spent[name])), short(1e6 * Spread.of(spent[name]).p50)))
    middle = {name: [Spread.of(lap).p50 for lap in laps] for name, laps in taken.items()}
    columns = ("hub", "min, ms", "p50, ms", "p99, ms", "events", "CPU an event, least, µs", "p50")
    note = (
        f"PreToolUse {KIND}, {BUDGETED} clients, {RATE} events a second; {rounds} rounds of {each / RATE:g} s, in "
        "turn. The ratio of times is the p50 of the rounds' own ratios of p50s."
    )
    what = f"hub in a team ÷ hub that is in none, {KIND}"
    checks = (
        Check(f"{what}, p50", paired(middle[JOINED], middle[ALONE]), MOST),
        Check(f"{what}, processor time, least", min(spent[JOINED]) / min(spent[ALONE]), MOST, is_goal=True),
    )
    return Report(NAME, (Table("A hub in a team", columns, tuple(rows), note),), checks)


def _lap(hub: Hub, each: int, chance: random.Random) -> tuple[list[float], float]:
    target = load.unix(hub.socket)
    shots = latency.shots(CASE, each, chance, hub, target)
    before = machine.fine_cpu_seconds(hub.pid)
    return load.fire(target, shots), machine.fine_cpu_seconds(hub.pid) - before


@contextmanager
def _joined(root: Path) -> Iterator[Hub]:
    with ExitStack() as held:
        server = Server()
        held.callback(server.remove)
        provider = held.enter_context(Provider(users={OWNER: user(OWNER, ("dev",))}))
        team = NearTeam(root, provider, server.place.url)
        relay = team.relay()
        held.callback(relay.kill)
        hub = Hub(root / "joined")
        team.join(hub.paths, "joined")
        hub.start()
        held.callback(hub.stop)
        until(lambda: is_connected(hub.process), "the link of the hub")
        yield hub
