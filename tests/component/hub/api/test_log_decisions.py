"""The log as people read it."""

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import pytest
from starlette.requests import Request

from assent.hub.api.review import ReviewApi
from assent.webapi.endpoint import ProblemError
from tests.browser.agent import Agent, wait_for_ask
from tests.component.hub_process import HubProcess, until

Json = dict[str, Any]


def decided(hub: HubProcess, q: str = "", **more: int) -> list[Json]:
    """All rows, page by page."""
    found: list[Json] = []
    before = 0
    while True:
        options = "".join(f"&{name}={value}" for name, value in more.items())
        status, page = hub.api("GET", f"/api/decisions?q={quote(q)}&before={before}{options}")
        assert status == 200, page
        found += page["rows"]
        before = page["before"]
        if not before:
            return found


def answered(hub: HubProcess, choice: str, **more: str) -> Json:
    ask = wait_for_ask(hub)
    answer = {"rev": ask["rev"], "hash": ask["hash"], "choice": choice, **more}
    status, reply = hub.api("POST", f"/api/asks/{ask['id']}/answer", json.dumps(answer).encode())
    assert status == 202, reply
    return ask


@pytest.fixture
def agent(hub: HubProcess, tmp_path: Path) -> Agent:
    return Agent(hub, tmp_path).start()


def test_row_tells_who_said_what_after_how_long_and_what_came_of_it(hub: HubProcess, agent: Agent) -> None:
    """Question, answer and result stand in records of their own, and in one row."""
    held = agent.bash("touch one.txt")
    ask = answered(hub, "allow")
    held.output()
    agent.ran(held)
    row = until(lambda: next((r for r in decided(hub, "by:person") if r.get("ending")), None), "the result")
    assert (row["ask"], row["choice"], row["decision"], row["ending"]) == (ask["id"], "allow", "allow", "ran")
    assert (row["what"], row["surface"], row["tool"]) == ("touch one.txt", "desk", "Bash")
    assert row["waited_ms"] >= 0
    assert row["verb"] == ask["view"]["verb"]


def test_words_of_a_command_find_the_decision_about_it(hub: HubProcess, agent: Agent) -> None:
    """The command stands in the event; keys still speak of the decision."""
    held = agent.bash("touch two.txt")
    answered(hub, "deny", message="not that one")
    held.output()
    agent.tell("PreToolUse", permission_mode="default", tool_name="Bash", tool_input={"command": "ls two.txt"})
    until(lambda: decided(hub, "two.txt decision:deny"), "the denial")
    assert [row["decision"] for row in decided(hub, "two.txt -by:stance")] == ["deny"]
    assert [row["why"] for row in decided(hub, '"touch two" by:person')] == ["not that one"]
    assert decided(hub, "two.txt -touch decision:deny") == []


def test_pages_together_hold_every_row_once(hub: HubProcess, agent: Agent) -> None:
    """However small they are, with words and without."""
    for number in range(6):
        call = {"tool_name": "Bash", "tool_input": {"command": f"ls part{number}"}, "tool_use_id": f"toolu_{number}"}
        agent.tell("PreToolUse", permission_mode="default", **call)
        agent.tell("PostToolUse", permission_mode="default", **call, tool_response={"stdout": f"part{number}"})
    until(lambda: len(decided(hub)) >= 6, "six decisions")
    whole = [row["seq"] for row in decided(hub)]
    assert [row["seq"] for row in decided(hub, limit=2)] == whole
    by_words = [row["seq"] for row in decided(hub, "part", limit=1)]
    assert len(by_words) == len(set(by_words)) == 6


def test_filter_that_is_none_says_so(hub: HubProcess) -> None:
    """With the place, as everywhere."""
    status, reply = hub.api("GET", "/api/decisions?q=colour:red")
    assert (status, reply["error"]["code"]) == (400, "bad-filter")


def test_review_finds_the_rule_that_would_have_saved_asks(hub: HubProcess, agent: Agent) -> None:
    """The same as `assent review`, three of them."""
    for _ in range(3):
        held = agent.bash("git commit -m same")
        answered(hub, "allow")
        held.output()
        agent.ran(held)
    status, reply = hub.api("GET", "/api/review")
    assert status == 200, reply
    assert reply["approvals"] == 3
    assert [(offer["text"], offer["saved"]) for offer in reply["offers"]][:1] == [("Bash(git commit -m same)", 3)]


@pytest.mark.anyio
async def test_review_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """The caller does not wait for it, and nothing of it is left."""
    marker = tmp_path / "pid"
    slow = ReviewApi(("sh", "-c", f"echo $$ > {marker}; exec sleep 60"), patience=0.3)
    with pytest.raises(ProblemError, match="not gone through"):
        await slow.review(Request({"type": "http"}))
    pid = int(await anyio.Path(marker).read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
