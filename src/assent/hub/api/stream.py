"""HTTP routes of live state: a snapshot, and server-sent events that go on from it."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from assent.hub.access.caller import who
from assent.hub.api.log import number, told
from assent.hub.api.status import Status
from assent.hub.asking.queues import Queues
from assent.hub.asking.shown_asks import ShownAsks
from assent.hub.notify.presence_tracker import PresenceTracker
from assent.hub.recorder import FellBehindError, Heard, Live
from assent.journal.base import Journal
from assent.protocol.session import Session
from assent.protocol.surfaces import Scope
from assent.text.safe import plain_line
from assent.webapi.endpoint import ProblemError, Route, json_response

# More than this and a client is better off with a fresh snapshot.
LONGEST_CATCH_UP = 2_000
KEEP_ALIVE = 15.0
# Who shows buttons must know soon that they lead nowhere.
BEAT = 1.0
LONGEST_SCREEN = 40
# So many records of the past in one piece.
AT_ONCE = 50
# More a second cannot be seen. What happens meanwhile goes out together: with many pages, sending is what costs.
PICTURE = 0.04


@dataclass(frozen=True, slots=True)
class StreamApi:
    journal: Journal
    live: Live
    shown_asks: ShownAsks
    status: Status
    queues: Queues
    presence: PresenceTracker

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/snapshot", Scope.WATCH, self.snapshot),
            ("GET", "/api/stream", Scope.WATCH, self.stream),
            ("GET", "/api/sessions", Scope.WATCH, self.sessions),
            ("GET", "/api/sessions/{id}", Scope.WATCH, self.session),
        ]

    async def snapshot(self, request: Request) -> Response:
        asks = self.shown_asks.all(who(request).could)
        # Not 0, which means "from now on" to the stream: the first record is that the hub started.
        state = {"seq": max(1, self.live.seq), "asks": asks, "sessions": self._sessions(who(request).could)}
        also = {"hub": self.status.told(), "queues": self.queues.waiting(), "presence": self.presence.told()}
        return json_response(state | also)

    async def sessions(self, request: Request) -> Response:
        return json_response({"sessions": self._sessions(who(request).could)})

    async def session(self, request: Request) -> Response:
        session = self.live.sessions.get(request.path_params["id"])
        if session is None:
            raise ProblemError(404, "no-such-session", "No session of that id is known.", hint="see `assent sessions`.")
        return json_response(_shown(session, who(request).could))

    def _sessions(self, scope: Scope) -> list[Session]:
        newest = sorted(self.live.sessions.values(), key=lambda session: session.last, reverse=True)
        return [_shown(session, scope) for session in newest]

    async def stream(self, request: Request) -> Response:
        """What was missed since a seq, then what happens; with ``rows=1`` also what each record changed on a screen,
        with ``beat=1`` the hub's time every second in which nothing happens, and which screens are open, each as it
        called itself with ``screen``. ``seen=0`` says that a program reads it, and no person sees it."""
        since = number(request, "since", _last_event_id(request))
        head = (await self.journal.head()).seq
        if since and head - since > LONGEST_CATCH_UP:
            raise ProblemError(410, "too-far-behind", "That is too long ago to stream.", hint="take a new snapshot.")
        with_views = number(request, "rows", 0) > 0
        return StreamingResponse(
            self._events(
                since or head,
                who(request).could if with_views else None,
                beats=number(request, "beat", 0) > 0,
                screen=plain_line(request.query_params.get("screen", ""), LONGEST_SCREEN),
                is_seen=number(request, "seen", 1) > 0,
            ),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _events(
        self, since: int, scope: Scope | None, *, beats: bool, screen: str, is_seen: bool
    ) -> AsyncIterator[bytes]:
        live = self.live
        # A client that follows with views and may answer is one an ask reaches.
        is_person = is_seen and scope is not None and scope >= Scope.DENY
        with live.listening(is_person=is_person, screen=screen if is_person else "") as listener:
            # What the listener hears begins after this seq, so nothing comes twice and nothing is missed.
            heard_from = live.seq
            rows = live.feed.changed_after(since) if scope is not None else {}
            asks = live.asks.changed_after(since) if scope is not None else {}
            yield b": connected\n\n" + (_beat(live) if beats else b"")
            records = await self.journal.read(after=since, before=heard_from + 1, limit=LONGEST_CATCH_UP)
            for start in range(0, len(records), AT_ONCE):
                missed = [
                    Heard(record, tuple(rows.get(record.seq, ())), tuple(asks.get(record.seq, ())))
                    for record in records[start : start + AT_ONCE]
                ]
                yield b"".join(self._message(each, scope) for each in missed)
                # Sending does not yield by itself, and agents must not wait for a page that comes back.
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
        message = heard.encoded.get(scope)
        if message is None:
            message = heard.encoded[scope] = self._encoded(heard, scope)
        return message

    def _encoded(self, heard: Heard, scope: Scope | None) -> bytes:
        data = told(heard.record)
        if scope is not None:
            if heard.rows:
                data["rows"] = heard.rows
            if heard.asks:
                data["asks"] = [self.shown_asks.shown(ask, scope) for ask in heard.asks]
            if heard.session is not None:
                data["sessionChanged"] = _shown(heard.session, scope)
            if heard.record.body.get("what") == "queue" and heard.record.session:
                name = heard.record.session
                data["queues"] = {name: self.queues.waiting().get(name, ())}
        return b"id: %d\nevent: record\ndata: %s\n\n" % (heard.record.seq, msgspec.json.encode(data))


def _shown(session: Session, scope: Scope) -> Session:
    """Where its terminal is, only for those who may go there."""
    if session.terminal is None or scope >= Scope.ADMIN:
        return session
    return msgspec.structs.replace(session, terminal=None)


def _beat(live: Live) -> bytes:
    beat: dict[str, Any] = {"at": int(time.time() * 1000)}
    if screens := live.screens:
        beat["screens"] = screens
    return b"event: beat\ndata: %s\n\n" % msgspec.json.encode(beat)


def _last_event_id(request: Request) -> int:
    text = request.headers.get("last-event-id", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
