"""Several asks answered at once: each is bound to what was shown of it, and each has a record of its own."""

import json
import sqlite3
from contextlib import ExitStack, closing
from typing import Any

import pytest

from tests.component.hub.ask_client import Hook, answer, hook, one, permission
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, until

Ask = dict[str, Any]


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    return start_hub()


def asked(stack: ExitStack, hub: HubProcess, *commands: str) -> list[tuple[Hook, Ask]]:
    """Each of a session of its own."""
    return [
        stack.enter_context(hook(hub, permission(command, session_id=f"s{at}"))) for at, command in enumerate(commands)
    ]


def answers(hub: HubProcess, choice: str, *asks: Ask) -> tuple[int, Any]:
    members = [{"id": ask["id"], "rev": ask["rev"], "hash": ask["hash"]} for ask in asks]
    return hub.api("POST", "/api/asks/answers", json.dumps({"choice": choice, "asks": members}).encode())


def alike(hub: HubProcess, ask: Ask) -> list[str]:
    status, body = hub.api("GET", f"/api/asks/{ask['id']}/alike")
    assert status == 200
    return [other["id"] for other in body["asks"]]


def test_those_alike_are_told_and_others_are_not(hub: HubProcess) -> None:
    """Two runs of tests, and something dangerous."""
    with ExitStack() as stack:
        made = asked(stack, hub, "pytest -q a.py", "pytest -q b.py", "git push --force origin main")
        (_, first), (_, second), (_, danger) = made
        assert danger["risk"]["level"] == "danger"
        assert alike(hub, first) == [first["id"], second["id"]]
        assert alike(hub, danger) == []


@pytest.mark.parametrize("choice", ["allow", "deny"])
def test_each_gets_its_answer_and_its_record_says_how_many(hub: HubProcess, choice: str) -> None:
    """One result each, and every agent is told."""
    with ExitStack() as stack:
        made = asked(stack, hub, "pytest -q a.py", "pytest -q b.py", "pytest -q c.py")
        asks = [ask for _, ask in made]
        status, body = answers(hub, choice, *asks)
        assert (status, body) == (200, {"results": [{"id": ask["id"]} for ask in asks]})
        assert [run.decision["behavior"] for run, _ in made] == [choice] * 3
        assert [one(hub, ask["id"])["answer"]["together"] for ask in asks] == [3] * 3
        with closing(sqlite3.connect(f"file:{hub.paths.journal}?mode=ro", uri=True)) as db:
            bodies = [json.loads(body) for (body,) in db.execute("SELECT body FROM records WHERE kind = 'answer'")]
        assert [body["together"] for body in bodies] == [3] * 3


def test_one_that_changed_or_was_answered_is_left_out(hub: HubProcess) -> None:
    """The others are answered; the result says which was not, and why."""
    with ExitStack() as stack:
        (late, a), (run, b), (changed, c) = asked(stack, hub, *(f"pytest -q {name}.py" for name in "abc"))
        answer(hub, a, "deny")
        assert late.decision["behavior"] == "deny"
        until(lambda: one(hub, a["id"])["state"] == "closed", "the end of the first")
        status, body = answers(hub, "allow", a, b, {**c, "hash": "0" * 64})
        assert status == 200
        assert [result.get("code", "") for result in body["results"]] == ["too-late", "", "changed"]
        assert run.decision == {"behavior": "allow"}
        assert changed.reply is None
        assert "together" not in one(hub, a["id"])["answer"]


def test_group_with_something_else_in_it_is_refused_whole(hub: HubProcess) -> None:
    """Danger, or another kind of call: then nothing at all is answered."""
    commands = ("pytest -q a.py", "pytest -q b.py", "git push --force origin main", "touch new.txt")
    with ExitStack() as stack:
        made = asked(stack, hub, *commands)
        (_, a), (_, b), (_, danger), (_, other) = made
        for odd in (danger, other):
            status, body = answers(hub, "allow", a, b, odd)
            assert (status, body["error"]["code"]) == (409, "not-alike")
        status, body = answers(hub, "allow", danger, danger)
        assert status == 400
        assert [run.reply for run, _ in made] == [None] * 4
        assert [one(hub, ask["id"])["state"] for _, ask in made] == ["open"] * 4


def test_lasting_answers_and_unknown_asks_are_not_taken(hub: HubProcess) -> None:
    """Once, or not at all, and only what there is."""
    with ExitStack() as stack:
        (first, a), (second, b) = asked(stack, hub, "pytest -q a.py", "pytest -q b.py")
        assert answers(hub, "allow_here", a, b)[0] == 400
        assert answers(hub, "allow", a)[0] == 400
        assert answers(hub, "allow", a, {**b, "id": "zzzzz"})[0] == 404
        assert (first.reply, second.reply) == (None, None)
