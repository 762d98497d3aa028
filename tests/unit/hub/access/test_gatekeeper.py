"""Signatures, and the clock they are held against."""

import time
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from starlette.requests import Request

from assent.hub.access import cookie as cookies
from assent.hub.access import gatekeeper
from assent.hub.access.agents import Agents
from assent.hub.access.caller import Door
from assent.hub.access.devices import Device, Devices, Kind, hashed
from assent.hub.access.gatekeeper import Gatekeeper
from assent.hub.access.origin import Origins
from assent.hub.access.places import places
from assent.hub.bus import now_ms
from assent.protocol.surfaces import Scope
from assent.webapi import signature
from assent.webapi.endpoint import ProblemError
from assent.webapi.signature import ClockError
from tests.component.signing import packed
from tests.unit.hub.doubles import InForce

KEY = ec.generate_private_key(ec.SECP256R1())
SPKI = KEY.public_key().public_bytes(
    serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
)  # fmt: skip
DEVICE = Device(id="d1", name="d", kind="desk", scope="admin", created_at=0, key=packed(SPKI))


@pytest.fixture
def guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gatekeeper:
    found = Gatekeeper("", b"k", Origins(Agents()), Devices(tmp_path / "devices.json"), InForce())
    found.devices.by_id["d1"] = DEVICE
    # When each was last seen is written behind the answer.
    monkeypatch.setattr(Devices, "seen", lambda *_: False)
    return found


def signed(at: int, nonce: str = "n" * 16) -> Request:
    whole = signature.message("PUT", "/x", at, nonce, b"")
    r, s = decode_dss_signature(KEY.sign(whole, ec.ECDSA(hashes.SHA256())))
    headers = {
        "assent-time": str(at),
        "assent-nonce": nonce,
        "assent-signature": packed(r.to_bytes(32) + s.to_bytes(32)),
    }
    scope = {
        "type": "http",
        "method": "PUT",
        "path": "/x",
        "raw_path": b"/x",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "state": {"body": b""},
    }
    return Request(scope)


async def check(guard: Gatekeeper, request: Request) -> None:
    await guard._check_signature(request, DEVICE)


@pytest.mark.anyio
async def test_clock_that_is_set_back_shuts_no_device_out(guard: Gatekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that learns the right time while the hub runs: people can still say no."""
    an_hour_ago = time.time_ns() // 1_000_000 - 3_600_000
    monkeypatch.setattr(gatekeeper, "now_ms", lambda: an_hour_ago + 5_000)
    guard._started = time.monotonic() - 5
    await check(guard, signed(an_hour_ago + 4_000))


@pytest.mark.anyio
async def test_signature_from_before_the_start_is_refused(guard: Gatekeeper) -> None:
    """It may be one that was seen and forgotten."""
    with pytest.raises(ClockError):
        await check(guard, signed(guard.started - 1_000))
    await check(guard, signed(now_ms() + 5, "m" * 16))


OWN_PAGE = {"origin": "http://localhost:1", "sec-fetch-site": "same-origin"}


def asked_by(headers: dict[str, str], door: Door = Door.LOOPBACK, method: str = "PUT") -> Request:
    given = {"host": "localhost:1"} | headers
    scope = {
        "type": "http",
        "method": method,
        "path": "/x",
        "raw_path": b"/x",
        "query_string": b"",
        "scheme": "http",
        "server": ("x", 1),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "state": {"door": door, "body": b""},
    }
    return Request(scope)


def phone(**more: Any) -> Device:
    return Device(id="p1", name="p", kind="phone", scope="answer", created_at=0, secret=hashed("s"), **more)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("device", "given", "is_let_in"),
    [
        (phone(), {"assent-secret": "s"}, True),
        (phone(), {"assent-secret": "x"}, False),
        (phone(), {}, False),
        (phone(revoked=1), {"assent-secret": "s"}, False),
        (None, {"assent-secret": "s"}, False),
        (Device(id="p1", name="p", kind="phone", scope="answer", created_at=0), {"assent-secret": ""}, False),
    ],
)
async def test_device_that_cannot_sign_shows_its_secret(
    guard: Gatekeeper, device: Device | None, given: dict[str, str], is_let_in: bool
) -> None:
    """Only the one it was given, and only while it is let in."""
    guard.places = places(1)
    if device is not None:
        guard.devices.by_id["p1"] = device
    request = asked_by({"assent-device": "p1"} | given | OWN_PAGE)
    if is_let_in:
        assert (await guard._device_caller(request)).device == "p1"
    else:
        with pytest.raises(ProblemError):
            await guard._device_caller(request)


@pytest.mark.anyio
async def test_signature_counts_where_there_is_one(guard: Gatekeeper) -> None:
    """A secret beside it does not make up for a wrong one."""
    guard.places = places(1)
    guard.devices.by_id["p1"] = phone()
    wrong = {"assent-signature": "x", "assent-time": str(now_ms()), "assent-nonce": "n" * 16}
    with pytest.raises(ProblemError):
        await guard._device_caller(asked_by({"assent-device": "p1", "assent-secret": "s"} | wrong | OWN_PAGE))


@pytest.mark.parametrize(
    ("kind", "revoked", "door", "is_welcome"),
    [
        ("phone", None, Door.REMOTE, True),
        ("phone", None, Door.LOOPBACK, True),
        ("desk", None, Door.LOOPBACK, True),
        ("desk", None, Door.REMOTE, False),
        ("phone", 1, Door.LOOPBACK, False),
        ("desk", 1, Door.LOOPBACK, False),
    ],
)
def test_browser_of_this_machine_is_welcome_here_alone(
    guard: Gatekeeper, kind: Kind, revoked: int | None, door: Door, is_welcome: bool
) -> None:
    """A phone from anywhere, until it is shut out."""
    device = Device(id="p1", name="p", kind=kind, scope="answer", created_at=0, revoked=revoked)
    assert guard._is_welcome(asked_by({}, door), device) is is_welcome


@pytest.mark.parametrize(
    ("method", "site", "is_known"),
    [
        ("GET", "same-origin", True),
        ("GET", "none", True),
        ("GET", "cross-site", False),
        ("GET", "same-site", False),
        ("HEAD", "same-origin", True),
        ("POST", "same-origin", False),
    ],
)
def test_cookie_reads_and_never_acts(
    guard: Gatekeeper, monkeypatch: pytest.MonkeyPatch, method: str, site: str, is_known: bool
) -> None:
    """And only for the hub's own page."""
    guard.devices.by_id["p1"] = phone()
    monkeypatch.setattr(cookies, "device_of", lambda *_: "p1")
    request = asked_by({"cookie": f"{guard.cookie_name}=x", "sec-fetch-site": site}, method=method)
    assert (guard._reader(request).device == "p1") is is_known


def test_no_cookie_or_one_of_no_device_is_not_known(guard: Gatekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one that was not made here."""
    guard.devices.by_id["p1"] = phone()
    for found, cookie in ((None, "x"), ("other", "x"), ("p1", "")):
        monkeypatch.setattr(cookies, "device_of", lambda *_, found=found: found)
        assert guard._reader(asked_by({"cookie": f"{guard.cookie_name}={cookie}"}, method="GET")).device == ""


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("key", "door", "may"),
    [
        ("k", Door.LOOPBACK, Scope.ANSWER),
        ("k", Door.REMOTE, Scope.DENY),
        ("", Door.LOOPBACK, Scope.DENY),
    ],
)
async def test_device_without_key_or_tls_may_only_deny(guard: Gatekeeper, key: str, door: Door, may: Scope) -> None:
    """An eavesdropper could answer in its name."""
    known = guard._known(asked_by({}, door), phone(key=key), signed=True)
    assert (known.could, bool(known.limit)) == (may, may is Scope.DENY)
