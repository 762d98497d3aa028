"""Hubs, relay and database are killed while asks of one hub are answered at another: what was promised holds."""

import asyncio
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from assent.journal.base import Checked
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import Record
from scripts.postgres_server import Server
from tests.component import postgres
from tests.component.fire.seeds import SOAK, seed_of
from tests.component.hub.ask_client import WAITING, asks, one
from tests.component.hub_process import HubProcess
from tests.component.team.hurried import HURRIED
from tests.component.team.near import NearTeam, is_connected, kill
from tests.component.team.stories import STEPS, Ask, begun
from tests.services.oidc_provider import Provider, an_hour_ago
from tests.waiting import HANG, until

BATTLES, KILLS = (10, 50) if SOAK else (2, 25)
STORIES = 4
# So many moments of its kind pass before the kill, and so long after it.
MOST_MOMENTS, LONGEST_DELAY = 6, 0.03


class Trigger:
    """Does what it is armed with once the moment has come so many times, in the thread that sees it."""

    def __init__(self) -> None:
        self._door = threading.Lock()
        self._step = ""
        self._left = 0
        self._act: Callable[[], None] = lambda: None
        self.fired = threading.Event()

    def arm(self, step: str, count: int, act: Callable[[], None]) -> None:
        with self._door:
            self._step, self._left, self._act = step, count, act
            self.fired.clear()

    def at(self, step: str) -> None:
        with self._door:
            if step != self._step:
                return
            self._left -= 1
            if self._left > 0:
                return
            self._step = ""
        self._act()
        self.fired.set()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    postgres.url()  # Skips, or fails, where there is no PostgreSQL.
    server = Server()
    yield server
    server.remove()


@pytest.fixture
def team(tmp_path: Path, server: Server) -> Iterator[NearTeam]:
    if server.process is None or server.process.poll() is not None:
        server.start()
    postgres.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public", to=server.place.url)
    with Provider(now=an_hour_ago) as provider:
        team = NearTeam(tmp_path, provider, server.place.url, HURRIED)
        try:
            yield team
        finally:
            team.close()


@pytest.fixture(params=range(BATTLES))
def seed(request: pytest.FixtureRequest) -> str:
    seed = seed_of(request.param)
    sys.stdout.write(f"\nseed {seed}\n")
    return seed


@pytest.mark.timeout(HANG * (2 + KILLS / 2))
def test_kills_at_each_step_cost_no_record_and_no_ask(team: NearTeam, server: Server, seed: str) -> None:
    """No allow without an answer on record where it was asked, no answer counts twice, each ask ends, chains hold."""
    relay = team.relay()
    here, there = team.hub("here"), team.hub("there")
    victims: dict[str, tuple[Callable[[], None], Callable[[], object]]] = {
        "the hub that asks": (lambda: kill(here), here.start),
        "the hub that answers": (lambda: kill(there), there.start),
        "the relay": (relay.kill, relay.start),
        # As good as a power cut; a server whose first process alone is killed cannot start again for a while.
        "the database": (lambda: server.stop(signal.SIGQUIT), server.start),
    }
    trigger, rng = Trigger(), Random(seed)
    stories = begun((f"{seed} {number}" for number in range(STORIES)), here, there, trigger.at)
    killed: Counter[tuple[str, str]] = Counter()
    for _ in range(KILLS):
        (name, (end, begin)), step = rng.choice(list(victims.items())), rng.choice(STEPS)
        delay = threading.Event()
        act = end if rng.random() < 0.3 else late(end, delay, rng.uniform(0, LONGEST_DELAY))
        trigger.arm(step, rng.randint(1, MOST_MOMENTS), act)
        assert trigger.fired.wait(HANG), f"{name}, {step}: the moment did not come"
        begin()
        killed[name, step] += 1
    for story in stories:
        story.finish()
    for hub in (here, there):
        until(lambda hub=hub: is_connected(hub), "the link")  # type: ignore[misc]
        for ask in asks(hub, *WAITING):
            until(lambda ask=ask, hub=hub: one(hub, ask["id"])["state"] not in WAITING, "the end of it")  # type: ignore[misc]
        assert hub.api("GET", "/api/log/verify")[1]["broken"] is None
    for ask in asks(there, "answered"):
        until(lambda ask=ask: one(there, ask["id"])["state"] != "answered", "what came of it")  # type: ignore[misc]
    for hub in (here, there):
        hub.stop()
    told = [ask for story in stories for ask in story.asks]
    wrong = problems(told, *kept(here))
    assert kept(there)[1].broken is None
    allows = sum(ask.told == "allow" for ask in told)
    unsure = sum(said == "" for ask in told for _, said in ask.given)
    sys.stdout.write(
        f"{KILLS} kills: {len(told)} asks, {allows} allowed, {unsure} answers of which nothing was heard\n"
    )
    assert wrong == []
    assert allows > 0


def late(end: Callable[[], None], pause: threading.Event, seconds: float) -> Callable[[], None]:
    """Beside the thread that saw the moment, which goes on."""

    def act() -> None:
        pause.wait(seconds)
        end()

    return act


def kept(hub: HubProcess) -> tuple[list[Record], Checked]:
    async def read() -> tuple[list[Record], Checked]:
        journal = open_sqlite(hub.paths.journal)
        try:
            return await journal.read(limit=10**6), await journal.verify()
        finally:
            await journal.close()

    return asyncio.run(read())


def problems(told: list[Ask], records: list[Record], checked: Checked) -> list[str]:
    """What the journal of the hub that asked does not show as it has to be."""
    wrong = [f"the chain: {checked.broken}"] if checked.broken is not None else []
    name_of = {record.request: record.ask for record in records if record.kind == "ask"}
    answers: dict[str | None, list[str]] = {}
    for record in records:
        if record.kind == "answer":
            answers.setdefault(record.ask, []).append(record.body["choice"])
    wrong += [f"ask {name}: {found}" for name, found in answers.items() if len(found) > 1]
    for ask in told:
        found = answers.get(name_of.get(ask.request), [])
        if ask.told == "allow" and found != ["allow"]:
            wrong.append(f"{ask}: allowed, on record is {found}")
        if ask.told == "deny" and found not in (["deny"], []):
            wrong.append(f"{ask}: denied, on record is {found}")
        taken = [choice for choice, said in ask.given if said == "taken"]
        if len(taken) > 1 or (taken and taken != found):
            wrong.append(f"{ask}: said to be taken, on record is {found}")
    return wrong
