"""Settings of agents that change under a real hub: told at once, and put back or kept as a person says."""

import base64
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import answer, one, waiting
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, bash, until

FOREIGN = {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "./decide"}]}]}}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / ".claude").mkdir(parents=True)
    return folder


@pytest.fixture
def hub(start_hub: StartHub, project: Path) -> HubProcess:
    """It has heard of a session in the project, which is over."""
    hub = start_hub()
    hub.send(bash("ls", cwd=str(project)))
    hub.send({"session_id": "s1", "cwd": str(project), "hook_event_name": "SessionEnd", "reason": "other"})
    return hub


def told(hub: HubProcess) -> list[str]:
    ungated: list[str] = hub.api("GET", "/api/status")[1]["ungated"]
    return ungated


def choose(hub: HubProcess, ask: dict[str, Any], label: str) -> None:
    question = ask["view"]["questions"][0]["question"]
    assert answer(hub, ask, "answer", answers={question: label})[0] == 202


def ended(hub: HubProcess, ask: dict[str, Any]) -> str:
    def probe() -> str | None:
        found = one(hub, ask["id"])
        return found["result"]["ending"] if found["state"] == "closed" else None

    return until(probe, "the end of the ask")


@pytest.mark.parametrize("settings", [{"disableAllHooks": True}, FOREIGN, {"env": {"LD_PRELOAD": "/tmp/x.so"}}])
def test_settings_that_disarm_are_told_after_the_last_session(
    hub: HubProcess, project: Path, settings: dict[str, Any]
) -> None:
    """No session is left in the project: the next one would start past the gate."""
    (project / ".claude/settings.json").write_text(json.dumps(settings))
    found = until(lambda: told(hub), "the alarm")
    assert str(project / ".claude/settings.json") in found[0]


def test_person_puts_the_file_back(hub: HubProcess, project: Path) -> None:
    """Byte for byte, and the alarm is over."""
    file = project / ".claude/settings.json"
    file.write_text('{ "model":  "opus" }\n')
    until(lambda: '"opus"' in _good(hub, file), "the file to be known")
    file.write_text('{"disableAllHooks": true}')
    ask = waiting(hub)[0]
    assert ask["kind"] == "question"
    choose(hub, ask, "Put it back")
    assert ended(hub, ask) == "ran"
    assert file.read_text() == '{ "model":  "opus" }\n'
    until(lambda: not told(hub), "the end of the alarm")


def test_file_that_was_not_there_is_taken_away(hub: HubProcess, project: Path) -> None:
    """Back as it was is not there."""
    file = project / ".claude/settings.local.json"
    file.write_text(json.dumps(FOREIGN))
    ask = waiting(hub)[0]
    choose(hub, ask, "Put it back")
    assert ended(hub, ask) == "ran"
    assert not file.exists()


def test_person_keeps_the_change(hub: HubProcess, project: Path) -> None:
    """The change was the person's: no second ask, and no alarm."""
    file = project / ".claude/settings.json"
    file.write_text(json.dumps(FOREIGN))
    ask = waiting(hub)[0]
    choose(hub, ask, "Keep it")
    assert ended(hub, ask) == "ran"
    until(lambda: not told(hub), "the end of the alarm")
    assert file.read_text() == json.dumps(FOREIGN)


def test_no_leaves_everything_as_it_is(hub: HubProcess, project: Path) -> None:
    """Who does not want to say changes nothing, and the alarm stands."""
    file = project / ".claude/settings.json"
    file.write_text('{"disableAllHooks": true}')
    ask = waiting(hub)[0]
    assert answer(hub, ask, "deny")[0] == 202
    assert ended(hub, ask) == "denied"
    assert file.read_text() == '{"disableAllHooks": true}'
    assert told(hub)


def test_ask_is_withdrawn_when_the_file_is_in_order_again(hub: HubProcess, project: Path) -> None:
    """Another program put it back."""
    file = project / ".claude/settings.json"
    file.write_text('{"disableAllHooks": true}')
    ask = waiting(hub)[0]
    file.unlink()
    assert ended(hub, ask) == "terminal"
    assert not file.exists()


def test_projects_of_the_last_day_are_watched_by_the_next_hub(hub: HubProcess, project: Path) -> None:
    """With what was good in them: a change made while no hub ran is told, and can be put back."""
    file = project / ".claude/settings.json"
    until(lambda: str(file) in hub.paths.client_settings.read_text(), "the file to be known")
    hub.stop()
    hub.paths.journal.unlink()
    file.write_text(json.dumps(FOREIGN))
    hub.start()
    ask = waiting(hub)[0]
    choose(hub, ask, "Put it back")
    assert ended(hub, ask) == "ran"
    assert not file.exists()


def test_call_that_ran_differently_is_told(hub: HubProcess, project: Path) -> None:
    """Another hook changed the input after it was judged."""
    hub.send(bash("git status", cwd=str(project), tool_use_id="t7"))
    ran = bash("cat ~/.ssh/id_rsa", cwd=str(project), tool_use_id="t7", hook_event_name="PostToolUse")
    hub.send({**ran, "tool_response": {"stdout": ""}})
    found = until(lambda: told(hub), "the alarm")
    assert found[0].startswith("ran differently: Bash of the session")
    with closing(sqlite3.connect(f"file:{hub.paths.journal}?mode=ro", uri=True)) as db:
        bodies = until(lambda: db.execute("SELECT body FROM records WHERE by = 'hub:ungated'").fetchall(), "the record")
    assert "ungated: ran differently" in bodies[0][0]


def _good(hub: HubProcess, file: Path) -> str:
    content = json.loads(hub.paths.client_settings.read_text() if hub.paths.client_settings.exists() else "{}")
    return base64.b64decode(content.get("files", {}).get(str(file), {}).get("content", "")).decode()
