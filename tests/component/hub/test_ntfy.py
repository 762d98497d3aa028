"""A real hub with ntfy and a webhook connected: from the secrets to the agent that is told."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub.ask_client import hook, permission
from tests.component.hub_process import HubProcess, until
from tests.services.ntfy import TOKEN, Server
from tests.services.receiver import Receiver

TOPIC = "agents-Zk4mQ9xT2p"
SECRET = "a secret for tests and nothing else"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(is_closed=True) as running:
        yield running


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as running:
        yield running


@pytest.fixture
def hub(server: Server, tmp_path: Path) -> Iterator[HubProcess]:
    made = HubProcess(tmp_path, config='[presence]\nladder = ["page@0s", "ntfy@0s", "webhook@0s"]\n')
    made.start(sys.executable, "-m", "tests.e2e.lab.connected_hub", json.dumps({"ntfy": server.address}))
    yield made
    made.stop()


def connect(hub: HubProcess, name: str, secrets: dict[str, str], **settings: Any) -> dict[str, Any]:
    body = json.dumps({"secrets": secrets, "settings": settings}).encode()
    status, done = hub.api("PUT", f"/api/connect/{name}", body)
    assert (status, done.get("state")) == (200, "connected"), done
    return dict(done)


def test_an_ask_is_answered_from_a_notification_and_the_agent_is_told(
    hub: HubProcess, server: Server, receiver: Receiver
) -> None:
    """Allowed by a press that comes back through the server; the message says how it ended; no secret leaks."""
    said = connect(hub, "ntfy", {"topic": TOPIC, "login": TOKEN}, server="https://ntfy.example.org", own=True)["said"]
    assert said == "This server is your own."
    connect(hub, "webhook", {"url": receiver.address, "secret": SECRET}, allow_private=True)
    until(lambda: server.streams, "that the hub listens")
    with hook(hub, permission("touch notes.txt")) as (run, ask):
        card = until(lambda: server.shown(TOPIC), "the card")[-1]
        assert ask["risk"]["level"] in ("look", "change")
        assert "│ touch notes.txt" in card["message"]
        assert server.press(card, "Allow once") == 200
        assert run.decision["behavior"] == "allow"
        until(lambda: "Allowed on ntfy" in server.shown(TOPIC)[-1]["title"], "how it ended")
        assert "actions" not in server.shown(TOPIC)[-1]
    with hook(hub, permission("git push --force origin main")) as (run, ask):
        card = until(lambda: [one for one in server.shown(TOPIC) if ask["id"] in one["message"]], "the card")[-1]
        assert [one["label"] for one in card["actions"]] == ["Deny"]
        assert server.press(card, "Deny") == 200
        assert run.decision["behavior"] == "deny"
    until(lambda: len(receiver.posts) >= 5, "what the webhook is told")
    events = [json.loads(body)["event"] for _, body in receiver.posts]
    assert sorted(events) == ["asked", "asked", "hello", "over", "over"]
    written = json.dumps(hub.api("GET", "/api/log?limit=500")[1]) + hub.log() + hub.paths.config.read_text()
    assert not [secret for secret in (TOPIC, TOKEN, SECRET, receiver.address) if secret in written]
