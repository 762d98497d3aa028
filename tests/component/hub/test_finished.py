"""A real hub that tells of a turn that ended, in a chat that takes the next instruction."""

import json
import sys
from pathlib import Path
from typing import Any

from tests.component.hub_process import HubProcess, until
from tests.services.telegram import TOKEN, Telegram

ADA = 12345678
CONFIG = f"""
[asks]
hold_stops = "never"
[presence]
ladder = ["telegram@0s"]
[surface.telegram]
users = [{ADA}]
"""


def event(name: str, **fields: Any) -> dict[str, Any]:
    return {"session_id": "s1", "cwd": "/src/webshop", "hook_event_name": name, **fields}


def pushes(hub: HubProcess) -> list[str]:
    return [one["line"] for one in hub.api("GET", "/api/log?limit=500")[1]["records"] if one["kind"] == "push"]


def test_a_finished_turn_is_told_once_its_background_work_is_done_and_takes_a_reply(tmp_path: Path) -> None:
    """What is replied waits for the session's next stop."""
    with Telegram(ADA) as service:
        hub = HubProcess(tmp_path, config=CONFIG)
        hub.start(sys.executable, "-m", "tests.e2e.lab.connected_hub", json.dumps({"telegram": service.address}))
        try:
            secrets = {"secrets": {"token": TOKEN}}
            assert hub.api("PUT", "/api/connect/telegram", json.dumps(secrets).encode())[0] == 200
            hub.api("PUT", "/api/presence", b'{"away": true}')
            hub.send(event("UserPromptSubmit", prompt="build it"))
            hub.send(event("Stop", last_assistant_message="It builds.", background_tasks=[{"id": "b1"}]))
            hub.send(event("SubagentStop", agent_id="a1", agent_type="Explore", last_assistant_message="Found it."))
            hub.send(event("UserPromptSubmit", prompt="<task-notification>built</task-notification>"))
            hub.send(event("Stop", last_assistant_message="All is built."))
            told = until(lambda: service.in_chat(ADA), "the message")
            service.say(ADA, "now the docs", reply_to=told[-1])
            until(lambda: hub.api("GET", "/api/snapshot")[1]["queues"].get("s1"), "the instruction")
            [item] = hub.api("GET", "/api/snapshot")[1]["queues"]["s1"]
            assert item["text"] == "now the docs"
            [first, *_] = service.in_chat(ADA)
            assert "All is built." in first.text
            # Sent before it is on record.
            assert until(lambda: pushes(hub), "its record") == ["sent to telegram about the finished turn"]
        finally:
            hub.stop()
