"""The proxy's connection to a real hub: answers, asks, and what counts where no hub is."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.acp.hub_link import HubLink
from assent.paths import find
from assent.shim import place, stopped
from tests.component.hub.ask_client import answer, asks, one
from tests.component.hub_process import HubProcess, running_hub
from tests.waiting import seen

PERMISSION = "session/request_permission"
RULES = '[[rule]]\nmatch = "Bash(git push *)"\ndecision = "deny"\nreason = "Pushes are reviewed."\n'
pytestmark = pytest.mark.anyio


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    with running_hub(tmp_path, rules=RULES) as running:
        yield running


def link_to(hub: HubProcess, unreachable: Any = "deny_in_bypass") -> HubLink:
    return HubLink(hub.paths, unreachable, lambda _: None, "acp:toy")


def call(command: str, **more: Any) -> dict[str, Any]:
    made = {"toolCallId": "1", "kind": "execute", "rawInput": {"command": command}}
    return {"session_id": "toy", "cwd": "/p", "project": "/p", "agent": "toy", "tool_call": made, **more}


async def test_look_is_allowed_and_a_rule_refuses(hub: HubProcess) -> None:
    link = link_to(hub)
    assert await link.ask(PERMISSION, call("ls")) == {"outcome": "allow"}
    assert await link.ask(PERMISSION, call("git push origin")) == {"outcome": "deny", "reason": "Pushes are reviewed."}


async def test_reported_call_is_recorded_without_a_refusal(hub: HubProcess) -> None:
    """It ran: the record says that it was seen, and what was thought of it."""
    assert await link_to(hub).ask("tool_call", call("git push origin")) is None

    def decisions() -> list[Any]:
        return [each for each in hub.api("GET", "/api/log?limit=100")[1]["records"] if each["kind"] == "decision"]

    (decision,) = await seen(decisions, "a decision")
    assert decision["decision"] == "no_opinion"
    assert decision["body"]["harness"] == "acp:toy"


async def test_person_is_asked_and_answers(hub: HubProcess) -> None:
    """The caller hears before that it will be kept waiting."""
    held: list[bool] = []
    asked = asyncio.ensure_future(link_to(hub).ask(PERMISSION, call("touch a"), lambda: held.append(True)))
    (ask,) = await seen(lambda: asks(hub), "an ask")
    assert held == [True]
    assert ask["subject"]["harness"] == "acp:toy"
    await asyncio.to_thread(answer, hub, ask, "allow")
    assert await asked == {"outcome": "allow"}


async def test_caller_that_goes_takes_its_ask_back(hub: HubProcess) -> None:
    asked = asyncio.ensure_future(link_to(hub).ask(PERMISSION, call("touch a")))
    (ask,) = await seen(lambda: asks(hub), "an ask")
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    await seen(lambda: one(hub, ask["id"])["state"] == "closed", "the ask is closed")


@pytest.mark.parametrize(
    ("unreachable", "event", "mode", "outcome"),
    [
        ("deny_in_bypass", PERMISSION, "default", None),
        ("deny_in_bypass", PERMISSION, "bypass", None),
        ("deny", PERMISSION, "default", "deny"),
        ("deny_in_bypass", "fs/write_text_file", "default", None),
        ("deny_in_bypass", "fs/write_text_file", "bypass", "deny"),
        ("prompt_in_bypass", "terminal/create", "bypass", "ask"),
    ],
)
async def test_hub_that_cannot_start_counts_as_configured(
    tmp_path: Path, unreachable: Any, event: str, mode: str, outcome: str | None
) -> None:
    """Never as an allow; what went by unjudged is left for the next hub, and told once."""
    paths = find({"HOME": str(tmp_path), "ASSENT_HOME": str(tmp_path)})
    place.place(paths, unreachable=unreachable)
    (paths.shim / "start-hub").write_text("#!/bin/sh\nexit 1\n")
    complaints: list[str] = []
    link = HubLink(paths, unreachable, complaints.append)
    for _ in range(2):
        said = await link.ask(event, call("ls", permission_mode=mode))
        assert (said or {}).get("outcome") == outcome
    assert len(complaints) == 1
    assert (paths.spool / "gaps.ndjson").read_bytes().count(b"\n") == 2


async def test_hub_is_started_where_none_runs(tmp_path: Path) -> None:
    """And this process stays in its folder."""
    hub = HubProcess(tmp_path)
    place.place(hub.paths, unreachable="deny", environ=hub.environ)
    folder = Path.cwd()
    try:
        assert await link_to(hub).ask(PERMISSION, call("ls")) == {"outcome": "allow"}
        assert Path.cwd() == folder
    finally:
        if (holder := hub.holder()) is not None:
            os.kill(holder["pid"], 15)
            await asyncio.to_thread(os.waitpid, holder["pid"], 0)


async def test_hub_that_a_person_stopped_stays_down(tmp_path: Path) -> None:
    """The editor asks alone."""
    paths = find({"HOME": str(tmp_path), "ASSENT_HOME": str(tmp_path)})
    place.place(paths, unreachable="deny")
    stopped.leave(paths, stopped.arm(paths))
    assert await HubLink(paths, "deny", lambda _: None).ask(PERMISSION, call("ls")) is None
    assert not paths.lock.exists()
