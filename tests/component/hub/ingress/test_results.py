"""Answered at the terminal without telemetry: the result in the transcript tells it."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.component.hub_process import HubProcess, bash, until

USE = "toolu_0001"


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    file = tmp_path / "s1.jsonl"
    file.write_text('{"type":"mode","mode":"normal"}\n')
    return file


def asked(hub: HubProcess, transcript: Path) -> threading.Thread:
    """A dialog is open at the terminal, and the same ask here; what waits for its answer."""
    fields: dict[str, Any] = {"session_id": "s1", "transcript_path": str(transcript)}
    hub.send(bash("touch one.txt", **fields, tool_use_id=USE))
    request = bash("touch one.txt", **fields) | {"hook_event_name": "PermissionRequest"}
    request.pop("tool_use_id", None)
    waiting = threading.Thread(target=hub.send, args=(request,), daemon=True)
    waiting.start()
    until(lambda: ask(hub).get("state") == "open", "the ask")
    return waiting


def ask(hub: HubProcess) -> dict[str, Any]:
    asks = hub.api("GET", "/api/snapshot")[1]["asks"]
    return dict(asks[0]) if asks else {}


def write(transcript: Path, *, session: str = "s1", use: str = USE, **decision: str) -> None:
    line = {
        "type": "user",
        "sessionId": session,
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use, "content": "ok"}]},
        "permissionDecision": decision,
    }
    with transcript.open("a") as file:
        file.write(json.dumps(line) + "\n")


@pytest.mark.parametrize(
    ("decision", "source", "why"),
    [
        ("accept", "user_temporary", "allowed at the terminal"),
        ("reject", "user_reject", "denied at the terminal"),
    ],
)
def test_result_closes_the_ask(hub: HubProcess, transcript: Path, decision: str, source: str, why: str) -> None:
    """No other event comes, and the agent is let go in silence."""
    waiting = asked(hub, transcript)
    write(transcript, decision=decision, source=source)
    until(lambda: ask(hub)["state"] == "closed", "the end of the ask")
    result = ask(hub)["result"]
    assert (result["ending"], result["certainty"], result["why"]) == ("terminal", "reported", why)
    waiting.join()


def test_results_of_others_close_nothing(hub: HubProcess, transcript: Path) -> None:
    """Another call, another session, a decision of no person, a line that is none: then the one that counts."""
    waiting = asked(hub, transcript)
    write(transcript, use="toolu_0002", decision="accept", source="user_temporary")
    write(transcript, session="s2", decision="accept", source="user_temporary")
    write(transcript, decision="accept", source="hook")
    with transcript.open("a") as file:
        file.write('{"permissionDecision": 7}\n{"permissionDecision"\n')
    write(transcript, decision="reject", source="user_reject")
    until(lambda: ask(hub)["state"] == "closed", "the end of the ask")
    assert ask(hub)["result"]["why"] == "denied at the terminal"
    waiting.join()
