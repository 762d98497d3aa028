"""A team whose machines are far from each other: 40 ms each way, and one frame in a hundred is lost."""

import contextlib
import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests import network
from tests.component import postgres
from tests.component.hub_process import HubProcess
from tests.component.team import far
from tests.component.team.far import FarTeam
from tests.waiting import HANG, until

TRIPS = 20


@pytest.fixture
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FarTeam]:
    network.needed()
    # A short name, so that the sockets fit.
    with far.far_team(tmp_path_factory.mktemp("far"), postgres.emptied(), delay=0.04, loss=0.01) as made:
        yield made


class Agent:
    """One call that waits for a person."""

    def __init__(self, hub: HubProcess, number: int) -> None:
        self.number = number
        self.reply: dict[str, Any] | None = None
        self._hub = hub
        self._thread = threading.Thread(target=self._wait, daemon=True)
        self._thread.start()

    def _wait(self) -> None:
        event = far.permission(self.number, Path(self._hub.environ["HOME"], "project"))
        # The hub ends with the test, whether or not it has answered.
        with contextlib.suppress(OSError, ValueError):
            self.reply = self._hub.send(event)

    def decision(self) -> str:
        self._thread.join(HANG)
        assert self.reply is not None, f"call {self.number} was never answered"
        output = self.reply.get("stdout_json") or {}
        return str(output.get("hookSpecificOutput", {}).get("decision", {}).get("behavior"))


def shown(hub: HubProcess, number: int) -> dict[str, Any]:
    return until(lambda: far.asked_there(hub, number), f"ask {number} is shown")


def answers(hub: HubProcess) -> list[dict[str, Any]]:
    """What its own journal says of them."""
    with closing(sqlite3.connect(f"file:{hub.paths.journal}?mode=ro", uri=True, timeout=HANG)) as journal:
        rows = journal.execute("""SELECT ask, "by", body FROM records WHERE kind = 'answer'""").fetchall()
    return [{"ask": ask, "by": by, **json.loads(body)} for ask, by, body in rows]


def test_asks_of_one_machine_are_answered_at_another(team: FarTeam) -> None:
    """None is lost and none counts twice, whatever the network does; the record names person and machine."""
    alpha, beta = team.hubs["alpha"], team.hubs["beta"]
    wanted = {}
    for number in range(TRIPS):
        agent = Agent(alpha, number)
        choice = "allow" if number % 2 else "deny"
        status, told = far.answer(beta, shown(beta, number), choice)
        assert status == 202, told
        assert agent.decision() == choice
        wanted[number] = choice
    given = answers(alpha)
    assert Counter(record["choice"] for record in given) == Counter(wanted.values())
    assert len({record["ask"] for record in given}) == TRIPS
    assert {record["by"] for record in given} == {f"person:{far.OWNER}"}
    assert {record["surface"] for record in given} == {"team"}


def test_machine_that_is_cut_off_goes_on_alone(team: FarTeam) -> None:
    """Its own desk answers; with the relay back, or another one of that name, its asks are elsewhere again."""
    alpha, beta = team.hubs["alpha"], team.hubs["beta"]
    team.network.pull("alpha")
    here = Agent(alpha, 1)
    assert far.answer(alpha, shown(alpha, 1), "allow")[0] == 202
    assert here.decision() == "allow"
    waits = Agent(alpha, 2)
    shown(alpha, 2)
    assert far.asked_there(beta, 2) is None
    team.network.plug("alpha")
    ask = shown(beta, 2)
    team.kill_relay("relay")
    status, _ = far.answer(beta, ask, "allow")
    assert status == 409, "an answer without a relay was taken"
    assert waits.reply is None
    team.start_relay("relay")
    until(lambda: team.is_connected("alpha") and team.is_connected("beta"), "both are connected again")
    assert until(lambda: far.answer(beta, shown(beta, 2), "deny")[0] == 202, "the answer is taken")
    assert waits.decision() == "deny"
