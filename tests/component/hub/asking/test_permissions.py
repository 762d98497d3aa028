"""Lasting permissions in a real hub: given by an answer or at the desk, kept over restarts, counted, taken back."""

import json
from pathlib import Path
from typing import Any

import pytest

from assent.protocol.lasting import RUN_MEANS
from tests.component.hub.ask_client import answer, hook, one, permission
from tests.component.hub.conftest import StartHub
from tests.component.hub.test_asks import records
from tests.component.hub_process import HubProcess, bash, until
from tests.unit.policy import repository

SUGGESTED = [{"type": "addRules", "rules": [], "behavior": "allow", "destination": "localSettings"}]


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    return start_hub()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "work" / "shop")


def asked(project: Path, command: str) -> dict[str, Any]:
    return permission(command, cwd=str(project), permission_suggestions=SUGGESTED)


def env(project: Path) -> dict[str, str]:
    return {"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_PROJECT_DIR": str(project)}


def decided(hub: HubProcess, project: Path, command: str) -> str:
    """What the client is told before the tool runs: "allow", or "" for nothing."""
    reply = hub.send(bash(command, cwd=str(project)), env=env(project))
    output = reply.get("stdout_json", {}).get("hookSpecificOutput", {})
    return str(output.get("permissionDecision", ""))


def stopped_asking(hub: HubProcess, project: Path, command: str, kind: str = "shape", **more: Any) -> dict[str, Any]:
    """The ask that was answered for good."""
    with hook(hub, asked(project, command), env=env(project)) as (run, ask):
        assert answer(hub, ask, "allow_here", grant=kind, **more) == (202, {"state": "answered"})
        assert run.decision == {"behavior": "allow"}
    return ask


def grants(hub: HubProcess) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hub.api("GET", "/api/grants")[1]["grants"]
    return found


def give(hub: HubProcess, **fields: Any) -> tuple[int, Any]:
    return hub.api("POST", "/api/grants", json.dumps(fields).encode())


def test_answer_that_stays_is_silent_from_then_on(hub: HubProcess, project: Path) -> None:
    """Alone and inside a line, on record, and counted."""
    assert decided(hub, project, "git push origin feature") == ""
    stopped_asking(hub, project, "git push origin feature")
    assert decided(hub, project, "git push origin feature") == "allow"
    assert decided(hub, project, "git status && git push -u origin feature 2>&1 | tail -3") == "allow"
    assert decided(hub, project, "git push origin main") == ""
    until(lambda: grants(hub)[0]["saved"] == 2, "both uses counted")
    [given] = grants(hub)
    assert given["words"] == "`git push` of feature to origin"
    assert (given["project"], given["harness"]) == (str(project), "claude-code")
    assert records(hub, "answer")[-1]["grants"] == ["`git push` of feature to origin"]
    text = "You said to stop asking for `git push` of feature to origin."
    until(lambda: text in str([each.get("added") for each in records(hub, "rules")]), "the permission on record")


def test_it_survives_a_restart(start_hub: StartHub, project: Path) -> None:
    """And so does what it saved."""
    hub = start_hub()
    stopped_asking(hub, project, "npm run build")
    assert decided(hub, project, "npm run build") == "allow"
    until(lambda: grants(hub)[0]["saved"] == 1, "the use counted")
    hub.stop()
    hub.start()
    assert decided(hub, project, "npm run build") == "allow"
    until(lambda: grants(hub)[0]["saved"] == 2, "the next use counted")


def test_taken_back_it_asks_again_at_once(hub: HubProcess, project: Path) -> None:
    """On record, too."""
    stopped_asking(hub, project, "npm run build")
    [given] = grants(hub)
    assert hub.api("DELETE", f"/api/grants/{given['id']}") == (200, {"id": given["id"]})
    assert decided(hub, project, "npm run build") == ""
    assert grants(hub) == []
    until(lambda: given["id"] in str([each.get("removed") for each in records(hub, "rules")]), "the removal on record")
    assert hub.api("DELETE", f"/api/grants/{given['id']}")[0] == 404


def test_list_tells_what_a_project_can_be_permitted(hub: HubProcess) -> None:
    """With the words that explain it, the same as on an ask."""
    offers = hub.api("GET", "/api/grants")[1]["offers"]
    assert [each["kind"] for each in offers] == ["run", "change"]
    assert RUN_MEANS in offers[0]["covers"]
    assert all(each["leaves"] for each in offers)


def test_hours_end(hub: HubProcess, project: Path) -> None:
    """The list says until when."""
    stopped_asking(hub, project, "npm run build", hours=8)
    [given] = grants(hub)
    assert given["until"] - given["at"] == 8 * 3_600_000


@pytest.mark.parametrize("hours", [0, 721, "8", 1.5])
def test_odd_hours_are_refused(hub: HubProcess, project: Path, hours: Any) -> None:
    """And the ask still waits."""
    with hook(hub, asked(project, "npm run build"), env=env(project)) as (_, ask):
        assert answer(hub, ask, "allow_here", grant="shape", hours=hours)[0] in (400, 422)
        assert one(hub, ask["id"])["state"] == "open"
    assert grants(hub) == []


@pytest.mark.parametrize("kind", ["", "change", "reads", "everything"])
def test_only_what_was_shown_can_be_given(hub: HubProcess, project: Path, kind: str) -> None:
    """A kind that is not on the card is refused, and the ask still waits."""
    with hook(hub, asked(project, "git push origin feature"), env=env(project)) as (_, ask):
        assert answer(hub, ask, "allow_here", grant=kind)[0] == 409
        assert one(hub, ask["id"])["state"] == "open"
    assert grants(hub) == []


@pytest.mark.parametrize("command", ["git push --force origin feature", "rm -rf src", "python -c 'import src.app'"])
def test_danger_and_inline_programs_have_no_such_answer(hub: HubProcess, project: Path, command: str) -> None:
    """It is not offered, and not taken."""
    with hook(hub, asked(project, command), env=env(project)) as (_, ask):
        assert "stays" not in ask
        assert "allow_here" not in [way["choice"] for way in ask["choices"]]
        assert answer(hub, ask, "allow_here", grant="shape", match=ask["risk"].get("match", ""))[0] == 409
    assert grants(hub) == []


def test_run_permission_from_the_first_ask(hub: HubProcess, project: Path) -> None:
    """Other tests and builds are silent after it; deploys are not."""
    stopped_asking(hub, project, "npm test", "run")
    assert decided(hub, project, "pytest -q && npm run lint") == "allow"
    assert decided(hub, project, "npm run deploy") == "ask"


def test_run_permission_is_withheld_after_the_session_wrote_what_decides(hub: HubProcess, project: Path) -> None:
    """The card names the file; a yes to it is a yes to the file as it is."""
    assert give(hub, kind="run", project=str(project))[0] == 201
    assert decided(hub, project, "pytest -q") == "allow"
    written = {"file_path": str(project / "conftest.py"), "content": "x = 1\n"}
    hub.send({**bash("", cwd=str(project)), "tool_name": "Write", "tool_input": written}, env=env(project))
    (project / "conftest.py").write_text("x = 1\n")
    assert decided(hub, project, "pytest -q") == ""
    with hook(hub, asked(project, "pytest -q"), env=env(project)) as (run, ask):
        assert "conftest.py" in ask["risk"]["reason"]
        answer(hub, ask, "allow")
        assert run.decision == {"behavior": "allow"}
    assert decided(hub, project, "pytest -q") == "allow"


def test_permissions_of_a_project_are_given_at_the_desk(hub: HubProcess, project: Path, tmp_path: Path) -> None:
    """With clear errors for what is no project, or none that git could bring back."""
    assert give(hub, kind="change", project=str(project))[0] == 201
    assert decided(hub, project, "git commit -qm x") == "allow"
    status, reply = give(hub, kind="change", project=str(tmp_path))
    assert (status, reply["error"]["code"]) == (409, "not-permitted")
    assert "is no git repository" in reply["error"]["message"]
    assert give(hub, kind="run", project="relative")[0] == 400
    assert give(hub, kind="run", project="/")[0] == 409
    assert give(hub, kind="shape", project=str(project))[0] == 409


def test_given_again_it_stands_once(hub: HubProcess, project: Path) -> None:
    """With the newer time."""
    give(hub, kind="run", project=str(project), hours=1)
    give(hub, kind="run", project=str(project))
    [given] = grants(hub)
    assert "until" not in given


def test_another_repository_at_its_place_voids_it(hub: HubProcess, project: Path) -> None:
    """And the list says so."""
    give(hub, kind="run", project=str(project))
    repository.git(project, "remote", "set-url", "origin", "https://git.example.com/other.git")
    assert grants(hub)[0]["void"] == "another repository lies there now"
    assert until(lambda: decided(hub, project, "npm test") == "", "the permission is void")


def test_file_that_cannot_be_read_permits_nothing(start_hub: StartHub, project: Path) -> None:
    """The hub starts, says so, and asks."""
    hub = start_hub()
    give(hub, kind="run", project=str(project))
    hub.stop()
    hub.paths.permissions.write_text("{broken")
    hub.start()
    assert decided(hub, project, "npm test") == ""
    assert "cannot be read" in hub.api("GET", "/api/grants")[1]["trouble"]
    assert hub.paths.permissions.read_text() == "{broken"


def test_two_answers_are_told_apart_by_project(hub: HubProcess, project: Path, tmp_path: Path) -> None:
    """What is silent here is asked about there."""
    other = repository.make(tmp_path / "work" / "other")
    stopped_asking(hub, project, "npm run build")
    assert decided(hub, project, "npm run build") == "allow"
    assert decided(hub, other, "npm run build") == ""
