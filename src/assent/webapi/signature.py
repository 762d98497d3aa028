"""Signatures of requests: over the whole request and the time, so that each is valid once."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assent.webapi.endpoint import ProblemError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey as PublicKey
    from starlette.responses import Response

# How far the clock of a device may be off.
WINDOW_MS = 120_000
# A person presses a button now and then; a program that floods us with good signatures waits.
MOST_NONCES = 20_000


class ClockError(ProblemError):
    """Says what time it is here, so that a clock that is off can be set, or the request be signed again."""

    def __init__(self, now: int, message: str, hint: str) -> None:
        super().__init__(403, "clock", message, hint=hint)
        self.now = now

    def response(self) -> "Response":
        response = super().response()
        response.headers["Assent-Now"] = str(self.now)
        return response


@dataclass(frozen=True, slots=True)
class Signed:
    """What the headers of a signed request say."""

    device: str
    time: int
    nonce: str
    signature: bytes


def read(headers: Mapping[str, str]) -> Signed:
    """Raises ProblemError."""
    time, nonce = headers.get("assent-time", ""), headers.get("assent-nonce", "")
    signature = unpacked(headers.get("assent-signature", ""))
    if not (time.isascii() and time.isdigit() and len(time) < 16 and 16 <= len(nonce) <= 64) or signature is None:
        raise ProblemError(403, "bad-signature", "The request is not signed as it should be.", hint="reload the page.")
    return Signed(headers.get("assent-device", ""), int(time), nonce, signature)


def message(method: str, path: str, time: int, nonce: str, body: bytes) -> bytes:
    return f"{method}\n{path}\n{time}\n{nonce}\n{hashlib.sha256(body).hexdigest()}".encode()


def is_good(key: "PublicKey", signature: bytes, signed: bytes) -> bool:
    # Browsers give the two numbers side by side, the library wants them in DER.
    if len(signature) != 64:
        return False
    # Here and below, not above: a fifth of the memory of a hub to which only terminals talk.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    der = encode_dss_signature(int.from_bytes(signature[:32]), int.from_bytes(signature[32:]))
    try:
        key.verify(der, signed, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def public_key(text: str) -> "PublicKey | None":
    """A P-256 key as a browser exports it (SPKI, base64url); None for anything else."""
    der = unpacked(text)
    if not der:
        return None
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        key = serialization.load_der_public_key(der)
    except Exception:  # the library raises several kinds for bytes that are no key
        return None
    return key if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1) else None


def unpacked(text: str) -> bytes | None:
    """What base64url stands for, with or without its padding."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None


@dataclass(slots=True)
class Nonces:
    """Those of the last minutes: a request that comes twice is refused the second time."""

    _until: dict[tuple[str, str], int] = field(default_factory=dict)

    def take(self, signed: Signed, now: int) -> None:
        """Raises ProblemError. Only for requests whose signature is good, so that others cannot fill the memory."""
        name = (signed.device, signed.nonce)
        if self._until.get(name, 0) > now:
            raise ProblemError(403, "replayed", "This request came before; it counts once.")
        if len(self._until) >= MOST_NONCES:
            self._until = {name: until for name, until in self._until.items() if until > now}
            if len(self._until) >= MOST_NONCES:
                raise ProblemError(429, "too-many", "Too many requests.", hint="wait a minute.")
        self._until[name] = signed.time + WINDOW_MS + 1
