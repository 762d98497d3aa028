"""Runs of `assent exec` in a real hub: what becomes of a call that needs a person."""

import json
import sqlite3
from contextlib import closing
from typing import Any

from assent.protocol import modes as runs
from tests.component.hub.ask_client import answer, asks, hook, permission, waiting
from tests.component.hub_process import HubProcess, bash, until

PUSH = "git push --force origin main"


def env(on_ask: runs.OnAsk, *, attended: str = "0", wait: int = 600, stance: str = "") -> dict[str, str]:
    said = runs.write(runs.Run(id="0f3a", on_ask=on_ask, wait=wait, stance=stance))
    return {"CLAUDE_CODE_SESSION_ATTENDED": attended, runs.VARIABLE: said}


def said(reply: dict[str, Any]) -> dict[str, Any]:
    output: dict[str, Any] = reply.get("stdout_json", {}).get("hookSpecificOutput", {})
    return output


def rows(hub: HubProcess, query: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(f"file:{hub.paths.journal}?mode=ro", uri=True)) as db:
        return db.execute(query).fetchall()


def recorded(hub: HubProcess, *decisions: tuple[str, str]) -> bool:
    """Told first and recorded then, so it is waited for."""
    query = "SELECT decision, \"by\" FROM records WHERE kind = 'decision' ORDER BY seq"
    return until(lambda: rows(hub, query)[-len(decisions) :] == list(decisions), "the decisions on record")


def test_denying_run_is_told_why_and_is_not_asked_about(shared_hub: HubProcess) -> None:
    """A prompt, and what the client would ask about, are refused with a reason; the record names the run."""
    told = said(shared_hub.send(bash(PUSH), env=env("deny")))
    assert told["permissionDecision"] == "deny"
    assert "nobody who could be asked" in told["permissionDecisionReason"]
    told = said(shared_hub.send(permission("npm install"), env=env("deny")))
    assert told["decision"]["behavior"] == "deny"
    assert told["decision"]["message"].startswith("This call needs a person's permission.")
    assert asks(shared_hub) == []
    assert recorded(shared_hub, ("deny", "run:deny"), ("deny", "run:deny"))


def test_run_that_hands_back_never_runs_what_assent_would_ask_about(shared_hub: HubProcess) -> None:
    """A prompt stays one, which a client without a terminal refuses; what only the client asks about is left to it."""
    assert said(shared_hub.send(bash(PUSH), env=env("hand-back")))["permissionDecision"] == "ask"
    assert shared_hub.send(permission("npm install"), env=env("hand-back")) == {"action": "passthrough"}
    assert asks(shared_hub) == []
    assert recorded(shared_hub, ("no_opinion", "run:hand-back"))


def test_waiting_run_takes_an_answer_and_is_denied_without_one(shared_hub: HubProcess) -> None:
    """A person may answer, though none is known to be reachable; when the time is up it is a no."""
    with hook(shared_hub, bash(PUSH), env=env("wait")) as (run, ask):
        answer(shared_hub, ask, "allow", match=ask["risk"]["match"])
        assert run.decision["hookSpecificOutput"]["permissionDecision"] == "allow"
    told = said(shared_hub.send(bash(PUSH), env=env("wait", wait=1)))
    assert told["permissionDecision"] == "deny"
    assert "Nobody was there" in told["permissionDecisionReason"]
    assert recorded(shared_hub, ("deny", "timeout"))


def test_run_changes_nothing_with_a_person_at_the_terminal(shared_hub: HubProcess) -> None:
    """In an attended session the dialog and the other screens ask as always, whatever a forger wrote."""
    assert said(shared_hub.send(bash(PUSH), env=env("hand-back", attended="1")))["permissionDecision"] == "ask"
    with hook(shared_hub, permission("npm install"), env=env("deny", attended="1")) as (run, ask):
        assert waiting(shared_hub)[0]["id"] == ask["id"]
        answer(shared_hub, ask, "deny")
        assert run.decision["behavior"] == "deny"


def test_stance_of_a_run_is_added_to_that_of_the_settings(shared_hub: HubProcess) -> None:
    """Strict denies what balanced asks about; watch takes the allow of looking away and no prompt."""
    assert said(shared_hub.send(bash(PUSH), env=env("hand-back", stance="strict")))["permissionDecision"] == "deny"
    assert said(shared_hub.send(bash("ls"), env=env("deny")))["permissionDecision"] == "allow"
    assert shared_hub.send(bash("ls"), env=env("deny", stance="watch")) == {"action": "passthrough"}
    assert said(shared_hub.send(bash(PUSH), env=env("hand-back", stance="watch")))["permissionDecision"] == "ask"


def test_run_is_on_record_with_its_events(shared_hub: HubProcess) -> None:
    """The journal shows how a run was started."""
    shared_hub.send(bash("ls -la"), env=env("deny"))
    query = "SELECT body FROM records WHERE kind = 'event' AND body LIKE '%ls -la%'"
    [(body,)] = until(lambda: rows(shared_hub, query), "the event on record")
    assert json.loads(body)["env"][runs.VARIABLE] == env("deny")[runs.VARIABLE]
