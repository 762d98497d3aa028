"""What goes over the push service can be read only by the browser it is for."""

import json

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from assent.surfaces import webpush_crypto as crypto
from tests.push_service import Browser, decrypt

SECRET = "A" * 43


def test_the_receiver_of_these_tests_reads_the_example_of_the_standard() -> None:
    """RFC 8291, section 5: our stand-in for a browser decrypts what others encrypted."""
    body = crypto.decoded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    private = int.from_bytes(crypto.decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    key = ec.derive_private_key(private, ec.SECP256R1())
    assert decrypt(body, key, crypto.decoded("BTBZMqHH6r4Tts7J_aSIgg")) == b"When I grow up, I want to be a watermelon"


def test_a_browser_reads_what_was_encrypted_for_it() -> None:
    """The message comes out as it went in, whatever its length."""
    browser = Browser()
    for plain in (b"", b"{}", b"x" * (crypto.SIZE - 1)):
        assert browser.read(crypto.encrypt(plain, browser.p256dh, browser.auth)) == plain


def test_every_message_has_the_same_size_and_no_two_are_alike() -> None:
    """The push service learns neither how long it is nor whether it was sent before."""
    browser = Browser()
    sent = [crypto.encrypt(plain, browser.p256dh, browser.auth) for plain in (b"no", b"no", b"n" * 900)]
    assert len({len(body) for body in sent}) == 1
    assert len(set(sent)) == 3


def test_another_browser_reads_nothing() -> None:
    """A message is bound to the keys of one subscription."""
    one, other = Browser(), Browser()
    with pytest.raises(InvalidTag):
        other.read(crypto.encrypt(b"secret", one.p256dh, one.auth))


def test_a_message_that_is_too_long_is_refused() -> None:
    """Push services take four kilobytes; ours are half of that."""
    browser = Browser()
    with pytest.raises(ValueError, match="too long"):
        crypto.encrypt(b"x" * crypto.SIZE, browser.p256dh, browser.auth)


@pytest.mark.parametrize("p256dh", ["", "AAAA", "not base64!", "é", "BA" + "A" * 85])
def test_keys_that_are_none_are_refused(p256dh: str) -> None:
    """A browser gives a point on the curve, or is not heard."""
    with pytest.raises(ValueError, match="no key"):
        crypto.receiver(p256dh)


def test_the_same_secret_makes_the_same_sender() -> None:
    """A restart does not cut off the devices that subscribed."""
    assert crypto.public(crypto.sender_key(SECRET)) == crypto.public(crypto.sender_key(SECRET))
    assert len(crypto.decoded(crypto.public(crypto.sender_key(SECRET)))) == 65


def test_a_push_service_can_tell_who_sends() -> None:
    """The signed claim names the service, ends within a day, and verifies with the key beside it."""
    key = crypto.sender_key(SECRET)
    header = crypto.authorization(key, "https://push.example/send/abc?d=1", "mailto:a@example.org", now=1_000.0)
    fields = dict(part.strip().split("=", 1) for part in header.removeprefix("vapid ").split(","))
    head, claims, signature = fields["t"].split(".")
    assert json.loads(crypto.decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(crypto.decoded(claims)) == {
        "aud": "https://push.example",
        "exp": 1_000 + 43_200,
        "sub": "mailto:a@example.org",
    }
    raw = crypto.decoded(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = crypto.receiver(fields["k"])
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        public.verify(der, f"{head}.{head}".encode(), ec.ECDSA(hashes.SHA256()))
