"""Trying a call at a real hub."""

import json
from typing import Any

import pytest

from assent.client import Client
from assent.protocol.decision import TrialQuestion
from tests.component.hub_process import HubProcess, bash, until


def tried(hub: HubProcess, **question: Any) -> tuple[int, dict[str, Any]]:
    status, answer = hub.api("POST", "/api/try", json.dumps(question).encode())
    return status, answer


def test_try_answers_as_the_hub_would_decide(hub: HubProcess) -> None:
    """With the rules that are in force in it."""
    status, answer = tried(hub, command="git push origin main", cwd="/src/shop")
    assert status == 200
    assert (answer["decision"], answer["by"], answer["reason"]) == ("deny", "rule:user#1", "Pushes are reviewed.")
    assert [step["command"] for step in answer["steps"]] == ["git push origin main"]
    assert tried(hub, command="make build", cwd="/src/shop")[1]["decision"] == "allow"
    assert tried(hub, tool="Read", input={"file_path": "/src/shop/.env"}, cwd="/src/shop")[1]["risk"] == "danger"


def test_try_leaves_no_trace(hub: HubProcess) -> None:
    """Nothing happened, so nothing is on record."""
    tried(hub, command="git push", cwd="/src/shop")
    hub.send(bash("git pull"))

    def commands() -> list[str]:
        records = hub.api("GET", "/api/log?q=event:PreToolUse")[1]["records"]
        return [record["body"]["payload"]["tool_input"]["command"] for record in records if record["kind"] == "event"]

    assert until(commands, "the call that was made") == ["git pull"]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"cwd": "/src"}, "no-command"),
        ({"command": "ls"}, "bad-folder"),
        ({"command": "ls", "cwd": "src"}, "bad-folder"),
        ({"command": 7, "cwd": "/src"}, "bad-json"),
    ],
)
def test_try_refuses_what_is_no_question(hub: HubProcess, question: dict[str, Any], code: str) -> None:
    """With what is wrong, and never with a verdict."""
    status, answer = tried(hub, **question)
    assert (status, answer["error"]["code"]) == (400, code)


def test_try_refuses_a_body_beyond_measure(hub: HubProcess) -> None:
    """The hub has better things to hold in memory."""
    status, answer = tried(hub, command="x" * (2 << 20), cwd="/src")
    assert (status, answer["error"]["code"]) == (413, "too-large")


def test_client_tries_a_call(hub: HubProcess) -> None:
    """The same answer, typed."""
    found = Client(hub.paths).try_(TrialQuestion("git log | head", "/src/shop"))
    assert (found.decision, found.risk, found.steps[0].command) == ("allow", "look", "git log")
    assert found.told.startswith("The agent is told nothing")
