"""The HTTP side: hooks that post events, and the routes people's programs use.

One app, on loopback TCP and on the desk socket."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assent._version import __version__
from assent.hub import incoming, page
from assent.hub.access.access import Access
from assent.hub.access.gatekeeper import HEADERS
from assent.hub.asks_api import AsksApi
from assent.hub.decisions_api import DecisionsApi
from assent.hub.keep_api import KeepApi
from assent.hub.line_api import LineApi
from assent.hub.log_api import LogApi, number
from assent.hub.pipeline import Arrival, Pipeline, now_ms
from assent.hub.problem import ProblemError, json_response, problem_response
from assent.hub.queue_api import QueueApi
from assent.hub.reach import Reach
from assent.hub.review_api import ReviewApi
from assent.hub.rules_api import RulesApi
from assent.hub.settings_api import SettingsApi
from assent.hub.setup_api import SetupApi
from assent.hub.stats_api import StatsApi
from assent.hub.stop_api import StopApi
from assent.hub.stream_api import StreamApi
from assent.hub.summary import Summary
from assent.hub.telemetry import Telemetry
from assent.hub.try_api import TryApi
from assent.hub.undelivered import Undelivered
from assent.hub.upkeep import Upkeep
from assent.protocol.envelope import SILENT, Output
from assent.protocol.record import Draft
from assent.protocol.scope import Scope

if TYPE_CHECKING:
    from assent.hub.openapi import Described

LARGEST_PAYLOAD = 16 << 20
LONGEST_PAUSE = 8 * 3600.0
AT_ONCE = 0.3
LOOK_EVERY = 0.5

Endpoint = Callable[[Request], Awaitable[Response]]


class PauseRequest(msgspec.Struct, forbid_unknown_fields=True):
    seconds: float


@dataclass(slots=True)
class Api:
    pipeline: Pipeline
    access: Access
    status: Callable[[], dict[str, Any]]
    undelivered: Undelivered
    summary: Summary
    upkeep: Upkeep
    queues: QueueApi
    telemetry: Telemetry
    stream: StreamApi
    line: LineApi
    asks: AsksApi
    reach: Reach
    setup: SetupApi
    rules: RulesApi
    settings: SettingsApi
    stop: StopApi

    def app(self) -> Starlette:
        routes: list[tuple[str, str, Scope, Endpoint]] = [
            ("POST", "/hook/{harness}", Scope.POST, self.hook),
            *(("POST", path, Scope.POST, endpoint) for path, endpoint in self.telemetry.routes()),
            ("GET", "/api/status", Scope.WATCH, self.get_status),
            *self.stream.routes(),
            *self.line.routes(),
            *self.asks.routes(),
            *self.setup.routes(),
            *self.rules.routes(),
            *self.settings.routes(),
            *self.reach.routes(),
            ("GET", "/api/feed", Scope.WATCH, self.feed),
            *(("GET", path, Scope.WATCH, endpoint) for path, endpoint in LogApi(self.pipeline.journal).routes()),
            *DecisionsApi(self.pipeline.journal).routes(),
            *ReviewApi().routes(),
            *(("GET", path, Scope.WATCH, endpoint) for path, endpoint in StatsApi(self.summary).routes()),
            *(("POST", path, Scope.WATCH, endpoint) for path, endpoint in TryApi(self.pipeline).routes()),
            *(("POST", path, Scope.ADMIN, endpoint) for path, endpoint in KeepApi(self.upkeep).routes()),
            *self.queues.routes(),
            ("PUT", "/api/pause", Scope.ADMIN, self.pause),
            *self.stop.routes(),
            *self.access.api.routes(),
            ("GET", "/healthz", Scope.NONE, self.health),
            *(("GET", path, Scope.NONE, endpoint) for path, endpoint in page.routes()),
        ]
        routes.append(("GET", "/openapi.json", Scope.NONE, _described(routes)))
        app = Starlette(
            routes=[
                Route(path, self.access.gatekeeper.guarded(endpoint, scope), methods=[method])
                for method, path, scope, endpoint in routes
            ],
            exception_handlers={
                ProblemError: problem_response,
                404: _not_found,
                405: _not_found,
                Exception: _failed,
            },
        )
        # It would be answered before anybody looked at who asks, and under which name.
        app.router.redirect_slashes = False
        return app

    async def hook(self, request: Request) -> Response:
        """An event over HTTP. Silence is an empty object: the harness takes nothing else."""
        payload = await incoming.body(request, LARGEST_PAYLOAD)
        try:
            event_name = msgspec.json.decode(payload)["hook_event_name"]
        except (msgspec.DecodeError, RecursionError, KeyError, TypeError):
            self.pipeline.live.bad_input += 1
            raise ProblemError(400, "bad-json", "The body is not a hook event.") from None
        arrival = Arrival(
            harness=request.path_params["harness"], event_name=str(event_name), payload=payload, transport="http"
        )
        output = await self._answered(request, arrival)
        # Asked only where something was said: it costs a turn of the loop.
        if output != SILENT and await request.is_disconnected():
            self.undelivered.note(arrival)
        elif self.pipeline.asking is not None:
            self.pipeline.asking.desk.told(arrival.request_id, delivered=True)
        return json_response(output.stdout_json or {})

    async def _answered(self, request: Request, arrival: Arrival) -> Output:
        """Wait for the answer, and notice when the harness does not: the person said no there."""
        answer = asyncio.ensure_future(self.pipeline.answer(arrival))
        # Nearly always: nobody has to be asked.
        done, _ = await asyncio.wait((answer,), timeout=AT_ONCE)
        while not done:
            done, _ = await asyncio.wait((answer,), timeout=LOOK_EVERY)
            if not done and self.pipeline.asking is not None and await request.is_disconnected():
                self.pipeline.asking.desk.lost(arrival.request_id)
                break
        return await answer

    async def get_status(self, _: Request) -> Response:
        return json_response(self.status())

    async def feed(self, request: Request) -> Response:
        """Rows of the feed, or of one session in it, newest first, and the seq to stream on from."""
        live = self.pipeline.live
        limit = min(number(request, "limit", 100), 1_000)
        rows = live.feed.newest(limit, number(request, "before", 0) or None, request.query_params.get("session"))
        return json_response({"seq": live.seq, "rows": rows})

    async def pause(self, request: Request) -> Response:
        wanted = await incoming.decoded(request, PauseRequest)
        if not 0 <= wanted.seconds <= LONGEST_PAUSE:
            raise ProblemError(422, "bad-pause", "A pause lasts from 0 (resume) to 8 hours.")
        self.pipeline.live.pause(wanted.seconds)
        what = f"paused for {wanted.seconds:.0f} s" if wanted.seconds else "resumed"
        self.pipeline.record([Draft(at=now_ms(), kind="hub", by="person:desk", body={"what": what})])
        return json_response({"paused_for": self.pipeline.live.paused_for})

    async def health(self, _: Request) -> Response:
        return json_response({"ok": True, "version": __version__})


def _described(routes: "Sequence[Described]") -> Endpoint:
    made: list[bytes] = []

    async def describe(_: Request) -> Response:
        """This document."""
        if not made:
            # Not at the start of the hub: few ever ask.
            from assent.hub import openapi

            made.append(openapi.document(routes))
        return Response(made[0], media_type="application/json")

    return describe


async def _not_found(_: Request, __: Exception) -> Response:
    response = ProblemError(404, "not-found", "There is nothing at this address.").response()
    response.headers.update(HEADERS)
    return response


async def _failed(_: Request, __: Exception) -> Response:
    return ProblemError(500, "failed", "The hub failed at this.", hint="its log says why.").response()
