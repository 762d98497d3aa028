"""A real hub with Slack connected: from the tokens to the agent that is told."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import WAITING, hook, one, permission
from tests.component.hub_process import HubProcess, until
from tests.services.slack import APP_TOKEN, BOT_TOKEN, Slack

ADA, EVE = "U0ADA", "U0EVE"
PATH = "/api/connect/slack"


@pytest.fixture
def service() -> Iterator[Slack]:
    with Slack(ADA, EVE) as running:
        yield running


@pytest.fixture
def hub(service: Slack, tmp_path: Path) -> Iterator[HubProcess]:
    made = HubProcess(tmp_path, config='[presence]\nladder = ["page@0s", "slack@0s"]\n')
    made.start(sys.executable, "-m", "tests.e2e.lab.connected_hub", json.dumps({"slack": service.address}))
    yield made
    made.stop()


def connect(hub: HubProcess, service: Slack) -> None:
    secrets = {"app_token": APP_TOKEN, "bot_token": BOT_TOKEN}
    status, done = hub.api("PUT", PATH, json.dumps({"secrets": secrets}).encode())
    assert (status, done["said"], done["state"]) == (200, "This is @assent in Acme.", "waiting")
    code = re.search(r"Send (\d{6}) to @assent", done["todo"])
    assert code is not None
    until(lambda: service.connections, "that the hub listens")
    service.say(ADA, code[1])
    until(lambda: hub.api("GET", PATH)[1]["state"] == "connected", "a connected user")


def noted(hub: HubProcess) -> list[Any]:
    records = hub.api("GET", "/api/log?limit=500")[1]["records"]
    return [record["body"].get("what", "") for record in records if record["kind"] == "hub"]


def test_an_ask_is_answered_from_slack_and_the_agent_is_told(hub: HubProcess, service: Slack) -> None:
    """Connected by a code, asked, a stranger refused, denied with words and allowed in two steps; no secret leaks."""
    guide = hub.api("GET", PATH)[1]["guide"]
    assert "socket_mode_enabled: true" in guide
    connect(hub, service)
    assert 'users = ["U0ADA"]' in hub.paths.config.read_text()
    with hook(hub, permission("git push origin main")) as (run, ask):
        card = until(lambda: service.cards(ADA), "the card")[-1]
        assert "git push origin main" in card.text
        until(lambda: service.connections, "that the hub listens")
        service.press(EVE, card, "Deny")
        until(lambda: [what for what in noted(hub) if "pressed a button" in what], "the stranger on record")
        assert one(hub, ask["id"])["state"] in WAITING
        service.press(ADA, card, "Deny and tell…")
        window = until(lambda: service.views, "the window")[-1]
        service.send(ADA, window, tell="open a pull request")
        assert run.decision["behavior"] == "deny"
        assert "open a pull request" in run.decision["message"]
        until(lambda: not card.buttons and "Denied on Slack" in card.text, "how it ended")
    with hook(hub, permission("npm install left-pad")) as (run, ask):
        card = until(lambda: [each for each in service.cards(ADA) if ask["id"] in each.text], "the card")[0]
        assert ask["risk"]["level"] == "care"
        service.press(ADA, card, "Allow…")
        window = until(lambda: service.views[1:], "the second step")[-1]
        service.send(ADA, window)
        assert run.decision["behavior"] == "allow"
    written = json.dumps(hub.api("GET", "/api/log?limit=500")[1]) + hub.log()
    assert not any(secret in written for secret in (APP_TOKEN, BOT_TOKEN, "ticket-"))
