"""The network of the tests: hosts that reach one another, and no faster than they should."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests import network
from tests.network import Network
from tests.waiting import HANG

ECHO = """
import socket, sys
with socket.create_server((sys.argv[1], 7007)) as server:
    print("ready", flush=True)
    while True:
        connection, _ = server.accept()
        with connection:
            while text := connection.recv(65536):
                connection.sendall(text)
"""
CALL = """
import socket, sys, time
with socket.create_connection((sys.argv[1], 7007)) as connection:
    began = time.monotonic()
    connection.sendall(b"x" * int(sys.argv[2]))
    got = 0
    while got < int(sys.argv[2]):
        got += len(connection.recv(65536))
    print(time.monotonic() - began)
"""


@pytest.fixture(scope="module")
def slow() -> Iterator[Network]:
    network.needed()
    with network.network(["a", "b"], delay=0.02, loss=0.05) as made:
        yield made


def called(hosts: Network, size: int) -> float:
    server = subprocess.Popen(
        hosts["b"].command(sys.executable, "-c", ECHO, hosts["b"].address), stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        assert server.stdout.readline() == "ready\n"
        call = hosts["a"].command(sys.executable, "-c", CALL, hosts["b"].address, str(size))
        return float(subprocess.run(call, check=True, capture_output=True, text=True, timeout=HANG).stdout)
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def test_frames_take_their_time(slow: Network) -> None:
    """There and back is twice the delay at least."""
    assert called(slow, 1) >= 0.04


def test_what_is_lost_is_sent_again(slow: Network) -> None:
    """TCP over cables that lose every twentieth frame brings all of it."""
    assert called(slow, 200_000) > 0


def test_pulled_cable_carries_nothing(slow: Network) -> None:
    """And works again when it is back."""
    slow.pull("a")
    call = slow["a"].command(sys.executable, "-c", CALL, slow["b"].address, "1")
    assert "unreachable" in subprocess.run(call, capture_output=True, text=True, timeout=HANG).stderr
    slow.plug("a")
    assert called(slow, 1) >= 0.04
