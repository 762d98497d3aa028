"""The relay's HTTP: what hubs ask and post, and the one stream of each."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from assent.errors import AssentError
from assent.protocol.team import (
    LARGEST_ANSWER,
    LARGEST_ASK,
    VERSION,
    AnswerResult,
    Gone,
    Joined,
    JoinRequest,
    KeyId,
    Members,
    Proof,
    TeamAnswer,
    TeamAsk,
    TeamInfo,
)
from assent.relay.connection import Connection
from assent.relay.database import AwayError, Database
from assent.relay.doorkeeper import Doorkeeper, WaitError, not_a_member, revoked
from assent.relay.exchange import Exchange, now_ms
from assent.relay.hubs import KnownHub
from assent.relay.people import People
from assent.relay.settings import Settings
from assent.relay.store import Store
from assent.team.keys import BadKeyError, key_id
from assent.team.roles import may_join, may_revoke_all, may_see_all, roles_of
from assent.webapi import endpoint as incoming
from assent.webapi import signature
from assent.webapi.endpoint import ProblemError, json_response, problem_response

log = logging.getLogger("assent.relay")

# A text in JSON may grow by its escapes, and proofs come with it.
ROOM = 64 << 10
LARGEST_JOIN = 128 << 10
LONGEST_MACHINE = 100
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

Message = TypeVar("Message", bound=Struct)


class Revoke(Struct, frozen=True, forbid_unknown_fields=True):
    hub: KeyId


class Empty(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class RelayApp:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        store: Store,
        exchange: Exchange,
        people: People,
        most_streams: int,
    ) -> None:
        self._info: TeamInfo = settings.info(VERSION)
        self._roles = settings.roles.table()
        self._database = database
        self._store = store
        self._exchange = exchange
        self._people = people
        self._most_streams = most_streams
        self.doorkeeper = Doorkeeper(exchange, settings)
        self.is_closing = False
        large_ask, large_answer = 2 * LARGEST_ASK + ROOM, 2 * LARGEST_ANSWER + ROOM
        ask, gone = self._posted(TeamAsk, large_ask, exchange.post_ask), self._posted(Gone, ROOM, exchange.post_gone)
        answer = self._posted(TeamAnswer, large_answer, exchange.post_answer)
        result = self._posted(AnswerResult, ROOM, exchange.post_result)
        self._rest: ASGIApp = Starlette(
            routes=[
                Route("/healthz", self.health, methods=["GET"]),
                Route("/team", self.team, methods=["GET"]),
                Route("/team/join", self.join, methods=["POST"]),
                Route("/team/asks", ask, methods=["POST"]),
                Route("/team/gone", gone, methods=["POST"]),
                Route("/team/answers", answer, methods=["POST"]),
                Route("/team/results", result, methods=["POST"]),
                Route("/team/proof", self.prove, methods=["POST"]),
                Route("/team/hubs", self.hubs, methods=["GET"]),
                Route("/team/revoke", self.revoke, methods=["POST"]),
                Route("/team/leave", self.leave, methods=["POST"]),
            ],
            exception_handlers={ProblemError: problem_response, AssentError: _away_response},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == "/team/stream":
            await self._stream(scope, receive, send)
        else:
            await self._rest(scope, receive, send)

    async def health(self, _: Request) -> Response:
        streams = len(self._exchange.streams)
        return json_response({"up": True, "database": self._database.is_there, "hubs": streams})

    async def team(self, _: Request) -> Response:
        return json_response(self._info)

    async def join(self, request: Request) -> Response:
        self.doorkeeper.stranger()
        body = await incoming.body(request, LARGEST_JOIN)
        wanted = incoming.parsed(body, JoinRequest)
        try:
            hub = key_id(wanted.key)
        except BadKeyError:
            raise ProblemError(400, "bad-key", "The key of the hub is none.") from None
        signed = signature.read(request.headers)
        if signed.device != hub:
            raise ProblemError(403, "bad-signature", "The request is not signed by the key that wants to join.")
        self.doorkeeper.check(signed, wanted.key, "POST", request.url.path, body)
        now = now_ms()
        if (wanted.proof is None) == (not wanted.workload):
            raise ProblemError(400, "bad-message", "A hub joins by its owner's proof or by a workload's token.")
        if wanted.proof is not None:
            if wanted.proof.key != wanted.key:
                raise ProblemError(403, "wrong-key", "The proof is about another key.")
            owner, proven_at = await self._people.person(wanted.proof, now)
            if not may_join(roles_of(owner, self._roles)):
                raise not_a_member()
        else:
            owner, proven_at = await self._people.workload(wanted.workload, now)
        if hub in self._exchange.revoked:
            raise revoked()
        known = await self._store.join(
            KnownHub(
                id=hub,
                key=wanted.key,
                owner=owner,
                is_workload=wanted.proof is None,
                machine=_line(wanted.machine, LONGEST_MACHINE),
                version=_line(wanted.version, LONGEST_MACHINE),
                joined_at=now,
                proven_at=proven_at,
            )
        )
        self._exchange.take(known)
        if known.revoked_at is not None:
            raise revoked()
        self._exchange.newcomers.announce(known, now)
        log.info("hub %s of %s joined", hub, _line(owner.label, LONGEST_MACHINE))
        return json_response(Joined(hub=hub, owner=known.owner.label, roles=self._exchange.roles_of(known)))

    async def prove(self, request: Request) -> Response:
        hub, proof = await self._signed(request, Proof, LARGEST_JOIN, may_be_old=True)
        if hub.is_workload or proof.key != hub.key:
            raise ProblemError(403, "wrong-key", "The proof is about another key.")
        owner, proven_at = await self._people.person(proof, now_ms())
        if owner.id != hub.owner.id:
            raise ProblemError(403, "other-person", "The proof is of another person than the one who joined.")
        if proven_at > hub.proven_at:
            await self._store.prove(hub.id, owner, proven_at)
        await self._exchange.reload([hub.id])
        known = self._exchange.roster.get(hub.id) or hub
        roles = self._exchange.roles_of(known)
        if not may_join(roles):
            if stream := self._exchange.streams.get(hub.id):
                self._exchange.close(stream)
            raise not_a_member()
        return json_response(Joined(hub=hub.id, owner=owner.label, roles=roles))

    async def hubs(self, request: Request) -> Response:
        hub, _ = await self._signed(request, Empty, 0)
        everything = may_see_all(self._exchange.roles_of(hub))
        return json_response(Members(tuple(await self._store.members(None if everything else hub.owner))))

    async def revoke(self, request: Request) -> Response:
        hub, wanted = await self._signed(request, Revoke, ROOM)
        other = await self._exchange.hub(wanted.hub)
        may = may_revoke_all(self._exchange.roles_of(hub))
        if other is None or hub.is_workload or not (may or other.owner.id == hub.owner.id):
            # To others it is not said whether there is such a hub.
            raise ProblemError(
                404, "no-such-hub", "There is no such hub that you may revoke.", hint="`assent team hubs`."
            )
        await self._store.revoke(other.id, hub.owner.id)
        log.info("hub %s was revoked by %s", other.id, _line(hub.owner.label, LONGEST_MACHINE))
        await self._exchange.reload([other.id])
        return json_response({"hub": other.id})

    async def leave(self, request: Request) -> Response:
        hub, _ = await self._signed(request, Empty, ROOM, may_be_old=True)
        await self._store.leave(hub.id)
        log.info("hub %s left", hub.id)
        await self._exchange.reload([hub.id])
        return json_response({"hub": hub.id})

    def _posted(
        self, kind: type[Message], largest: int, take: Callable[[KnownHub, Message], Awaitable[bool]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            hub, message = await self._signed(request, kind, largest)
            is_shared = await take(hub, message)
            return json_response({"reach": "team" if is_shared else "relay"})

        return endpoint

    async def _signed(
        self, request: Request, kind: type[Message], largest: int, *, may_be_old: bool = False
    ) -> tuple[KnownHub, Message]:
        signed, hub = await self.doorkeeper.known(request.headers)
        body = await incoming.body(request, largest)
        self.doorkeeper.admit(signed, hub, request.method, request.url.path, body, may_be_old=may_be_old)
        return hub, incoming.parsed(body or b"{}", kind)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            hub, connection = await self._let_in(scope)
        except ProblemError as problem:
            await problem.response()(scope, receive, send)
            return
        except AwayError as error:
            await _away(error).response()(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        # With the body the head goes out; from here on the stream writes to its connection itself.
        await send({"type": "http.response.body", "body": b": connected\n\n", "more_body": True})
        await self._exchange.catch_up(self._exchange.open(hub, connection.held()))

    async def _let_in(self, scope: Scope) -> tuple[KnownHub, Connection]:
        if scope["method"] != "GET" or scope["http_version"] == "1.0":
            raise ProblemError(405, "bad-method", "The stream is read with GET over HTTP/1.1.")
        signed, hub = await self.doorkeeper.known(Headers(scope=scope))
        self.doorkeeper.admit(signed, hub, "GET", scope["path"], b"")
        if self.is_closing or (
            len(self._exchange.streams) >= self._most_streams and self._exchange.streams.get(hub.id) is None
        ):
            raise WaitError("full", "This relay takes no more hubs.", 2, status=503)
        connection: Connection = scope["state"]["connection"]
        return hub, connection


def _line(text: str, longest: int) -> str:
    """For logs and lists: one line, nothing that moves a cursor."""
    return "".join(c if c.isprintable() else " " for c in text[:longest]).strip()


def _away(error: AssentError) -> WaitError:
    return WaitError("database-away", error.message, 2, status=503)


async def _away_response(_: Request, error: Exception) -> Response:
    if not isinstance(error, AwayError):
        log.error("a request failed: %s", error)
        return ProblemError(500, "failed", "The relay failed at this.", hint="its log says why.").response()
    return _away(error).response()
