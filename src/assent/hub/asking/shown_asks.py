"""Asks as surfaces get them: the live card while they can be answered, what is on record afterwards."""

from dataclasses import dataclass

import msgspec

from assent.asks import choices
from assent.asks.desk import Desk
from assent.hub.asking.plan_rounds import PlanRounds
from assent.hub.recorder import Live
from assent.protocol.card import Card, Peril, Result, Said, ShownAsk, Subject, View
from assent.protocol.surfaces import Scope, Screen
from assent.views.asks import Ask


@dataclass(frozen=True, slots=True)
class ShownAsks:
    desk: Desk
    live: Live
    rounds: PlanRounds

    def all(self, scope: Scope) -> list[ShownAsk]:
        """Newest first: what waits, and how the latest ended."""
        return [self.shown(ask, scope) for ask in reversed(self.live.asks.by_id.values())]

    def waiting(self) -> list[ShownAsk]:
        """As a lock screen shows them."""
        return [self.shown(ask, Scope.DENY, "glance") for ask in self.live.asks.waiting]

    def one(self, name: str, scope: Scope) -> ShownAsk | None:
        ask = self.live.asks.by_id.get(name)
        return None if ask is None else self.shown(ask, scope)

    def shown(self, ask: Ask, scope: Scope, screen: Screen = "page") -> ShownAsk:
        held = self.desk.held(ask.id)
        card = held.drawn.card if held is not None else _recorded(ask)
        # The desk knows of a new revision before it is on record.
        rev, bound = (held.rev, held.drawn.hash) if held is not None else (ask.rev, ask.shown)
        return ShownAsk(
            id=ask.id,
            rev=rev,
            hash=bound,
            kind=ask.what,
            state=ask.state,
            opened_at=ask.at,
            view=card.view,
            subject=self._titled(card.subject),
            risk=card.risk,
            says=card.says,
            words=card.words,
            asked=card.asked,
            flags=card.flags,
            stays=card.stays,
            timed=card.timed,
            expires_at=ask.deadline,
            choices=choices.ways(card, scope, screen) if held is not None and held.takes_answers else (),
            answer=_answer(ask),
            result=_result(ask),
            undelivered=ask.undelivered,
            changed=ask.changed,
            call=ask.call or "",
            round=self.rounds.of(ask, rev),
            told_with=ask.told_with,
        )

    def _titled(self, subject: Subject) -> Subject:
        """A session gets its title only after a while."""
        session = self.live.sessions.get(subject.session)
        if session is None or not session.title or session.title == subject.title:
            return subject
        return msgspec.structs.replace(subject, title=session.title)


def _recorded(ask: Ask) -> Card:
    try:
        return msgspec.convert(ask.card, Card)
    except msgspec.ValidationError:
        # Written by another version, or cut to be kept: the line is what is left.
        subject = Subject(harness=ask.harness, session=ask.session or "", agent=ask.agent or "", project=ask.project)
        return Card(ask.what, View(verb=ask.line, tool=ask.tool), subject, Peril(ask.risk or ""))


def _answer(ask: Ask) -> Said | None:
    answer = ask.answer
    if answer is None:
        return None
    return Said(
        answer.at,
        answer.by,
        answer.choice,  # type: ignore[arg-type]
        answer.surface,
        answer.device,
        answer.message,
        answer.grants,
        answer.together,
    )


def _result(ask: Ask) -> Result | None:
    return None if ask.ending is None else Result(ask.ending, ask.certainty, ask.ended_at, ask.why)
