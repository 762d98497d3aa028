"""Answers to what the desk let go of long ago: it knows nothing of such an ask any more, and they are on record all the
same."""

from assent.asks.desk import Desk
from assent.asks.open_ask import Person
from assent.protocol import bodies
from assent.protocol.bodies import RefusedBody
from assent.protocol.card import AnswerRequest
from assent.protocol.record import Draft
from assent.views.asks import MOST_REMARKS, Ask


def note(desk: Desk, ask: Ask, answer: AnswerRequest, who: Person, why: str) -> None:
    if len(ask.refusals) < MOST_REMARKS:
        body = bodies.body(RefusedBody(answer.choice, why, who.surface, who.device))
        fields = {name: getattr(ask, name) for name in ("session", "agent", "call", "request", "risk")}
        desk.record([Draft(at=desk.now_ms(), kind="refused", ask=ask.id, by=who.by, body=body, **fields)])
