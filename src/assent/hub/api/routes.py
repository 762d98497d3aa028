"""The HTTP side: hooks that post events, and the routes people's programs use.

One app, on loopback TCP and on the desk socket."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as HttpRoute

from assent._version import __version__
from assent.hub.access.gatekeeper import HEADERS, Gatekeeper
from assent.hub.api import page
from assent.hub.api.log import number
from assent.hub.recorder import Recorder
from assent.protocol.surfaces import Scope
from assent.webapi import endpoint
from assent.webapi.endpoint import Endpoint, ProblemError, Route, json_response, problem_response

if TYPE_CHECKING:
    from assent.hub.api.openapi import Described

LONGEST_PAUSE = 8 * 3600.0


class PauseRequest(msgspec.Struct, forbid_unknown_fields=True):
    seconds: float


class ApiPart(Protocol):
    def routes(self) -> Iterable[Route]: ...


@dataclass(frozen=True, slots=True)
class FeedApi:
    """The feed, and pausing what decides about it."""

    recorder: Recorder

    def routes(self) -> list[Route]:
        return [("GET", "/api/feed", Scope.WATCH, self.feed), ("PUT", "/api/pause", Scope.ADMIN, self.pause)]

    async def feed(self, request: Request) -> Response:
        """Rows of the feed, or of one session in it, newest first, and the seq to stream on from."""
        live = self.recorder.live
        limit = min(number(request, "limit", 100), 1_000)
        rows = live.feed.newest(limit, number(request, "before", 0) or None, request.query_params.get("session"))
        return json_response({"seq": live.seq, "rows": rows})

    async def pause(self, request: Request) -> Response:
        wanted = await endpoint.decoded(request, PauseRequest)
        if not 0 <= wanted.seconds <= LONGEST_PAUSE:
            raise ProblemError(422, "bad-pause", "A pause lasts from 0 (resume) to 8 hours.")
        self.recorder.live.pause(wanted.seconds)
        text = f"paused for {wanted.seconds:.0f} s" if wanted.seconds else "resumed"
        self.recorder.note(text, "person:desk")
        return json_response({"paused_for": self.recorder.live.paused_for})


async def _health(_: Request) -> Response:
    return json_response({"ok": True, "version": __version__})


def app(gatekeeper: Gatekeeper, parts: Iterable[ApiPart]) -> Starlette:
    """Every route, behind the gatekeeper."""
    routes = [route for part in parts for route in part.routes()]
    routes.append(("GET", "/healthz", Scope.NONE, _health))
    routes += (("GET", path, Scope.NONE, endpoint) for path, endpoint in page.routes())
    routes.append(("GET", "/openapi.json", Scope.NONE, _described(routes)))
    application = Starlette(
        routes=[
            HttpRoute(path, gatekeeper.guarded(endpoint, scope), methods=[method])
            for method, path, scope, endpoint in routes
        ],
        exception_handlers={ProblemError: problem_response, 404: _not_found, 405: _not_found, Exception: _failed},
    )
    # It would be answered before the gatekeeper looked at who asks, and under which name.
    application.router.redirect_slashes = False
    return application


def _described(routes: "Sequence[Described]") -> Endpoint:
    made: list[bytes] = []

    async def describe(_: Request) -> Response:
        """This document."""
        if not made:
            # Not at the start of the hub: few ever ask.
            from assent.hub.api import openapi

            made.append(openapi.document(routes))
        return Response(made[0], media_type="application/json")

    return describe


async def _not_found(_: Request, __: Exception) -> Response:
    response = ProblemError(404, "not-found", "There is nothing at this address.").response()
    response.headers.update(HEADERS)
    return response


async def _failed(_: Request, __: Exception) -> Response:
    return endpoint.failed().response()
