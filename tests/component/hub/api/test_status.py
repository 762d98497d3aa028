"""The first minutes of a user on the page."""

import json
from typing import Any

from tests.component.hub_process import HubProcess, bash, until


def _ask(hub: HubProcess) -> dict[str, Any] | None:
    asks = hub.api("GET", "/api/snapshot")[1]["asks"]
    return asks[0] if asks else None


def _steps(hub: HubProcess) -> dict[str, Any]:
    steps: dict[str, Any] = hub.api("GET", "/api/setup")[1]
    return steps


def _states(hub: HubProcess) -> list[str | None]:
    return [session.get("state") for session in hub.api("GET", "/api/sessions")[1]["sessions"]]


def test_test_ask_can_be_answered_like_any_other(hub: HubProcess) -> None:
    """It waits, is told, is done, and leaves no session behind that seems to be at work."""
    assert hub.api("POST", "/api/asks/test", b"{}")[0] == 202
    ask = until(lambda: _ask(hub), "the test ask")
    answer = {"rev": ask["rev"], "hash": ask["hash"], "choice": "allow"}
    assert hub.api("POST", f"/api/asks/{ask['id']}/answer", json.dumps(answer).encode())[0] == 202
    until(lambda: (_ask(hub) or {}).get("result", {}).get("ending") == "ran", "the end of it")
    until(lambda: _states(hub) == ["ended"], "the session's end")


def test_test_asks_do_not_pile_up(hub: HubProcess) -> None:
    """Three are enough to see how it works."""
    assert [hub.api("POST", "/api/asks/test", b"{}")[0] for _ in range(4)] == [202, 202, 202, 429]


def test_page_can_tell_that_no_hooks_are_written(hub: HubProcess) -> None:
    """Silence has two reasons, and a person needs to know which."""
    assert _steps(hub) == {"installed": [], "event_seen": False, "second_screen": False, "program": "claude"}


def test_test_ask_is_no_first_event(hub: HubProcess) -> None:
    """Only an agent's own event shows that the hooks work."""
    hub.api("POST", "/api/asks/test", b"{}")
    until(lambda: _ask(hub), "the test ask")
    assert _steps(hub)["event_seen"] is False
    hub.send(bash("ls"))
    until(lambda: _steps(hub)["event_seen"], "the agent's own event")
