"""What a hub knows of its team: written down as it joined, and again whenever its owner's proof was renewed.

What was agreed to as it joined is pinned here: the identity provider and the client id that are believed about people.
A relay that says something else later changes nothing."""

import base64
import binascii
import json
import os
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from assent.errors import AssentError
from assent.protocol.team import LONGEST_PROOF_MS, Identity, KeyId, Proof, TeamInfo, Whom

# Surface and name of the secret by which a provider renews what it said of the owner.
REFRESH = ("team", "refresh")


class DamagedError(AssentError):
    """There is a file, and it cannot be used."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} cannot be used: {why}. This hub takes no part in its team.",
            hint="`assent leave` forgets the team, `assent join URL` joins it again.",
        )


class Membership(Struct, frozen=True, omit_defaults=True):
    # The relays of the team; one after the other is tried.
    urls: tuple[str, ...]
    info: TeamInfo
    # What this hub is called in the team, and its machine by people.
    hub: KeyId
    machine: str
    # As people read it.
    owner: str
    joined_at: int
    # The owner as their provider names them; None where a workload owns the hub.
    identity: Identity | None = None
    proof: Proof | None = None
    # Where a workload's token is read again: a path, "env:NAME" or, where it cannot be, "".
    token_source: str = ""
    # Who may answer what this hub asks. A workload names them as it joins; they are never taken from a relay.
    answerers: tuple[Whom, ...] = ("owner",)
    version: Literal[1] = 1

    @property
    def is_workload(self) -> bool:
        return self.identity is None

    @property
    def runs_out_at(self) -> int | None:
        """When what the provider said of the owner is too old to count; None where nothing runs out."""
        if self.proof is None:
            return None
        return issued_at(self.proof.fresh or self.proof.token) + LONGEST_PROOF_MS


def load(path: Path) -> Membership | None:
    """None where this hub is in no team. Raises DamagedError."""
    try:
        with open(path, "rb", opener=_opened) as file:
            status = os.fstat(file.fileno())
            content = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedError(path, error.strerror or "it cannot be read") from None
    if status.st_uid != os.geteuid() or status.st_mode & 0o022:
        # Who writes it decides whose word counts about people.
        raise DamagedError(path, "others can write it")
    try:
        return msgspec.json.decode(content, type=Membership)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise DamagedError(path, "it is not what was written there") from None


def _opened(path: str, flags: int) -> int:
    # Without waiting for the other end, should it be a pipe.
    return os.open(path, flags | os.O_NONBLOCK)


def save(path: Path, membership: Membership) -> None:
    """Raises OSError and leaves what was there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    new.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(membership))
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def forget(path: Path) -> None:
    path.unlink(missing_ok=True)


def issued_at(token: str) -> int:
    """When an ID token of our own was issued, in milliseconds. Callers that count on it check the signature besides."""
    parts = token.split(".")
    if len(parts) != 3:
        return 0
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        return int(claims["iat"] * 1000)
    except (binascii.Error, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return 0
