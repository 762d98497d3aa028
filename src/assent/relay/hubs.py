"""Hubs of the team as a relay knows them: who owns each, and since when that is vouched for."""

from dataclasses import dataclass

from assent.protocol.team import LONGEST_PROOF_MS, Identity, KeyId, Member, Role
from assent.team import roles as team_roles
from assent.team.roles import RoleTable

# What the identity provider said so long ago no longer gives groups and roles, nor what is for others than the owner.
FRESH_MS = LONGEST_PROOF_MS
# Then its owner has to sign in again for anything.
LONGEST_ABSENCE_MS = 30 * 86_400_000
# A workload's token is short-lived; what it started is over by then.
WORKLOAD_MS = 24 * 3_600_000
# So many are kept in memory for the time the database is away.
MOST_KEPT = 50_000
EVERYTHING = "*"


@dataclass(frozen=True, slots=True)
class KnownHub:
    id: KeyId
    key: str
    owner: Identity
    is_workload: bool
    machine: str
    version: str
    joined_at: int
    proven_at: int
    revoked_at: int | None = None

    def is_fresh(self, now: int) -> bool:
        return now - self.proven_at <= FRESH_MS

    def is_too_old(self, now: int) -> bool:
        return now - self.proven_at > (WORKLOAD_MS if self.is_workload else LONGEST_ABSENCE_MS)

    def roles(self, table: RoleTable, now: int) -> tuple[Role, ...]:
        return team_roles.roles_of(self.owner, table) if self.is_fresh(now) and not self.is_workload else ()

    def member(self, *, seen_at: int | None, is_connected: bool) -> Member:
        return Member(
            hub=self.id,
            machine=self.machine,
            owner=self.owner.label,
            version=self.version,
            joined_at=self.joined_at,
            seen_at=seen_at,
            is_connected=is_connected,
            revoked_at=self.revoked_at,
        )


class Roster:
    """Hubs that were heard of lately, so that those go on while the database is away."""

    def __init__(self) -> None:
        self._hubs: dict[KeyId, KnownHub] = {}

    def get(self, hub: KeyId) -> KnownHub | None:
        return self._hubs.get(hub)

    def put(self, hub: KnownHub) -> None:
        self._hubs.pop(hub.id, None)
        self._hubs[hub.id] = hub
        if len(self._hubs) > MOST_KEPT:
            del self._hubs[next(iter(self._hubs))]

    def remove(self, hub: KeyId) -> None:
        self._hubs.pop(hub, None)

    def ids(self) -> list[KeyId]:
        return list(self._hubs)
