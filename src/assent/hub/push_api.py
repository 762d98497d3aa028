"""Turning notifications on and off, each device for itself."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.hub import incoming
from assent.hub.access.caller import who
from assent.hub.log_api import Endpoint
from assent.hub.problem import ProblemError, json_response
from assent.hub.subscriptions import Subscriptions
from assent.protocol.scope import Scope
from assent.surfaces.base import Privacy
from assent.surfaces.webpush import Subscription


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
    subscriptions: Subscriptions
    # What browsers subscribe with.
    public_key: Callable[[], str]
    # For tests, whose push service runs on loopback.
    may_be_local: bool = False

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
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
        wanted = await incoming.decoded(request, SubscribeRequest)
        found = Subscription(device, wanted.endpoint, wanted.keys.p256dh, wanted.keys.auth, wanted.privacy)
        if why := found.refusal(may_be_local=self.may_be_local):
            raise ProblemError(422, "bad-subscription", f"Notifications were not turned on: {why}.")
        self.subscriptions.put(found)
        return json_response(self._told(device))

    async def delete(self, request: Request) -> Response:
        """Notify this device no longer."""
        device = _device(request)
        self.subscriptions.remove(device)
        return json_response(self._told(device))

    def _told(self, device: str) -> dict[str, object]:
        found = self.subscriptions.of(device) if device else None
        privacy = found.privacy if found else "masked"
        return {"key": self.public_key(), "on": found is not None, "privacy": privacy}


def _device(request: Request) -> str:
    device = who(request).device
    if not device:
        hint = "open the page on the device."
        raise ProblemError(403, "no-device", "Only a device that was let in can be notified.", hint=hint)
    return device
