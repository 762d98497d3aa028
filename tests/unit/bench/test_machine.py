"""A measurement that takes too long."""

import signal

import pytest

from bench import machine


def test_what_takes_too_long_is_cut_off() -> None:
    """Even where it waits, and where it catches every Exception."""
    with pytest.raises(machine.TooLongError, match=r"more than 0\.05 s"), machine.at_most(0.05):
        _catches_all()


def test_what_ends_in_time_is_left_alone() -> None:
    """Nothing comes later either."""
    with machine.at_most(60):
        found = 1
    assert found == 1


def _catches_all() -> None:
    try:
        signal.pause()
    except Exception:
        pytest.fail("it could be caught")
