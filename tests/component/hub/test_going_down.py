"""What becomes of calls that wait for a person when the hub is told to stop for good, or is restarted."""

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest

from assent.protocol import modes as runs
from assent.shim import stopped
from tests.component.hub.ask_client import Hook, asks, hook, permission, waiting
from tests.component.hub_process import UNATTENDED, HubProcess, bash, until
from tests.waiting import HANG

ALWAYS = '[asks]\nunattended = "always"\n'
PUSH = "git push --force origin main"


@pytest.fixture
def hub(start_hub: Callable[..., HubProcess]) -> HubProcess:
    return start_hub(config=ALWAYS)


def go_down(hub: HubProcess) -> None:
    assert hub.api("POST", "/api/stop")[0] == 202
    assert hub.process is not None
    hub.process.communicate(timeout=HANG)


def told(run: Hook) -> Any:
    return run.result().get("stdout_json", {}).get("hookSpecificOutput", {})


def test_held_danger_falls_back_to_the_prompt_it_was(hub: HubProcess) -> None:
    """Under an allow rule of the client's silence would run it, so the stopping hub says what it had promised."""
    with hook(hub, bash(PUSH), env=UNATTENDED) as (run, ask):
        assert ask["risk"]["level"] == "danger"
        go_down(hub)
        assert told(run)["permissionDecision"] == "ask"
    assert stopped.is_left(hub.paths)


def test_held_danger_of_a_bypass_run_is_not_left_to_silence(hub: HubProcess) -> None:
    """There silence runs the tool, too."""
    with hook(hub, bash(PUSH, permission_mode="bypassPermissions"), env=UNATTENDED) as (run, _):
        go_down(hub)
        assert told(run)["permissionDecision"] in ("ask", "deny")


def test_held_permission_is_handed_to_the_client(hub: HubProcess) -> None:
    """The terminal's own dialog is open; it decides."""
    with hook(hub, permission()) as (run, _):
        go_down(hub)
        assert run.result() == {"action": "passthrough"}


@pytest.mark.parametrize("config", [ALWAYS + 'on_expiry = "deny"\n'])
def test_held_permission_is_denied_where_that_was_promised(start_hub: Callable[..., HubProcess], config: str) -> None:
    """`on_expiry = "deny"` holds for an end that the hub itself brings."""
    hub = start_hub(config=config)
    with hook(hub, permission()) as (run, _):
        go_down(hub)
        decision = told(run)["decision"]
    assert decision["behavior"] == "deny"
    assert "Nobody said no" in decision["message"]


def test_held_call_of_a_run_is_denied(hub: HubProcess) -> None:
    """A run of `assent exec` never goes on unjudged."""
    said = runs.write(runs.Run(id="0f3a", on_ask="wait", wait=600, stance=""))
    with hook(hub, permission(), env={**UNATTENDED, runs.VARIABLE: said}) as (run, _):
        go_down(hub)
        assert told(run)["decision"]["behavior"] == "deny"


def test_end_of_the_ask_is_on_record(hub: HubProcess) -> None:
    """The next hub shows it as handed back because the hub was stopped, and does not wait."""
    with hook(hub, bash(PUSH), env=UNATTENDED) as (_, ask):
        go_down(hub)
    hub.start()
    (ended,) = asks(hub, "closed")
    assert (ended["id"], ended["result"]["ending"]) == (ask["id"], "handed_back")
    assert "assent down" in ended["result"]["why"]


def test_shim_hears_that_it_is_held_before_a_person_is_asked(hub: HubProcess) -> None:
    """A hub that is killed the moment its ask is seen leaves a shim that knows that silence is no answer."""
    envelope = {"request_id": "0" * 16, "ts": 1, "session_id": "s1", "hook_event_name": "PreToolUse", "env": UNATTENDED}
    with socket.socket(socket.AF_UNIX) as shim:
        shim.connect(str(hub.paths.hook_socket))
        shim.sendall(json.dumps({**envelope, "payload": bash(PUSH)}).encode() + b"\n")
        waiting(hub)
        assert shim.recv(100, socket.MSG_DONTWAIT).strip(b"\n") == b""


def test_restart_answers_nothing_and_the_next_hub_goes_on(hub: HubProcess) -> None:
    """SIGTERM hangs up on those who wait; their ask is the same one when they come back."""
    event = bash(PUSH)
    with hook(hub, event, env=UNATTENDED) as (run, before):
        hub.stop()
        run.leave()
        assert run.reply is None
    assert not stopped.is_left(hub.paths)
    hub.start()
    again = Hook(hub, event, request_id=run.request_id, env=UNATTENDED)
    (after,) = waiting(hub)
    assert after["id"] == before["id"]
    again.leave()


def test_stop_order_needs_the_person(hub: HubProcess) -> None:
    """Over the loopback port, with the token that agents' hooks carry, the hub cannot be stopped."""
    token = (hub.paths.keys / "post.token").read_text()
    status, _ = hub.tcp("POST", "/api/stop", headers={"Authorization": f"Bearer {token}", **hub.own_page()})
    assert status in (401, 403)
    assert hub.api("GET", "/healthz")[0] == 200
    assert not stopped.is_left(hub.paths)


def test_mark_that_cannot_be_written_keeps_the_hub_up(hub: HubProcess) -> None:
    """Without it the next hook would start the hub again, so the person is told instead."""
    hub.paths.stopped_mark.mkdir()
    status, body = hub.api("POST", "/api/stop")
    assert (status, body["error"]["code"]) == (507, "no-mark")
    assert hub.api("GET", "/healthz")[0] == 200
    hub.paths.stopped_mark.rmdir()


def test_wait_beyond_the_clients_timeout_is_said(start_hub: Callable[..., HubProcess]) -> None:
    """Ten minutes is the most a hook may take: who writes more is told, in status too, and nothing else is lost."""
    hub = start_hub(config='stance = "strict"\n[asks]\nwait = "2h"\n[project."/p"]\nasks = { wait = "11m" }\n')
    status = hub.api("GET", "/api/status")[1]
    assert status["config_trouble"] is None
    assert status["stance"] == "strict"
    assert "[asks] wait is 2:00:00" in status["config_note"]
    assert '[project."/p"] asks wait is 0:11:00' in status["config_note"]
    assert "0:10:00 at most" in status["config_note"]
    hub.paths.config.write_text('version = 1\n[hub]\nport = 0\n[asks]\nwait = "10m"\n')
    until(lambda: hub.api("GET", "/api/status")[1]["config_note"] is None, "the new settings")
