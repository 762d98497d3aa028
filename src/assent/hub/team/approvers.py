"""The team as the desk needs it: who owns this hub, and whether others can be asked."""

from dataclasses import dataclass, field

from msgspec import structs

from assent.hub.bus import Clock, now_ms
from assent.hub.team.base import Link
from assent.hub.team.revoked_hubs import RevokedHubs
from assent.protocol.team import Identity, KeyId

_AWAY = "The team cannot be reached now: its relay is away."


@dataclass(slots=True)
class Approvers:
    link: Link
    now_ms: Clock = now_ms
    _revoked: RevokedHubs = field(init=False)

    def __post_init__(self) -> None:
        self._revoked = RevokedHubs(self.link)

    @property
    def is_joined(self) -> bool:
        return self.link.membership is not None

    @property
    def owner(self) -> Identity | None:
        """Without their groups where what the provider said of them is too old, as from all others."""
        membership = self.link.membership
        if membership is None or membership.identity is None:
            return None
        until = membership.runs_out_at
        is_old = until is not None and until <= self.now_ms()
        return structs.replace(membership.identity, groups=()) if is_old else membership.identity

    @property
    def answerers(self) -> tuple[str, ...]:
        membership = self.link.membership
        return () if membership is None else membership.answerers

    @property
    def trouble(self) -> str:
        return "" if self.link.is_connected else _AWAY

    @property
    def damage(self) -> str:
        return self.link.trouble

    def is_revoked(self, hub: KeyId) -> bool:
        return hub in self._revoked
