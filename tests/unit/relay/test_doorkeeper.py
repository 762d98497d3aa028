"""Rates and nonces."""

import pytest

from assent.relay.doorkeeper import Bucket, UsedNonces, WaitError
from assent.webapi.endpoint import ProblemError
from assent.webapi.signature import WINDOW_MS, Signed


def signed(nonce: str, device: str = "hub") -> Signed:
    return Signed(device, 0, nonce, b"")


def test_bucket_fills_again() -> None:
    """So many at once, then so many a second."""
    bucket = Bucket(most=2, a_second=0.5)
    bucket.take(0)
    bucket.take(0)
    with pytest.raises(WaitError) as caught:
        bucket.take(1_000)
    assert caught.value.response().headers["retry-after"] == "3"
    bucket.take(3_000)


def test_bucket_survives_a_clock_that_goes_back() -> None:
    """It neither fills nor empties by that."""
    bucket = Bucket(most=2, a_second=1)
    bucket.take(10_000)
    bucket.take(0)
    with pytest.raises(WaitError):
        bucket.take(0)


def test_nonce_counts_once_for_a_key() -> None:
    """Another hub may have the same one."""
    nonces = UsedNonces()
    nonces.take(signed("a"), 0)
    nonces.take(signed("a", "other"), 0)
    with pytest.raises(ProblemError, match="came before"):
        nonces.take(signed("a"), 0)


@pytest.mark.parametrize("first", [0, 1, WINDOW_MS, 2 * WINDOW_MS, 3 * WINDOW_MS])
def test_nonce_is_kept_as_long_as_its_signature_is_good(first: int) -> None:
    """Two windows, wherever the generations change."""
    nonces = UsedNonces()
    nonces.take(signed("earlier"), 0)
    nonces.take(signed("a"), first)
    nonces.take(signed("between"), first + WINDOW_MS)
    with pytest.raises(ProblemError, match="came before"):
        nonces.take(signed("a"), first + 2 * WINDOW_MS)


def test_nonces_are_forgotten() -> None:
    """Memory stays flat."""
    nonces = UsedNonces()
    for moment in range(0, 100 * WINDOW_MS, WINDOW_MS // 2):
        nonces.take(signed(str(moment)), moment)
        assert len(nonces._now) + len(nonces._before) <= 12
