"""A hub's key in a team: what it is called by, and its signatures.

Each signature says what it is for: one under an ask is none under an answer, and neither is one under a request."""

import base64
import hashlib
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from assent.errors import AssentError
from assent.webapi import signature as requests

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey as PrivateKey

Kind = Literal["ask", "answer", "result", "gone", "join"]
LARGEST_FILE = 4096
# Below it every byte of a key is random; texts of people have no place in it.
SHORTEST_SALT, LONGEST_SALT = 16, 64


class KeyFileError(AssentError):
    """The file of a hub's key cannot be used."""


class BadKeyError(ValueError):
    """A text that is no public key of a hub."""


class HubKey:
    """A P-256 key. Its public half is SPKI in base64url, as browsers export theirs."""

    def __init__(self, private: "PrivateKey") -> None:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        self._private = private
        spki = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self.public = packed(spki)
        self.id = packed(hashlib.sha256(spki).digest())

    @classmethod
    def create(cls) -> "HubKey":
        from cryptography.hazmat.primitives.asymmetric import ec

        return cls(ec.generate_private_key(ec.SECP256R1()))

    @classmethod
    def load_or_create(cls, path: Path) -> "HubKey":
        """Raises KeyFileError. A file that is there is never written over: it may be the only copy."""
        return cls.load(path) or cls._kept(path)

    @classmethod
    def load(cls, path: Path) -> "HubKey | None":
        """Raises KeyFileError; None if there is no file."""
        content = _private_content(path)
        return None if content is None else cls(_parsed(path, content))

    @classmethod
    def _kept(cls, path: Path) -> "HubKey":
        key = cls.create()
        new = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                _write(new, key.pem())
                # Unlike a rename, this leaves a file alone that is there already.
                os.link(new, path)
            finally:
                new.unlink(missing_ok=True)
        except FileExistsError:
            # Another process was faster; its key is as good.
            return cls.load(path) or cls._kept(path)
        except OSError as error:
            raise KeyFileError(
                f"The key of this machine cannot be written to {path}: {error.strerror}.",
                hint="make the folder writable, or the disk less full.",
            ) from error
        return key

    def pem(self) -> bytes:
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, kind: Kind, text: str) -> str:
        return self._signed(_separated(kind, text))

    def sign_request(self, method: str, path: str, body: bytes, now_ms: int, nonce: str) -> str:
        return self._signed(requests.message(method, path, now_ms, nonce, body))

    def _signed(self, content: bytes) -> str:
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        r, s = decode_dss_signature(self._private.sign(content, ec.ECDSA(hashes.SHA256())))
        return packed(r.to_bytes(32) + s.to_bytes(32))


def key_id(public: str) -> str:
    """What a hub is called in a team. Raises BadKeyError for anything but a P-256 key, written in the one usual way."""
    return packed(hashlib.sha256(_spki(public)).digest())


def is_signed(public: str, kind: Kind, text: str, signature: str) -> bool:
    """False as well where key or signature are none."""
    try:
        _spki(public)
    except BadKeyError:
        return False
    key, given = requests.public_key(public), requests.unpacked(signature)
    if key is None or given is None or packed(given) != signature:
        return False
    try:
        content = _separated(kind, text)
    except UnicodeEncodeError:
        return False
    return requests.is_good(key, given, content)


def signed_headers(key: HubKey, method: str, path: str, body: bytes, now_ms: int, nonce: str) -> dict[str, str]:
    """Of a request to a relay; ``path`` with its query. ``nonce`` has 16 to 64 characters and is used once."""
    return {
        "assent-device": key.id,
        "assent-time": str(now_ms),
        "assent-nonce": nonce,
        "assent-signature": key.sign_request(method, path, body, now_ms, nonce),
    }


def binding(public: str, salt: str) -> str:
    """The nonce by which an ID token names a key. Raises BadKeyError for a key or a salt that is none."""
    _spki(public)
    if not (SHORTEST_SALT <= len(salt) <= LONGEST_SALT and salt.isascii() and salt.isprintable()):
        raise BadKeyError("this is no salt")
    return packed(hashlib.sha256(f"assent-team 1 key\n{public}\n{salt}".encode()).digest())


def fresh_salt() -> str:
    return secrets.token_urlsafe(24)


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _separated(kind: Kind, text: str) -> bytes:
    # No method of HTTP is called so: what is signed here can be no request, and no request can be this.
    return f"assent-team 1 {kind}\n{text}".encode()


def _spki(public: str) -> bytes:
    """One key has one text: else a revoked one would come back under another id."""
    if len(public) > 200 or not public.isascii():
        raise BadKeyError("this is no public key of a hub")
    key = requests.public_key(public)
    if key is None:
        raise BadKeyError("this is no public key of a hub")
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if packed(spki) != public:
        raise BadKeyError("this public key is not written in the usual way")
    return spki


def _private_content(path: Path) -> bytes | None:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyFileError(f"The key of this machine in {path} cannot be read: {error.strerror}.") from error
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise KeyFileError(f"{path} is not a regular file.", hint="move it away; then a new key is made.")
        mode = stat.S_IMODE(status.st_mode)
        if status.st_uid != os.geteuid() or mode & 0o077:
            raise KeyFileError(
                f"The key of this machine in {path} is not private (owner {status.st_uid}, mode {mode:o}): "
                "others could answer in your name with it.",
                hint="if only you use this machine, `chmod 600` it; else move it away and run `assent join` again.",
            )
        return os.read(fd, LARGEST_FILE + 1)
    finally:
        os.close(fd)


def _parsed(path: Path, content: bytes) -> "PrivateKey":
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    with suppress(Exception):  # the library raises several kinds for bytes that are no key
        key = load_pem_private_key(content, password=None)
        is_small = len(content) <= LARGEST_FILE
        if is_small and isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
            return key
    raise KeyFileError(
        f"{path} holds no key of a hub; it is damaged.",
        hint="restore it from a backup, or move it away and run `assent join` again: a new key is made.",
    )


def _write(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
