"""Who may speak to the relay: requests signed by a hub's key, each once, not too many, and none of a revoked one."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.responses import Response

from assent.protocol.team import KeyId
from assent.relay.exchange import Exchange, now_ms, proof_too_old
from assent.relay.hubs import KnownHub
from assent.relay.settings import Settings
from assent.team.roles import RoleTable, may_join
from assent.webapi import signature
from assent.webapi.endpoint import ProblemError
from assent.webapi.signature import WINDOW_MS, ClockError, Signed

# A hub that comes back posts all its asks at once.
BURST, A_SECOND = 800.0, 20.0
# Of those that are not known here: looking for them costs the database, checking them a provider's signature. After
# a relay failed, all its hubs come at once.
STRANGERS_BURST, STRANGERS_A_SECOND = 10_000.0, 500.0


class WaitError(ProblemError):
    """Says when to come again."""

    def __init__(self, code: str, message: str, seconds: int, *, status: int = 429) -> None:
        super().__init__(status, code, message, hint=f"come again in {seconds} s.")
        self.seconds = seconds

    def response(self) -> Response:
        response = super().response()
        response.headers["Retry-After"] = str(self.seconds)
        return response


@dataclass(slots=True)
class Bucket:
    """So many at once, and so many a second."""

    most: float
    a_second: float
    left: float = -1.0
    at: int = 0

    def take(self, now: int) -> None:
        """Raises WaitError."""
        if self.left < 0:
            self.left = self.most
        else:
            self.left = min(self.most, self.left + max(0, now - self.at) / 1000 * self.a_second)
        self.at = now
        if self.left < 1:
            raise WaitError("too-many", "Too many requests.", int(1 / self.a_second) + 1)
        self.left -= 1

    def is_full(self, now: int) -> bool:
        return self.left + (now - self.at) / 1000 * self.a_second >= self.most


@dataclass(slots=True)
class UsedNonces:
    """A request that comes twice is refused the second time. Two generations, so that forgetting costs nothing."""

    _now: set[bytes] = field(default_factory=set)
    _before: set[bytes] = field(default_factory=set)
    _since: int = 0

    def take(self, signed: Signed, now: int) -> None:
        """Raises ProblemError. Only for requests whose signature is good."""
        # A signature is good for two windows at most: from one that lies ahead to one behind.
        if now - self._since > 2 * WINDOW_MS:
            self._before = self._now if now - self._since <= 4 * WINDOW_MS else set()
            self._now, self._since = set(), now
        name = hashlib.blake2s(f"{signed.device}\n{signed.nonce}".encode(), digest_size=16).digest()
        if name in self._now or name in self._before:
            raise ProblemError(403, "replayed", "This request came before; it counts once.")
        self._now.add(name)


class Doorkeeper:
    def __init__(self, exchange: Exchange, settings: Settings) -> None:
        self._exchange = exchange
        self._roles: RoleTable = settings.roles.table()
        self._nonces = UsedNonces()
        self._buckets: dict[KeyId, Bucket] = {}
        self._strangers = Bucket(STRANGERS_BURST, STRANGERS_A_SECOND)

    async def known(self, headers: Mapping[str, str]) -> tuple[Signed, KnownHub]:
        """Whose request it says it is: before its body is read. Raises ProblemError; AwayError where only the database
        could tell."""
        signed = signature.read(headers)
        if self._exchange.roster.get(signed.device) is None:
            self._strangers.take(now_ms())
        hub = await self._exchange.hub(signed.device)
        if hub is None:
            raise ProblemError(
                401, "unknown-hub", "The relay knows no hub of this key.", hint="join the team: `assent join`."
            )
        return signed, hub

    def admit(
        self, signed: Signed, hub: KnownHub, method: str, path: str, body: bytes, *, may_be_old: bool = False
    ) -> None:
        """Raises ProblemError unless it is this hub's request, and the hub may make it."""
        self.check(signed, hub.key, method, path, body)
        now = now_ms()
        # Not before the signature is known to be good: others could use it up.
        self._bucket(hub.id, now).take(now)
        if hub.revoked_at is not None or hub.id in self._exchange.revoked:
            raise revoked()
        if not may_be_old:
            self._check_owner(hub, now)

    def check(self, signed: Signed, key: str, method: str, path: str, body: bytes) -> None:
        """Raises ProblemError unless this key signed the request, now, and for the first time."""
        now = now_ms()
        if abs(now - signed.time) > WINDOW_MS:
            raise ClockError(now, "The clock of this machine is off by minutes.", "set its time.")
        public = signature.public_key(key)
        message = signature.message(method, path, signed.time, signed.nonce, body)
        if public is None or not signature.is_good(public, signed.signature, message):
            raise ProblemError(403, "bad-signature", "The request is not signed by the key of this hub.")
        self._nonces.take(signed, now)

    def stranger(self) -> None:
        """Raises WaitError while too many come that are not known."""
        self._strangers.take(now_ms())

    def _check_owner(self, hub: KnownHub, now: int) -> None:
        if hub.is_too_old(now):
            raise proof_too_old()
        if hub.is_fresh(now) and not hub.is_workload and not may_join(self._exchange.roles_of(hub)):
            raise not_a_member()

    def _bucket(self, hub: KeyId, now: int) -> Bucket:
        if (bucket := self._buckets.get(hub)) is None:
            if len(self._buckets) > 20_000:
                self._buckets = {one: each for one, each in self._buckets.items() if not each.is_full(now)}
            bucket = self._buckets[hub] = Bucket(BURST, A_SECOND)
        return bucket


def revoked() -> ProblemError:
    return ProblemError(
        403, "revoked", "This hub was revoked.", hint="`assent leave`, then `assent join` makes a new key for it."
    )


def not_a_member() -> ProblemError:
    return ProblemError(
        403,
        "not-a-member",
        "The groups of this hub's owner do not let them into the team.",
        hint="ask who runs the relay: [roles] in its settings names who may join.",
    )
