"""HTTP route of `review`, which suggests rules. Computed by a process of its own: it reads the whole record, and hooks
must not wait for that."""

import asyncio
import contextlib
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.errors import UsageError
from assent.filter import Term, parse
from assent.hub.bus import Seconds
from assent.hub.upkeep.statistics import Statistics
from assent.protocol.record import Record
from assent.protocol.surfaces import Scope
from assent.views.days import day_of
from assent.webapi.endpoint import ProblemError, Route, json_response

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
    clock: Seconds = time.monotonic
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)
    _kept: tuple[float, dict[str, Any]] | None = None

    def routes(self) -> list[Route]:
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
                output, _ = await working.communicate()
            whole = msgspec.json.decode(output, type=dict[str, Any])
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


DEFAULT_SINCE = "30d"


@dataclass(frozen=True, slots=True)
class StatsApi:
    statistics: Statistics

    def routes(self) -> list[Route]:
        return [("GET", "/api/stats", Scope.WATCH, self.stats)]

    async def stats(self, request: Request) -> Response:
        """``since`` and ``until`` as in a filter, by whole local days; ``project`` by name or folder."""
        since = _moment("since", request.query_params.get("since") or DEFAULT_SINCE)
        until = _moment("until", request.query_params.get("until") or "today")
        project = request.query_params.get("project")
        wanted = Term("project", (project,)) if project else None
        report = await self.statistics.report(
            since=day_of(since),
            # The first moment that is not wanted any more.
            until=day_of(until - 1),
            wanted=lambda name: wanted is None or wanted.matches(_record_of(name)),
        )
        return json_response(report)


def _moment(key: str, text: str) -> int:
    try:
        terms = parse(f"{key}:{text}", now=time.time()).terms
    except UsageError as error:
        raise ProblemError(400, "bad-moment", error.message, hint=error.hint) from None
    if [term.key for term in terms] != [key]:
        raise ProblemError(400, "bad-moment", f"{key} takes one moment.", hint="write 7d, today or 2026-01-31")
    return int(terms[0].values[0])


def _record_of(project: str) -> Record:
    """A project's name means the same here as in a filter."""
    return Record(at=0, kind="event", body={"project": project}, hub="", seq=0, prev="", hash="")
