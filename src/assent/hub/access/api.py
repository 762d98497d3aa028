"""HTTP routes of devices: pairing, listing, revoking."""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.hub.access import cookie, devices, pairing
from assent.hub.access.caller import who
from assent.hub.access.devices import MOST_FOR_PHONES, PROBATION_MS, Device, Kind, ScopeWord
from assent.hub.access.gatekeeper import Gatekeeper
from assent.hub.access.pairing import Invitation, Pairing
from assent.hub.access.ways import ways
from assent.hub.bus import now_ms
from assent.hub.recorder import Recording
from assent.protocol.record import Draft
from assent.protocol.surfaces import Scope
from assent.webapi import endpoint as incoming
from assent.webapi import signature
from assent.webapi.endpoint import ProblemError, Route, json_response


def _qr_rows(text: str) -> list[str]:
    """With the quiet border a camera needs."""
    # Here and not above: most hubs never draw one.
    import segno

    code = segno.make(text, error="l", micro=False, boost_error=False)
    return ["".join(str(int(bit)) for bit in row) for row in code.matrix_iter(border=2)]


WRONG_BEFORE_LOCK_OUT = 5
FIRST_LOCK_OUT = 60.0
LONGEST_LOCK_OUT = 3600.0
MOST_A_MINUTE = 30
# An attacker may have many addresses; those that were wrong longest ago are forgotten first.
MOST_ADDRESSES = 1_000


@dataclass(slots=True)
class _Address:
    wrong: int = 0
    lock_outs: int = 0
    locked_until: float = 0.0


@dataclass(slots=True)
class Attempts:
    """Lock-out after wrong codes: per address, longer each time; all addresses together have a limit too."""

    _tries: deque[float] = field(default_factory=deque)
    _addresses: dict[str, _Address] = field(default_factory=dict)

    def must_be_free(self, address: str) -> None:
        """Raises ProblemError: this address, or every address, has to wait."""
        now = time.monotonic()
        entry = self._addresses.get(address)
        if entry and entry.locked_until > now:
            wait = round(entry.locked_until - now) or 1
            raise ProblemError(
                429,
                "locked-out",
                "Too many wrong codes came from this address.",
                hint=f"wait {wait} s, then take a new code.",
            )
        while self._tries and self._tries[0] < now - 60:
            self._tries.popleft()
        if len(self._tries) >= MOST_A_MINUTE:
            raise ProblemError(429, "too-many-claims", "Too many tries.", hint="wait a minute.")
        self._tries.append(now)

    def wrong(self, address: str) -> None:
        # To the end: the order is that of the last mistake.
        entry = self._addresses.pop(address, None) or _Address()
        self._addresses[address] = entry
        entry.wrong += 1
        if entry.wrong >= WRONG_BEFORE_LOCK_OUT:
            entry.locked_until = time.monotonic() + min(FIRST_LOCK_OUT * 2**entry.lock_outs, LONGEST_LOCK_OUT)
            entry.lock_outs = min(entry.lock_outs + 1, 16)
            entry.wrong = 0
        if len(self._addresses) > MOST_ADDRESSES:
            del self._addresses[next(iter(self._addresses))]

    def right(self, address: str) -> None:
        self._addresses.pop(address, None)


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


class Doors(Protocol):
    # Of the listener on this machine.
    port: int | None

    def elsewhere(self) -> str | None:
        """The address for other machines, if they have one."""

    def address(self, kind: Kind) -> tuple[str, str]:
        """Where others open the page, and a sentence where that is less than it should be."""

    def authority_certificate(self) -> bytes:
        """Of our own authority, for phones to install; empty where there is none."""


@dataclass(slots=True)
class AccessApi:
    gatekeeper: Gatekeeper
    doors: Doors
    recorder: Recording
    pairing: Pairing = field(default_factory=Pairing)
    attempts: Attempts = field(default_factory=Attempts)

    def routes(self) -> Iterator[Route]:
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
        scope: ScopeWord = "admin" if wanted.kind == "desk" else wanted.scope or self.gatekeeper.remote.scope
        invitation = self.pairing.invite(wanted.kind, scope, wanted.name)
        base, note = self.doors.address(wanted.kind)
        url = f"{base}/#open={invitation.code}" if wanted.kind == "desk" else f"{base}/pair#{invitation.code}"
        expires = now_ms() + int(pairing.SECONDS * 1000)
        answer = {"code": invitation.code, "url": url, "seconds": pairing.SECONDS, "expires": expires, "scope": scope}
        if wanted.kind == "phone":
            answer |= {"invitation": invitation.id, "note": note}
            # A camera that opens an address of this machine finds another machine there.
            is_reachable = self.doors.elsewhere() is not None
            answer |= {"qr": _qr_rows(url)} if is_reachable else {"qr": [], "ways": await ways(self.doors.port)}
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
        return self._let_in(request, self._desk(request, invitation, wanted))

    def _desk(self, request: Request, invitation: Invitation, wanted: ClaimRequest) -> Device:
        now = now_ms()
        if paired := self.gatekeeper.devices.with_key(wanted.key, "desk"):
            return paired
        # Its cookie tells that this browser was in already, with a key it has lost, or without one.
        before = self.gatekeeper.device_of_cookie(request)
        if before and before.kind == "desk" and before.key == wanted.key:
            return before
        before = before if before and before.kind == "desk" and wanted.key else None
        device = Device(
            id=devices.new_id(),
            name=_named(invitation, wanted, before),
            kind="desk",
            # Nothing it says could be believed without a key.
            scope=invitation.scope if wanted.key else "watch",
            created_at=now,
            last_seen=now,
            key=wanted.key,
        )
        self.gatekeeper.devices.add(device, now, instead_of=before)
        if before:
            self.gatekeeper.cut(before.id)
        again = f" again, in place of {before.id}" if before else ""
        self._note(f"a browser on this machine was let in{again}: {_told(device)}", "person:desk")
        return device

    def _wait(self, invitation: Invitation, wanted: ClaimRequest, address: str) -> Response:
        secret = "" if wanted.key else secrets.token_urlsafe(32)
        before = self.gatekeeper.devices.with_key(wanted.key, "phone")
        device = Device(
            id=devices.new_id(),
            name=_named(invitation, wanted, before),
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
        """The phone asks whether it was let in."""
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
        before = self.gatekeeper.devices.with_key(device.key, "phone")
        try:
            self.gatekeeper.devices.add(device, now, instead_of=before)
        except ProblemError:
            claim.outcome = "refused"
            raise
        if before:
            self.gatekeeper.cut(before.id)
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
        identity = {"device": caller.device, "name": caller.name, "surface": caller.surface}
        refused = caller.refusal
        why = {"refusal": refused.code, "hint": refused.hint} if refused else {}
        return json_response({**identity, "scope": caller.could.word, "limit": caller.limit, **why})

    async def authority_certificate(self, _: Request) -> Response:
        content = self.doors.authority_certificate()
        if not content:
            raise ProblemError(404, "no-authority", "This hub has no certificate authority of its own.")
        return Response(content, media_type="application/x-x509-ca-cert")

    async def list_devices(self, request: Request) -> Response:
        devices = [d for d in self.gatekeeper.devices.by_id.values() if d.revoked is None]
        newest = sorted(devices, key=lambda device: device.last_seen, reverse=True)
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
        if wanted.name:
            self.gatekeeper.devices.rename(device, wanted.name)
        device.scope = wanted.scope or device.scope
        self.gatekeeper.devices.save(now_ms())
        self._note(f"a device was changed: {_told(device)}", who(request).by)
        self.gatekeeper.cut(device.id)
        return json_response({"device": shown(device)})

    async def revoke(self, request: Request) -> Response:
        name = request.path_params["id"]
        same = self.gatekeeper.devices.same(self.gatekeeper.devices.known(name))
        try:
            device = self.gatekeeper.devices.revoke(name, now_ms())
        finally:
            for each in same:
                if each.id != who(request).device:
                    self.gatekeeper.cut(each.id)
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

    def _note(self, text: str, by: str) -> None:
        self.recorder.record([Draft(at=now_ms(), kind="hub", by=by, body={"what": text})])


def _named(invitation: Invitation, wanted: ClaimRequest, before: Device | None) -> str:
    """As the person at the desk calls it, else as it was called before, else as it calls itself."""
    known = before.name if before else wanted.name
    return devices.clean_name(invitation.name or known, NAMES[invitation.kind])


# What a device of that scope may do; more than these is everything.
_MAY = {"watch": "watch", "deny": "deny", "answer": "answer once", "instruct": "answer and instruct"}


def _told(device: Device) -> str:
    return f"{device.name} ({device.id}), may {_MAY.get(device.scope, 'do everything')}"


def shown(device: Device) -> dict[str, Any]:
    """Without what it proves itself with."""
    names = ("id", "name", "kind", "scope", "created_at", "active_from", "last_seen")
    return {name: getattr(device, name) for name in names} | {"signs": bool(device.key)}
