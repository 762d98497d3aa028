"""HTTP routes of asks: show one and those like it, list possible grants, answer one or several."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from assent.asks import alike
from assent.asks.card import offers
from assent.asks.desk import Desk
from assent.asks.open_ask import Held, Person, RefusedError
from assent.harnesses import registry
from assent.hub.access.caller import who
from assent.hub.asking import late_answers
from assent.hub.asking.case import HubCase
from assent.hub.asking.shown_asks import ShownAsks
from assent.hub.recorder import Live
from assent.policy.call import Call, Scene
from assent.policy.rules import pattern
from assent.policy.rules.coverage import Cover
from assent.policy.rules.rule import Rule
from assent.protocol.card import (
    AlikeAsks,
    AnswerRequest,
    AnswersRequest,
    Card,
    GrantScope,
    Offer,
    Taken,
    TakenAnswers,
)
from assent.protocol.events import PermissionRequest, PreToolUse, ToolEvent, with_operation
from assent.protocol.permission import PermissionRule
from assent.protocol.surfaces import SURFACES, Scope
from assent.views.asks import Ask
from assent.webapi import endpoint as incoming
from assent.webapi.endpoint import ProblemError, Route, json_response

LARGEST_ANSWER = 1 << 20
MOST_COVERED = 3
LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class AsksApi:
    desk: Desk
    shown_asks: ShownAsks
    live: Live
    # The file in which Assent keeps what a client cannot be told to remember.
    rules: Path

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/asks/{id}", Scope.WATCH, self.look),
            ("GET", "/api/asks/{id}/offers", Scope.WATCH, self.offers),
            ("GET", "/api/asks/{id}/alike", Scope.WATCH, self.alike),
            # What an answer needs beyond this depends on the answer.
            ("POST", "/api/asks/answers", Scope.DENY, self.answers),
            ("POST", "/api/asks/{id}/answer", Scope.DENY, self.answer),
        ]

    async def look(self, request: Request) -> Response:
        ask = self.shown_asks.one(request.path_params["id"], who(request).could)
        if ask is None:
            raise _unknown()
        return json_response(ask)

    async def alike(self, request: Request) -> Response:
        held, could = self._held(request), who(request).could
        # One that seems to be answered at the terminal is looked at by itself.
        cards: dict[str, Card] = {
            one.name: one.drawn.card
            for one in self.desk.waiting
            if one.takes_answers and one.life.state == "open" and one.name in self.live.asks.by_id
        }
        found = [self.shown_asks.one(name, could) for name in alike.alike(held.name, cards)]
        return json_response(AlikeAsks(tuple(ask for ask in found if ask is not None)))

    async def answers(self, request: Request) -> Response:
        """The same answer to each of several: they are checked together first, and then each as if it were alone."""
        given = await incoming.decoded(request, AnswersRequest)
        caller = who(request)
        surface = SURFACES.get(caller.surface)
        if surface is None or surface.screen not in ("page", "terminal"):
            raise ProblemError(403, "not-here", "Several are answered at once only where all of each is shown.")
        names = [member.id for member in given.asks]
        if len(set(names)) < len(names):
            raise ProblemError(400, "bad-json", "An ask is named twice.")
        if any(name not in self.live.asks.by_id for name in names):
            raise _unknown()
        held = [one for name in names if (one := self.desk.held(name)) is not None]
        if why := alike.refusal(one.drawn.card for one in held):
            raise ProblemError(409, "not-alike", why)
        person = Person(caller.by, caller.surface, caller.scope, caller.device)
        results: list[Taken] = []
        for member in given.asks:
            answer = AnswerRequest(rev=member.rev, hash=member.hash, choice=given.choice)
            try:
                await self.desk.answer(member.id, answer, person, together=len(names))
            except RefusedError as error:
                if self.desk.held(member.id) is None:
                    late_answers.note(self.desk, self.live.asks.by_id[member.id], answer, person, error.why)
                results.append(Taken(member.id, error.code, error.why))
            else:
                results.append(Taken(member.id))
        return json_response(TakenAnswers(tuple(results)))

    async def offers(self, request: Request) -> Response:
        held = self._held(request)
        event = held.case.event
        if held.drawn.card.approval is not None:
            # Those who agree, agree to this call alone.
            return json_response({"offers": [], "denials": []})
        denials = offers.denials(event, held.drawn.card) if isinstance(event, ToolEvent) else ()
        if isinstance(held.case, HubCase) and held.case.kept:
            return json_response({"offers": [self._kept(offer) for offer in held.case.kept], "denials": denials})
        if not isinstance(event, PermissionRequest):
            return json_response({"offers": [], "denials": denials})
        kept = registry.grant_files(held.case.harness, Path(held.case.project))
        if not kept:
            return json_response({"offers": [], "denials": denials})
        files: dict[GrantScope, str] = {"project": str(kept["project"]), "user": str(kept["user"])}
        every = offers.offers(event, held.drawn.card, files, self._covered, _read_folders(held))
        return json_response({"offers": [offer for offer in every if _is_granted(held, offer)], "denials": denials})

    def _kept(self, offer: Offer) -> Offer:
        """With where it will stand, and what it would have spared."""
        files: dict[GrantScope, str] = {scope: str(self.rules) for scope in offer.scopes if scope != "session"}
        rules = PermissionRule.read_all(offer.grant.removeprefix("rule:"))
        past = dict.fromkeys(call for rule in rules for call in self._covered(rule.written))
        return structs.replace(offer, files=files, covers=tuple(past)[:MOST_COVERED])

    async def answer(self, request: Request) -> Response:
        answer = await incoming.decoded(request, AnswerRequest, LARGEST_ANSWER)
        name = request.path_params["id"]
        caller = who(request)
        if name not in self.live.asks.by_id:
            raise _unknown()
        person = Person(caller.by, caller.surface, caller.scope, caller.device)
        try:
            missing = await self.desk.answer(name, answer, person)
        except RefusedError as error:
            if self.desk.held(name) is None:
                late_answers.note(self.desk, self.live.asks.by_id[name], answer, person, error.why)
            return json_response(
                {
                    "error": {"code": error.code, "message": error.why},
                    "state": error.state,
                    "ask": self.shown_asks.one(name, caller.could),
                },
                status=409,
            )
        if missing:
            # It counts, and goes on waiting for others.
            return json_response({"state": "open", "missing": missing}, status=202)
        return json_response({"state": "answered"}, status=202)

    def _held(self, request: Request) -> Held:
        name = request.path_params["id"]
        held = self.desk.held(name)
        if held is not None:
            return held
        if name in self.live.asks.by_id:
            raise ProblemError(409, "too-late", "This does not wait for an answer any more.")
        raise _unknown()

    def _covered(self, rule: str) -> Sequence[str]:
        """Earlier asks that this rule would have spared, the newest first."""
        try:
            wanted = Rule(level="user", number=0, patterns=(pattern.parse(rule),), says="allow")
        except ValueError:
            return ()
        closed = [ask for ask in reversed(self.live.asks.by_id.values()) if ask.state == "closed"]
        lines = [_line(ask) for ask in closed if _is_covered(wanted, ask)]
        return list(dict.fromkeys(lines))[:MOST_COVERED]


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
    event = PreToolUse(session_id="", cwd=ask.project, tool_name=ask.tool, tool_input=raw)
    with_operation(event, registry.operation_of(ask.harness, ask.tool, raw))
    call = Call.of(event)
    return call is not None and rule.covers(call, Scene(Path(ask.project or "/"))) is not Cover.NO


def _line(ask: Ask) -> str:
    """A command says more than its verb."""
    raw = (ask.card.get("view") or {}).get("raw") or {}
    return str(raw.get("command") or raw.get("file_path") or ask.line)[:LONGEST_LINE]


def _unknown() -> ProblemError:
    return ProblemError(404, "no-such-ask", "There is no ask of that id.", hint="the page shows those there are.")
