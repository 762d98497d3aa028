"""A client whose hooks live on after Escape: what comes next in its session withdraws the ask."""

from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import Hook, answer, one, waiting
from tests.component.hub.asking.test_kept import called, envelope, wanted
from tests.component.hub.conftest import StartHub
from tests.component.hub_process import HubProcess, until
from tests.unit.policy import repository

SILENT = {"action": "passthrough"}


@pytest.fixture
def hub(start_hub: StartHub) -> HubProcess:
    hub = start_hub()
    assert hub.api("PUT", "/api/presence", b'{"away": true}')[0] == 200
    return hub


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "work" / "shop")


def held(hub: HubProcess, project: Path, command: str = "touch made", **more: Any) -> Hook:
    """A permission that waits; its connection stays open, whatever becomes of the turn."""
    sent = wanted(project, command, **more)
    around = envelope(sent, "permissionRequest", project)
    return Hook(hub, {**sent, "session_id": sent["sessionId"], "hook_event_name": "permissionRequest"}, **around)


def tell(hub: HubProcess, project: Path, event: str, session: str = "s1", **fields: Any) -> None:
    sent = {"sessionId": session, "cwd": str(project), **fields}
    hub.send(sent, **envelope(sent, event, project))


def state(hub: HubProcess, ask: dict[str, Any]) -> tuple[str, str]:
    shown = one(hub, ask["id"])
    return shown["state"], shown.get("result", {}).get("ending", "")


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("userPromptSubmitted", {"prompt": "Something else."}),
        ("agentStop", {"stopReason": "end_turn", "stop_hook_active": False}),
        ("errorOccurred", {"error": {"message": "aborted", "name": "Error", "stack": ""}, "recoverable": False}),
        ("sessionEnd", {"reason": "user_exit"}),
    ],
)
def test_next_sign_of_the_session_withdraws_the_ask(
    hub: HubProcess, project: Path, event: str, fields: dict[str, Any]
) -> None:
    """The hook that lives on is told nothing that could run the call, and a late yes is refused."""
    run = held(hub, project)
    (ask,) = waiting(hub)
    tell(hub, project, event, **fields)
    until(lambda: state(hub, ask) == ("closed", "withdrawn"), "the ask to be withdrawn")
    assert run.result() == SILENT
    assert answer(hub, ask, "allow")[0] == 409


def test_held_prompt_before_a_call_falls_back_to_a_prompt(hub: HubProcess, project: Path) -> None:
    """Never to silence, which could run it."""
    sent = called(project, "git push --force origin main")
    around = envelope(sent, "preToolUse", project)
    run = Hook(hub, {**sent, "session_id": "s1", "hook_event_name": "preToolUse"}, **around)
    (ask,) = waiting(hub)
    tell(hub, project, "userPromptSubmitted", prompt="Something else.")
    until(lambda: state(hub, ask) == ("closed", "withdrawn"), "the ask to be withdrawn")
    assert run.result()["stdout_json"]["permissionDecision"] == "ask"


def test_prompt_withdraws_what_a_sub_agent_asked(hub: HubProcess, project: Path) -> None:
    """It was interrupted with the agent that started it; another session is not concerned."""
    helper = {"agentId": "a1", "agentType": "explore", "parentAgentId": "s1"}
    run, other = held(hub, project, session="a1", **helper), held(hub, project, session="s2")
    asks = waiting(hub, 2)
    (of_helper,) = [ask for ask in asks if ask["subject"].get("agent")]
    tell(hub, project, "userPromptSubmitted", prompt="Something else.")
    until(lambda: state(hub, of_helper) == ("closed", "withdrawn"), "the ask of the sub-agent to be withdrawn")
    assert run.result() == SILENT
    assert len(waiting(hub)) == 1
    other.leave()


def test_end_of_a_sub_agent_leaves_the_ask_of_its_parent(hub: HubProcess, project: Path) -> None:
    helper = {"agentId": "a1", "agentType": "explore", "parentAgentId": "s1", "stopReason": "end_turn"}
    run = held(hub, project)
    (ask,) = waiting(hub)
    tell(hub, project, "agentStop", "a1", **helper)
    assert state(hub, ask)[0] == "open"
    answer(hub, ask, "allow")
    assert run.result()["stdout_json"] == {"behavior": "allow"}


def test_call_beside_the_one_that_waits_leaves_it(hub: HubProcess, project: Path) -> None:
    """This client makes the calls of one answer of the model side by side."""
    run = held(hub, project)
    (ask,) = waiting(hub)
    tell(hub, project, "preToolUse", toolName="bash", toolArgs={"command": "ls"})
    assert state(hub, ask)[0] == "open"
    answer(hub, ask, "allow")
    assert run.result()["stdout_json"] == {"behavior": "allow"}
