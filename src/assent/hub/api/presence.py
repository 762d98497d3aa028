"""Saying where one is: away, back, quiet for a while, or in front of a page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from assent.asks.presence import DESK, morning
from assent.hub import incoming
from assent.hub.access.caller import Caller, who
from assent.hub.log_api import Endpoint
from assent.hub.problem import ProblemError, json_response
from assent.hub.whereabouts import Whereabouts
from assent.protocol.scope import Scope

LONGEST = 30 * 24 * 3600.0


class PresenceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What is left out stays as it is."""

    # A page is open, and in front of somebody or not.
    focused: bool | None = None
    away: bool | None = None
    # How long away, in seconds; until ``back`` where it is left out.
    seconds: float | None = None
    # Seconds from now, until the next morning, or 0 to be told again.
    quiet: float | Literal["morning"] | None = None


@dataclass(frozen=True, slots=True)
class PresenceApi:
    whereabouts: Whereabouts
    told: Callable[[], dict[str, Any]]
    # Puts a sentence about it on record.
    note: Callable[[str, str], None]

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        return [
            ("GET", "/api/presence", Scope.WATCH, self.get),
            ("PUT", "/api/presence", Scope.WATCH, self.put),
        ]

    async def get(self, _: Request) -> Response:
        """Where the person is, as far as anybody can tell, and until when they are away or want quiet."""
        return json_response(self.told())

    async def put(self, request: Request) -> Response:
        """Say that one is away or back, wants quiet for a while, or that a page is looked at."""
        caller = who(request)
        wanted = await incoming.decoded(request, PresenceRequest)
        if wanted.away is not None or wanted.quiet is not None or wanted.seconds is not None:
            self._said(caller, wanted)
        if wanted.focused is not None:
            if not caller.device and caller.scope < Scope.DENY:
                # On the desk socket that is what an agent started, and its claim would hold back pushes.
                raise ProblemError(403, "scope", "What an agent started cannot say that somebody is looking.")
            self.whereabouts.page(caller.device or DESK, focused=wanted.focused)
        return json_response(self.told())

    def _said(self, caller: Caller, wanted: PresenceRequest) -> None:
        if caller.scope < Scope.INSTRUCT:
            raise ProblemError(403, "scope", f"This needs the scope instruct, you have {caller.scope.word}.")
        for seconds in (wanted.seconds, wanted.quiet):
            if isinstance(seconds, float) and not 0 <= seconds <= LONGEST:
                raise ProblemError(422, "bad-time", "Away and quiet last from 0 s to 30 days.")
        self._went(caller, wanted)
        self._wants_quiet(caller, wanted.quiet)

    def _went(self, caller: Caller, wanted: PresenceRequest) -> None:
        where = self.whereabouts
        if wanted.away is True:
            where.go_away(wanted.seconds)
            self.note("its user is away", caller.by)
        elif wanted.away is False and where.attention().away:
            where.come_back()
            self.note("its user is back", caller.by)

    def _wants_quiet(self, caller: Caller, quiet: float | Literal["morning"] | None) -> None:
        where = self.whereabouts
        if quiet == "morning":
            where.be_quiet(morning(where.clock(), where.settings().quiet))
        elif quiet is not None:
            where.be_quiet(where.clock() + int(quiet * 1_000) if quiet else None)
        if quiet is not None:
            self.note("its user wants quiet" if quiet else "its user wants quiet no longer", caller.by)
