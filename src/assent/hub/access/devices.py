"""Paired devices: identity, keys and scope."""

import hashlib
import hmac
import logging
import secrets
import threading
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from assent.hub import state_file as kept
from assent.protocol.surfaces import Scope
from assent.webapi import signature
from assent.webapi.endpoint import ProblemError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey as PublicKey

log = logging.getLogger("assent.hub")

# For so long a new phone may only deny, and is announced: time for the user to notice that it is not theirs.
PROBATION_MS = 10 * 60_000
LONGEST_NAME = 40
MOST_DEVICES = 64
# A browser whose cookie has run out opens a new link; its old entry is useless.
FORGOTTEN_AFTER_MS = 31 * 24 * 3_600_000
# How stale the time of the last visit may be on disk.
SAVE_EVERY_MS = 10 * 60_000

Kind = Literal["desk", "phone"]
ScopeWord = Literal["watch", "deny", "answer", "instruct", "grant", "admin"]
# What lasts and who else comes in is decided at the desk.
MOST_FOR_PHONES = Scope.INSTRUCT


class Device(msgspec.Struct, kw_only=True, omit_defaults=True):
    id: str
    name: str
    kind: Kind
    scope: ScopeWord
    created_at: int
    # Until then it may only deny.
    active_from: int = 0
    last_seen: int = 0
    revoked: int | None = None
    # How it proves who it is: a P-256 key (SPKI, base64url), or the hash of a secret where its browser cannot sign.
    key: str = ""
    secret: str = ""

    def may(self, now: int) -> Scope:
        if self.revoked is not None:
            return Scope.NONE
        scope = Scope[self.scope.upper()]
        return min(scope, Scope.DENY) if now < self.active_from else scope

    def has_secret(self, given: str) -> bool:
        return bool(self.secret) and hmac.compare_digest(self.secret, hashed(given))


class _File(msgspec.Struct):
    version: Literal[1] = 1
    devices: list[Device] = []


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def clean_name(text: str, otherwise: str) -> str:
    """Typed on another machine and shown everywhere: one short line of letters that are what they seem."""
    kept_ones = "".join(c if unicodedata.category(c)[0] in "LNPSM" else " " for c in text[: 4 * LONGEST_NAME])
    return " ".join(kept_ones.split())[:LONGEST_NAME].strip() or otherwise


@dataclass(slots=True)
class Devices:
    path: Path
    by_id: dict[str, Device] = field(default_factory=dict)
    _keys: "dict[str, PublicKey | None]" = field(default_factory=dict)
    _saved_at: int = 0
    _writing: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        content = kept.read(self.path)
        if content is None:
            return
        try:
            for device in msgspec.json.decode(content, type=_File).devices:
                # Older files have several of the same name.
                device.name = device.name if device.revoked else self._distinct(device.name)
                self.by_id[device.id] = device
        except (msgspec.DecodeError, RecursionError) as error:
            # An unreadable file admits no device; they have to be paired again.
            log.error("%s cannot be read, so no device is known: %s", self.path, error)

    def add(self, device: Device, now: int, *, instead_of: Device | None = None) -> Device:
        """Under a name that no other has; the one whose place it takes is shut out.

        Raises ProblemError if there are too many, or if it cannot be kept."""
        before = dict(self.by_id)
        self._forget_old(now)
        if instead_of is not None:
            del self.by_id[instead_of.id]
        device.name = self._distinct(device.name)
        if len(self.by_id) >= MOST_DEVICES:
            self.by_id = before
            raise ProblemError(
                409,
                "too-many-devices",
                f"{MOST_DEVICES} devices are known already.",
                hint="`assent devices` lists them.",
            )
        self.by_id[device.id] = device
        try:
            self.save(now)
        except ProblemError:
            self.by_id = before
            raise
        return device

    def is_let_in(self, name: str) -> bool:
        """Whether it may still come in."""
        device = self.by_id.get(name)
        return device is not None and device.revoked is None

    def with_key(self, key: str, kind: Kind) -> Device | None:
        """A device that came back with the key it had."""
        return next((d for d in self._in() if key and d.key == key and d.kind == kind), None)

    def rename(self, device: Device, name: str) -> None:
        """Raises ProblemError if another is called that: it would be told of in its place."""
        wanted = clean_name(name, device.name)
        if any(each.name.casefold() == wanted.casefold() for each in self._in() if each is not device):
            raise ProblemError(409, "name-taken", f"Another device is called {wanted}.", hint="choose another name.")
        device.name = wanted

    def key_of(self, device: Device) -> "PublicKey | None":
        if device.id not in self._keys:
            self._keys[device.id] = signature.public_key(device.key) if device.key else None
        return self._keys[device.id]

    def revoke(self, name: str, now: int) -> Device:
        """With everything else that was let in by its key. In force at once, even if it cannot be kept. Raises
        ProblemError."""
        device = self.known(name)
        for each in self.same(device):
            each.revoked = now
        self.save(now)
        return device

    def same(self, device: Device) -> list[Device]:
        """It, and what came in with its key."""
        return [each for each in self._in() if each is device or (device.key and each.key == device.key)]

    def known(self, name: str) -> Device:
        """Raises ProblemError."""
        device = self.by_id.get(name)
        if device is None or device.revoked is not None:
            raise ProblemError(
                404, "no-device", f"There is no device {clean_name(name, '?')}.", hint="`assent devices` lists them."
            )
        return device

    def new(self, now: int) -> list[Device]:
        return [device for device in self._in() if now - device.created_at < PROBATION_MS]

    def _in(self) -> list[Device]:
        return [device for device in self.by_id.values() if device.revoked is None]

    def _distinct(self, name: str) -> str:
        """The name, with a number where another is called the same."""
        taken = {device.name.casefold() for device in self._in()}
        numbered = (f"{name[: LONGEST_NAME - 3]} {number}" for number in range(2, MOST_DEVICES + 2))
        return next(each for each in (name, *numbered) if each.casefold() not in taken)

    def save(self, now: int) -> None:
        """Raises ProblemError."""
        try:
            self.write(self.content(now))
        except OSError as error:
            raise ProblemError(
                507,
                "not-kept",
                f"{self.path} could not be written ({error.strerror}).",
                hint="make room, then try again.",
            ) from None

    def seen(self, device: Device, now: int) -> bool:
        """Whether it is time to save when each device was seen last."""
        device.last_seen = now
        return now - self._saved_at > SAVE_EVERY_MS

    def content(self, now: int) -> bytes:
        self._saved_at = now
        return msgspec.json.encode(_File(devices=list(self.by_id.values())))

    def write(self, content: bytes) -> None:
        """Raises OSError."""
        with self._writing:
            kept.write(self.path, content)

    def _forget_old(self, now: int) -> None:
        self.by_id = {
            name: device
            for name, device in self.by_id.items()
            if now - max(device.revoked or 0, device.last_seen, device.created_at) < FORGOTTEN_AFTER_MS
            or (device.kind == "phone" and device.revoked is None)
        }


def new_id() -> str:
    # Short enough to be typed, and never a secret.
    return secrets.token_hex(4)
