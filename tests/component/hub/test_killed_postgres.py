"""A hub whose journal is a database: killed, cut off, kept waiting, and its server stopped. What it promised holds."""

import asyncio
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from assent.hub.journals import REMEMBERED_RECORDS
from assent.journal.base import Checked
from assent.journal.postgres import open_postgres
from assent.protocol.record import Record
from scripts.postgres_server import Server
from tests.component import postgres
from tests.component.fire.battle import Battle
from tests.component.fire.evidence import Evidence
from tests.component.fire.gun import EXCHANGE
from tests.component.fire.screens import folded, shown
from tests.component.fire.seeds import SOAK, seed_of
from tests.component.fire.stories import RULES
from tests.component.hub_process import HubProcess, until
from tests.component.journal.postgres.proxy import Proxy
from tests.waiting import HANG

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the hubs it kills by /proc")
BATTLES, KILLS = (8, 20) if SOAK else (1, 6)
KILLING = (*EXCHANGE, "starting")


class Wire:
    """What can happen between a hub and its database."""

    def __init__(self, url: str) -> None:
        self.proxy = Proxy(url)
        self.nothing = threading.Event()
        self.harms = {
            "cut": self.cut,
            "answers vanish": self.lose_answers,
            "refused": self.refuse,
            "sessions ended": self.end_sessions,
        }

    def cut(self, _: Random) -> None:
        self.proxy.cut()

    def lose_answers(self, rng: Random) -> None:
        """What was committed meanwhile is, but not acknowledged; at last the connection breaks."""
        self.proxy.swallows = True
        self.nothing.wait(rng.uniform(0, 1.5))
        self.proxy.swallows = False
        self.proxy.cut()

    def refuse(self, rng: Random) -> None:
        self.proxy.refuses = True
        self.proxy.cut()
        self.nothing.wait(rng.uniform(0, 1))
        self.proxy.refuses = False

    def end_sessions(self, _: Random) -> None:
        # Only of this database: other processes test with the same server.
        postgres.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name LIKE 'assent %' AND datname = current_database()"
        )


@pytest.fixture
def url() -> str:
    return postgres.emptied()


@pytest.fixture
def wire(url: str) -> Iterator[Wire]:
    wire = Wire(url)
    yield wire
    wire.proxy.close()


@pytest.fixture(params=range(BATTLES))
def seed(request: pytest.FixtureRequest) -> str:
    seed = seed_of(request.param)
    sys.stdout.write(f"\nseed {seed}\n")
    return seed


@pytest.fixture
def hub(tmp_path: Path, wire: Wire) -> HubProcess:
    return HubProcess(tmp_path, config=f'[journal]\nurl = "{wire.proxy.url}"\n', rules=RULES)


def kept(hub: HubProcess, url: str) -> tuple[list[Record], Checked]:
    """All records, and whether their chain holds, read without a hub."""

    async def read() -> tuple[list[Record], Checked]:
        journal = open_postgres(url, (hub.paths.state / "hub-id").read_text().strip())
        try:
            return await journal.read(limit=10**6), await journal.verify()
        finally:
            await journal.close()

    return asyncio.run(read())


def trouble(hub: HubProcess) -> str | None:
    found: str | None = hub.api("GET", "/api/status")[1]["journal"]["trouble"]
    return found


def recalled(hub: HubProcess) -> dict[str, Any]:
    """What its screens are given once they show what was before it: a server that is slow at first is read later."""

    def whole() -> dict[str, Any] | None:
        screens = shown(hub)
        rows = screens["rows"]
        return screens if len(rows) >= 1000 or (rows and rows[-1]["seq"] < 10) else None

    return until(whole, "what was on record before")


def assert_kept(battle: Battle, url: str, *, is_cut: bool) -> None:
    battle.stop()
    records, checked = kept(battle.hub, url)
    assert checked.broken is None
    assert checked.head.seq == len(records) < REMEMBERED_RECORDS
    report = Evidence(records).against(battle.told(), is_cut=is_cut)
    sys.stdout.write(f"{battle.kills}: {len(records)} records, {report}\n")
    assert report.wrong == []
    assert report.allows > 0
    battle.start()
    again = recalled(battle.hub)
    battle.stop()
    assert again == folded(kept(battle.hub, url)[0][: again["seq"]])


@pytest.mark.timeout(HANG * (2 + KILLS / 2))
def test_killed_hub_keeps_every_allow_in_its_database(hub: HubProcess, url: str, seed: str) -> None:
    """Kills alone cost no more than they do with a file."""
    battle = Battle(hub, seed, moments=KILLING)
    try:
        battle.rage(KILLS)
        alive = recalled(hub)
        assert_kept(battle, url, is_cut=False)
        assert alive == folded(kept(hub, url)[0][: alive["seq"]])
    finally:
        battle.end()


@pytest.mark.timeout(HANG * (2 + KILLS))
def test_hub_cut_off_from_its_database_allows_nothing_that_is_not_there(
    hub: HubProcess, url: str, wire: Wire, seed: str
) -> None:
    """Connections cut, refused, ended by the server, answers lost, and kills in between: it recovers by itself."""
    battle = Battle(hub, seed, moments=(*KILLING, *wire.harms, *wire.harms), harms=wire.harms)
    try:
        battle.rage(2 * KILLS)
        until(lambda: trouble(hub) is None, "the end of all trouble")
        assert_kept(battle, url, is_cut=True)
    finally:
        battle.end()


@pytest.mark.timeout(HANG * 5)
def test_server_stopped_under_load_costs_allows_and_no_record(tmp_path: Path) -> None:
    """While it is away nothing is allowed; every allow told before and after is in it."""
    server = Server()

    def stop_and_start(rng: Random) -> None:
        server.stop(rng.choice((signal.SIGQUIT, signal.SIGINT)))
        server.start()

    url = server.place.url
    hub = HubProcess(tmp_path, config=f'[journal]\nurl = "{url}"\n', rules=RULES)
    battle = Battle(hub, seed_of(0), moments=("server",), harms={"server": stop_and_start})
    try:
        battle.rage(6 if SOAK else 2)
        until(lambda: trouble(hub) is None, "the end of all trouble")
        assert_kept(battle, url, is_cut=True)
    finally:
        battle.end()
        server.remove()
