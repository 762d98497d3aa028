"""The one stream to a relay of the team: kept open, tried at another place when it breaks.

The hub works the same with it and without it. Only parts that speak of other machines wait for what is here."""

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from assent._version import __version__
from assent.errors import AssentError
from assent.hub.bus import now_ms
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.team.base import AwayError, Handler
from assent.hub.team.renewal import Provider, Renewal, at_provider
from assent.paths import Paths
from assent.protocol.team import STREAM, Hello, JoinRequest, Proof, Role
from assent.team import membership as memberships
from assent.team import tokens
from assent.team.http import Place, RefusedByRelayError, RelayHttp, Signer, UnreachableError
from assent.team.keys import HubKey
from assent.team.membership import Membership
from assent.text import times
from assent.text.safe import plain_line

if TYPE_CHECKING:
    from assent.team.sign_in import SignedIn

log = logging.getLogger("assent.hub")

# The first words of a stream come at once.
GREETED_WITHIN = 10.0
# So many events in so many seconds: whatever a relay sends, agents get their turn.
MOST_AT_ONCE, PER = 100, 0.1
SOONEST, LONGEST_PAUSE = 1.5, 30.0
# How often the clock is looked at: it goes on while a machine sleeps, and what measures waiting does not.
LOOK_AT_CLOCK = 5.0
# Whatever a relay asks for.
LONGEST_RETRY = 120.0
# A stream that lasted so long was a good one.
LONG = 10.0
# A hub that was shut out looks this often whether it still is.
SHUT_OUT_PAUSE = 600.0
# A link that is away is told of everywhere after so long; `assent status` says it at once.
WORTH_TELLING_MS = 60_000
NOT_IN_A_TEAM = "This hub is in no team."


def pause(failures: int) -> float:
    """How long to wait after so many tries in a row that led nowhere. All hubs of a relay lose it at once, so by
    chance."""
    if failures <= 1:
        return random.uniform(0.1, SOONEST)  # noqa: S311 - no secret
    longest = min(LONGEST_PAUSE, SOONEST * 2.0 ** min(failures - 1, 10))
    return random.uniform(longest / 2, longest)  # noqa: S311 - no secret


class _Standing:
    """How the link stands, as people are told."""

    def __init__(self) -> None:
        self.state = "connecting"
        self.since = now_ms()
        self.why = self.hint = self.code = ""

    def becomes(self, state: str, error: AssentError | None = None) -> None:
        if state != self.state:
            self.state, self.since = state, now_ms()
        self.why, self.hint = (error.message, error.hint or "") if error else ("", "")
        self.code = error.code if isinstance(error, RefusedByRelayError) else ""


class TeamLink:
    def __init__(self, paths: Paths, policy: SettingsInForce, provider: Provider | None = None) -> None:
        self.membership: Membership | None = None
        self.key: HubKey | None = None
        # Why what was written down about the team is not used; "" where it is.
        self.trouble = ""
        self.renewal = Renewal(paths, self, provider or self._at_provider)
        self.roles: tuple[Role, ...] = ()
        self._paths = paths
        self._policy = policy
        self._ca_file = policy.config.team.ca_file
        self._http = RelayHttp(self._ca_file)
        self._handlers: dict[str, list[Handler]] = {name: [] for name in STREAM}
        self._on_connected: list[Callable[[], None]] = []
        self._standing = _Standing()
        # Where the stream is, while it is.
        self._place: Place | None = None
        self._bound: asyncio.Timeout | None = None
        # What broke last, and is tried last.
        self._left: Place | None = None
        self._changed = asyncio.Event()
        self._sign: Signer | None = None
        # The proof a relay has.
        self._posted: Proof | None = None
        self._read()

    @property
    def is_connected(self) -> bool:
        return self._place is not None

    def on(self, event: str, handler: Handler) -> None:
        self._handlers[event].append(handler)

    def on_connected(self, handler: Callable[[], None]) -> None:
        self._on_connected.append(handler)

    async def send(self, path: str, message: Struct) -> bytes:
        """Raises AwayError and RefusedByRelayError."""
        place = self._place
        if place is None:
            why = self._standing.why or "The team's relay is not connected yet."
            raise AwayError(why if self.membership else NOT_IN_A_TEAM, hint=self._standing.hint or None)
        try:
            return await self._http.request(place, "POST", path, msgspec.json.encode(message), self._sign)
        except UnreachableError as error:
            self._break_off(place)
            raise AwayError(error.message, hint=error.hint) from None
        except RefusedByRelayError as error:
            if error.code in ("unknown-hub", "revoked"):
                # As the stream begins again, that is looked into.
                self._break_off(place)
            elif error.code == "proof-too-old":
                # A workload's is the token by which it joins; that it does as the stream begins.
                self._break_off(place) if self.membership and self.membership.is_workload else self.renewal.hurry()
            raise

    def told(self) -> dict[str, Any] | None:
        """How it stands, for people; None where there is no team."""
        joined, standing = self.membership, self._standing
        if joined is None:
            return {"state": "trouble", "why": self.trouble} if self.trouble else None
        return {
            "name": joined.info.name,
            "relay": (self._place.url if self._place else joined.urls[0]),
            "state": standing.state,
            "since": standing.since,
            "why": standing.why,
            "hint": standing.hint,
            "code": standing.code,
            "owner": joined.owner,
            "is_workload": joined.is_workload,
            "machine": joined.machine,
            "hub": joined.hub,
            "answerers": joined.answerers,
            "roles": self.roles,
            "shares": self._policy.config.team.share,
            "runs_out_at": joined.runs_out_at,
            # What the owner is to do about their sign-in, in a sentence; "" where nothing.
            "sign_in": self.renewal.words(),
        }

    def warning(self) -> str | None:
        """What people should see of it wherever they look, in a sentence."""
        if self.membership is None:
            return self.trouble or None
        standing = self._standing
        if standing.state == "away" and now_ms() - standing.since > WORTH_TELLING_MS:
            since = times.hour_minute(standing.since)
            return f"Not connected to the team since {since}, so asks stay on this machine: {standing.why}"
        return self.renewal.words() or None

    def on_settings(self) -> None:
        if self._policy.config.team.ca_file != self._ca_file:
            self._changed.set()

    def reload(self) -> None:
        """A person joined, left or signed in: look at what is written down, and begin again."""
        # At once: a connected link has a key and a membership.
        self._place = None
        self._read()
        self._changed.set()

    def replace(self, membership: Membership) -> None:
        """The proof was renewed, and is written down."""
        self.membership = membership

    async def run_forever(self) -> None:
        try:
            while True:
                self._changed.clear()
                await self._renew_http()
                if self.membership is None:
                    await self._changed.wait()
                    continue
                await self._work_until_changed()
        finally:
            await self._http.close()

    async def _work_until_changed(self) -> None:
        work = (self._stay_connected(), self.renewal.run_forever(), self._notice_sleep())
        tasks = [asyncio.create_task(each) for each in work]
        try:
            await self._changed.wait()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._place, self._bound = None, None

    async def _notice_sleep(self) -> None:
        """After a machine slept, its stream is mostly dead, and nothing says so."""
        while True:
            before, began = now_ms(), time.monotonic()
            await asyncio.sleep(LOOK_AT_CLOCK)
            slept = (now_ms() - before) / 1000 - (time.monotonic() - began)
            if slept > LOOK_AT_CLOCK and self._place is not None:
                log.info("the clock went on by %.0f s meanwhile: the stream begins again", slept)
                self._break_off(self._place)

    async def _renew_http(self) -> None:
        if self._policy.config.team.ca_file != self._ca_file:
            await self._http.close()
            self._ca_file = self._policy.config.team.ca_file
            self._http = RelayHttp(self._ca_file)

    def _read(self) -> None:
        self.key, self.trouble, self._posted, self.roles = None, "", None, ()
        self._standing = _Standing()
        try:
            self.membership = memberships.load(self._paths.team)
        except AssentError as error:
            self.membership, self.trouble = None, " ".join(filter(None, (error.message, error.hint)))
            log.error("%s", error.message)

    async def _stay_connected(self) -> None:
        failures = 0
        while True:
            wait, began = 0.0, time.monotonic()
            try:
                was_there = await self._try_all()
            except Exception as error:
                was_there, wait = self._place is not None, self._failed(error)
            self._place, self._bound = None, None
            # Two hubs of one key shut each other out at once, again and again.
            was_long = was_there and time.monotonic() - began >= LONG
            failures = 0 if was_long else failures + 1
            await asyncio.sleep(max(wait, pause(failures)))

    async def _try_all(self) -> bool:
        """Whether it was connected, until now."""
        joined = self.membership
        assert joined is not None
        if self.key is None:
            # The library behind it is slow to load.
            self.key = await asyncio.to_thread(_key_of, self._paths, joined)
            self._sign = Signer(self.key)
        places = await self._http.places(joined.urls)
        # A stable order otherwise: the first is the one that its owner named first.
        places.sort(key=lambda place: place == self._left)
        error: AssentError | None = None
        for place in places:
            try:
                await self._follow(place)
            except AssentError as trouble:
                error = trouble
                if self._place is not None:
                    self._left = place
                    break
        assert error is not None
        raise error

    async def _follow(self, place: Place, *, is_second: bool = False) -> None:
        """Always ends by an error: of this module's kinds."""
        try:
            async with asyncio.timeout(GREETED_WITHIN) as self._bound:
                async with self._http.events(place, "/team/stream", self._sign) as events:
                    began, count = time.monotonic(), 0
                    async for name, data in events:
                        await self._take(place, name, data)
                        count += 1
                        if count >= MOST_AT_ONCE:
                            await asyncio.sleep(max(0.0, began + PER - time.monotonic()))
                            began, count = time.monotonic(), 0
        except TimeoutError:
            raise UnreachableError(f"{place} does not answer.") from None
        except RefusedByRelayError as error:
            if is_second or not await self._mended(place, error):
                raise
        else:
            raise UnreachableError(f"{place} ended the stream.")
        await self._follow(place, is_second=True)

    async def _take(self, place: Place, name: str, data: bytes) -> None:
        kind = STREAM.get(name)
        if kind is None:
            return
        try:
            message = msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            log.warning("the relay sent %s that cannot be read", name)
            return
        if self._place is None:
            if not isinstance(message, Hello):
                raise UnreachableError(f"{place} does not speak as a relay does.")
            await self._greeted(place, message)
            return
        self._tell(name, message)

    async def _greeted(self, place: Place, hello: Hello) -> None:
        assert self._bound is not None
        self._bound.reschedule(None)
        self._place, self._left, self.roles = place, None, hello.roles
        self._standing.becomes("connected")
        log.info("connected to the team's relay %s (%s)", place, plain_line(hello.relay, 60))
        self._tell("hello", hello)
        for handler in self._on_connected:
            _safely(handler)
        await self.post_proof()

    def _tell(self, name: str, message: Any) -> None:
        for handler in self._handlers[name]:
            _safely(handler, message)

    async def post_proof(self) -> None:
        """The relay has the newest one, if it can be reached."""
        proof = self.membership.proof if self.membership else None
        if proof is not None and proof != self._posted:
            with contextlib.suppress(AwayError, RefusedByRelayError):
                await self.send("/team/proof", proof)
                self._posted = proof

    async def _mended(self, place: Place, error: RefusedByRelayError) -> bool:
        """Whether something was done about it, so that it is worth another try."""
        joined = self.membership
        assert joined is not None
        if self._sign is not None and self._sign.heed(error):
            log.warning("the clock of this machine is off: the relay has another time")
            return True
        if error.code == "unknown-hub" or (error.code == "proof-too-old" and joined.is_workload):
            await self._join_again(place, joined)
            return True
        if error.code == "proof-too-old" and await self.renewal.renew():
            proof = self.membership.proof if self.membership else None
            await self._http.request(place, "POST", "/team/proof", msgspec.json.encode(proof), self._sign)
            self._posted = proof
            return True
        return False

    async def _join_again(self, place: Place, joined: Membership) -> None:
        """The relay lost what it knew, or a workload's token has to be a newer one."""
        assert self.key is not None
        token = await asyncio.to_thread(tokens.read_again, joined.token_source) if joined.is_workload else ""
        request = JoinRequest(self.key.public, joined.machine, __version__, joined.proof, token)
        await self._http.request(place, "POST", "/team/join", msgspec.json.encode(request), self._sign)
        log.info("joined the team again at %s", place)

    async def _at_provider(self, joined: Membership, refresh: str) -> "SignedIn":
        return await at_provider(joined, refresh, self._policy.config.team.ca_file)

    def _failed(self, error: Exception) -> float:
        """How long to wait at least."""
        if not isinstance(error, AssentError):
            log.exception("the link to the team's relay failed", exc_info=error)
            error = AssentError("The link to the team's relay failed; the hub's log says more.")
        if self._standing.state != "away" or error.message != self._standing.why:
            log.warning("the team's relay is away: %s", error.message)
        self._standing.becomes("away", error)
        if not isinstance(error, RefusedByRelayError):
            return 0.0
        return SHUT_OUT_PAUSE if error.code == "revoked" else min(error.retry_after or 0.0, LONGEST_RETRY)

    def _break_off(self, place: Place) -> None:
        if self._place == place and self._bound is not None and not self._bound.expired():
            self._bound.reschedule(asyncio.get_running_loop().time())


def _key_of(paths: Paths, joined: Membership) -> HubKey:
    """Raises AssentError."""
    key = HubKey.load(paths.team_key)
    if key is None or key.id != joined.hub:
        what = "is not the one that joined the team" if key else "is missing"
        raise AssentError(
            f"The key of this machine in {paths.team_key} {what}.",
            hint="`assent leave` forgets the team, `assent join URL` joins it again with a new key.",
        )
    return key


def _safely(handler: Callable[..., None], *message: Any) -> None:
    try:
        handler(*message)
    except Exception:
        log.exception("what came from the team's relay failed here")
