"""Cookies cannot be made up."""

import pytest

from assent.hub.access import cookie

KEY = b"k" * 32


def test_cookie_names_its_device_until_its_time() -> None:
    """A cookie is good for its month and not longer."""
    made = cookie.make(KEY, "ab12", now=1000)
    assert cookie.device_of(KEY, made, now=1000 + cookie.SECONDS - 1) == "ab12"
    assert cookie.device_of(KEY, made, now=1000 + cookie.SECONDS) is None


@pytest.mark.parametrize(
    "forged", ["", ".", "..", "9999999999", "a.9999999999.", "a.9999999999.abc", "é.é.é", "a.-1.x"]
)
def test_forged_cookie_is_refused(forged: str) -> None:
    """Nothing but the key makes a cookie."""
    assert cookie.device_of(KEY, forged, now=1000) is None


def test_cookie_of_another_key_is_refused() -> None:
    """A cookie of another hub opens nothing here."""
    assert cookie.device_of(KEY, cookie.make(b"other", "ab12", now=1000), now=1000) is None


def test_cookie_is_good_for_one_device_only() -> None:
    """Writing another name into it breaks it."""
    made = cookie.make(KEY, "ab12", now=1000)
    assert cookie.device_of(KEY, made.replace("ab12", "cd34"), now=1000) is None
