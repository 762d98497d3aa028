"""People of the team at this hub: what their keys and their provider's word prove. A relay's word proves nothing."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from assent.hub.bus import Clock
from assent.hub.team.base import Link
from assent.hub.team.revoked_hubs import RevokedHubs
from assent.protocol.team import Hello, Identity, KeyId, Proof, TeamInfo
from assent.team.keys import BadKeyError, key_id
from assent.team.membership import Membership
from assent.team.trust import UntrustedError

log = logging.getLogger("assent.hub")

# Whose ask it is does not change with the age of the proof; it counts for being shown, and for nothing else.
LONGEST_FOR_SHOWING_MS = 400 * 24 * 3_600_000


class Trusting(Protocol):
    """As much of ``team.trust.Trust`` as is used here."""

    async def identity(self, proof: Proof, now_ms: int, longest: int = ...) -> Identity:
        """The person whose key that is. Raises UntrustedError."""

    async def close(self) -> None: ...


@dataclass(slots=True)
class People:
    link: Link
    trusting: Callable[[TeamInfo], Trusting]
    now_ms: Clock
    # This hub's owner may read what is asked of others. The relay's word, for reading alone.
    is_auditor: bool = False
    _revoked: RevokedHubs = field(init=False)
    _trust: tuple[TeamInfo, Trusting] | None = None

    def __post_init__(self) -> None:
        self.link.on("hello", self._greeted)
        self._revoked = RevokedHubs(self.link)

    @property
    def membership(self) -> Membership | None:
        return self.link.membership

    @property
    def me(self) -> Identity | None:
        """This hub's owner; None where a workload owns it, and without a team."""
        membership = self.link.membership
        return membership.identity if membership is not None else None

    async def person(self, hub: KeyId, proof: Proof, longest: int) -> Identity:
        """Who owns this hub, as their provider and the key prove. Raises UntrustedError."""
        membership = self.membership
        if membership is None:
            raise UntrustedError("no-team", "This hub is in no team.")
        self._check(hub)
        if not is_key_of(hub, proof.key):
            raise UntrustedError("another-key", "The proof is of another key than the hub's.")
        trust = await self._trusting(membership.info)
        identity = await trust.identity(proof, self.now_ms(), longest)
        # It took a while where keys of the provider were fetched.
        self._check(hub)
        return identity

    async def close(self) -> None:
        if self._trust is not None:
            await self._trust[1].close()

    def _check(self, hub: KeyId) -> None:
        if hub in self._revoked:
            raise UntrustedError("revoked", "That machine was shut out of the team.")

    async def _trusting(self, info: TeamInfo) -> Trusting:
        before = self._trust
        if before is not None and before[0] == info:
            return before[1]
        self._trust = (info, self.trusting(info))
        trust = self._trust[1]
        if before is not None:
            await before[1].close()
        return trust

    def _greeted(self, hello: Hello) -> None:
        self.is_auditor = "auditor" in hello.roles


def is_logged(count: int) -> bool:
    """Of what a relay can send as often as it likes: the first, the second, the fourth …"""
    return count & (count - 1) == 0


def is_key_of(hub: KeyId, public: str) -> bool:
    try:
        return key_id(public) == hub
    except BadKeyError:
        return False
