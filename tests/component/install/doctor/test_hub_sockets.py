"""Can a shim reach the hub?"""

import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from assent.harnesses.site import Situation
from assent.install.doctor.hub import sockets as check
from tests.unit.install.doctor.situations import wrong


@pytest.fixture
def listening(healthy: Situation) -> Iterator[Situation]:
    path = healthy.paths.hook_socket
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        yield healthy


def test_listening_socket_is_fine(listening: Situation) -> None:
    """In a folder of this user alone."""
    assert wrong(check, listening) == []


def test_missing_socket_of_a_running_hub_is_a_problem(healthy: Situation) -> None:
    """It was removed."""
    assert wrong(check, healthy) == [("socket-dead", "problem")]


def test_socket_without_a_listener_is_a_problem(healthy: Situation) -> None:
    """The file alone is no hub."""
    path = healthy.paths.hook_socket
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
    assert wrong(check, healthy) == [("socket-dead", "problem")]


def test_open_folder_is_a_problem(listening: Situation) -> None:
    """Others could post events."""
    listening.paths.hook_socket.parent.chmod(0o755)
    assert wrong(check, listening) == [("socket-open", "problem")]


def test_without_a_hub_no_socket_is_expected(healthy: Situation) -> None:
    """Whether there should be a hub is another question."""
    assert list(check(replace(healthy, hub=None))) == []
