"""Addresses of relays, events of a stream, and the clock of a request."""

import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from assent.errors import UsageError
from assent.team import http
from assent.team.http import RefusedByRelayError, RelayHttp, Signer, UnreachableError, relay_url, server_events
from assent.team.keys import HubKey
from tests.waiting import HANG


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("relay.example.net", "https://relay.example.net"),
        (" https://relay.example.net/ ", "https://relay.example.net"),
        ("https://relay.example.net:8443", "https://relay.example.net:8443"),
        ("https://[2001:db8::7]:8443", "https://[2001:db8::7]:8443"),
        ("http://127.0.0.1:8720", "http://127.0.0.1:8720"),
        ("http://[::1]:8720", "http://[::1]:8720"),
        ("http://localhost", "http://localhost"),
    ],
)
def test_address_is_kept_as_scheme_and_host(text: str, url: str) -> None:
    """Encrypted, unless it is this machine."""
    assert relay_url(text) == url


@pytest.mark.parametrize(
    "text",
    [
        *("", "https://", "http://192.0.2.7", "ftp://a", "https://a/b", "https://a?b", "https://a#b", "https://u@a"),
        *("a b", "https://a:b", "https://a:99999", "https://ä.example", "https://a\n.example"),
    ],
)
def test_what_is_no_address_of_a_relay_is_refused(text: str) -> None:
    """Before anything is asked."""
    with pytest.raises(UsageError):
        relay_url(text)


async def _in(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


@pytest.mark.anyio
@pytest.mark.parametrize("size", [1, 2, 7, 1_000])
async def test_events_are_the_same_in_all_pieces(size: int) -> None:
    """Comments, several lines of data, other line ends, names without data."""
    text = b": hi\n\nevent: a\ndata: 1\ndata: 2\n\ndata:x\r\n\r\nevent: none\n\n"
    text += b"event: b\nid: 7\ndata: \xe2\x80\xa8\n\nevent: c"
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    found = [event async for event in server_events(_in(*pieces))]
    assert found == [("a", b"1\n2"), ("message", b"x"), ("b", b"\xe2\x80\xa8")]


@pytest.mark.anyio
@pytest.mark.parametrize("line", [b"x" * 64, b"data: x\n" * 8], ids=["one line", "many lines"])
async def test_event_without_an_end_is_given_up(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is spread: memory is bounded."""
    monkeypatch.setattr(http, "LARGEST_EVENT", 1_000)
    with pytest.raises(UnreachableError, match="too large"):
        _ = [event async for event in server_events(_in(*[line] * 100))]


@pytest.mark.anyio
async def test_many_small_events_are_no_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream lasts for days."""
    monkeypatch.setattr(http, "LARGEST_EVENT", 1_000)
    found = [event async for event in server_events(_in(*[b"data: 1\n\n", b": beat\n\n"] * 1_000))]
    assert len(found) == 1_000


def test_request_is_signed_with_the_time_of_the_relay() -> None:
    """Once the relay said that ours is off."""
    sign = Signer(HubKey.create())
    before = int(sign("GET", "/team/stream", b"")["assent-time"])
    assert not sign.heed(RefusedByRelayError(403, "revoked", "no", now_ms=1))
    assert not sign.heed(RefusedByRelayError(403, "clock", "off"))
    assert sign.heed(RefusedByRelayError(403, "clock", "off", now_ms=before + 3_600_000))
    after = int(sign("GET", "/team/stream", b"")["assent-time"])
    assert 0 <= after - before - 3_600_000 < 600_000


@pytest.mark.anyio
async def test_names_that_cannot_be_had_mean_what_they_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """A resolver that is away takes no relay along."""
    known = {"https://a.example": ["192.0.2.1", "192.0.2.2"], "https://b.example": ["192.0.2.3"]}

    async def resolved(url: str) -> list[str]:
        return known.get(url, [])

    monkeypatch.setattr(http, "_resolved", resolved)
    relays = RelayHttp()
    urls = list(known)
    first = await relays.places(urls)
    assert [(place.url, place.address) for place in first] == [(url, one) for url in urls for one in known[url]]
    known["https://a.example"] = ["192.0.2.9"]
    del known["https://b.example"]
    assert [place.address for place in await relays.places(urls)] == ["192.0.2.9", "192.0.2.3"]
    with pytest.raises(UnreachableError, match=r"c\.example"):
        await relays.places(["https://c.example"])


def test_library_for_http_loads_nothing_for_a_command_line() -> None:
    """A relay and a hub keep for days what was loaded once."""
    loads = "import assent.team.http, httpx, sys; print({'rich', 'pygments'} & sys.modules.keys(), httpx.Client)"
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True, timeout=HANG)
    assert done.stdout == "set() <class 'httpx.Client'>\n"
