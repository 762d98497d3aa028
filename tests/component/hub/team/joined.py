"""A hub's end of a team, joined without a person."""

import json
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from assent.config import Config, Team
from assent.hub.team.link import TeamLink
from assent.hub.team.renewal import Provider
from assent.paths import Paths
from assent.protocol.team import Identity, JoinRequest, Proof, TeamInfo
from assent.team import membership as memberships
from assent.team.keys import HubKey, packed
from assent.team.membership import Membership
from assent.team.sign_in import SignedIn
from tests.services.team_relay import Relay

HOUR = 3_600_000


def token(age_ms: int = 0) -> str:
    """As much of an ID token as its own hub reads."""
    claims = json.dumps({"iat": time.time() - age_ms / 1000}).encode()
    return f"e30.{packed(claims)}.c2ln"


class Settings:
    """As much of the settings in force as the link follows."""

    def __init__(self, team: Team = Team()) -> None:  # noqa: B008 - frozen
        self.config = Config(team=team)
        self.settings: dict[str, Any] = {}

    def reload(self) -> None:
        pass


def paths_in(folder: Path) -> Paths:
    paths = Paths(folder / "config", folder / "state")
    paths.keys.mkdir(parents=True, mode=0o700)
    return paths


def joined(paths: Paths, *relays: Relay, age_ms: int = 0, **changes: Any) -> Membership:
    """Written down, and known to these relays."""
    key = HubKey.load_or_create(paths.team_key)
    info = relays[0].info if relays else TeamInfo(1, "Example", "https://id.example.org", "assent")
    proof = Proof(key.public, "salt", token(age_ms))
    membership = Membership(
        urls=tuple(relay.url for relay in relays) or ("http://127.0.0.1:9",),
        info=info,
        hub=key.id,
        machine="laptop",
        owner="ada@example.org",
        joined_at=1,
        identity=Identity(info.issuer, "ada", "ada@example.org"),
        proof=proof,
    )
    membership = structs.replace(membership, **changes)
    memberships.save(paths.team, membership)
    for relay in relays:
        relay.join(key.id, msgspec.json.encode(JoinRequest(key.public, "laptop", "1", proof)))
    return membership


class FakeProvider:
    """Gives newer tokens as long as it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.error: Exception | None = None

    async def __call__(self, membership: Membership, refresh: str) -> SignedIn:
        self.asked.append(refresh)
        if self.error is not None:
            raise self.error
        assert membership.proof is not None
        proof = structs.replace(membership.proof, fresh=token())
        assert membership.identity is not None
        return SignedIn(proof, f"{refresh}'", membership.identity)


def link_of(paths: Paths, provider: Provider | None = None, team: Team = Team()) -> TeamLink:  # noqa: B008 - frozen
    return TeamLink(paths, Settings(team), provider or FakeProvider())
