"""Connections to a server that hangs."""

import socket
from types import SimpleNamespace
from typing import Any, cast

import pytest

from assent.journal.postgres.link import Watchdog
from tests.component.hub_process import until
from tests.waiting import HANG


def pair() -> tuple[socket.socket, Any]:
    ours, theirs = socket.socketpair()
    ours.settimeout(HANG)
    return theirs, cast("Any", SimpleNamespace(fileno=ours.fileno, recv=ours.recv, close=ours.close))


def test_connection_that_takes_too_long_is_cut() -> None:
    """Who waits for it wakes up."""
    theirs, connection = pair()
    with Watchdog().limit(connection, 0.2):
        assert connection.recv(1) == b""
    theirs.close()
    connection.close()


@pytest.mark.parametrize("seconds", [30, float("inf")])
def test_connection_in_time_is_left_alone_and_thread_sleeps(seconds: float) -> None:
    """The connection works on and the thread sleeps again; a listener, which waits for ever, does not keep it awake."""
    watchdog = Watchdog()
    theirs, connection = pair()
    with watchdog.limit(connection, seconds):
        theirs.sendall(b"x")
        assert connection.recv(1) == b"x"
        is_awake = watchdog._wake.is_set()
    assert is_awake == (seconds == 30)
    until(lambda: not watchdog._wake.is_set(), "sleep")
    theirs.close()
    connection.close()
