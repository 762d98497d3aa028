"""The stream that a page follows."""

import http.client
import json
import socket
import time

from tests.component.hub.ask_client import asks, hook, permission
from tests.component.hub_process import DEADLINE, HubProcess, UnixConnection, until


def test_stream_beats_for_those_who_must_know_that_it_lives(hub: HubProcess) -> None:
    """Once at its beginning and whenever nothing happens, with the hub's time."""
    connection = http.client.HTTPConnection("desk", timeout=DEADLINE)
    connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.sock.settimeout(DEADLINE)
    connection.sock.connect(str(hub.paths.desk_socket))
    connection.request("GET", "/api/stream?beat=1")
    beats: list[int] = []
    with connection.getresponse() as response:
        lines = iter(response)
        while len(beats) < 2:
            if next(lines) == b"event: beat\n":
                beats.append(json.loads(next(lines).removeprefix(b"data: "))["at"])
    connection.close()
    assert abs(beats[-1] - time.time() * 1000) < 5_000
    assert beats[0] < beats[1]


def test_stream_tells_who_comes_back_of_every_ask_that_ended_meanwhile(hub: HubProcess) -> None:
    """Also where one record ended several of them."""
    with hook(hub, permission("npm run one")), hook(hub, permission("npm run two")):
        since = hub.api("GET", "/api/snapshot")[1]["seq"]
        names = {ask["id"] for ask in asks(hub)}
        hub.send({"session_id": "s1", "hook_event_name": "SessionEnd", "reason": "other", "cwd": "/p"})
        until(lambda: len(asks(hub, "closed")) == len(names), "the end of both")
        ended: set[str] = set()
        connection = UnixConnection(str(hub.paths.desk_socket))
        connection.request("GET", f"/api/stream?rows=1&since={since}")
        with connection.getresponse() as response:
            for line in response:
                if line.startswith(b"data: "):
                    output = json.loads(line.removeprefix(b"data: ")).get("asks", ())
                    ended |= {ask["id"] for ask in output if ask["state"] == "closed"}
                if ended == names:
                    break
        connection.close()
    assert len(names) == 2
