"""Asks over HTTP: look at one, see what could be granted with it, answer it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from assent.asks import offers
from assent.asks.desk import Desk
from assent.asks.held import Held, Person, RefusedError
from assent.harness import claude_code
from assent.hub import incoming
from assent.hub.access.caller import Caller
from assent.hub.case import HubCase
from assent.hub.live import Live
from assent.hub.log_api import Endpoint
from assent.hub.problem import ProblemError, json_response
from assent.hub.shown import Showing
from assent.policy import pattern
from assent.policy.call import Call
from assent.policy.cover import Cover
from assent.policy.rule import Rule
from assent.policy.voice import Scene
from assent.protocol import bodies
from assent.protocol.bodies import RefusedBody
from assent.protocol.card import AnswerRequest, GrantScope, Offer
from assent.protocol.events import PermissionRequest, PreToolUse
from assent.protocol.record import Draft
from assent.protocol.scope import Scope
from assent.views.asks import MOST_REMARKS, Ask

LARGEST_ANSWER = 1 << 20
MOST_COVERED = 3
LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class AsksApi:
    desk: Desk
    showing: Showing
    live: Callable[[], Live]
    who: Callable[[Request], Caller]

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        return [
            ("GET", "/api/asks/{id}", Scope.WATCH, self.look),
            ("GET", "/api/asks/{id}/offers", Scope.WATCH, self.offers),
            # What an answer needs beyond this depends on the answer.
            ("POST", "/api/asks/{id}/answer", Scope.DENY, self.answer),
        ]

    async def look(self, request: Request) -> Response:
        found = self.showing.one(request.path_params["id"], self.who(request).could)
        if found is None:
            raise _unknown()
        return json_response(found)

    async def offers(self, request: Request) -> Response:
        held = self._held(request)
        event = held.case.event
        if not isinstance(event, PermissionRequest):
            return json_response({"offers": []})
        project = Path(held.case.project)
        files: dict[GrantScope, str] = {
            "project": str(dict(claude_code.settings_here(project))["local"]),
            "user": str(dict(claude_code.settings_here(project))["user"]),
        }
        found = offers.offers(event, held.drawn.card, files, self._covered, _read_folders(held))
        return json_response({"offers": [offer for offer in found if _is_granted(held, offer)]})

    async def answer(self, request: Request) -> Response:
        said = await incoming.decoded(request, AnswerRequest, LARGEST_ANSWER)
        name = request.path_params["id"]
        who = self.who(request)
        if name not in self.live().asks.by_id:
            raise _unknown()
        try:
            await self.desk.answer(name, said, Person(who.by, who.surface, who.scope, who.device))
        except RefusedError as error:
            if self.desk.held(name) is None:
                self._note_late(self.live().asks.by_id[name], said, who, error.why)
            return json_response(
                {
                    "error": {"code": error.code, "message": error.why},
                    "state": error.state,
                    "ask": self.showing.one(name, who.could),
                },
                status=409,
            )
        return json_response({"state": "answered"}, status=202)

    def _note_late(self, ask: Ask, said: AnswerRequest, who: Caller, why: str) -> None:
        """The desk puts on record what it refuses; of what it let go of long ago it knows nothing any more."""
        if len(ask.refusals) < MOST_REMARKS:
            body = bodies.body(RefusedBody(said.choice, why, who.surface, who.device))
            known = {name: getattr(ask, name) for name in ("session", "agent", "call", "request", "risk")}
            self.desk.record([Draft(at=self.desk.now_ms(), kind="refused", ask=ask.id, by=who.by, body=body, **known)])

    def _held(self, request: Request) -> Held:
        name = request.path_params["id"]
        held = self.desk.held(name)
        if held is not None:
            return held
        if name in self.live().asks.by_id:
            raise ProblemError(409, "too-late", "This does not wait for an answer any more.")
        raise _unknown()

    def _covered(self, rule: str) -> Sequence[str]:
        """Earlier asks that this rule would have spared, the newest first."""
        try:
            wanted = Rule(level="user", number=0, patterns=(pattern.parse(rule),), says="allow")
        except ValueError:
            return ()
        closed = [ask for ask in reversed(self.live().asks.by_id.values()) if ask.state == "closed"]
        found = [_line(ask) for ask in closed if _is_covered(wanted, ask)]
        return list(dict.fromkeys(found))[:MOST_COVERED]


def _read_folders(held: Held) -> Sequence[str]:
    return held.case.outside_reads() if isinstance(held.case, HubCase) else ()


def _is_granted(held: Held, offer: Offer) -> bool:
    """Not everything that a client suggests is: some would let far more pass than it says."""
    try:
        held.case.grant_of(offer.grant, offer.scopes[0])
    except ValueError:
        return False
    return True


def _is_covered(rule: Rule, ask: Ask) -> bool:
    raw = (ask.card.get("view") or {}).get("raw")
    if not ask.tool or not isinstance(raw, dict):
        return False
    call = Call.of(PreToolUse(session_id="", tool_name=ask.tool, tool_input=raw))
    return call is not None and rule.covers(call, Scene(Path(ask.project or "/"))) is not Cover.NO


def _line(ask: Ask) -> str:
    """A command says more than its verb."""
    raw = (ask.card.get("view") or {}).get("raw") or {}
    return str(raw.get("command") or raw.get("file_path") or ask.line)[:LONGEST_LINE]


def _unknown() -> ProblemError:
    return ProblemError(404, "no-such-ask", "There is no ask of that id.", hint="the page shows those there are.")
