"""Everything allowed for longer than once in one list, with the real hub: who, where, how often, and taken back."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import answer, hook, one, permission
from tests.component.hub.asking.test_permissions import asked, decided, env, grants
from tests.component.hub.conftest import StartHub
from tests.component.hub.test_asks import records
from tests.component.hub_process import HubProcess, bash, until
from tests.unit.policy import repository

DESK = "person:"


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    return start_hub()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "work" / "shop")


def take_back(hub: HubProcess, given: dict[str, Any]) -> None:
    assert hub.api("DELETE", f"/api/grants/{given['id']}") == (200, {"id": given["id"]})


def answered(hub: HubProcess, project: Path, command: str, choice: str, **more: Any) -> dict[str, Any]:
    with hook(hub, asked(project, command), env=env(project)) as (run, ask):
        assert answer(hub, ask, choice, **more) == (202, {"state": "answered"})
        assert run.decision["behavior"] == ("deny" if choice.startswith("deny") else "allow")
    return ask


def ran(hub: HubProcess, project: Path, command: str, call: str) -> None:
    """A call that the client let pass by itself."""
    before = {**bash(command, cwd=str(project)), "tool_use_id": call}
    hub.send(before, env=env(project))
    hub.send({**before, "hook_event_name": "PostToolUse", "tool_response": {}}, env=env(project))


def test_timed_allow_is_silent_and_asked_once_taken_back(hub: HubProcess, project: Path) -> None:
    """It is listed with its end, by whom and where, and counted."""
    answered(hub, project, "npm run build", "allow_for", grant="shape", minutes=10)
    assert decided(hub, project, "npm run build") == "allow"
    until(lambda: grants(hub)[0].get("saved") == 1, "the use counted")
    [given] = grants(hub)
    assert given["until"] - given["at"] == 600_000
    assert given["by"].startswith(DESK)
    assert given["surface"]
    take_back(hub, given)
    assert decided(hub, project, "npm run build") == ""


def test_exact_call_is_allowed_for_a_while_and_nothing_beside_it(hub: HubProcess, project: Path) -> None:
    """For what has no shape, such as a program in the line."""
    command = "python -c 'import src.app'"
    answered(hub, project, command, "allow_for", grant="exact", minutes=5)
    assert decided(hub, project, command) == "allow"
    assert decided(hub, project, f"{command} x") == ""
    assert decided(hub, project, command.replace("app", "other")) == ""


def test_timed_allow_survives_a_restart_with_its_end(start_hub: StartHub, project: Path) -> None:
    """One that ended meanwhile asks again."""
    hub = start_hub()
    answered(hub, project, "npm run build", "allow_for", grant="shape", minutes=10)
    [before] = grants(hub)
    hub.stop()
    hub.start()
    assert [each["until"] for each in grants(hub)] == [before["until"]]
    assert decided(hub, project, "npm run build") == "allow"
    hub.stop()
    kept = json.loads(hub.paths.permissions.read_text())
    kept["permissions"][0]["until"] = before["at"]
    hub.paths.permissions.write_text(json.dumps(kept))
    hub.start()
    assert decided(hub, project, "npm run build") == ""
    assert grants(hub) == []


@pytest.mark.parametrize("command", ["git push --force origin feature", "rm -rf src"])
def test_danger_is_never_allowed_for_a_while(hub: HubProcess, project: Path, command: str) -> None:
    """Neither offered nor taken."""
    with hook(hub, asked(project, command), env=env(project)) as (_, ask):
        assert "allow_for" not in [way["choice"] for way in ask["choices"]]
        match = ask["risk"].get("match", "")
        assert answer(hub, ask, "allow_for", grant="exact", minutes=5, match=match)[0] == 409
    assert grants(hub) == []


@pytest.mark.parametrize("more", [{}, {"minutes": 0}, {"minutes": 1441}, {"minutes": "10"}, {"hours": 1}])
def test_odd_minutes_are_refused(hub: HubProcess, project: Path, more: dict[str, Any]) -> None:
    """And the ask still waits."""
    with hook(hub, asked(project, "npm run build"), env=env(project)) as (_, ask):
        assert answer(hub, ask, "allow_for", grant="shape", **more)[0] in (400, 409, 422)
        assert one(hub, ask["id"])["state"] == "open"
    assert grants(hub) == []


def test_allow_for_the_session_is_asked_about_again_once_taken_back(hub: HubProcess, project: Path) -> None:
    """The client cannot be told to forget it, so the hub prompts; other commands are not concerned."""
    answered(hub, project, "touch made.txt", "allow_session", grant="rule:Bash(touch made.txt)")
    given = until(lambda: grants(hub), "the session's allow in the list")[0]
    assert (given["kind"], given["keeper"], given["rule"]) == ("rule", "session", "Bash(touch made.txt)")
    assert given["words"] == "The command “touch made.txt”, exactly as it stands."
    ran(hub, project, "touch made.txt", "toolu_1")
    until(lambda: grants(hub)[0].get("saved") == 1, "the call counted")
    take_back(hub, given)
    assert grants(hub) == []
    assert decided(hub, project, "touch made.txt") == "ask"
    assert decided(hub, project, "touch other.txt") == ""


def test_allowed_for_the_session_anew_it_is_not_asked_about(hub: HubProcess, project: Path) -> None:
    answered(hub, project, "touch made.txt", "allow_session", grant="rule:Bash(touch made.txt)")
    take_back(hub, until(lambda: grants(hub), "the session's allow in the list")[0])
    answered(hub, project, "touch made.txt", "allow_session", grant="rule:Bash(touch made.txt)")
    assert decided(hub, project, "touch made.txt") == ""


def test_rules_and_folders_of_the_agents_settings_are_listed_and_taken_back(hub: HubProcess, project: Path) -> None:
    """With who allowed them, where that was answered here; the rest of the file stays."""
    rule = "Bash(touch made.txt)"
    file = project / ".claude" / "settings.local.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"permissions": {"allow": [rule], "additionalDirectories": ["/srv/data"]}, "x": 1}))
    answered(hub, project, "touch made.txt", "allow_project", grant=f"rule:{rule}")
    until(lambda: any(each.get("by") for each in grants(hub)), "who allowed it")
    found = {each["kind"]: each for each in grants(hub)}
    assert (found["rule"]["rule"], found["rule"]["project"]) == (rule, str(project))
    assert found["directory"]["words"].startswith("Reading files in /srv/data")
    take_back(hub, found["rule"])
    take_back(hub, found["directory"])
    assert json.loads(file.read_text()) == {"permissions": {"allow": [], "additionalDirectories": []}, "x": 1}
    until(lambda: rule in str([each.get("removed") for each in records(hub, "rules")]), "taken back on record")


def test_what_came_with_the_repository_is_listed_and_stays(hub: HubProcess, project: Path) -> None:
    file = project / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"permissions": {"allow": ["Bash(make *)"]}}')
    decided(hub, project, "ls")
    given = until(lambda: grants(hub), "the repository's rule in the list")[0]
    assert "repository" in given["fixed"]
    status, reply = hub.api("DELETE", f"/api/grants/{given['id']}")
    assert (status, reply["error"]["code"]) == (409, "not-taken-back")


def test_rule_of_assents_own_is_listed_counted_and_taken_back(hub: HubProcess, project: Path) -> None:
    fields = {"match": "Bash(touch *)", "decision": "allow", "reason": "Harmless."}
    assert hub.api("POST", "/api/rules", json.dumps(fields).encode())[0] == 201
    until(lambda: decided(hub, project, "touch a") == "allow", "the rule in force")
    until(lambda: grants(hub)[0].get("saved"), "its use counted")
    [given] = grants(hub)
    assert (given["keeper"], given["rule"]) == ("rules", "Bash(touch *)")
    assert given["by"].startswith(DESK)
    take_back(hub, given)
    assert "touch" not in hub.paths.rules.read_text()


def test_no_for_good_is_a_rule_that_denies_and_can_be_taken_back(hub: HubProcess, project: Path) -> None:
    """Danger, too; the narrowest rule is offered first."""
    with hook(hub, asked(project, "git push --force origin feature"), env=env(project)) as (run, ask):
        denials = hub.api("GET", f"/api/asks/{ask['id']}/offers")[1]["denials"]
        assert [each["grant"] for each in denials] == [
            "rule:Bash(git push --force origin feature)",
            "rule:Bash(git push --force *)",
            "rule:Bash(git push *)",
        ]
        assert answer(hub, ask, "deny_here", grant="rule:Bash(make *)")[0] == 409
        assert answer(hub, ask, "deny_here", grant=denials[1]["grant"]) == (202, {"state": "answered"})
        assert run.decision["behavior"] == "deny"
    until(lambda: decided(hub, project, "ls && git push --force origin main") == "deny", "the rule in force")
    assert decided(hub, project, "git push origin feature") == ""
    [given] = grants(hub)
    assert given["kind"] == "deny"
    assert given["by"].startswith(DESK)
    take_back(hub, given)
    until(lambda: decided(hub, project, "git push --force origin main") == "ask", "the rule is gone")


def test_all_tools_of_a_server_can_be_allowed_for_good(hub: HubProcess, project: Path) -> None:
    """Offered after the one tool."""
    event = {**permission("", cwd=str(project)), "tool_name": "mcp__github__create_issue", "tool_input": {"title": "x"}}
    with hook(hub, event, env=env(project)) as (run, ask):
        offers = hub.api("GET", f"/api/asks/{ask['id']}/offers")[1]["offers"]
        assert [each["grant"] for each in offers] == ["rule:mcp__github__create_issue", "rule:mcp__github"]
        assert offers[1]["words"] == "Every tool of the server github."
        assert answer(hub, ask, "allow_project", grant="rule:mcp__github") == (202, {"state": "answered"})
        assert run.decision["updatedPermissions"][0]["rules"] == [{"toolName": "mcp__github"}]
