"""The feed of a real hub: events in, rows out, the same after a restart."""

import http.client
import json
import socket
from collections.abc import Callable
from typing import Any

from tests.component.hub.conftest import StartHub
from tests.component.hub_process import DEADLINE, UNATTENDED, HubProcess, bash, until

Rows = list[dict[str, Any]]


def rows(hub: HubProcess, query: str = "") -> Rows:
    status, answer = hub.api("GET", f"/api/feed{query}")
    assert status == 200
    found: Rows = answer["rows"]
    return found


def of_kind(hub: HubProcess, kind: str) -> Rows:
    return [row for row in rows(hub) if row["kind"] == kind]


def _when(found: Rows, newest_is: Callable[[dict[str, Any]], bool]) -> Rows | None:
    return found if found and newest_is(found[0]) else None


def play(hub: HubProcess) -> None:
    """A turn with a denied call, a prompted one, two equal ones of which one fails, and something unknown."""
    hub.send({"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "ship it", "cwd": "/p"})
    hub.send(bash("git push origin"))
    published = bash("npm publish .", tool_use_id="t0")
    hub.send(published)
    hub.send({**published, "hook_event_name": "PermissionRequest", "tool_use_id": None}, env=UNATTENDED)
    for use in ("t1", "t2"):
        hub.send(bash("make test", tool_use_id=use))
    result = bash("make test", tool_use_id="t2", duration_ms=12)
    hub.send({**result, "hook_event_name": "PostToolUse", "tool_response": {}})
    hub.send({**result, "hook_event_name": "PostToolUseFailure", "tool_use_id": "t1", "error": "exit 2"})
    hub.send({"session_id": "s1", "hook_event_name": "FutureThing"})


def test_events_become_rows(hub: HubProcess) -> None:
    """Each call is one row with its state, and denials name their rule."""
    play(hub)
    until(lambda: of_kind(hub, "unknown"), "the last event's row")
    calls = [(row["what"], row["state"], row.get("took_ms")) for row in of_kind(hub, "call")]
    assert calls == [
        ("make test", "done", 12),
        ("make test", "failed", 12),
        ("npm publish .", "prompted", None),
        ("git push origin", "denied", None),
    ]
    denied = of_kind(hub, "call")[-1]["said"]
    assert (denied["decision"], denied["why"]) == ("deny", "Pushes are reviewed.")
    assert [(row["what"], row["state"]) for row in of_kind(hub, "turn")] == [("ship it", "running")]


def test_feed_is_the_same_after_a_restart(start_hub: StartHub) -> None:
    """What is folded as it happens is what is folded from the journal, and open calls get their result later."""
    hub = start_hub()
    play(hub)
    hub.send(bash("sleep 1", tool_use_id="long"))
    before = until(lambda: _when(rows(hub), lambda row: row["what"] == "sleep 1" and "said" in row), "the last row")
    hub.stop()
    hub.start()
    after = until(lambda: _when(rows(hub), lambda row: row["what"].startswith("started")), "the new life")
    assert [row for row in after if row["seq"] <= before[0]["rev"]] == before
    hub.send({**bash("sleep 1", tool_use_id="long"), "hook_event_name": "PostToolUse", "duration_ms": 5})
    until(lambda: next(row for row in rows(hub) if row["id"] == before[0]["id"])["state"] == "done", "the result")


def test_feed_is_read_page_by_page(hub: HubProcess) -> None:
    """`before` goes on where the last page ended."""
    play(hub)
    until(lambda: of_kind(hub, "unknown"), "the last event's row")
    whole = rows(hub)
    first = rows(hub, "?limit=2")
    assert first + rows(hub, f"?before={first[-1]['seq']}") == whole
    assert hub.api("GET", "/api/feed?limit=x")[0] == 400


def test_feed_needs_a_cookie_on_the_port(hub: HubProcess) -> None:
    """Other users of this machine do not read the feed."""
    assert hub.tcp("GET", "/api/feed")[0] == 401


def test_stream_tells_changed_rows(hub: HubProcess) -> None:
    """A screen that has the feed and follows the stream ends with the feed."""
    hub.send(bash("make test", tool_use_id="t1"))
    until(lambda: of_kind(hub, "call"), "the call's row")
    snapshot = hub.api("GET", "/api/feed")[1]
    shown = {row["id"]: row for row in snapshot["rows"]}
    play(hub)
    (last,) = until(lambda: of_kind(hub, "unknown"), "the last event's row")
    connection = http.client.HTTPConnection("desk", timeout=DEADLINE)
    connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.sock.settimeout(DEADLINE)
    connection.sock.connect(str(hub.paths.desk_socket))
    connection.request("GET", f"/api/stream?rows=1&since={snapshot['seq']}")
    hub.send(bash("git push", tool_use_id="t9"))
    with connection.getresponse() as response:
        for line in response:
            if line.startswith(b"data:"):
                shown |= {row["id"]: row for row in json.loads(line[5:]).get("rows", ())}
                if any(
                    row["state"] == "denied" and row["seq"] > last["seq"] for row in shown.values() if "state" in row
                ):
                    break
    connection.close()
    assert shown == {row["id"]: row for row in rows(hub)}
