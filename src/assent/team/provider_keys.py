"""The keys by which an identity provider signs: fetched, looked at again each hour, and kept for when it is away."""

import asyncio
import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from assent.errors import AssentError
from assent.team.provider import LARGEST_DOCUMENT, Provider
from assent.webapi.signature import is_good, unpacked

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

MOST_KEYS = 64
# Keys that were withdrawn are noticed within an hour while the provider answers, within a day while it does not: tokens
# count for half a day, so older keys could vouch for nothing new.
FRESH_MS = 3_600_000
LONGEST_MS = 24 * 3_600_000
# Between two looks, whatever strangers send.
PAUSE_MS = 30_000
# How far the clock that wrote the file may have been ahead.
SKEW_MS = 120_000
# While there are keys to go on with; the look goes on by itself.
PATIENCE = 3.0

_SHORTEST_RSA, _LONGEST_RSA = 2048, 8192


class NoKeysError(AssentError):
    """There are no keys of this provider to check anything with."""


@dataclass(frozen=True, slots=True)
class ProviderKey:
    kid: str | None
    # What it may sign with: by its own kind, never by what a token says.
    algorithms: frozenset[str]
    public: "RSAPublicKey | EllipticCurvePublicKey"

    def has_signed(self, algorithm: str, content: bytes, signature: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import padding, rsa

        if algorithm not in self.algorithms:
            return False
        if not isinstance(self.public, rsa.RSAPublicKey):
            return is_good(self.public, signature, content)
        pss = padding.PSS(padding.MGF1(hashes.SHA256()), salt_length=32)
        try:
            self.public.verify(signature, content, pss if algorithm == "PS256" else padding.PKCS1v15(), hashes.SHA256())
        except InvalidSignature:
            return False
        return True


class _Jwk(Struct):
    kty: str
    kid: str | None = None
    alg: str | None = None
    use: str | None = None
    key_ops: list[str] | None = None
    n: str = ""
    e: str = ""
    crv: str = ""
    x: str = ""
    y: str = ""


class _Jwks(Struct):
    keys: list[msgspec.Raw]


class _Kept(Struct):
    """The file between two runs."""

    issuer: str
    at: int
    jwks: msgspec.Raw


@dataclass(slots=True)
class ProviderKeys:
    provider: Provider
    # Where the last good ones are kept; nowhere if None.
    folder: Path | None = None
    _keys: tuple[ProviderKey, ...] = ()
    _at: int | None = None
    _tried: int | None = None
    _trouble: str = ""
    _has_looked: bool = False
    _look: "asyncio.Task[None] | None" = field(default=None, repr=False)

    async def matching(self, kid: str | None, algorithm: str, now_ms: int) -> list[ProviderKey]:
        """Those that may have signed. Raises NoKeysError where there are none of any kind."""
        self._read_file()
        age = self._age(now_ms)
        if age is None or age >= FRESH_MS:
            await self._refresh(now_ms, None if age is None else PATIENCE)
        if not (found := self._of(kid, algorithm)):
            await self._refresh(now_ms, None)
            found = self._of(kid, algorithm)
        if self._age(now_ms) is None:
            raise NoKeysError(
                f"The keys of the identity provider {self.provider.issuer} are not known, so nothing it says counts."
                + (f" {self._trouble}" if self._trouble else ""),
                hint=f"it is asked again after {PAUSE_MS // 1000} seconds; deny and the machine itself still work.",
            )
        return found

    async def close(self) -> None:
        look, self._look = self._look, None
        if look is not None:
            look.cancel()
            await asyncio.gather(look, return_exceptions=True)

    def _age(self, now_ms: int) -> int | None:
        """None where there are no keys that count."""
        if self._at is None:
            return None
        age = now_ms - self._at
        return max(0, age) if -SKEW_MS <= age < LONGEST_MS else None

    def _of(self, kid: str | None, algorithm: str) -> list[ProviderKey]:
        able = [key for key in self._keys if algorithm in key.algorithms]
        if kid is not None:
            return [key for key in able if key.kid == kid][:4]
        # A token may leave it out where there is no choice.
        return able if len(able) == 1 else []

    async def _refresh(self, now_ms: int, patience: float | None) -> None:
        if self._look is None:
            if self._tried is not None and abs(now_ms - self._tried) < PAUSE_MS:
                return
            self._tried = now_ms
            self._look = asyncio.create_task(self._fetch(now_ms))
            self._look.add_done_callback(self._looked)
        # Several may wait for one look, and one of them may be cancelled.
        await asyncio.wait({self._look}, timeout=patience)

    def _looked(self, look: "asyncio.Task[None]") -> None:
        if self._look is look:
            self._look = None

    async def _fetch(self, now_ms: int) -> None:
        try:
            found = await self.provider.discovered()
            content = await self.provider.get(found.jwks_uri)
            keys = parsed(self.provider.read(content, _Jwks).keys)
        except AssentError as error:
            self._trouble = str(error)
            return
        if not keys:
            self._trouble = "It publishes no key for RS256 (2048 bits or more), PS256 or ES256."
            return
        self._keys, self._at, self._trouble = keys, now_ms, ""
        self._write_file(_Kept(self.provider.issuer, now_ms, msgspec.Raw(content)))

    def _file(self) -> Path | None:
        name = hashlib.sha256(self.provider.issuer.encode()).hexdigest()[:16]
        return None if self.folder is None else self.folder / f"provider-{name}.json"

    def _read_file(self) -> None:
        file = self._file()
        if file is None or self._has_looked:
            return
        self._has_looked = True
        # A damaged file is no file: the provider is asked.
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if file.stat().st_size <= 2 * LARGEST_DOCUMENT and _is_ours(file):
                kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
                if kept.issuer == self.provider.issuer:
                    self._keys = parsed(msgspec.json.decode(kept.jwks, type=_Jwks).keys)
                    self._at = kept.at if self._keys else None

    def _write_file(self, kept: _Kept) -> None:
        file = self._file()
        if file is None:
            return
        new = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
        with suppress(OSError):  # a full disk costs the file, not the keys
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                with os.fdopen(
                    os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb"
                ) as stream:
                    stream.write(msgspec.json.encode(kept))
                new.replace(file)
            finally:
                new.unlink(missing_ok=True)


def parsed(entries: list[msgspec.Raw]) -> tuple[ProviderKey, ...]:
    """The keys of a set that can be used here; others may stand beside them."""
    return tuple(key for entry in entries[:MOST_KEYS] for key in _key(entry))


def _key(entry: msgspec.Raw) -> Iterator[ProviderKey]:
    with suppress(msgspec.DecodeError, ValueError, RecursionError):
        jwk = msgspec.json.decode(entry, type=_Jwk)
        public = _public(jwk)
        algorithms = {"RSA": {"RS256", "PS256"}, "EC": {"ES256"}}[jwk.kty] if public else set()
        if jwk.alg is not None:
            algorithms &= {jwk.alg}
        is_for_signing = jwk.use in (None, "sig") and (jwk.key_ops is None or "verify" in jwk.key_ops)
        if public is not None and algorithms and is_for_signing:
            yield ProviderKey(jwk.kid, frozenset(algorithms), public)


def _public(jwk: _Jwk) -> "RSAPublicKey | EllipticCurvePublicKey | None":
    """Raises ValueError for numbers that are no key."""
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    if jwk.kty == "RSA":
        modulus, exponent = _number(jwk.n), _number(jwk.e)
        is_usual = _SHORTEST_RSA <= modulus.bit_length() <= _LONGEST_RSA and exponent < 1 << 33
        return rsa.RSAPublicNumbers(exponent, modulus).public_key() if is_usual else None
    if jwk.kty == "EC" and jwk.crv == "P-256":
        return ec.EllipticCurvePublicNumbers(_number(jwk.x), _number(jwk.y), ec.SECP256R1()).public_key()
    return None


def _number(text: str) -> int:
    content = unpacked(text)
    if not content or len(content) > _LONGEST_RSA // 8 + 1:
        raise ValueError("no number")
    return int.from_bytes(content)


def _is_ours(file: Path) -> bool:
    status = file.stat()
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022
