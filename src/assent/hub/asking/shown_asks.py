"""Asks as surfaces get them: the live card while they can be answered, what is on record afterwards."""

from dataclasses import dataclass
from typing import Any

import msgspec

from assent.asks import choices
from assent.asks.desk import Desk
from assent.asks.open_ask import Held
from assent.hub.asking.plan_rounds import PlanRounds
from assent.hub.recorder import Live
from assent.protocol.card import Card, Peril, Result, Said, ShownAsk, Subject, View, Way
from assent.protocol.surfaces import Scope, Screen
from assent.text import approval_words
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
            choices=self._choices(held, scope, screen),
            answer=_answer(ask),
            result=_result(ask),
            undelivered=ask.undelivered,
            changed=ask.changed,
            call=ask.call or "",
            round=self.rounds.of(ask, rev),
            told_with=ask.told_with,
            **self._approval(ask, held, card),
        )

    def _choices(self, held: Held | None, scope: Scope, screen: Screen) -> tuple[Way, ...]:
        if held is None or not held.takes_answers:
            return ()
        return choices.ways(held.drawn.card, scope, screen, counts=self.desk.counting.counts_here(held, screen))

    def _approval(self, ask: Ask, held: Held | None, card: Card) -> dict[str, Any]:
        """Whose yes it needs, who said it, and why they cannot be asked, where that is so."""
        needs = card.approval
        if needs is None:
            return {}
        is_mine = not card.subject.owner
        by = ask.answer.approved_by if ask.answer is not None else tuple(said.yes.label for said in ask.approvals)
        missing = 0
        if held is not None and ask.answer is None:
            # Of an ask of another hub, as that one said when it took the last yes from here.
            told = ask.approvals[-1].missing if ask.approvals else 0
            missing = self.desk.counting.missing(held) if held.needs is not None else told
        return {
            "approval": needs,
            "approved_by": by,
            "needs": approval_words.sentence(needs, is_mine=is_mine),
            "agreed": approval_words.agreed(by, missing),
            "unreachable": self.desk.counting.unreachable(needs) if held is not None and held.needs is not None else "",
        }

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
