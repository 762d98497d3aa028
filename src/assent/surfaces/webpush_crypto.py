"""Messages only the browser can read (RFC 8291), and the proof of who sends them (RFC 8292)."""

import base64
import functools
import os
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SenderKey = ec.EllipticCurvePrivateKey

# The order of P-256: private keys are the numbers from 1 to one less.
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_RECORD = 4096
# A day at most is allowed; half of it leaves room for clocks that disagree.
_VALID = 12 * 3600
# Every message has the same size, so that the push service learns nothing from it.
SIZE = 2048


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Raises ValueError."""
    if not text.isascii():
        raise ValueError("not base64url")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


@functools.cache
def sender_key(secret: str) -> SenderKey:
    """Always the same key for the same secret."""
    return ec.derive_private_key(1 + int.from_bytes(decoded(secret)) % (_ORDER - 1), ec.SECP256R1())


def public(key: SenderKey) -> str:
    """What a browser is given to subscribe with."""
    return encoded(_point(key.public_key()))


def receiver(p256dh: str) -> ec.EllipticCurvePublicKey:
    """A browser's key. Raises ValueError."""
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(p256dh))
    except ValueError:
        raise ValueError("this is no key of a browser") from None


def encrypt(plain: bytes, p256dh: str, auth: str) -> bytes:
    """One aes128gcm record. Raises ValueError if the keys are none, or if it is too long."""
    if len(plain) >= SIZE:
        raise ValueError(f"a push message of {len(plain)} bytes is too long")
    theirs = receiver(p256dh)
    ours = ec.generate_private_key(ec.SECP256R1())
    salt, sender = os.urandom(16), _point(ours.public_key())
    shared = ours.exchange(ec.ECDH(), theirs)
    mixed = _derived(decoded(auth), shared, b"WebPush: info\0" + _point(theirs) + sender, 32)
    key = _derived(salt, mixed, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, mixed, b"Content-Encoding: nonce\0", 12)
    # The byte 2 ends the last record; zeros after it are padding.
    padded = plain + b"\x02" + bytes(SIZE - len(plain) - 1)
    header = salt + _RECORD.to_bytes(4) + bytes([len(sender)]) + sender
    return header + AESGCM(key).encrypt(nonce, padded, None)


def authorization(key: SenderKey, endpoint: str, contact: str, now: float) -> str:
    """The header by which a push service knows that the subscription was made for us."""
    url = urlsplit(endpoint)
    claims = {"aud": f"{url.scheme}://{url.netloc}", "exp": int(now) + _VALID, "sub": contact}
    head = ".".join(encoded(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(key.sign(head.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={head}.{encoded(r.to_bytes(32) + s.to_bytes(32))}, k={public(key)}"


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
