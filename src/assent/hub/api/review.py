"""Which rules would have saved the most asks. Worked out by a process of its own: it reads the whole record, and hooks
must not wait for that."""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.hub.log_api import Endpoint
from assent.hub.problem import ProblemError, json_response
from assent.protocol.scope import Scope

COMMAND = (sys.executable, "-m", "assent", "review", "--json")
LONGEST = 60.0
# The record does not change its mind faster than that.
KEPT_FOR = 120.0
MOST_OFFERS = 3
NICENESS = 10


@dataclass(slots=True)
class ReviewApi:
    command: tuple[str, ...] = COMMAND
    patience: float = LONGEST
    clock: Callable[[], float] = time.monotonic
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)
    _kept: tuple[float, dict[str, Any]] | None = None

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        return [("GET", "/api/review", Scope.WATCH, self.review)]

    async def review(self, _: Request) -> Response:
        """The three rules that would have saved the most asks, and how many there were."""
        async with self._one:
            if self._kept is None or self.clock() - self._kept[0] > KEPT_FOR:
                self._kept = (self.clock(), await self._found())
        return json_response(self._kept[1])

    async def _found(self) -> dict[str, Any]:
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        working = await asyncio.create_subprocess_exec(
            *self.command, stdin=nothing, stdout=pipe, stderr=nothing, cwd=Path.home()
        )
        try:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, working.pid, NICENESS)
            async with asyncio.timeout(self.patience):
                told, _ = await working.communicate()
            whole = msgspec.json.decode(told, type=dict[str, Any])
        except (TimeoutError, msgspec.DecodeError):
            raise ProblemError(
                503, "no-review", "The record was not gone through.", hint="`assent review` does it in a terminal."
            ) from None
        finally:
            if working.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    working.kill()
                await working.wait()
        return {name: whole.get(name, 0) for name in ("asks", "approvals")} | {
            "offers": whole.get("offers", [])[:MOST_OFFERS]
        }
