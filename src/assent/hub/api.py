"""The HTTP side: hooks that post events, and the routes people's programs use.

One app, on loopback TCP and on the desk socket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from assent._version import __version__
from assent.hub import incoming, page
from assent.hub.access.access import Access
from assent.hub.keep_api import KeepApi
from assent.hub.live import FellBehindError
from assent.hub.log_api import LogApi, number, told
from assent.hub.pipeline import Arrival, Pipeline, now_ms
from assent.hub.problem import ProblemError, json_response, problem_response
from assent.hub.queue_api import QueueApi
from assent.hub.queues import Queues
from assent.hub.stats_api import StatsApi
from assent.hub.summary import Summary
from assent.hub.telemetry import Telemetry
from assent.hub.try_api import TryApi
from assent.hub.undelivered import Undelivered
from assent.hub.upkeep import Upkeep
from assent.protocol.envelope import SILENT
from assent.protocol.record import Draft, Record
from assent.protocol.scope import Scope
from assent.views.feed import Row

LARGEST_PAYLOAD = 16 << 20
LONGEST_PAUSE = 8 * 3600.0
# More than this and a client is better off with a fresh snapshot.
LONGEST_CATCH_UP = 2_000
KEEP_ALIVE = 15.0

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
    queues: Queues
    telemetry: Telemetry

    def app(self) -> Starlette:
        routes: list[tuple[str, str, Scope, Endpoint]] = [
            ("POST", "/hook/{harness}", Scope.POST, self.hook),
            *(("POST", path, Scope.POST, endpoint) for path, endpoint in self.telemetry.routes()),
            ("GET", "/api/status", Scope.WATCH, self.get_status),
            ("GET", "/api/snapshot", Scope.WATCH, self.snapshot),
            ("GET", "/api/stream", Scope.WATCH, self.stream),
            ("GET", "/api/sessions", Scope.WATCH, self.sessions),
            ("GET", "/api/feed", Scope.WATCH, self.feed),
            *(("GET", path, Scope.WATCH, endpoint) for path, endpoint in LogApi(self.pipeline.journal).routes()),
            *(("GET", path, Scope.WATCH, endpoint) for path, endpoint in StatsApi(self.summary).routes()),
            *(("POST", path, Scope.WATCH, endpoint) for path, endpoint in TryApi(self.pipeline).routes()),
            *(("POST", path, Scope.ADMIN, endpoint) for path, endpoint in KeepApi(self.upkeep).routes()),
            *QueueApi(self.queues, lambda name: name in self.pipeline.live.sessions, lambda _: "person:desk").routes(),
            ("PUT", "/api/pause", Scope.ADMIN, self.pause),
            *self.access.api.routes(),
            ("GET", "/healthz", Scope.NONE, self.health),
            *(("GET", path, Scope.NONE, endpoint) for path, endpoint in page.routes()),
        ]
        return Starlette(
            routes=[
                Route(path, self.access.gatekeeper.guarded(endpoint, scope), methods=[method])
                for method, path, scope, endpoint in routes
            ],
            exception_handlers={ProblemError: problem_response, 404: _not_found, 405: _not_found},
        )

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
        output = await self.pipeline.answer(arrival)
        # Asked only where something was said: it costs a turn of the loop.
        if output != SILENT and await request.is_disconnected():
            self.undelivered.note(arrival)
        return json_response(output.stdout_json or {})

    async def get_status(self, _: Request) -> Response:
        return json_response(self.status())

    async def snapshot(self, _: Request) -> Response:
        head = await self.pipeline.journal.head()
        sessions = sorted(self.pipeline.live.sessions.values(), key=lambda session: session.last, reverse=True)
        # Newest first: what waits, and how the latest ended.
        asks = list(reversed(self.pipeline.live.asks.by_id.values()))
        known = {"seq": head.seq, "hub": self.status(), "asks": asks, "sessions": sessions}
        return json_response({**known, "queues": self.queues.waiting()})

    async def sessions(self, _: Request) -> Response:
        sessions = sorted(self.pipeline.live.sessions.values(), key=lambda session: session.last, reverse=True)
        return json_response({"sessions": sessions})

    async def feed(self, request: Request) -> Response:
        """Rows of the feed, newest first, and the seq to stream on from."""
        live = self.pipeline.live
        limit = min(number(request, "limit", 100), 1_000)
        rows = live.feed.newest(limit, number(request, "before", 0) or None)
        return json_response({"seq": live.seq, "rows": rows})

    async def stream(self, request: Request) -> Response:
        """Server-sent events: what was missed since a seq, then what happens; with ``rows=1`` also the rows changed."""
        since = number(request, "since", _last_event_id(request))
        head = (await self.pipeline.journal.head()).seq
        if since and head - since > LONGEST_CATCH_UP:
            raise ProblemError(410, "too-far-behind", "That is too long ago to stream.", hint="take a new snapshot.")
        return StreamingResponse(
            self._events(since or head, with_rows=number(request, "rows", 0) > 0),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _events(self, since: int, *, with_rows: bool) -> AsyncIterator[bytes]:
        live = self.pipeline.live
        with live.listening() as listener:
            # What the listener hears begins after this seq, so nothing comes twice and nothing is missed.
            heard_from = live.seq
            rows = live.feed.changed_after(since) if with_rows else {}
            yield b": connected\n\n"
            for record in await self.pipeline.journal.read(after=since, before=heard_from + 1, limit=LONGEST_CATCH_UP):
                yield _sse(record, rows.get(record.seq, ()))
            while True:
                try:
                    heard = await asyncio.wait_for(listener.next(), KEEP_ALIVE)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                except FellBehindError:
                    return
                if heard is None:
                    return
                if heard[0].seq > since:
                    yield _sse(heard[0], heard[1] if with_rows else ())

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


def _sse(record: Record, rows: Sequence[Row]) -> bytes:
    data = told(record) | ({"rows": rows} if rows else {})
    return b"id: %d\nevent: record\ndata: %s\n\n" % (record.seq, msgspec.json.encode(data))


def _last_event_id(request: Request) -> int:
    text = request.headers.get("last-event-id", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


async def _not_found(_: Request, __: Exception) -> Response:
    return ProblemError(404, "not-found", "There is nothing at this address.").response()
