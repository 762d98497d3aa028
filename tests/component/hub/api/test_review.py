"""The statistics of a real hub: what happened, counted by whom it was decided, and the same after a restart."""

import stat
from typing import Any
from urllib.parse import quote

import pytest

from tests.component.hub.conftest import RULES, StartHub
from tests.component.hub_process import UNATTENDED, HubProcess, bash, until


def told(hub: HubProcess, query: str = "") -> dict[str, Any]:
    status, answer = hub.api("GET", f"/api/stats{query}")
    assert status == 200
    found: dict[str, Any] = answer
    return found


def totals(hub: HubProcess, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = told(hub, query)["report"]["totals"]
    return found


def play(hub: HubProcess) -> None:
    """A denied call, an allowed one, one that is allowed at the terminal."""
    hub.send(bash("git push origin"))
    hub.send(bash("make build", tool_use_id="t1"))
    hub.send({**bash("make build", tool_use_id="t1", duration_ms=40), "hook_event_name": "PostToolUse"})
    publish = bash("npm publish .", tool_use_id="t2")
    hub.send(publish)
    hub.send({**publish, "hook_event_name": "PermissionRequest", "tool_use_id": None}, env=UNATTENDED)
    hub.send({**publish, "hook_event_name": "PostToolUse", "duration_ms": 900})


def test_statistics_say_who_decided(hub: HubProcess) -> None:
    """Two calls by rule, one at the terminal after one ask."""
    play(hub)
    found = until(lambda: _with_calls(hub, 3), "three counted calls")
    assert (found["deciders"], found["asks"]) == ({"rule": 2, "terminal": 1}, 1)
    assert (found["unasked"], found["endings"]) == (1, {"terminal_allowed": 1})
    report = told(hub)["report"]
    assert [(tool["name"], tool["count"]) for tool in report["tools"]] == [("Bash", 3)]
    assert (report["cost_usd"], report["tokens"]) == (None, None)
    assert told(hub)["complete"]


def test_statistics_survive_a_restart(start_hub: StartHub) -> None:
    """They are kept in a private file beside the journal, and go on."""
    hub = start_hub(rules=RULES)
    play(hub)
    before = until(lambda: _with_calls(hub, 3), "three counted calls")
    hub.stop()
    assert stat.S_IMODE(hub.paths.statistics.stat().st_mode) == 0o600
    hub.start()
    assert totals(hub) == before
    play(hub)
    assert until(lambda: _with_calls(hub, 6), "six counted calls")["asks"] == 2


def test_statistics_are_told_by_days_and_project(hub: HubProcess) -> None:
    """The words of a filter mean the same here."""
    play(hub)
    until(lambda: _with_calls(hub, 3), "three counted calls")
    assert totals(hub, "?project=p")["calls"] == 3
    assert totals(hub, "?project=elsewhere")["calls"] == 0
    assert totals(hub, "?until=2020-01-31&since=2020-01-01")["events"] == 0
    report = told(hub, "?since=today")["report"]
    assert (len(report["days"]), report["since"]) == (1, report["until"])


@pytest.mark.parametrize("moment", ["soon", "7d -tool:Bash", "7d,8d", '"', "\x00"])
def test_moment_that_is_none_is_refused(hub: HubProcess, moment: str) -> None:
    """A clear message, and nothing else is read out of it."""
    status, answer = hub.api("GET", f"/api/stats?since={quote(moment)}")
    assert (status, answer["error"]["code"]) == (400, "bad-moment")


def _with_calls(hub: HubProcess, calls: int) -> dict[str, Any] | None:
    found = totals(hub)
    return found if found["calls"] == calls and sum(found["deciders"].values()) == calls else None
