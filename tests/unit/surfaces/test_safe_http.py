"""Where nothing is ever sent."""

import asyncio
import socket
from typing import Any

import pytest

from assent.surfaces.base import FailedError
from assent.surfaces.safe_http import LONGEST_WAIT, SafeHttp, is_public, refusal, retry_after


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::10.0.0.1",
        "2002:7f00:1::",
        "::127.0.0.1",
        "::ffff:0:127.0.0.1",
        "64:ff9b:1::127.0.0.1",
        "fec0::1",
    ],
)
def test_addresses_of_this_machine_and_network_are_not_public(address: str) -> None:
    """In whatever clothes they come."""
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "142.250.74.74", "2a00:1450:4001:82b::200a", "64:ff9b::8.8.8.8"])
def test_addresses_of_others_are_public(address: str) -> None:
    """Push services are out there."""
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://fcm.example.com/fcm/send/abc:def", ""),
        ("https://push.example.com:443/x?y=z", ""),
        ("http://push.example.com/x", "only https"),
        ("https://push.example.com:22/x", "only https"),
        ("https://intranet/x", "on this machine"),
        ("https://db.internal/x", "on this machine"),
        ("https://[fe80::1]/x", "on this machine"),
        ("https://a@push.example.com/x", "no name"),
        ("https://push.example.com:abc/x", "not an address"),
        ("https://pu\u0455h.example.com/x", "not an address"),
        ("nonsense", "not an address"),
    ],
)
def test_an_address_says_itself_whether_it_may_be_used(url: str, why: str) -> None:
    """Without a DNS lookup."""
    assert refusal(url).startswith(why) if not why else why in refusal(url)


@pytest.mark.anyio
async def test_a_name_that_means_an_address_at_home_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if only one of its addresses is, and nothing is sent to the others."""

    async def resolved(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in ("8.8.8.8", "10.0.0.1")]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolved)
    with pytest.raises(FailedError, match="on this machine or its network"):
        await SafeHttp().post("https://push.example.com/x", b"", {})


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (None, None),
        ("120", 120.0),
        ("999999999999", LONGEST_WAIT),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 21 Oct 2999 07:28:00 GMT", LONGEST_WAIT),
        ("soon", None),
        ("-5", None),
    ],
)
def test_how_long_to_wait_is_read_in_both_spellings(text: str | None, seconds: float | None) -> None:
    """Seconds or a date; an unreadable value says nothing, and the wait is bounded."""
    assert retry_after(text) == seconds
