"""People of the team at this hub: what their keys and their provider's word prove. A relay's word proves nothing."""

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from assent.hub.bus import Clock
from assent.hub.team.base import Link
from assent.hub.team.revoked_hubs import RevokedHubs
from assent.protocol.team import NEW_MACHINE_MS, Hello, Identity, KeyId, Proof, TeamInfo
from assent.team.keys import BadKeyError, key_id
from assent.team.membership import Membership, issued_at
from assent.team.trust import UntrustedError

log = logging.getLogger("assent.hub")

# Whose ask it is does not change with the age of the proof; it counts for being shown, and for nothing else.
LONGEST_FOR_SHOWING_MS = 400 * 24 * 3_600_000
# Keys of which is remembered since when they are their person's. One that is forgotten is as old as its newest token.
MOST_KEYS = 10_000


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
    # When the first token was made that names the key, of those that came here.
    _bound_at: OrderedDict[tuple[KeyId, str], int] = field(default_factory=OrderedDict)

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
        self._remember(hub, identity, proof)
        return identity

    def denies_until(self, hub: KeyId, identity: Identity) -> int:
        """Until then a machine that proved to be this person's may only deny; 0 where that is over."""
        until = self._bound_at.get((hub, identity.id), self.now_ms()) + NEW_MACHINE_MS
        return until if until > self.now_ms() else 0

    @property
    def i_deny_until(self) -> int:
        """The same of this machine: when others will take its yes. They count from its first sign-in that they saw."""
        membership = self.membership
        if membership is None or membership.proof is None:
            return 0
        until = min(membership.joined_at, issued_at(membership.proof.token)) + NEW_MACHINE_MS
        return until if until > self.now_ms() else 0

    def _remember(self, hub: KeyId, identity: Identity, proof: Proof) -> None:
        # A token without a time would be one that was made now.
        name, at = (hub, identity.id), issued_at(proof.token) or self.now_ms()
        self._bound_at[name] = min(at, self._bound_at.get(name, at))
        self._bound_at.move_to_end(name)
        while len(self._bound_at) > MOST_KEYS:
            self._bound_at.popitem(last=False)

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
