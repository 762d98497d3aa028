"""Where a webhook may post to, and how a receiver knows who posted."""

import hashlib
import hmac
import re
import time
from pathlib import Path
from typing import Any

import pytest

from assent.errors import AssentError
from assent.surfaces.registry import Tools
from assent.surfaces.webhook import KIND, signature
from tests.services.inbox import FakeInbox

DOCS = Path(__file__).parents[3] / "docs" / "notifications.md"
SECRET = "sixteen letters and more"


def made(url: str, secret: str = SECRET, **settings: Any) -> None:
    KIND.made(settings, {"url": url, "secret": secret}, Tools(FakeInbox(), b"k" * 32))


@pytest.mark.parametrize(
    ("url", "settings"),
    [
        ("https://example.org/hook?x=1", {}),
        ("http://127.0.0.1:8080/hook", {"allow_private": True}),
        ("http://nas.local/hook", {"allow_private": True}),
        ("https://192.168.0.7:8443/hook", {"allow_private": True}),
        ("https://example.org/hook", {"allow_private": True, "privacy": "masked"}),
    ],
)
def test_addresses_that_may_be_posted_to(url: str, settings: dict[str, Any]) -> None:
    """Public ones over https, and one's own network where its owner says so."""
    made(url, **settings)


@pytest.mark.parametrize(
    ("url", "settings", "says"),
    [
        ("http://example.org/hook", {}, "only https is spoken"),
        ("http://example.org/hook", {"allow_private": True}, "only https is spoken"),
        ("ftp://127.0.0.1/hook", {"allow_private": True}, "only https is spoken"),
        ("https://127.0.0.1/hook", {}, "allow_private = true"),
        ("http://127.0.0.1:8080/hook", {}, "allow_private = true"),
        ("https://nas.local/hook", {}, "allow_private = true"),
        ("nonsense", {}, "not an address"),
        ("https://example.org/hook", {"allow_private": "yes"}, "true or false"),
        ("https://example.org/hook", {"privacy": "half"}, "open"),
    ],
)
def test_other_addresses_are_refused_in_words(url: str, settings: dict[str, Any], says: str) -> None:
    """Which do not repeat the address."""
    with pytest.raises(AssentError, match=says) as refused:
        made(url, **settings)
    assert url not in str(refused.value)


def test_a_secret_that_can_be_guessed_is_refused() -> None:
    """It is all that tells a receiver who posted."""
    with pytest.raises(AssentError, match="16 characters"):
        made("https://example.org/hook", "short")


def test_the_documented_check_accepts_what_is_signed_and_nothing_else() -> None:
    """People copy it."""
    block = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    names: dict[str, Any] = {"hmac": hmac, "hashlib": hashlib, "time": time}
    exec(block[1], names)
    is_ours, now, body = names["is_ours"], int(time.time()), b'{"version": 1}'
    signed = f"t={now},v1={signature(SECRET.encode(), now, body)}"
    old = f"t={now - 3_600},v1={signature(SECRET.encode(), now - 3_600, body)}"
    assert is_ours(SECRET.encode(), signed, body)
    assert not is_ours(SECRET.encode(), signed, body + b" ")
    assert not is_ours(b"another secret", signed, body)
    assert not is_ours(SECRET.encode(), old, body)
