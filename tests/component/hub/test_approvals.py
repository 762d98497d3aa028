"""Approvals in a real hub: a call that waits for two people, one of them at its own screens."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs

from assent.team import membership
from tests.component.hub.ask_client import Hook, answer, hook, one, waiting
from tests.component.hub_process import HubProcess, bash, until
from tests.unit.team.test_membership import JOINED

RULES = """
[[approval]]
match = "make"
from = ["owner", "group:sre-oncall"]
count = 2
reason = "Deployments are seen by two."

[[rule]]
match = "Bash(make *)"
decision = "allow"
"""
CALL = bash("make deploy", tool_use_id="toolu_deploy")
# Nobody listens there.
NOWHERE = "https://127.0.0.1:9"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    """In a team whose relay is away."""
    hub = HubProcess(tmp_path, rules=RULES)
    membership.save(hub.paths.team, structs.replace(JOINED, urls=(NOWHERE,)))
    hub.start()
    yield hub
    hub.stop()


def permission_decision(run: Hook) -> str:
    specific = run.result()["stdout_json"]["hookSpecificOutput"]
    return str(specific["permissionDecision"])


def kinds(hub: HubProcess) -> list[str]:
    with closing(sqlite3.connect(f"file:{hub.paths.journal}?mode=ro", uri=True)) as db:
        found = db.execute("SELECT kind FROM records WHERE ask IS NOT NULL ORDER BY seq").fetchall()
    return [kind for (kind,) in found]


def test_owners_yes_is_one_of_two(hub: HubProcess) -> None:
    """An allow rule spares nothing; the card says whose yes is missing and why they cannot be asked; a no ends it."""
    with hook(hub, CALL) as (run, ask):
        assert ask["needs"] == "Needs 2 of you or sre-oncall"
        assert ask["unreachable"] == "The team cannot be reached now: its relay is away."
        assert ask["approval"]["rule"] == "approval:user#1"
        assert {way["choice"] for way in ask["choices"]} == {"allow", "deny", "deny_and_stop"}
        assert answer(hub, ask, "allow") == (202, {"state": "open", "missing": 1})
        until(lambda: one(hub, ask["id"]).get("approved_by") == ["ada@example.org"], "the yes on the card")
        status, refused = answer(hub, ask, "allow")
        assert (status, refused["error"]["code"]) == (409, "already-counted")
        now = one(hub, ask["id"])
        assert now["agreed"] == "ada@example.org said yes, 1 more is missing"
        assert {way["choice"] for way in now["choices"]} == {"deny", "deny_and_stop"}
        answer(hub, ask, "deny", message="Not today.")
        assert permission_decision(run) == "deny"
    assert kinds(hub)[:2] == ["ask", "approved"]


def test_killed_hub_goes_on_with_what_is_on_record(hub: HubProcess) -> None:
    """The next life counts the yes that was recorded, and the same person is not counted again."""
    first = Hook(hub, CALL, request_id="ab" * 8)
    (ask,) = waiting(hub)
    assert answer(hub, ask, "allow")[0] == 202
    until(lambda: "approved" in kinds(hub), "the record of the yes")
    assert hub.process is not None
    hub.process.kill()
    hub.process.wait()
    first.leave()
    hub.start()
    again = Hook(hub, CALL, request_id="ab" * 8)
    try:
        # What waits in the record waits in the desk once the shim is back.
        until(lambda: one(hub, ask["id"]).get("choices"), "the ask in the next life")
        now = one(hub, ask["id"])
        assert (now["rev"], now["hash"], now["approved_by"]) == (ask["rev"], ask["hash"], ["ada@example.org"])
        assert answer(hub, now, "allow")[1]["error"]["code"] == "already-counted"
        assert answer(hub, now, "deny")[0] == 202
        assert permission_decision(again) == "deny"
    finally:
        again.leave()


def test_hub_without_a_team_says_so_and_denies(tmp_path: Path) -> None:
    """Nobody else can be asked, so nobody waits."""
    hub = HubProcess(tmp_path, rules=RULES).start()
    try:
        run = Hook(hub, CALL)
        assert permission_decision(run) == "deny"
        assert "This hub is in no team" in str(run.result())
        run.leave()
    finally:
        hub.stop()
