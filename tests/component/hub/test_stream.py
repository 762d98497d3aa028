"""The stream that a page follows."""

import http.client
import json
import socket
import time

from tests.component.hub_process import DEADLINE, HubProcess


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
