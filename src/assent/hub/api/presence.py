"""HTTP routes of presence: away, back, quiet, focus of a page."""

from dataclasses import dataclass
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.asks.presence import DESK, morning
from assent.hub.access.caller import Caller, who
from assent.hub.notify.presence_tracker import PresenceTracker
from assent.hub.notify.push_subscriptions import PushSubscriptions
from assent.hub.recorder import Recording
from assent.protocol.surfaces import Scope
from assent.surfaces.base import Privacy
from assent.surfaces.webpush import Subscription, WebPush
from assent.webapi import endpoint
from assent.webapi.endpoint import ProblemError, Route, json_response

LONGEST = 30 * 24 * 3600.0


class PresenceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What is left out stays as it is."""

    # A page is open, focused or not.
    focused: bool | None = None
    away: bool | None = None
    # How long away, in seconds; until ``back`` where it is left out.
    seconds: float | None = None
    # Seconds from now, until the next morning, or 0 to be told again.
    quiet: float | Literal["morning"] | None = None


@dataclass(frozen=True, slots=True)
class PresenceApi:
    presence: PresenceTracker
    recorder: Recording

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/presence", Scope.WATCH, self.get),
            ("PUT", "/api/presence", Scope.WATCH, self.put),
        ]

    async def get(self, _: Request) -> Response:
        """Presence of the user, and until when they are away or want quiet."""
        return json_response(self.presence.told())

    async def put(self, request: Request) -> Response:
        """Say that one is away or back, wants quiet for a while, or that a page is looked at."""
        caller = who(request)
        wanted = await endpoint.decoded(request, PresenceRequest)
        if wanted.away is not None or wanted.quiet is not None or wanted.seconds is not None:
            self._said(caller, wanted)
        if wanted.focused is not None:
            if not caller.device and caller.scope < Scope.DENY:
                # On the desk socket that is what an agent started, and its claim would hold back pushes.
                raise ProblemError(403, "scope", "What an agent started cannot say that somebody is looking.")
            self.presence.page(caller.device or DESK, focused=wanted.focused)
        return json_response(self.presence.told())

    def _said(self, caller: Caller, wanted: PresenceRequest) -> None:
        if caller.scope < Scope.INSTRUCT:
            raise ProblemError(403, "scope", f"This needs the scope instruct, you have {caller.scope.word}.")
        for seconds in (wanted.seconds, wanted.quiet):
            if isinstance(seconds, float) and not 0 <= seconds <= LONGEST:
                raise ProblemError(422, "bad-time", "Away and quiet last from 0 s to 30 days.")
        self._went(caller, wanted)
        self._wants_quiet(caller, wanted.quiet)

    def _went(self, caller: Caller, wanted: PresenceRequest) -> None:
        where = self.presence
        if wanted.away is True:
            where.go_away(wanted.seconds)
            self.recorder.note("its user is away", caller.by)
        elif wanted.away is False and where.attention().away:
            where.come_back()
            self.recorder.note("its user is back", caller.by)

    def _wants_quiet(self, caller: Caller, quiet: float | Literal["morning"] | None) -> None:
        where = self.presence
        if quiet == "morning":
            where.be_quiet(morning(where.clock(), where.settings.quiet))
        elif quiet is not None:
            where.be_quiet(where.clock() + int(quiet * 1_000) if quiet else None)
        if quiet is not None:
            self.recorder.note("its user wants quiet" if quiet else "its user wants quiet no longer", caller.by)


class Keys(msgspec.Struct, forbid_unknown_fields=True):
    p256dh: str
    auth: str


class SubscribeRequest(msgspec.Struct):
    """As a browser writes a subscription, and how much may be seen on a locked screen."""

    endpoint: str
    keys: Keys
    privacy: Privacy = "masked"


@dataclass(frozen=True, slots=True)
class PushApi:
    subscriptions: PushSubscriptions
    push: WebPush
    # For tests, whose push service runs on loopback.
    may_be_local: bool = False

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/push", Scope.WATCH, self.get),
            ("PUT", "/api/push", Scope.WATCH, self.put),
            ("DELETE", "/api/push", Scope.WATCH, self.delete),
        ]

    async def get(self, request: Request) -> Response:
        """The key to subscribe with, and whether this device is notified."""
        return json_response(self._told(who(request).device))

    async def put(self, request: Request) -> Response:
        """Notify this device: its browser's subscription, and how much a locked screen may tell."""
        device = _device(request)
        wanted = await endpoint.decoded(request, SubscribeRequest)
        subscription = Subscription(device, wanted.endpoint, wanted.keys.p256dh, wanted.keys.auth, wanted.privacy)
        if why := subscription.refusal(may_be_local=self.may_be_local):
            raise ProblemError(422, "bad-subscription", f"Notifications were not turned on: {why}.")
        self.subscriptions.put(subscription)
        return json_response(self._told(device))

    async def delete(self, request: Request) -> Response:
        """Notify this device no longer."""
        device = _device(request)
        self.subscriptions.remove(device)
        return json_response(self._told(device))

    def _told(self, device: str) -> dict[str, object]:
        subscription = self.subscriptions.of(device) if device else None
        privacy = subscription.privacy if subscription else "masked"
        return {"key": self.push.public_key, "on": subscription is not None, "privacy": privacy}


def _device(request: Request) -> str:
    device = who(request).device
    if not device:
        hint = "open the page on the device."
        raise ProblemError(403, "no-device", "Only a device that was let in can be notified.", hint=hint)
    return device
