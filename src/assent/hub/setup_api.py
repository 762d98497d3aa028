"""The first minutes: whether hooks are written, and an ask to try the page with."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.hub.log_api import Endpoint
from assent.hub.pipeline import Arrival, Pipeline
from assent.hub.problem import ProblemError, json_response
from assent.policy import world
from assent.protocol.scope import Scope

MOST_TESTS = 3
PACE = 0.05
# Left to a person in every stance but watch.
COMMAND = "touch hello-from-assent.txt"
SAYS = "A test ask: nothing is run, whatever you answer."


@dataclass(frozen=True, slots=True)
class SetupApi:
    pipeline: Pipeline
    # The files that `assent install` wrote to.
    installed: Callable[[], Mapping[str, str]]
    # An answer has reached whoever waited for it.
    told: Callable[[str], object]
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
        task = asyncio.create_task(self._ask(f"test-{secrets.token_hex(4)}"))
        self._tests.add(task)
        task.add_done_callback(self._tests.discard)
        return json_response({"state": "asked"}, status=202)

    async def _ask(self, session: str) -> None:
        """An agent of our own, which wants one thing and ends."""
        call = {
            "tool_name": "Bash",
            "tool_input": {"command": COMMAND, "description": SAYS},
            "permission_mode": "default",
        }
        use = f"toolu_{secrets.token_hex(8)}"
        await self._send(session, "PreToolUse", **call, tool_use_id=use)
        decision = await self._send(session, "PermissionRequest", **call)
        if decision.get("behavior") == "allow":
            response = {"stdout": "", "stderr": "", "interrupted": False}
            await self._send(session, "PostToolUse", **call, tool_use_id=use, tool_response=response)
        await self._send(session, "SessionEnd", reason="other")

    async def _send(self, session: str, event: str, **fields: Any) -> dict[str, Any]:
        payload = {
            "session_id": session,
            "transcript_path": "",
            "cwd": world.home(),
            "hook_event_name": event,
            **fields,
        }
        arrival = Arrival(
            harness="claude-code",
            event_name=event,
            payload=msgspec.json.encode(payload),
            transport="http",
            session_id=session,
        )
        output = await self.pipeline.answer(arrival)
        self.told(arrival.request_id)
        # What was answered at once is put on record afterwards; an agent's next event never comes sooner than that.
        await asyncio.sleep(PACE)
        said = (output.stdout_json or {}).get("hookSpecificOutput") or {}
        decision: dict[str, Any] = said.get("decision") or {}
        return decision
