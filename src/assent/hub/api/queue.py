"""A session's queue of instructions over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from assent.asks.desk import Desk
from assent.asks.open_ask import Person
from assent.asks.queue import QueueError
from assent.hub.access.caller import who
from assent.hub.asking.queues import Queues, no_result, told_now
from assent.hub.recorder import Live
from assent.protocol.queue import ItemChange, NewItem, Queue
from assent.protocol.surfaces import Scope
from assent.webapi import endpoint
from assent.webapi.endpoint import ProblemError, Route, json_response

_GONE = frozenset({"no-such-item"})
ENDED = "The session has ended; what is queued is told if it is resumed."


@dataclass(frozen=True, slots=True)
class QueueApi:
    queues: Queues
    desk: Desk
    live: Live

    def routes(self) -> list[Route]:
        whole, item = "/api/sessions/{session}/queue", "/api/sessions/{session}/queue/{item}"
        return [
            ("GET", whole, Scope.WATCH, self.get),
            ("POST", whole, Scope.INSTRUCT, self.add),
            ("PATCH", item, Scope.INSTRUCT, self.change),
            ("DELETE", item, Scope.INSTRUCT, self.remove),
        ]

    async def get(self, request: Request) -> Response:
        return json_response(self._told(self._session(request)))

    async def add(self, request: Request) -> Response:
        session = self._session(request)
        wanted = await endpoint.decoded(request, NewItem)
        caller = who(request)
        with _refusals("The instruction was not queued"):
            person = Person(caller.by, caller.surface, caller.scope, caller.device)
            if not await told_now(self.desk, session, wanted.text, wanted.to, person):
                self.queues.add(session, wanted.text, by=caller.by, to=wanted.to, harness=self._harness(session))
        return json_response(self._told(session), status=201)

    async def change(self, request: Request) -> Response:
        session, name = self._session(request), request.path_params["item"]
        wanted = await endpoint.decoded(request, ItemChange)
        with _refusals("The instruction was not changed"):
            if wanted.text is not None:
                self.queues.change(session, name, wanted.text, by=who(request).by)
            if wanted.place is not None:
                self.queues.move(session, name, wanted.place, by=who(request).by)
        return json_response(self._told(session))

    async def remove(self, request: Request) -> Response:
        session = self._session(request)
        with _refusals("The instruction was not removed"):
            self.queues.remove(session, request.path_params["item"], by=who(request).by)
        return json_response(self._told(session))

    def _told(self, session: str) -> Queue:
        """With what a person should know before they queue something."""
        known = self.live.sessions[session]
        note = "" if known.is_live else ENDED
        return structs.replace(self.queues.of(session), no_tool=no_result(known.harness), note=note)

    def _harness(self, session: str) -> str:
        return self.live.sessions[session].harness

    def _session(self, request: Request) -> str:
        session: str = request.path_params["session"]
        if session not in self.live.sessions:
            raise ProblemError(
                404, "no-such-session", "There is no such session.", hint="`assent sessions` lists them."
            )
        return session


@contextmanager
def _refusals(failure: str) -> Iterator[None]:
    try:
        yield
    except QueueError as error:
        raise ProblemError(404 if error.code in _GONE else 422, error.code, error.message) from None
    except OSError as error:
        raise ProblemError(507, "not-kept", f"{failure}: it cannot be written down ({error.strerror}).") from None
