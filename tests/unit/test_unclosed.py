"""Connections that libraries lose: one is named, every other warning stays an error."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests import unclosed

TRANSPORT = ResourceWarning("unclosed transport <_SelectorSocketTransport fd=24>")
SOCKET = ResourceWarning("unclosed <socket.socket fd=24, family=2, raddr=('127.0.0.1', 45511)>")


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What reaches pytest's own hook."""
    seen: list[BaseException] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: seen.append(unraisable.exc_value))
    return seen


def told(*errors: BaseException) -> list[str]:
    config: Any = SimpleNamespace(stash=pytest.Stash())
    unclosed.watch(config)
    for error in errors:
        report: Any = SimpleNamespace(exc_value=error)
        sys.unraisablehook(report)
    return unclosed.summary(config)


def test_one_connection_is_named(reported: list[BaseException]) -> None:
    assert told(TRANSPORT, SOCKET) == [str(TRANSPORT), str(SOCKET)]
    assert reported == []


def test_second_connection_is_an_error(reported: list[BaseException]) -> None:
    told(TRANSPORT, SOCKET, TRANSPORT)
    assert reported == [TRANSPORT]


@pytest.mark.parametrize(
    "error",
    [
        ResourceWarning("unclosed file <_io.TextIOWrapper name='a'>"),
        ResourceWarning("unclosed <socket.socket fd=24, family=2, laddr=('127.0.0.1', 1)>"),
        ResourceWarning("unclosed database in <sqlite3.Connection object>"),
        RuntimeError("unclosed transport <_SelectorSocketTransport fd=24>"),
    ],
)
def test_everything_else_is_an_error(reported: list[BaseException], error: BaseException) -> None:
    told(error)
    assert reported == [error]
