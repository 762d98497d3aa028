"""Codes are used once, cookies cannot be made up."""

import pytest

from assent.hub import auth

KEY = b"k" * 32


def test_code_is_good_once() -> None:
    """The second who opens a link gets nothing."""
    codes = auth.Codes()
    code = codes.mint()
    assert codes.claim(code)
    assert not codes.claim(code)


def test_code_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link that lies around is no key."""
    now = 100.0
    monkeypatch.setattr("assent.hub.auth.time.monotonic", lambda: now)
    codes = auth.Codes()
    code = codes.mint()
    now += auth.CODE_SECONDS
    assert not codes.claim(code)


def test_guessing_is_noticed() -> None:
    """More than a few tries a minute are refused."""
    codes = auth.Codes()
    assert [codes.is_flooded() for _ in range(auth.MOST_CLAIMS_A_MINUTE)] == [False] * auth.MOST_CLAIMS_A_MINUTE
    assert codes.is_flooded()


def test_cookie_holds_until_its_time() -> None:
    """A cookie is good for its month and not longer."""
    cookie = auth.make_cookie(KEY, now=1000)
    assert auth.is_cookie(KEY, cookie, now=1000 + auth.COOKIE_SECONDS - 1)
    assert not auth.is_cookie(KEY, cookie, now=1000 + auth.COOKIE_SECONDS)


@pytest.mark.parametrize("forged", ["", ".", "9999999999", "9999999999.", "9999999999.abc", "é.é", "-1.x"])
def test_forged_cookie_is_refused(forged: str) -> None:
    """Nothing but the key makes a cookie."""
    assert not auth.is_cookie(KEY, forged, now=1000)


def test_cookie_of_another_key_is_refused() -> None:
    """A cookie of another hub opens nothing here."""
    assert not auth.is_cookie(KEY, auth.make_cookie(b"other", now=1000), now=1000)
