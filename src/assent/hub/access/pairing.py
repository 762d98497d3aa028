"""Pairing of screens: a one-time code, a claim with that code, and for phones three words that a person compares
before the claim counts."""

import functools
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from importlib import resources
from typing import Literal

from assent.hub.access.devices import Device, Kind, ScopeWord
from assent.webapi.endpoint import ProblemError

# Of words that a person compares on two screens.
COUNT = 3


@functools.cache
def known_words() -> tuple[str, ...]:
    return tuple(resources.files("assent.hub.access").joinpath("words.txt").read_text("ascii").split())


def words_of(secret: str, proof: str) -> tuple[str, ...]:
    """The words for a claim with this one-time secret and this key."""
    digest = hashlib.sha256(f"assent words\n{secret}\n{proof}".encode()).digest()
    words = known_words()
    return tuple(words[int.from_bytes(digest[4 * at : 4 * at + 4]) % len(words)] for at in range(COUNT))


# A link is opened at once or not at all; so are words compared.
SECONDS = 120.0
MOST_WAITING = 16

Outcome = Literal["waiting", "active", "refused", "expired"]


@dataclass(frozen=True, slots=True)
class Invitation:
    """A minted code, and the device its claimant becomes."""

    code: str
    kind: Kind
    scope: ScopeWord
    name: str = ""
    until: float = 0.0

    @property
    def id(self) -> str:
        """Tells whose claim one is, without being good for one."""
        return hashlib.sha256(self.code.encode()).hexdigest()[:16]


@dataclass(slots=True)
class Claim:
    """A phone that came with a good code and waits until the user at the desk has compared the words."""

    device: Device
    # Known to the phone alone: it asks with this whether it was let in.
    token: str
    words: tuple[str, ...]
    address: str
    invitation: str
    until: float
    outcome: Outcome = "waiting"


@dataclass(slots=True)
class Pairing:
    _invitations: dict[str, Invitation] = field(default_factory=dict)
    _claims: dict[str, Claim] = field(default_factory=dict)
    # Codes that were good once, so that their second use gets the right words.
    _used: dict[str, float] = field(default_factory=dict)

    def invite(self, kind: Kind, scope: ScopeWord, name: str = "") -> Invitation:
        self._forget()
        invitation = Invitation(secrets.token_urlsafe(18), kind, scope, name, time.monotonic() + SECONDS)
        self._invitations[invitation.code] = invitation
        return invitation

    def opens_the_desk(self, code: str) -> bool:
        """Whether it is good now, and for a browser on this machine. It has 144 bits: asking as often as one likes does
        not find one."""
        self._forget()
        invitation = self._invitations.get(code)
        return invitation is not None and invitation.kind == "desk"

    def take(self, code: str) -> Invitation:
        """The invitation, which cannot be taken again. Raises ProblemError."""
        self._forget()
        invitation = self._invitations.pop(code, None)
        if invitation is not None:
            self._used[code] = time.monotonic() + SECONDS
            return invitation
        if code in self._used:
            raise ProblemError(
                403,
                "used-code",
                "This link was used already.",
                hint="`assent status` prints a new one, `assent pair` one for a phone.",
            )
        raise ProblemError(
            403,
            "bad-code",
            "This link is too old.",
            hint="`assent status` prints a new one, `assent pair` one for a phone.",
        )

    def wait(self, device: Device, invitation: Invitation, proof: str, address: str) -> Claim:
        if sum(claim.outcome == "waiting" for claim in self._claims.values()) >= MOST_WAITING:
            raise ProblemError(429, "too-many-claims", "Too many devices wait to be let in.", hint="wait two minutes.")
        claim = Claim(
            device,
            secrets.token_urlsafe(18),
            words_of(invitation.code, proof),
            address,
            invitation.id,
            time.monotonic() + SECONDS,
        )
        self._claims[device.id] = claim
        return claim

    def waiting(self) -> list[Claim]:
        self._forget()
        return [claim for claim in self._claims.values() if claim.outcome == "waiting"]

    def settle(self, name: str, outcome: Outcome) -> Claim:
        """Once: a second answer finds no claim. Raises ProblemError."""
        claim = next((claim for claim in self.waiting() if claim.device.id == name), None)
        if claim is None:
            raise ProblemError(
                409, "over", "This device no longer waits to be let in.", hint="`assent pair` begins again."
            )
        claim.outcome = outcome
        return claim

    def of_token(self, token: str) -> Claim:
        """Raises ProblemError."""
        self._forget()
        claim = next(
            (c for c in self._claims.values() if secrets.compare_digest(c.token.encode(), token.encode())), None
        )
        if claim is None:
            raise ProblemError(410, "over", "Nobody compared the words in time.", hint="`assent pair` begins again.")
        return claim

    def seconds_left(self, claim: Claim) -> float:
        return max(0.0, claim.until - time.monotonic())

    def _forget(self) -> None:
        now = time.monotonic()
        self._invitations = {code: i for code, i in self._invitations.items() if i.until > now}
        self._used = {code: until for code, until in self._used.items() if until > now}
        # Somewhat longer: a device that was let in at the last second must still be told.
        self._claims = {name: claim for name, claim in self._claims.items() if claim.until + SECONDS > now}
        for claim in self._claims.values():
            if claim.outcome == "waiting" and claim.until <= now:
                claim.outcome = "expired"
