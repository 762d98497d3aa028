"""Signatures, and the clock they are held against."""

import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from starlette.requests import Request

from assent.config import Remote
from assent.hub.access import gatekeeper, signature
from assent.hub.access.agents import Agents
from assent.hub.access.devices import Device, Devices
from assent.hub.access.gatekeeper import ClockError, Gatekeeper
from assent.hub.access.origin import Origins
from tests.component.signing import packed

KEY = ec.generate_private_key(ec.SECP256R1())
SPKI = KEY.public_key().public_bytes(
    serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
)  # fmt: skip
DEVICE = Device(id="d1", name="d", kind="desk", scope="admin", created_at=0, key=packed(SPKI))


@pytest.fixture
def guard(tmp_path: Path) -> Gatekeeper:
    found = Gatekeeper("", b"k", Origins(Agents()), Devices(tmp_path / "devices.json"), Remote)
    found.devices.by_id["d1"] = DEVICE
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
async def test_clock_that_is_set_back_shuts_nobody_out(guard: Gatekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
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
    await check(guard, signed(gatekeeper.now_ms() + 5, "m" * 16))
