"""A real client that goes away before it is answered."""

import json
import socket
from typing import Any

import pytest

from tests.component.hub_process import DEADLINE, HubProcess, bash, until


def told(hub: HubProcess) -> list[dict[str, Any]] | None:
    status, answer = hub.api("GET", "/api/log?limit=100")
    assert status == 200
    return [record for record in answer["records"] if record["kind"] == "told"] or None


@pytest.mark.parametrize("command", ["git push origin", "make build"])
def test_client_that_is_gone_was_not_told(hub: HubProcess, command: str) -> None:
    """Denied or allowed: a closed connection got no answer, and the call's row says so."""
    line = json.dumps({"request_id": "ab" * 8, "ts": 1, "session_id": "s1", "hook_event_name": "PreToolUse"})
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(DEADLINE)
        client.connect(str(hub.paths.hook_socket))
        client.sendall(f'{line[:-1]},"payload":{json.dumps(bash(command))}}}\n'.encode())
    (record,) = until(lambda: told(hub), "the record of an answer that was not delivered")
    assert record["line"].startswith("not delivered: ")
    assert (record["body"]["delivered"], record["body"]["tool"]) == (False, "Bash")
    _, feed = hub.api("GET", "/api/feed")
    (row,) = [row for row in feed["rows"] if row["id"] == record["call"]]
    assert row["note"].startswith("not delivered: ")


def test_client_that_waited_was_told(hub: HubProcess) -> None:
    """Nothing is noted about answers that were heard, however the connection ends."""
    hub.send(bash("git push origin"))
    hub.send(bash("make build"))
    until(lambda: hub.api("GET", "/api/status")[1]["events"] == 2, "both events")
    assert told(hub) is None
