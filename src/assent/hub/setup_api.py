"""The first minutes: whether hooks are written, and an ask to try the page with."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from assent.hub import pretending
from assent.hub.log_api import Endpoint
from assent.hub.pretending import Pretender
from assent.hub.problem import ProblemError, json_response
from assent.protocol.scope import Scope

MOST_TESTS = 3


@dataclass(frozen=True, slots=True)
class SetupApi:
    pretender: Pretender
    # The files that `assent install` wrote to.
    installed: Callable[[], Mapping[str, str]]
    _tests: set[asyncio.Task[None]] = field(default_factory=set)

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        return [
            ("GET", "/api/setup", Scope.WATCH, self.get),
            ("POST", "/api/asks/test", Scope.ANSWER, self.test),
        ]

    async def get(self, _: Request) -> Response:
        return json_response({"installed": sorted(self.installed())})

    async def test(self, _: Request) -> Response:
        if len(self._tests) >= MOST_TESTS:
            raise ProblemError(429, "too-many-tests", "Three test asks wait already.", hint="answer one of them.")
        task = asyncio.create_task(self.pretender.ask(pretending.session()))
        self._tests.add(task)
        task.add_done_callback(self._tests.discard)
        return json_response({"state": "asked"}, status=202)
