"""The routes by which screens are let in, looked at and shut out."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.hub import incoming
from assent.hub.access import cookie, devices, pairing, qr, signature
from assent.hub.access.attempts import Attempts
from assent.hub.access.caller import who
from assent.hub.access.devices import MOST_FOR_PHONES, PROBATION_MS, Device, Kind, ScopeWord
from assent.hub.access.gatekeeper import Gatekeeper, now_ms
from assent.hub.access.pairing import Invitation, Pairing
from assent.hub.problem import ProblemError, json_response
from assent.protocol.record import Draft
from assent.protocol.scope import Scope

Endpoint = Callable[[Request], Awaitable[Response]]
NAMES: dict[Kind, str] = {"desk": "browser", "phone": "phone"}


class PairRequest(msgspec.Struct, forbid_unknown_fields=True):
    # A browser on this machine, or another machine.
    kind: Kind = msgspec.field(default="desk", name="for")
    name: str = ""
    scope: Literal["watch", "deny", "answer", "instruct"] | None = None


class ClaimRequest(msgspec.Struct, forbid_unknown_fields=True):
    code: str
    name: str = ""
    # P-256 as SPKI in base64url. Without one the device can only look, and on a phone deny.
    key: str = ""


class FinishRequest(msgspec.Struct, forbid_unknown_fields=True):
    claim: str


class ConfirmRequest(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    match: bool


class VouchRequest(msgspec.Struct, forbid_unknown_fields=True):
    code: str


class ChangeRequest(msgspec.Struct, forbid_unknown_fields=True):
    name: str | None = None
    scope: ScopeWord | None = None


@dataclass(slots=True)
class AccessApi:
    gatekeeper: Gatekeeper
    # Where others open the page: its address, and a sentence where that is less than it should be.
    address: Callable[[Kind], tuple[str, str]]
    record: Callable[[list[Draft]], object]
    # Of our own authority, for phones to install; empty where there is none.
    authority: Callable[[], bytes]
    pairing: Pairing = field(default_factory=Pairing)
    attempts: Attempts = field(default_factory=Attempts)

    def routes(self) -> Iterator[tuple[str, str, Scope, Endpoint]]:
        yield "POST", "/api/pair", Scope.ADMIN, self.pair
        yield "POST", "/api/pair/claim", Scope.NONE, self.claim
        yield "POST", "/api/pair/finish", Scope.NONE, self.finish
        yield "GET", "/api/pair/pending", Scope.ADMIN, self.pending
        yield "POST", "/api/pair/confirm", Scope.ADMIN, self.confirm
        yield "POST", "/api/confirm", Scope.ADMIN, self.vouch
        yield "GET", "/ca.crt", Scope.NONE, self.authority_certificate
        yield "GET", "/api/me", Scope.WATCH, self.me
        yield "GET", "/api/devices", Scope.ADMIN, self.list_devices
        yield "PATCH", "/api/devices/{id}", Scope.ADMIN, self.change
        yield "DELETE", "/api/devices/{id}", Scope.ADMIN, self.revoke

    async def pair(self, request: Request) -> Response:
        wanted = msgspec.convert({}, PairRequest)
        if body := await incoming.body(request, incoming.SMALL):
            wanted = incoming.parsed(body, PairRequest)
        scope: ScopeWord = "admin" if wanted.kind == "desk" else wanted.scope or self.gatekeeper.remote().scope
        invitation = self.pairing.invite(wanted.kind, scope, wanted.name)
        base, note = self.address(wanted.kind)
        url = f"{base}/#open={invitation.code}" if wanted.kind == "desk" else f"{base}/pair#{invitation.code}"
        expires = now_ms() + int(pairing.SECONDS * 1000)
        answer = {"code": invitation.code, "url": url, "seconds": pairing.SECONDS, "expires": expires, "scope": scope}
        if wanted.kind == "phone":
            answer |= {"invitation": invitation.id, "note": note, "qr": qr.rows(url)}
        return json_response(answer)

    async def claim(self, request: Request) -> Response:
        self.gatekeeper.places.must_be_own_page(request)
        wanted = await incoming.decoded(request, ClaimRequest)
        address = request.client.host if request.client else ""
        # Any process of this machine can make mistakes in the name of its address; the person's own link still opens.
        if not self.pairing.opens_the_desk(wanted.code):
            self.attempts.must_be_free(address)
        if wanted.key and signature.public_key(wanted.key) is None:
            raise ProblemError(422, "bad-key", "This is not a P-256 key.")
        try:
            invitation = self.pairing.take(wanted.code)
        except ProblemError:
            self.attempts.wrong(address)
            raise
        if invitation.kind == "phone":
            self.attempts.right(address)
            return self._wait(invitation, wanted, address)
        if not self.gatekeeper.places.is_at_the_desk(request):
            raise ProblemError(
                403, "desk-only", "This link is for browsers on the hub's own machine.", hint="`assent pair`."
            )
        return self._let_in(request, self._desk(invitation, wanted))

    def _desk(self, invitation: Invitation, wanted: ClaimRequest) -> Device:
        now = now_ms()
        known = self.gatekeeper.devices.with_key(wanted.key, "desk") if wanted.key else None
        if known:
            return known
        device = Device(
            id=devices.new_id(),
            name=devices.clean_name(invitation.name or wanted.name, NAMES["desk"]),
            kind="desk",
            # Nothing it says could be believed without a key.
            scope=invitation.scope if wanted.key else "watch",
            created_at=now,
            last_seen=now,
            key=wanted.key,
        )
        self.gatekeeper.devices.add(device, now)
        self._note(f"a browser on this machine was let in: {_told(device)}", "person:desk")
        return device

    def _wait(self, invitation: Invitation, wanted: ClaimRequest, address: str) -> Response:
        secret = "" if wanted.key else secrets.token_urlsafe(32)
        device = Device(
            id=devices.new_id(),
            name=devices.clean_name(invitation.name or wanted.name, NAMES["phone"]),
            kind="phone",
            scope=invitation.scope,
            created_at=now_ms(),
            key=wanted.key,
            secret=devices.hashed(secret) if secret else "",
        )
        claim = self.pairing.wait(device, invitation, wanted.key or device.secret, address)
        answer = {
            "state": "waiting",
            "device": shown(device),
            "claim": claim.token,
            "words": claim.words,
            "seconds": self.pairing.seconds_left(claim),
        }
        return json_response(answer | ({"secret": secret} if secret else {}), status=202)

    async def finish(self, request: Request) -> Response:
        """The phone asks whether somebody let it in."""
        self.gatekeeper.places.must_be_own_page(request)
        claim = self.pairing.of_token((await incoming.decoded(request, FinishRequest)).claim)
        if claim.outcome == "waiting":
            return json_response({"state": "waiting", "seconds": self.pairing.seconds_left(claim)}, status=202)
        if claim.outcome == "active":
            return self._let_in(request, claim.device)
        if claim.outcome == "expired":
            raise ProblemError(410, "over", "Nobody compared the words in time.", hint="`assent pair` begins again.")
        raise ProblemError(403, "refused", "The words did not match, so this device was not let in.")

    async def pending(self, _: Request) -> Response:
        waiting = [
            {
                **shown(claim.device),
                "words": claim.words,
                "address": claim.address,
                "invitation": claim.invitation,
                "signs": bool(claim.device.key),
                "seconds": self.pairing.seconds_left(claim),
            }
            for claim in self.pairing.waiting()
        ]
        return json_response({"pending": waiting})

    async def confirm(self, request: Request) -> Response:
        wanted = await incoming.decoded(request, ConfirmRequest)
        claim = self.pairing.settle(wanted.id, "active" if wanted.match else "refused")
        device, now = claim.device, now_ms()
        if not wanted.match:
            self._note(f"a device was turned away, its words did not match: {_told(device)}", who(request).by)
            return json_response({"state": "refused"})
        device.created_at = device.last_seen = now
        device.active_from = now + PROBATION_MS
        try:
            self.gatekeeper.devices.add(device, now)
        except ProblemError:
            claim.outcome = "refused"
            raise
        # By then it may do more, and is to ask anew what.
        asyncio.get_running_loop().call_later(PROBATION_MS / 1000 + 1, self.gatekeeper.cut, device.id)
        self._note(f"a device was paired: {_told(device)}, for ten minutes only to deny", who(request).by)
        return json_response({"state": "active", "device": shown(device)})

    async def vouch(self, request: Request) -> Response:
        """A person says that a terminal is theirs, by the code that was shown there."""
        wanted = await incoming.decoded(request, VouchRequest)
        process = self.gatekeeper.origins.vouch(wanted.code)
        self._note(f"a terminal was confirmed: {process.name}, pid {process.pid}", who(request).by)
        return json_response({"pid": process.pid, "name": process.name})

    async def me(self, request: Request) -> Response:
        """Who the caller is, and how far they may go now: read again when that may have changed."""
        caller = who(request)
        known = {"device": caller.device, "name": caller.name, "surface": caller.surface}
        refused = caller.refusal
        why = {"refusal": refused.code, "hint": refused.hint} if refused else {}
        return json_response({**known, "scope": caller.could.word, "limit": caller.limit, **why})

    async def authority_certificate(self, _: Request) -> Response:
        content = self.authority()
        if not content:
            raise ProblemError(404, "no-authority", "This hub has no certificate authority of its own.")
        return Response(content, media_type="application/x-x509-ca-cert")

    async def list_devices(self, request: Request) -> Response:
        known = [d for d in self.gatekeeper.devices.by_id.values() if d.revoked is None]
        newest = sorted(known, key=lambda device: device.last_seen, reverse=True)
        return json_response({"devices": [shown(device) for device in newest], "this": who(request).device})

    async def change(self, request: Request) -> Response:
        wanted = await incoming.decoded(request, ChangeRequest)
        device = self.gatekeeper.devices.known(request.path_params["id"])
        if wanted.scope and device.kind == "phone" and Scope[wanted.scope.upper()] > MOST_FOR_PHONES:
            raise ProblemError(
                422,
                "desk-only",
                "What lasts is decided at the desk.",
                hint="a phone may watch, deny, answer or instruct.",
            )
        if wanted.scope and not device.key and Scope[wanted.scope.upper()] > Scope.WATCH and device.kind == "desk":
            raise ProblemError(422, "no-key", "This browser has no key, so it can only watch.")
        device.name = devices.clean_name(wanted.name, device.name) if wanted.name else device.name
        device.scope = wanted.scope or device.scope
        self.gatekeeper.devices.save(now_ms())
        self._note(f"a device was changed: {_told(device)}", who(request).by)
        self.gatekeeper.cut(device.id)
        return json_response({"device": shown(device)})

    async def revoke(self, request: Request) -> Response:
        name = request.path_params["id"]
        try:
            device = self.gatekeeper.devices.revoke(name, now_ms())
        finally:
            if name != who(request).device:
                self.gatekeeper.cut(name)
        self._note(f"a device was shut out: {_told(device)}", who(request).by)
        return json_response({"device": shown(device)})

    def _let_in(self, request: Request, device: Device) -> Response:
        response = json_response({"state": "active", "device": shown(device), "scope": device.scope})
        response.set_cookie(
            self.gatekeeper.cookie_name,
            cookie.make(self.gatekeeper.cookie_key, device.id, time.time()),
            max_age=cookie.SECONDS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    def _note(self, what: str, by: str) -> None:
        self.record([Draft(at=now_ms(), kind="hub", by=by, body={"what": what})])


def _told(device: Device) -> str:
    return f"{device.name} ({device.id}), may {device.scope}"


def shown(device: Device) -> dict[str, Any]:
    """Without what it proves itself with."""
    names = ("id", "name", "kind", "scope", "created_at", "active_from", "last_seen")
    return {name: getattr(device, name) for name in names} | {"signs": bool(device.key)}
