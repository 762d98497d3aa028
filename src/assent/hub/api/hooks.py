"""Hooks of harnesses that post their events: the route, and a short way to it in front of the web framework.

The short way takes what is certainly a hook with the right token, and answers it as the route does. Whatever else there
is goes to the framework, which looks at it from the beginning: only the framework refuses."""

import asyncio
import logging
from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assent.hub.access.gatekeeper import HEADERS, Gatekeeper
from assent.hub.ingress.hook_socket import Answers
from assent.hub.pipeline.arrival import Arrival
from assent.hub.recorder import Live
from assent.protocol import surfaces
from assent.protocol.envelope import SILENT, Output
from assent.webapi import endpoint
from assent.webapi.endpoint import ProblemError, Route, failed

LARGEST_PAYLOAD = 16 << 20
AT_ONCE = 0.3
PATH = "/hook/"

log = logging.getLogger("assent.hub")

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
_REPLY_HEADERS = [
    (b"content-type", b"application/json"),
    *((name.lower().encode(), value.encode()) for name, value in HEADERS.items()),
]


def event_name(payload: bytes) -> str | None:
    """What a payload calls its event; None where it is no hook event."""
    try:
        return str(_decode(payload)["hook_event_name"])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, TypeError):
        return None


@dataclass(frozen=True, slots=True)
class HookApi:
    hooks: Answers
    live: Live

    def routes(self) -> list[Route]:
        return [("POST", f"{PATH}{{harness}}", surfaces.Scope.POST, self.hook)]

    async def hook(self, request: Request) -> Response:
        """An event over HTTP. Silence is an empty object: the harness takes nothing else."""
        payload = await endpoint.body(request, LARGEST_PAYLOAD)
        name = event_name(payload)
        if name is None:
            self.live.bad_input += 1
            raise ProblemError(400, "bad-json", "The body is not a hook event.")
        reply = await self.reply(request, request.path_params["harness"], name, payload)
        return Response(reply, media_type="application/json")

    async def reply(self, request: Request, harness: str, event: str, payload: bytes) -> bytes:
        arrival = Arrival(harness=harness, event_name=event, payload=payload, transport="http")
        output = await self._answered(request, arrival)
        # Asked only where something was said: it costs a turn of the loop.
        if output != SILENT and await request.is_disconnected():
            self.hooks.missed(arrival)
        else:
            self.hooks.told(arrival.request_id)
        return _encode(output.stdout_json or {})

    async def _answered(self, request: Request, arrival: Arrival) -> Output:
        """Wait for the answer, and notice when the harness does not: the person said no there."""
        watching: list[asyncio.Task[None]] = []

        def watch() -> None:
            watching.append(asyncio.ensure_future(self._watch(request, arrival)))

        # Nearly always the answer comes first: no person has to be asked.
        timer = asyncio.get_running_loop().call_later(AT_ONCE, watch)
        try:
            return await self.hooks.answer(arrival)
        finally:
            timer.cancel()
            for task in watching:
                task.cancel()

    async def _watch(self, request: Request, arrival: Arrival) -> None:
        # The body was read, so what comes next is the end.
        while (await request.receive())["type"] != "http.disconnect":
            pass
        self.hooks.lost(arrival.request_id)


@dataclass(frozen=True, slots=True)
class ShortWay:
    """An ASGI application."""

    app: ASGIApp
    api: HookApi
    gatekeeper: Gatekeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        harness = _harness(scope)
        if not harness or not self.gatekeeper.is_plain_hook(scope, LARGEST_PAYLOAD):
            await self.app(scope, receive, send)
            return
        payload = await _payload(receive)
        if payload is None:
            # There is no one left to be told.
            return
        name = event_name(payload)
        if name is None:
            await self.app(scope, _again(payload, receive), send)
            return
        try:
            reply = await self.api.reply(Request(scope, receive), harness, name, payload)
        except Exception:
            log.exception("answering %s over HTTP failed", name[:60])
            await failed().response()(scope, receive, send)
            return
        headers = [(b"content-length", b"%d" % len(reply)), *_REPLY_HEADERS]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": reply})


def _harness(scope: Scope) -> str:
    """Whose hook this is; "" where it may be none."""
    if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith(PATH):
        return ""
    harness: str = scope["path"][len(PATH) :]
    return "" if "/" in harness else harness


async def _payload(receive: Receive) -> bytes | None:
    """The whole body, as long as its head said that it is; None where it was cut off."""
    message = await receive()
    if message["type"] != "http.request":
        return None
    body: bytes = message.get("body", b"")
    if not message.get("more_body", False):
        return body
    parts = [body]
    while message.get("more_body", False):
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
    return b"".join(parts)


def _again(payload: bytes, receive: Receive) -> Receive:
    """As if nothing had been read yet."""
    left: list[Message] = [{"type": "http.request", "body": payload, "more_body": False}]

    async def received() -> Message:
        return left.pop() if left else await receive()

    return received
