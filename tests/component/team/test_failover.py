"""A primary dies in mid-commit, and its standby takes its place: for a relay's database and for a shared journal.

With the standby in ``synchronous_standby_names`` and ``synchronous_commit = on``, a commit that was acknowledged is on
the standby's disk: nothing that was acknowledged is lost. Without, the newest commits may be."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scripts.postgres_server import CannotBeHadError, Server
from tests.component import postgres
from tests.component.fire.battle import Battle
from tests.component.fire.seeds import SOAK, seed_of
from tests.component.fire.stories import RULES
from tests.component.hub.ask_client import answer, asks, hook, permission
from tests.component.hub.test_killed_postgres import assert_kept, trouble
from tests.component.hub_process import HubProcess, bash
from tests.component.team.near import NearTeam, is_connected
from tests.component.team.standby import Standby, either
from tests.component.team.stories import begun
from tests.component.team.test_killed import Trigger, kept, problems
from tests.services.oidc_provider import Provider, an_hour_ago
from tests.waiting import HANG, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the hubs it kills by /proc")
FAILOVERS = 10 if SOAK else 1


@pytest.fixture
def primary() -> Iterator[Server]:
    postgres.url()  # Skips, or fails, where there is no PostgreSQL.
    server = Server()
    yield server
    server.remove()


@pytest.fixture
def standby(primary: Server) -> Iterator[Standby]:
    try:
        server = Standby(primary)
    except CannotBeHadError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    yield server
    server.remove()


@pytest.fixture(params=range(FAILOVERS))
def seed(request: pytest.FixtureRequest) -> str:
    return seed_of(request.param)


def fail_over(primary: Server, standby: Standby) -> None:
    primary.stop(signal.SIGQUIT)
    standby.promote()


@pytest.mark.timeout(HANG * 4)
def test_team_goes_on_with_the_standby(tmp_path: Path, primary: Server, standby: Standby, seed: str) -> None:
    """Hubs stay joined, open asks are posted again, and answers given meanwhile count once or are refused."""
    with Provider(now=an_hour_ago) as provider:
        team = NearTeam(tmp_path, provider, either(primary, standby))
        try:
            check_team(team, primary, standby, seed)
        finally:
            team.close()


def check_team(team: NearTeam, primary: Server, standby: Standby, seed: str) -> None:
    team.relay()
    standby.wait_until_it_follows()
    standby.be_waited_for()
    here, there = team.hub("here"), team.hub("there")
    joined = "SELECT hub, key, subject, joined_at FROM team_hub ORDER BY hub"
    before = postgres.execute(joined, to=primary.place.url)
    assert len(before) == 2
    trigger, rng = Trigger(), Random(seed)
    with hook(here, permission("git push waits", session_id="waits")) as (run, ask):
        stories = begun((f"{seed} {number}" for number in range(2)), here, there, trigger.at)
        trigger.arm(rng.choice(("asked", "answering", "answered")), rng.randint(2, 9), lambda: None)
        assert trigger.fired.wait(HANG)
        fail_over(primary, standby)
        posted = "SELECT count(*) FROM team_ask WHERE gone IS NULL AND ask = %s"
        until(lambda: postgres.execute(posted, ask["id"], to=standby.place.url) == [(1,)], "the ask, posted again")
        for story in stories:
            story.finish()
        assert postgres.execute(joined, to=standby.place.url) == before
        for hub in (here, there):
            until(lambda hub=hub: is_connected(hub), "the link")  # type: ignore[misc]
        until(lambda: any(answer(there, shown, "allow")[0] == 202 for shown in asks(there)), "a yes that counts")
        assert run.decision == {"behavior": "allow"}
    until(lambda: not asks(there), "the end of all asks")
    for hub in (here, there):
        hub.stop()
    assert problems([ask for story in stories for ask in story.asks], *kept(here)) == []
    assert kept(there)[1].broken is None


@pytest.mark.timeout(HANG * 5)
def test_shared_journal_goes_on_with_the_standby(tmp_path: Path, primary: Server, standby: Standby, seed: str) -> None:
    """Every allow told before, meanwhile and after is on record at the new primary."""
    standby.wait_until_it_follows()
    standby.be_waited_for()
    url = either(primary, standby)
    hub = HubProcess(tmp_path, config=f'[journal]\nurl = "{url}"\n', rules=RULES)

    def harm(_: Random) -> None:
        # The second time only that there are allows again.
        if primary.process is not None and primary.process.poll() is None:
            fail_over(primary, standby)

    battle = Battle(hub, seed, moments=("failover",), harms={"failover": harm})
    try:
        battle.rage(2)
        until(lambda: trouble(hub) is None, "the end of all trouble")
        assert_kept(battle, url, is_cut=True)
    finally:
        battle.end()


def allowed(hub: HubProcess, number: int) -> bool:
    said: dict[str, Any] = hub.send(bash(f"echo {number}", session_id=f"s{number}"))
    return bool("allow" in str(said))


def last_record(hub: HubProcess) -> dict[str, Any]:
    return dict(hub.api("GET", "/api/log/heads")[1]["heads"][0])


@pytest.mark.timeout(HANG * 4)
def test_standby_that_lags_lost_records_and_the_chain_shows_it(
    tmp_path: Path, primary: Server, standby: Standby
) -> None:
    """What was not copied is gone; a head kept elsewhere shows it, and what is allowed from then on is on record."""
    standby.wait_until_it_follows()
    url = either(primary, standby)
    rules = '[[rule]]\nmatch = "Bash(echo *)"\ndecision = "allow"\nreason = "It only prints."\n'
    hub = HubProcess(tmp_path, config=f'[journal]\nurl = "{url}"\n', rules=rules).start()
    try:
        assert allowed(hub, 1)
        standby.stop()
        assert allowed(hub, 2)
        head = last_record(hub)
        primary.stop(signal.SIGQUIT)
        standby.start()
        standby.promote()
        numbers = iter(range(3, 10**6))
        last = until(lambda: (n := next(numbers)) and allowed(hub, n) and n, "an allow of the new primary")
        sessions = "SELECT count(*) FROM assent_records WHERE kind = 'decision' AND session = %s"
        assert postgres.execute(sessions, "s2", to=standby.place.url) == [(0,)]
        assert postgres.execute(sessions, f"s{last}", to=standby.place.url) == [(1,)]
        against = f"/api/log/verify?against={head['hub']}:{head['seq']}:{head['hash']}"
        # While the new chain is shorter than the one that was kept, the same shows as missing records.
        until(
            lambda: allowed(hub, next(numbers)) and last_record(hub)["seq"] > head["seq"], "a chain as long as it was"
        )
        assert "history was rewritten" in hub.api("GET", against)[1]["broken"]["why"]
    finally:
        hub.stop()
