"""Authorization of every request: host name, origin, and a scope that covers the route."""

import asyncio
import hmac
import logging
import time
from dataclasses import dataclass, field
from weakref import WeakSet

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope as RequestScope

from assent.config import Remote
from assent.hub.access import caller, cookie
from assent.hub.access.caller import HOOK, NOBODY, Caller, Door, Peer
from assent.hub.access.connection import Connection
from assent.hub.access.devices import Device, Devices
from assent.hub.access.origin import Origin, Origins
from assent.hub.access.places import SAFE_METHODS, Places, places
from assent.hub.bus import now_ms
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.protocol.surfaces import Scope
from assent.webapi import endpoint as incoming
from assent.webapi import signature
from assent.webapi.endpoint import Endpoint, ProblemError
from assent.webapi.signature import WINDOW_MS, ClockError, Nonces


def is_token(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace"))


log = logging.getLogger("assent.hub")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
AGENT = "This was started by an agent's session, or cannot be told from that: it may only watch."
UNATTENDED = "This lasts, so it is done at a terminal, and this program has none."
UNKNOWN = (
    "This was started after an agent and has lost its parents, so the agent may have started it: it may only watch."
)
IN_A_TERMINAL = "run it in a terminal of your own (over ssh: `ssh -t`), or use the page"
IN_AN_OLDER_ONE = "run it in a terminal that was open before the agent started"
# Where a program posts a hook, these stand there once, and those not at all.
_USUAL = frozenset({b"host", b"authorization", b"content-length"})
_UNUSUAL = frozenset({b"origin", b"sec-fetch-site", b"assent-device", b"transfer-encoding", b"expect", b"upgrade"})
# What a page says is small, but an answer may carry an edited file.
LARGEST_SIGNED = 4 << 20


@dataclass(slots=True)
class Gatekeeper:
    post_token: str
    cookie_key: bytes
    # Tells people's programs at the desk from what agents started.
    origins: Origins
    devices: Devices
    policy: SettingsInForce
    places: Places = field(default_factory=lambda: places(None))
    cookie_name: str = "assent"
    # A signature from before we started may be one we saw and forgot.
    started: int = field(default_factory=now_ms)
    _started: float = field(default_factory=time.monotonic)
    _nonces: Nonces = field(default_factory=Nonces)
    _connections: dict[str, WeakSet[Connection]] = field(default_factory=dict)

    @property
    def remote(self) -> Remote:
        return self.policy.config.remote

    def guarded(self, endpoint: Endpoint, needed: Scope) -> Endpoint:
        async def checked(request: Request) -> Response:
            try:
                if caller.peer_of(request) is None:
                    self.places.check(request)
                caller_found = await self._caller(request)
                if caller_found.scope < needed:
                    raise _refusal(caller_found, needed)
                request.state.caller = caller_found
                response = await endpoint(request)
            except ProblemError as problem:
                response = problem.response()
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            return response

        return checked

    def is_plain_hook(self, scope: RequestScope, largest: int) -> bool:
        """Whether a request is from a program on this machine that has the token, and says how much it posts: what
        ``guarded`` would let pass for certain. Where this says no, that has to look."""
        state = scope.get("state", {})
        if state.get("door") is not Door.LOOPBACK or state.get("peer") is not None:
            return False
        said: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in _UNUSUAL or (name in _USUAL and name in said):
                return False
            said[name] = value
        host = said.get(b"host", b"").decode("latin-1").lower()
        size = said.get(b"content-length", b"")
        kind, _, token = said.get(b"authorization", b"").decode("latin-1").partition(" ")
        return (
            self.places.is_local(host)
            and size.isdigit()
            and int(size) <= largest
            and kind.lower() == "bearer"
            and is_token(self.post_token, token)
        )

    def cut(self, device: str) -> None:
        """What a device may do has changed: the stream it listens to ends, and it comes again or is turned away."""
        for connection in list(self._connections.pop(device, ())):
            connection.cut()

    async def _caller(self, request: Request) -> Caller:
        peer = caller.peer_of(request)
        if peer is not None:
            return self._at_the_desk(peer)
        headers = request.headers
        if "assent-device" in headers:
            return await self._device_caller(request)
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            # It stands in a settings file of this machine, and agents elsewhere have no use for it.
            return HOOK if self.places.is_at_the_desk(request) and is_token(self.post_token, token) else NOBODY
        return self._reader(request)

    def _at_the_desk(self, peer: Peer) -> Caller:
        origin = self.origins.of(peer)
        if origin is Origin.PERSON:
            return caller.desk(Scope.ADMIN)
        if origin is Origin.AGENT:
            return caller.desk(Scope.WATCH, ProblemError(403, "scope", AGENT, hint=IN_A_TERMINAL))
        code = self.origins.code_for(peer)
        confirm = f", or confirm this one there: assent confirm {code}" if code else ""
        if origin is Origin.UNATTENDED:
            return caller.desk(
                Scope.GRANT, ProblemError(403, "no-terminal", UNATTENDED, hint=f"{IN_A_TERMINAL}{confirm}")
            )
        return caller.desk(Scope.WATCH, ProblemError(403, "unconfirmed", UNKNOWN, hint=f"{IN_AN_OLDER_ONE}{confirm}"))

    async def _device_caller(self, request: Request) -> Caller:
        """The device that signed the request. Raises ProblemError."""
        self.places.must_be_own_page(request)
        device = self.devices.by_id.get(request.headers["assent-device"])
        if device is None or not self._is_welcome(request, device):
            raise _not_let_in()
        if "assent-signature" in request.headers:
            await self._check_signature(request, device)
        elif not device.has_secret(request.headers.get("assent-secret", "")):
            raise _not_let_in()
        return self._known(request, device, signed=True)

    async def _check_signature(self, request: Request, device: Device) -> None:
        """Raises ProblemError."""
        signed, now = signature.read(request.headers), now_ms()
        # Where the clock was set back since the start, the start was earlier than it seemed.
        started = min(self.started, now - int((time.monotonic() - self._started) * 1000))
        if abs(signed.time - now) > WINDOW_MS or signed.time < started:
            raise ClockError(now, "The clock of this device is off.", "set its time, then reload the page.")
        key = self.devices.key_of(device)
        body = await incoming.body(request, LARGEST_SIGNED)
        # The body is read once; the endpoint finds it here.
        request.state.body = body
        path = request.scope["raw_path"].decode("latin-1")
        if query := request.scope["query_string"].decode("latin-1"):
            path += f"?{query}"
        whole = signature.message(request.method, path, signed.time, signed.nonce, body)
        if key is None or not signature.is_good(key, signed.signature, whole):
            raise ProblemError(
                403, "bad-signature", "The signature of this device is wrong.", hint="open a new link: `assent status`."
            )
        self._nonces.take(signed, now)

    def _reader(self, request: Request) -> Caller:
        # Cookies ignore ports, so another server on this host is sent ours: they may read, never act. And what other
        # pages of this host ask for with our cookie is not answered at all.
        if request.method not in SAFE_METHODS:
            return NOBODY
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return NOBODY
        device = self.device_of_cookie(request)
        return self._known(request, device, signed=False) if device else NOBODY

    def device_of_cookie(self, request: Request) -> Device | None:
        """Which device a browser was let in as. Good for looking only."""
        given = request.cookies.get(self.cookie_name, "")
        name = cookie.device_of(self.cookie_key, given, time.time()) if given else None
        device = self.devices.by_id.get(name) if name else None
        return device if device is not None and self._is_welcome(request, device) else None

    def _is_welcome(self, request: Request, device: Device) -> bool:
        # The key of a browser on this machine has no business elsewhere.
        return device.revoked is None and (device.kind == "phone" or self.places.is_at_the_desk(request))

    def _known(self, request: Request, device: Device, *, signed: bool) -> Caller:
        now = now_ms()
        could, limit = device.may(now), ""
        if could < Scope[device.scope.upper()]:
            until = time.strftime("%H:%M", time.localtime(device.active_from / 1000))
            limit = f"Paired just now, it may only deny until {until}."
        is_safe = bool(device.key) and self.places.is_private(request)
        if could > Scope.DENY and not is_safe and not self.remote.allow_without_tls:
            # An eavesdropper could answer in its name.
            could, limit = Scope.DENY, "Without TLS it may only watch and deny."
        if isinstance(held := request.scope["state"].get("connection"), Connection):
            self._connections.setdefault(device.id, WeakSet()).add(held)
        if self.devices.seen(device, now):
            asyncio.get_running_loop().run_in_executor(None, self._keep, self.devices.content(now))
        scope = could if signed else min(could, Scope.WATCH)
        return Caller(scope, could, device.name, surface="page", device=device.id, limit=limit)

    def _keep(self, content: bytes) -> None:
        try:
            self.devices.write(content)
        except OSError as error:
            log.warning("when devices were here last is not kept: %s", error)


def _not_let_in() -> ProblemError:
    return ProblemError(
        401,
        "unknown-device",
        "This device has not been let in, or no longer is.",
        hint="on this machine open the link of `assent status`; on a phone pair again: `assent pair`.",
    )


def _refusal(who: Caller, needed: Scope) -> ProblemError:
    if who.scope is Scope.NONE:
        return ProblemError(
            401, "no-token", "No valid token.", hint="`assent status` prints a link that opens the page."
        )
    if who.refusal:
        return who.refusal
    if who.limit:
        return ProblemError(403, "limited", f"Not from this device. {who.limit}", hint="do it at the desk.")
    return ProblemError(403, "scope", f"This needs the scope {needed.word}, you have {who.scope.word}.")
