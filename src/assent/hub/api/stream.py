"""What is, and what changes: a snapshot, and server-sent events that go on from it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from assent.hub.access.caller import Caller
from assent.hub.live import FellBehindError, Heard, Live
from assent.hub.log_api import Endpoint, number, told
from assent.hub.problem import ProblemError, json_response
from assent.hub.shown import Showing
from assent.journal.base import Journal
from assent.protocol.scope import Scope
from assent.views.line import inert
from assent.views.sessions import Session

# More than this and a client is better off with a fresh snapshot.
LONGEST_CATCH_UP = 2_000
KEEP_ALIVE = 15.0
# Who shows buttons must know soon that they lead nowhere.
BEAT = 1.0
LONGEST_SCREEN = 40
# So many records of the past in one piece.
AT_ONCE = 50
# Nobody sees more pictures a second. What happens meanwhile goes out together: with many pages, sending is what costs.
PICTURE = 0.04


@dataclass(frozen=True, slots=True)
class StreamApi:
    journal: Callable[[], Journal]
    live: Callable[[], Live]
    showing: Showing
    who: Callable[[Request], Caller]
    # What else belongs to a snapshot, by its name.
    also: Mapping[str, Callable[[], Any]]

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        return [
            ("GET", "/api/snapshot", Scope.WATCH, self.snapshot),
            ("GET", "/api/stream", Scope.WATCH, self.stream),
            ("GET", "/api/sessions", Scope.WATCH, self.sessions),
            ("GET", "/api/sessions/{id}", Scope.WATCH, self.session),
        ]

    async def snapshot(self, request: Request) -> Response:
        asks = self.showing.all(self.who(request).could)
        # Not 0, which means "from now on" to the stream: the first record is that the hub started.
        known = {"seq": max(1, self.live().seq), "asks": asks, "sessions": self._sessions()}
        return json_response(known | {name: tell() for name, tell in self.also.items()})

    async def sessions(self, _: Request) -> Response:
        return json_response({"sessions": self._sessions()})

    async def session(self, request: Request) -> Response:
        found = self.live().sessions.get(request.path_params["id"])
        if found is None:
            raise ProblemError(404, "no-such-session", "No session of that id is known.", hint="see `assent sessions`.")
        return json_response(found)

    def _sessions(self) -> list[Session]:
        return sorted(self.live().sessions.values(), key=lambda session: session.last, reverse=True)

    async def stream(self, request: Request) -> Response:
        """What was missed since a seq, then what happens; with ``rows=1`` also what each record changed on a screen,
        with ``beat=1`` the hub's time every second in which nothing happens, and which screens are open, each as it
        called itself with ``screen``. ``seen=0`` says that a program reads it, and nobody sees what comes of it."""
        since = number(request, "since", _last_event_id(request))
        head = (await self.journal().head()).seq
        if since and head - since > LONGEST_CATCH_UP:
            raise ProblemError(410, "too-far-behind", "That is too long ago to stream.", hint="take a new snapshot.")
        with_views = number(request, "rows", 0) > 0
        return StreamingResponse(
            self._events(
                since or head,
                self.who(request).could if with_views else None,
                beats=number(request, "beat", 0) > 0,
                screen=inert(request.query_params.get("screen", ""), LONGEST_SCREEN),
                is_seen=number(request, "seen", 1) > 0,
            ),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _events(
        self, since: int, scope: Scope | None, *, beats: bool, screen: str, is_seen: bool
    ) -> AsyncIterator[bytes]:
        live = self.live()
        # Whoever follows with views and may answer is somebody an ask reaches.
        is_person = is_seen and scope is not None and scope >= Scope.DENY
        with live.listening(is_person=is_person, screen=screen if is_person else "") as listener:
            # What the listener hears begins after this seq, so nothing comes twice and nothing is missed.
            heard_from = live.seq
            rows = live.feed.changed_after(since) if scope is not None else {}
            asks = live.asks.changed_after(since) if scope is not None else {}
            yield b": connected\n\n" + (_beat(live) if beats else b"")
            records = await self.journal().read(after=since, before=heard_from + 1, limit=LONGEST_CATCH_UP)
            for start in range(0, len(records), AT_ONCE):
                missed = [
                    Heard(record, tuple(rows.get(record.seq, ())), tuple(asks.get(record.seq, ())))
                    for record in records[start : start + AT_ONCE]
                ]
                yield b"".join(self._message(each, scope) for each in missed)
                # Sending does not wait for anybody, and agents must not wait for a page that comes back.
                await asyncio.sleep(0)
            while True:
                try:
                    async with asyncio.timeout(BEAT if beats else KEEP_ALIVE):
                        heard = await listener.next()
                except TimeoutError:
                    yield _beat(live) if beats else b": still here\n\n"
                    continue
                except FellBehindError:
                    return
                if not heard:
                    return
                if fresh := b"".join(self._message(each, scope) for each in heard if each.record.seq > since):
                    yield fresh
                await asyncio.sleep(PICTURE)

    def _message(self, heard: Heard, scope: Scope | None) -> bytes:
        """Made once for all who may see the same."""
        known = heard.encoded.get(scope)
        if known is None:
            known = heard.encoded[scope] = self._encoded(heard, scope)
        return known

    def _encoded(self, heard: Heard, scope: Scope | None) -> bytes:
        data = told(heard.record)
        if scope is not None:
            if heard.rows:
                data["rows"] = heard.rows
            if heard.asks:
                data["asks"] = [self.showing.shown(ask, scope) for ask in heard.asks]
            if heard.session is not None:
                data["sessionChanged"] = heard.session
            if heard.record.body.get("what") == "queue" and heard.record.session:
                name = heard.record.session
                data["queues"] = {name: self.also["queues"]().get(name, ())}
        return b"id: %d\nevent: record\ndata: %s\n\n" % (heard.record.seq, msgspec.json.encode(data))


def _beat(live: Live) -> bytes:
    told: dict[str, Any] = {"at": int(time.time() * 1000)}
    if screens := live.screens:
        told["screens"] = screens
    return b"event: beat\ndata: %s\n\n" % msgspec.json.encode(told)


def _last_event_id(request: Request) -> int:
    text = request.headers.get("last-event-id", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
