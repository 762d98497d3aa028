"""Connections that a library loses when a task is cancelled while it connects.

The interpreter reports such a connection when it collects it, in some later test. One for each process is named at the
end of the run; from the second on it is an error, like every other warning."""

import re
import sys
from typing import Any

import pytest

_CONNECTION = re.compile(r"unclosed (?:transport <_SelectorSocketTransport|<socket\.socket .*raddr=)")
# Its transport and its socket are reported one by one.
_REPORTS = 2
_LOST = pytest.StashKey[list[str]]()
_NAMED = "unclosed"


def watch(config: pytest.Config) -> None:
    """Call it after pytest has set its own hook."""
    lost = config.stash[_LOST] = []
    report = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if is_lost_connection(unraisable.exc_value) and len(lost) < _REPORTS:
            lost.append(str(unraisable.exc_value))
        else:
            report(unraisable)

    sys.unraisablehook = hook


def is_lost_connection(error: BaseException | None) -> bool:
    return isinstance(error, ResourceWarning) and _CONNECTION.match(str(error)) is not None


def hand_over(config: pytest.Config) -> None:
    """A process of a distributed run tells the one that prints."""
    if hasattr(config, "workeroutput"):
        config.workeroutput[_NAMED] = config.stash[_LOST]


def taken(config: pytest.Config, node: Any) -> None:
    config.stash[_LOST] += getattr(node, "workeroutput", {}).get(_NAMED, [])


def summary(config: pytest.Config) -> list[str]:
    return config.stash[_LOST]
