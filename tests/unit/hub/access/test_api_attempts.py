"""Guessing is stopped."""

from dataclasses import dataclass

import pytest

from assent.hub.access import api
from assent.hub.access.api import Attempts
from assent.webapi.endpoint import ProblemError


@dataclass
class Clock:
    now: float = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(api, "time", clock)
    return clock


def refusal(tried: Attempts, address: str) -> str | None:
    try:
        tried.must_be_free(address)
    except ProblemError as problem:
        return problem.code
    return None


def fail(tried: Attempts, address: str, times: int) -> None:
    for _ in range(times):
        tried.must_be_free(address)
        tried.wrong(address)


def test_wrong_codes_lock_an_address_out(clock: Clock) -> None:
    """After five mistakes the address waits a minute; others do not."""
    tried = Attempts()
    fail(tried, "a", api.WRONG_BEFORE_LOCK_OUT)
    assert refusal(tried, "a") == "locked-out"
    assert refusal(tried, "b") is None
    clock.now += api.FIRST_LOCK_OUT + 1
    assert refusal(tried, "a") is None


def test_lock_out_doubles_up_to_an_hour(clock: Clock) -> None:
    """Who goes on guessing waits longer each time, but never for good."""
    tried = Attempts()
    for round_ in range(9):
        fail(tried, "a", api.WRONG_BEFORE_LOCK_OUT)
        clock.now += min(api.FIRST_LOCK_OUT * 2**round_, api.LONGEST_LOCK_OUT) - 1
        assert refusal(tried, "a") == "locked-out"
        clock.now += 2
    assert refusal(tried, "a") is None


def test_a_good_code_forgives_mistakes(clock: Clock) -> None:
    """A user who mistyped is not locked out later."""
    tried = Attempts()
    fail(tried, "a", api.WRONG_BEFORE_LOCK_OUT - 1)
    tried.right("a")
    fail(tried, "a", api.WRONG_BEFORE_LOCK_OUT - 1)
    assert refusal(tried, "a") is None


def test_all_addresses_together_have_a_limit(clock: Clock) -> None:
    """Many addresses guess no faster than one."""
    tried = Attempts()
    for number in range(api.MOST_A_MINUTE):
        assert refusal(tried, str(number)) is None
    assert refusal(tried, "one more") == "too-many-claims"
    clock.now += 61
    assert refusal(tried, "one more") is None


def test_memory_of_mistakes_is_bounded(clock: Clock) -> None:
    """Addresses are cheap to make, and do not fill the hub."""
    tried = Attempts()
    for number in range(api.MOST_ADDRESSES + 50):
        tried.wrong(str(number))
    assert len(tried._addresses) == api.MOST_ADDRESSES
