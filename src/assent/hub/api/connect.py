"""Connecting surfaces over HTTP. Secrets come in by the desk socket alone, and go nowhere but to the vault."""

from dataclasses import dataclass

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.hub.access.caller import DESK, who
from assent.hub.notify.connecting import Connecting, ConnectRequest
from assent.hub.notify.test_ask import TestAsks
from assent.protocol.surfaces import Scope, connectable
from assent.webapi import endpoint
from assent.webapi.endpoint import ProblemError, Route, json_response


@dataclass(frozen=True, slots=True)
class ConnectApi:
    connecting: Connecting
    test_asks: TestAsks

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/connect", Scope.WATCH, self.list),
            ("POST", "/api/connect/check", Scope.ADMIN, self.check),
            ("GET", "/api/connect/{name}", Scope.WATCH, self.look),
            ("PUT", "/api/connect/{name}", Scope.ADMIN, self.connect),
            ("DELETE", "/api/connect/{name}", Scope.ADMIN, self.disconnect),
            ("POST", "/api/connect/{name}/test", Scope.ADMIN, self.test),
            ("GET", "/api/connect/{name}/test/{test}", Scope.WATCH, self.tested),
        ]

    async def list(self, _: Request) -> Response:
        """Every surface that can be connected, and how it stands."""
        return json_response({"surfaces": [self.connecting.states.of(name) for name in connectable()]})

    async def look(self, request: Request) -> Response:
        """One of them, and what it takes to connect it."""
        return json_response(self.connecting.details(request.path_params["name"]))

    async def connect(self, request: Request) -> Response:
        """Check secrets and settings with the service, then keep them. Only on the desk socket."""
        _must_be_at_the_desk(request)
        content = await endpoint.body(request, endpoint.SMALL)
        try:
            wanted = msgspec.json.decode(content, type=ConnectRequest)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            # Without the words of the error, which may hold what was sent.
            raise ProblemError(400, "bad-json", "This is not what connects a surface.") from None
        return json_response(await self.connecting.connect(request.path_params["name"], wanted))

    async def disconnect(self, request: Request) -> Response:
        """Forget its secrets and its table in the settings. Only on the desk socket."""
        _must_be_at_the_desk(request)
        return json_response(await self.connecting.disconnect(request.path_params["name"]))

    async def check(self, _: Request) -> Response:
        """Ask the service of each connected surface how it is."""
        return json_response({"surfaces": await self.connecting.states.checked()})

    async def test(self, request: Request) -> Response:
        """Show a test ask on this surface alone, at once."""
        name = request.path_params["name"]
        if name not in connectable():
            raise ProblemError(404, "no-such-surface", "There is nothing of this name to connect.")
        state = self.connecting.states.of(name)
        surface = self.connecting.connections.surfaces.get(name)
        if surface is None or state["state"] in ("off", "trouble"):
            hint = f"`assent connect {name}` connects it."
            raise ProblemError(409, "not-connected", f"Nothing was sent. {state['words']}", hint=hint)
        if self.test_asks.is_any_on(surface):
            raise ProblemError(429, "too-many-tests", "A test ask waits there already.", hint="answer that one.")
        return json_response({"test": self.test_asks.begin(surface)}, status=202)

    async def tested(self, request: Request) -> Response:
        """How far a test ask got, and where it was answered."""
        state = self.test_asks.told(request.path_params["test"])
        if state is None:
            raise ProblemError(404, "no-such-test", "There was no such test.")
        return json_response(state)


def _must_be_at_the_desk(request: Request) -> None:
    if who(request).surface != DESK:
        hint = "use `assent connect` on the hub's machine."
        raise ProblemError(403, "desk-only", "Surfaces are connected at the desk alone.", hint=hint)
