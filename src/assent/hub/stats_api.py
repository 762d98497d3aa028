"""Statistics over HTTP: what happened each day, who decided it, which tools were busy and slow."""

import time
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from assent.errors import UsageError
from assent.filter import Term, parse
from assent.hub.log_api import Endpoint
from assent.hub.problem import ProblemError, json_response
from assent.hub.summary import Summary
from assent.protocol.record import Record
from assent.views.days import day_of

DEFAULT_SINCE = "30d"


@dataclass(frozen=True, slots=True)
class StatsApi:
    summary: Summary

    def routes(self) -> list[tuple[str, Endpoint]]:
        return [("/api/stats", self.stats)]

    async def stats(self, request: Request) -> Response:
        """``since`` and ``until`` as in a filter, by whole local days; ``project`` by name or folder."""
        since = _moment("since", request.query_params.get("since") or DEFAULT_SINCE)
        until = _moment("until", request.query_params.get("until") or "today")
        project = request.query_params.get("project")
        wanted = Term("project", (project,)) if project else None
        found = await self.summary.report(
            since=day_of(since),
            # The first moment that is not wanted any more.
            until=day_of(until - 1),
            wanted=lambda name: wanted is None or wanted.matches(_record_of(name)),
        )
        return json_response(found)


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
