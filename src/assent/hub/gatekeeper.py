"""Every request passes here: the right host, the right origin, and a scope that covers the route."""

import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from assent.hub import auth, processes
from assent.hub.auth import Codes, Peer, Scope
from assent.hub.problem import ProblemError

COOKIE = "assent"
SAFE_METHODS = frozenset({"GET", "HEAD"})
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(slots=True)
class Gatekeeper:
    post_token: str
    cookie_key: bytes
    # Process ids of live agents: what they start may watch, but not answer for a person.
    agent_pids: Callable[[], Collection[int]]
    # Set once the port is bound.
    port: int | None = None
    codes: Codes = field(default_factory=Codes)

    def guarded(self, endpoint: Endpoint, needed: Scope) -> Endpoint:
        async def checked(request: Request) -> Response:
            self._check_place(request)
            has = self.scope_of(request)
            if has < needed:
                raise _refusal(has, needed)
            response = await endpoint(request)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            return response

        return checked

    def scope_of(self, request: Request) -> Scope:
        peer = _peer(request)
        if peer is not None:
            return Scope.WATCH if processes.descends_from(peer.pid, self.agent_pids()) else Scope.ADMIN
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and auth.is_token(self.post_token, token):
            return Scope.POST
        # Cookies ignore ports, so another server on this host is sent ours: they may read, never act.
        cookie = request.cookies.get(COOKIE, "")
        if request.method in SAFE_METHODS and cookie and auth.is_cookie(self.cookie_key, cookie, time.time()):
            return Scope.WATCH
        return Scope.NONE

    def _check_place(self, request: Request) -> None:
        """Against pages elsewhere that talk to this port under a name or origin of their own."""
        if _peer(request) is not None:
            return
        hosts = {f"{name}:{self.port}" for name in ("localhost", "127.0.0.1", "[::1]")}
        if request.headers.get("host") not in hosts:
            raise ProblemError(403, "wrong-host", "This hub answers on localhost only.")
        origin = request.headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in hosts:
            raise ProblemError(403, "wrong-origin", "This hub answers its own page only.")
        if request.method not in SAFE_METHODS and request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise ProblemError(403, "wrong-origin", "This hub answers its own page only.")


def _peer(request: Request) -> Peer | None:
    peer = request.scope.get("state", {}).get("peer")
    return peer if isinstance(peer, Peer) else None


def _refusal(has: Scope, needed: Scope) -> ProblemError:
    if has is Scope.NONE:
        return ProblemError(
            401, "no-token", "No valid token.", hint="`assent status` prints a link that opens the page."
        )
    return ProblemError(403, "scope", f"This needs the scope {needed.name.lower()}, you have {has.name.lower()}.")
