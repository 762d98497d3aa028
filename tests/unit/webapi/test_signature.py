"""A signature is good for one request, from one key, at one moment, once."""

import os

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from assent.webapi import signature
from assent.webapi.endpoint import ProblemError
from assent.webapi.signature import MOST_NONCES, WINDOW_MS, Nonces, Signed
from tests.component.signing import packed

KEY = ec.generate_private_key(ec.SECP256R1())
WHOLE = signature.message("POST", "/api/x?a=1", 1_000, "n" * 32, b"{}")


def signed_by(key: ec.EllipticCurvePrivateKey, whole: bytes) -> bytes:
    r, s = decode_dss_signature(key.sign(whole, ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(32) + s.to_bytes(32)


def spki(key: PublicKeyTypes) -> str:
    return packed(key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo))


def test_own_signature_is_good() -> None:
    """As WebCrypto makes it: two numbers side by side."""
    assert signature.is_good(KEY.public_key(), signed_by(KEY, WHOLE), WHOLE)


@pytest.mark.parametrize(
    "other",
    [
        ("PUT", "/api/x?a=1", 1_000, "n" * 32, b"{}"),
        ("POST", "/api/y?a=1", 1_000, "n" * 32, b"{}"),
        ("POST", "/api/x?a=2", 1_000, "n" * 32, b"{}"),
        ("POST", "/api/x?a=1", 1_001, "n" * 32, b"{}"),
        ("POST", "/api/x?a=1", 1_000, "m" * 32, b"{}"),
        ("POST", "/api/x?a=1", 1_000, "n" * 32, b"{ }"),
    ],
)
def test_signature_covers_every_part(other: tuple[str, str, int, str, bytes]) -> None:
    """Method, address, time, nonce and body: change one, and it is no signature."""
    assert not signature.is_good(KEY.public_key(), signed_by(KEY, WHOLE), signature.message(*other))


def test_signature_of_another_key_is_refused() -> None:
    """Only the device's own key speaks for it."""
    other = ec.generate_private_key(ec.SECP256R1())
    assert not signature.is_good(KEY.public_key(), signed_by(other, WHOLE), WHOLE)


@pytest.mark.parametrize("junk", [b"", b"\0" * 64, b"\xff" * 64, os.urandom(64), os.urandom(72)], ids=range(5))
def test_junk_is_no_signature(junk: bytes) -> None:
    """Whatever bytes come: refused, and no crash."""
    assert not signature.is_good(KEY.public_key(), junk, WHOLE)


def test_only_p256_keys_are_taken() -> None:
    """Other curves and other kinds of keys are no device keys."""
    assert signature.public_key(spki(KEY.public_key())) is not None
    assert signature.public_key(spki(ec.generate_private_key(ec.SECP384R1()).public_key())) is None
    assert signature.public_key(spki(rsa.generate_private_key(65537, 2048).public_key())) is None


@pytest.mark.parametrize("text", ["", "A", "AAAA", "é", "!!!!", "=" * 8, packed(b"\0" * 91), "A" * 100_000])
def test_junk_is_no_key(text: str) -> None:
    """Whatever a device calls its key."""
    assert signature.public_key(text) is None


def test_headers_are_read_strictly() -> None:
    """A time that is no number or a nonce that could be guessed twice is refused."""
    good = {
        "assent-device": "ab12",
        "assent-time": "1000",
        "assent-nonce": "n" * 32,
        "assent-signature": packed(b"s" * 64),
    }
    assert signature.read(good) == Signed("ab12", 1000, "n" * 32, b"s" * 64)
    for name, value in [
        ("assent-time", "-1"),
        ("assent-time", "1e3"),
        ("assent-time", "９"),
        ("assent-time", "9" * 20),
        ("assent-nonce", "short"),
        ("assent-nonce", "n" * 65),
        ("assent-signature", "é"),
    ]:
        with pytest.raises(ProblemError):
            signature.read({**good, name: value})


def test_nonce_counts_once_while_its_time_would_be_good() -> None:
    """A request that was recorded and sent again is refused as long as its time would pass."""
    nonces = Nonces()
    request = Signed("ab12", 1_000_000, "n" * 32, b"")
    nonces.take(request, now=1_000_000 - WINDOW_MS)
    for now in (1_000_000, 1_000_000 + WINDOW_MS):
        with pytest.raises(ProblemError, match="came before"):
            nonces.take(request, now)


def test_same_nonce_of_another_device_is_another_nonce() -> None:
    """Devices do not stand in each other's way."""
    nonces = Nonces()
    nonces.take(Signed("a", 1, "n" * 32, b""), 1)
    nonces.take(Signed("b", 1, "n" * 32, b""), 1)


def test_nonces_do_not_fill_the_memory() -> None:
    """Old ones go; if all are new, the next request waits."""
    nonces = Nonces()
    for number in range(MOST_NONCES):
        nonces.take(Signed("a", 1_000, f"{number:032}", b""), 1_000)
    with pytest.raises(ProblemError, match="Too many"):
        nonces.take(Signed("a", 1_000, "x" * 32, b""), 1_000)
    nonces.take(Signed("a", 500_000, "y" * 32, b""), 500_000)
    assert len(nonces._until) == 1
