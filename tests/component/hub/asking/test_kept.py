"""Always for a client that cannot be told to remember: a rule of Assent's, for a session, a project or everywhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import Hook, answer, one, waiting
from tests.component.hub.asking.test_permissions import grants
from tests.component.hub.conftest import StartHub
from tests.component.hub.test_asks import records
from tests.component.hub_process import HubProcess, until
from tests.unit.policy import repository

NAME = "copilot"
ALLOW = {"behavior": "allow"}


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    hub = start_hub()
    assert hub.api("PUT", "/api/presence", b'{"away": true}')[0] == 200
    return hub


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "work" / "shop")


def called(project: Path, command: str, session: str = "s1") -> dict[str, Any]:
    """A call of its shell, as the client sends it before it runs."""
    return {"sessionId": session, "cwd": str(project), "toolName": "bash", "toolArgs": {"command": command}}


def wanted(project: Path, command: str, session: str = "s1", **more: Any) -> dict[str, Any]:
    """The permission that it asks for."""
    sent = {"toolName": "bash", "toolInput": {"command": command}, "permissionSuggestions": []} | more
    return {"sessionId": session, "cwd": str(project), "hookName": "permissionRequest", **sent}


def envelope(sent: dict[str, Any], event: str, project: Path) -> dict[str, Any]:
    env = {"COPILOT_CLI": "1", "COPILOT_PROJECT_DIR": str(project)}
    return {"harness": NAME, "hook_event_name": event, "session_id": sent["sessionId"], "env": env}


def told(hub: HubProcess, project: Path, command: str, session: str = "s1") -> str:
    """What the client is told before the call: "" for nothing."""
    sent = called(project, command, session)
    reply = hub.send(sent, **envelope(sent, "preToolUse", project))
    return str(reply.get("stdout_json", {}).get("permissionDecision", ""))


@contextmanager
def asked(hub: HubProcess, project: Path, command: str, **more: Any) -> Iterator[tuple[Hook, dict[str, Any]]]:
    sent = wanted(project, command, **more)
    around = envelope(sent, "permissionRequest", project)
    run = Hook(hub, {**sent, "session_id": sent["sessionId"], "hook_event_name": "permissionRequest"}, **around)
    try:
        yield run, waiting(hub)[0]
    finally:
        run.leave()


def offers(hub: HubProcess, ask: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hub.api("GET", f"/api/asks/{ask['id']}/offers")[1]["offers"]
    return found


def always(hub: HubProcess, project: Path, command: str, choice: str) -> None:
    with asked(hub, project, command) as (run, ask):
        grant = offers(hub, ask)[0]["grant"]
        assert answer(hub, ask, choice, grant=grant)[0] == 202
        assert run.result()["stdout_json"] == ALLOW
        until(lambda: one(hub, ask["id"])["state"] != "answered", "the answer to be told")


def test_offer_says_what_is_kept_and_where(hub: HubProcess, project: Path) -> None:
    """For the client alone, never for Danger; the session's ends by itself, the others stand in the rules."""
    with asked(hub, project, "touch made") as (_, ask):
        (offer,) = offers(hub, ask)
        assert offer["grant"] == "rule:Bash(touch made)"
        assert offer["keeper"] == "assent"
        assert offer["scopes"] == ["session", "project", "user"]
        assert offer["files"] == {"project": str(hub.paths.rules), "user": str(hub.paths.rules)}
        assert offer["leaves"].endswith("Other agents, and whatever is dangerous.")


def test_always_for_the_project_is_a_rule_and_the_next_call_is_silent(hub: HubProcess, project: Path) -> None:
    """At once, in other sessions, too; not in other projects, for other agents, or with anything added."""
    before = hub.paths.rules.read_bytes() if hub.paths.rules.exists() else None
    always(hub, project, "touch made", "allow_project")
    assert told(hub, project, "touch made") == "allow"
    assert told(hub, project, "touch made", "s2") == "allow"
    assert told(hub, project, "touch made other") == ""
    other = repository.make(project.parent / "other")
    assert told(hub, other, "touch made") == ""
    assert hub.paths.rules.read_text().endswith(
        '[[rule]]\nmatch = "Bash(touch made)"\ndecision = "allow"\nharness = "copilot"\n'
        f'when = {{ risk = "<danger", cwd = "/{project}/**" }}\n'
    )
    until(lambda: grants(hub)[0].get("saved") == 2, "the uses counted")
    (given,) = grants(hub)
    assert (given["keeper"], given["project"], given["harness"]) == ("rules", str(project), NAME)
    assert given["words"] == "The command “touch made”, exactly as it stands."
    assert given["by"].startswith("person:")
    assert hub.api("DELETE", f"/api/grants/{given['id']}")[0] == 200
    assert told(hub, project, "touch made") == ""
    assert (hub.paths.rules.read_bytes() or None) == before or hub.paths.rules.read_bytes() == b""


def test_always_for_all_projects(hub: HubProcess, project: Path) -> None:
    always(hub, project, "touch made", "allow_user")
    other = repository.make(project.parent / "other")
    assert told(hub, other, "touch made", "s2") == "allow"
    assert grants(hub)[0].get("project", "") == ""


def test_always_for_the_session_ends_with_it(hub: HubProcess, project: Path) -> None:
    """Another session asks, and so does the same one when it is taken up again."""
    always(hub, project, "touch made", "allow_session")
    assert told(hub, project, "touch made") == "allow"
    assert told(hub, project, "ls && touch made") == "allow"
    assert told(hub, project, "touch made", "s2") == ""
    (given,) = grants(hub)
    assert (given["keeper"], given["session"], given["rule"]) == ("session", "s1", "Bash(touch made)")
    assert "until" not in given
    end = {"sessionId": "s1", "cwd": str(project), "reason": "complete"}
    hub.send(end, **envelope(end, "sessionEnd", project))
    until(lambda: not grants(hub), "the session's rule to be forgotten")
    assert told(hub, project, "touch made") == ""


def test_session_rule_is_taken_back_and_survives_a_restart(hub: HubProcess, project: Path) -> None:
    always(hub, project, "touch made", "allow_session")
    hub.stop()
    hub.start()
    assert told(hub, project, "touch made") == "allow"
    (given,) = grants(hub)
    assert hub.api("DELETE", f"/api/grants/{given['id']}")[0] == 200
    assert told(hub, project, "touch made") == ""
    assert not grants(hub)


def test_change_of_a_file_is_remembered_by_its_path(hub: HubProcess, project: Path) -> None:
    """Its permission request shows a diff and has another tool name than the call."""
    path = str(project / "note.txt")
    diff = "diff --git a/note.txt b/note.txt\n--- a/note.txt\n+++ b/note.txt\n@@ -1 +1 @@\n-one\n+two\n"
    (project / "note.txt").write_text("one\n")
    given = {"toolName": "edit", "toolInput": {"file_path": path, "diff": diff}}
    with asked(hub, project, "", **given) as (run, ask):
        (offer,) = offers(hub, ask)
        assert offer["grant"] == f"rule:Edit(/{path})"
        answer(hub, ask, "allow_project", grant=offer["grant"])
        assert run.result()["stdout_json"] == ALLOW
    call = {"sessionId": "s1", "cwd": str(project), "toolName": "edit"}
    sent = call | {"toolArgs": {"path": path, "old_str": "two", "new_str": "three"}}
    reply = hub.send(sent, **envelope(sent, "preToolUse", project))
    assert reply["stdout_json"]["permissionDecision"] == "allow"
    other = call | {"toolArgs": {"path": str(project / "README.md"), "old_str": "a", "new_str": "b"}}
    assert "stdout_json" not in hub.send(other, **envelope(other, "preToolUse", project))


def test_danger_is_never_remembered(hub: HubProcess, project: Path) -> None:
    with asked(hub, project, "git push --force origin main") as (_, ask):
        assert not {way["choice"] for way in ask["choices"]} & {"allow_session", "allow_project", "allow_user"}
        assert offers(hub, ask) == []
        grant = "rule:Bash(git push --force origin main)"
        status, reply = answer(hub, ask, "allow_project", grant=grant, match=ask["risk"].get("match", ""))
        assert status == 409
        assert reply["error"]["code"] == "not-offered"


def test_nothing_but_what_is_offered_is_remembered(hub: HubProcess, project: Path) -> None:
    """The words that were shown are the words that count."""
    with asked(hub, project, "touch made") as (_, ask):
        for grant in ("rule:Bash(touch *)", "rule:Bash", "mode:accept_edits", "directory:/srv", ""):
            assert answer(hub, ask, "allow_project", grant=grant)[0] == 409
    assert not grants(hub)


def test_rule_that_asks_is_not_undone_by_always(start_hub: StartHub, project: Path) -> None:
    """Such a call would be asked about again, so nothing lasting is offered."""
    hub = start_hub(rules='[[rule]]\nmatch = "Bash(touch *)"\ndecision = "ask"\nreason = "Look."\n')
    hub.api("PUT", "/api/presence", b'{"away": true}')
    with asked(hub, project, "touch made") as (_, ask):
        assert "allow_project" not in {way["choice"] for way in ask["choices"]}
        assert offers(hub, ask) == []


def test_answer_is_on_record_with_what_it_grants(hub: HubProcess, project: Path) -> None:
    always(hub, project, "touch made", "allow_project")
    (said,) = records(hub, "answer")
    assert said["grants"] == ["Bash(touch made) for this project, kept by Assent"]
