"""Keeps what the identity provider says of this hub's owner fresh, as long as it lets us."""

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from msgspec import structs

from assent.errors import AssentError
from assent.hub.bus import Clock, now_ms
from assent.paths import Paths
from assent.protocol.team import LONGEST_PROOF_MS
from assent.secrets_store import Vault
from assent.team import membership as memberships
from assent.team.membership import REFRESH, Membership
from assent.team.provider import ProviderAwayError
from assent.text import times

if TYPE_CHECKING:
    from assent.team.sign_in import SignedIn

log = logging.getLogger("assent.hub")

# After so long a new one is asked for; the other half is for a provider that is away.
RENEWED_AFTER_MS = LONGEST_PROOF_MS // 2
# Looked at the clock this often: one that stood still while the machine slept makes no difference then.
LONGEST_SLEEP = 300.0
SOONEST_AGAIN, LATEST_AGAIN = 30.0, 900.0
KEYRING_PATIENCE = 10.0


# Of this team's provider, with a refresh token. Raises ProviderAwayError, or another AssentError where the owner has to
# sign in again.
Provider = Callable[[Membership, str], Awaitable["SignedIn"]]


async def at_provider(joined: Membership, refresh: str, ca_file: str | None = None) -> "SignedIn":
    # Here and not above: most hubs are in no team, and all have to start.
    from assent.team.sign_in import renewed
    from assent.team.trust import Trust

    assert joined.proof is not None
    trust = Trust.of(joined.info, ca_file=ca_file)
    try:
        return await renewed(trust, joined.proof, refresh)
    finally:
        await trust.close()


class Owner(Protocol):
    """Whose proof it is."""

    membership: Membership | None

    def replace(self, membership: Membership) -> None:
        """There is a newer proof, and it is written down."""

    async def post_proof(self) -> None:
        """The relay is to have the newest one."""


class Renewal:
    def __init__(self, paths: Paths, owner: Owner, provider: Provider, now: Clock = now_ms) -> None:
        self._paths = paths
        self._owner = owner
        self._provider = provider
        self._now = now
        # Why the provider gives no newer one; "" where it does, or was not asked yet.
        self._refusal = ""
        self._hurry = asyncio.Event()
        self._busy = asyncio.Lock()

    def hurry(self) -> None:
        """A relay said that the proof is too old."""
        self._hurry.set()

    def words(self) -> str:
        """What the owner is to do, in a sentence; "" where nothing."""
        joined = self._owner.membership
        if joined is None or joined.runs_out_at is None:
            return ""
        left = joined.runs_out_at - self._now()
        if left <= 0:
            return f"The sign-in of {joined.owner} ran out. `assent team sign-in` does it again."
        if self._refusal:
            return f"The sign-in of {joined.owner} runs out in {times.span(left)}: {self._refusal}"
        return ""

    async def run_forever(self) -> None:
        """Ends where there is nothing to renew."""
        self._refusal = ""
        failures = 0
        while (joined := self._owner.membership) is not None and (left := self._left(joined)) is not None:
            again = min(LATEST_AGAIN, SOONEST_AGAIN * 2.0 ** min(failures, 10)) if failures else 0.0
            again *= random.uniform(0.7, 1.0)  # noqa: S311 - no secret
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(LONGEST_SLEEP, max(left, again))):
                    await self._hurry.wait()
            if not self._hurry.is_set() and (self._left(joined) or 0.0) > 0:
                continue
            self._hurry.clear()
            failures = 0 if await self.renew() else failures + 1
            await self._owner.post_proof()

    async def renew(self) -> bool:
        """Whether there is a newer proof now."""
        before = self._owner.membership
        async with self._busy:
            joined = self._owner.membership
            if joined is not before:
                # By another task that was faster.
                return True
            try:
                return joined is not None and await self._renewed(joined)
            except AssentError as error:
                log.warning("the owner's proof could not be renewed: %s", error.message)
            except Exception:
                log.exception("the owner's proof could not be renewed")
            return False

    def _left(self, joined: Membership) -> float | None:
        """Seconds until it is renewed."""
        until = joined.runs_out_at
        return None if until is None else max(0.0, (until - LONGEST_PROOF_MS + RENEWED_AFTER_MS - self._now()) / 1000)

    async def _renewed(self, joined: Membership) -> bool:
        refresh = await asyncio.to_thread(_refresh_token, self._paths)
        if not refresh:
            self._refusal = "your identity provider gave nothing to renew it with. `assent team sign-in` does it again."
            return False
        try:
            signed = await self._provider(joined, refresh)
        except ProviderAwayError:
            raise
        except AssentError as error:
            self._refusal = f"{error.message} `assent team sign-in` does it again."
            raise
        after = structs.replace(joined, proof=signed.proof, identity=signed.identity)
        await asyncio.to_thread(_keep, self._paths, joined, after, signed.refresh)
        self._owner.replace(after)
        self._refusal = ""
        return True


def _refresh_token(paths: Paths) -> str | None:
    """From a vault of its own: another program may have put a newer one there."""
    vault = Vault(paths)
    if vault.is_closed():
        vault.load(KEYRING_PATIENCE)
    return vault.get(*REFRESH)


def _keep(paths: Paths, before: Membership, after: Membership, refresh: str) -> None:
    """Raises AssentError. A person who signed in or left meanwhile goes first."""
    try:
        _check(paths, before)
        # First: most providers take each but once. A keyring may take its time.
        if refresh:
            Vault(paths).put(*REFRESH, refresh)
            _check(paths, before)
        memberships.save(paths.team, after)
    except OSError as error:
        raise AssentError(f"{paths.team} cannot be written: {error.strerror}.") from None


def _check(paths: Paths, before: Membership) -> None:
    now = memberships.load(paths.team)
    if now is None:
        Vault(paths).forget(*REFRESH)
    if now != before:
        raise AssentError("The team of this hub was changed meanwhile.")
