"""An ask of one machine that is answered at another: hubs, relay and database on hosts of their own."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import machine
from bench.machine import Effort
from bench.stats import Spread
from bench.table import Check, Report, Table
from scripts.postgres_server import CannotBeHadError, Server
from tests import network
from tests.component.hub_process import HubProcess, UnixConnection
from tests.component.team import far
from tests.component.team.far import FarTeam

NAME = "trips"
DELAY = 0.04
LONGEST_TRIP = 60.0
WARM_UP = 3
# A trip is three posts of one hub (ask, result, end), and a relay takes 20 a second of it for long.
PACE = 0.16


@dataclass(frozen=True, slots=True)
class Network:
    name: str
    delay: float = 0.0
    loss: float = 0.0


NETWORKS = (
    Network("one machine"),
    Network("40 ms from host to host", DELAY),
    Network("40 ms, and 1 % of the frames lost", DELAY, 0.01),
)


@dataclass(slots=True)
class Trips:
    """Seconds; of a call's hook until another hub's stream shows it, and of the answer there until the hook ends."""

    shown: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    # Until the person's own hub knows that the answer was taken.
    known: list[float] = field(default_factory=list)
    wrong: int = 0


def measure(effort: Effort) -> Report:
    if why := network.missing():
        return Report(NAME, not_measured=f"trips between machines: {why}.")
    count = effort.pick(1_000, 20)
    found: dict[Network, Trips] = {}
    try:
        for each in NETWORKS:
            with machine.folder() as root, contextlib.closing(_Database()) as database:
                team = far.far_team(root, database.server.place.url, delay=each.delay, loss=each.loss)
                with team as there:
                    found[each] = _made(there, each, count)
    except CannotBeHadError as problem:
        return Report(NAME, not_measured=f"trips between machines: {problem}.")
    return _report(found, count)


class _Database:
    def __init__(self) -> None:
        self.server = Server()

    def close(self) -> None:
        self.server.remove()


def _made(team: FarTeam, over: Network, count: int) -> Trips:
    alpha, beta = team.hubs["alpha"], team.hubs["beta"]
    trips = Trips()
    with _watching(beta) as shown_at:
        for number in range(WARM_UP + count):
            if number == WARM_UP:
                trips = Trips()
            if number % 100 == 0:
                machine.say(f"  trips: {over.name}, {number} of {count}")
            began = time.perf_counter()
            _trip(alpha, beta, number, shown_at, trips)
            time.sleep(max(0.0, began + PACE - time.perf_counter()))
    assert not trips.wrong, f"{trips.wrong} of {count} calls were told something else than was answered"
    return trips


def _trip(
    alpha: HubProcess, beta: HubProcess, number: int, shown_at: Callable[[int], tuple[float, Any]], trips: Trips
) -> None:
    told: dict[str, Any] = {}

    def wait() -> None:
        told["reply"] = alpha.send(far.permission(number, Path(alpha.environ["HOME"], "project")))
        told["at"] = time.perf_counter()

    agent = threading.Thread(target=wait, daemon=True)
    began = time.perf_counter()
    agent.start()
    seen, ask = shown_at(number)
    trips.shown.append(seen - began)
    choice = "allow" if number % 2 else "deny"
    answered = time.perf_counter()
    status, reply = far.answer(beta, ask, choice)
    assert status == 202, reply
    trips.known.append(time.perf_counter() - answered)
    agent.join(LONGEST_TRIP)
    trips.told.append(told["at"] - answered)
    decision = told["reply"]["stdout_json"]["hookSpecificOutput"]["decision"]["behavior"]
    trips.wrong += decision != choice


@contextlib.contextmanager
def _watching(hub: HubProcess) -> Iterator[Callable[[int], tuple[float, Any]]]:
    """As a page does it: reads the stream of a hub. Waits for the ask of a call; when it was shown, and how."""
    seen: dict[int, tuple[float, Any]] = {}
    came = threading.Condition()
    connection = UnixConnection(str(hub.paths.desk_socket))
    connection.request("GET", "/api/stream?rows=1")
    response = connection.getresponse()

    def read() -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            for line in response:
                if not line.startswith(b"data: "):
                    continue
                at = time.perf_counter()
                for ask in json.loads(line[6:]).get("asks", ()):
                    number = far.number_of(ask)
                    if number is not None and ask.get("choices"):
                        with came:
                            seen.setdefault(number, (at, ask))
                            came.notify_all()

    def shown_at(number: int) -> tuple[float, Any]:
        with came:
            assert came.wait_for(lambda: number in seen, LONGEST_TRIP), f"ask {number} was not shown"
            return seen.pop(number)

    with closing(connection):
        threading.Thread(target=read, daemon=True).start()
        yield shown_at


def _report(found: dict[Network, Trips], count: int) -> Report:
    rows = []
    for over, trips in found.items():
        for what, seconds in (
            ("ask until shown", trips.shown),
            ("answer until the agent is told", trips.told),
            ("answer until its author knows", trips.known),
        ):
            rows.append((over.name, what, *Spread.of(seconds).cells(1e3)))
    note = (
        f"{count:,} asks one after the other, six a second at most, half of them allowed; hub A, hub B, relay and "
        "PostgreSQL are network namespaces of this machine, TLS between them. From hub to hub are two ways, 80 ms of "
        "40 ms each. None was lost, and none was told anything else than was answered."
    )
    checks = []
    for over, p50, p99 in zip(NETWORKS, (30, None, None), (150, 200, 1_000), strict=True):
        for what, seconds in (("ask → shown", found[over].shown), ("answer → agent told", found[over].told)):
            spread = Spread.of(seconds)
            if p50 is not None:
                checks.append(Check(f"{what} at another machine, {over.name}, p50", 1e3 * spread.p50, p50, "ms"))
            checks.append(Check(f"{what} at another machine, {over.name}, p99", 1e3 * spread.p99, p99, "ms"))
    columns = ("network", "what", "min, ms", "p50, ms", "p99, ms", "trips")
    return Report(NAME, (Table("Asked here, answered there", columns, tuple(rows), note),), tuple(checks))
