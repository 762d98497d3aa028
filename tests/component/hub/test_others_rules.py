"""Rules that are not the user's own file: the agent's settings, and those of a project."""

import hashlib
import json
from pathlib import Path
from typing import Any

from assent.policy.rules import book
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, bash, until


def decided(hub: HubProcess, project: Path, command: str) -> str | None:
    """What the client is told."""
    answer = hub.send(bash(command, cwd=str(project)))
    told: dict[str, Any] = answer.get("stdout_json", {}).get("hookSpecificOutput", {})
    return told.get("permissionDecision")


def test_hub_says_yes_to_nothing_the_agents_settings_ask_about(start_hub: StartHub, tmp_path: Path) -> None:
    """A change of the settings counts within a second; Danger still reaches a person under a broad allow."""
    hub = start_hub()
    assert decided(hub, tmp_path, "git status") == "allow"
    settings = tmp_path / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"permissions": {"ask": ["Bash(git status:*)"], "allow": ["Bash"]}}))
    until(lambda: decided(hub, tmp_path, "git status") is None, "silence about git status")
    assert decided(hub, tmp_path, "ls") == "allow"
    assert decided(hub, tmp_path, "git push --force") == "ask"
    settings.write_text("{")
    until(lambda: "not JSON" in (hub.api("GET", "/api/status")[1]["rules_note"] or ""), "the trouble in status")
    assert decided(hub, tmp_path, "git status") is None


def test_project_allows_what_a_person_trusts_until_a_byte_changes(start_hub: StartHub, tmp_path: Path) -> None:
    """And status says why not."""
    hub = start_hub()
    project = tmp_path / "project"
    rules = project / ".assent/rules.toml"
    rules.parent.mkdir(parents=True)
    rules.write_text('[[rule]]\nmatch = "Bash(make *)"\ndecision = "allow"\n')
    assert decided(hub, project, "make build") is None
    assert "you did not trust the file" in hub.api("GET", "/api/status")[1]["rules_note"]
    digest = hashlib.sha256(rules.read_bytes()).hexdigest()
    hub.paths.trust.write_bytes(book.trust_text({str(rules.resolve()): digest}))
    until(lambda: decided(hub, project, "make build") == "allow", "the rule in force")
    assert hub.api("GET", "/api/status")[1]["rules_note"] is None
    rules.write_text(rules.read_text() + "\n")
    until(lambda: decided(hub, project, "make build") is None, "the rule out of force")
    assert "changed since you trusted it" in hub.api("GET", "/api/status")[1]["rules_note"]
