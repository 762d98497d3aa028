"""Records about an ask."""

from typing import Any, Literal

from msgspec import structs

from assent.asks.approval import Yes
from assent.asks.open_ask import Held, Person
from assent.protocol import bodies
from assent.protocol.approval import ApprovalView
from assent.protocol.bodies import (
    AnswerBody,
    ApprovedBody,
    AskBody,
    Certainty,
    Ending,
    OutcomeBody,
    RefusedBody,
    ToldBody,
)
from assent.protocol.card import GRANTS, AnswerRequest, GrantScope
from assent.protocol.permission import AddDirectories, Grant, RemoveDirectories, SetMode
from assent.protocol.record import Draft

_Kind = Literal["ask", "answer", "approved", "refused", "told", "outcome"]
_KEPT: dict[GrantScope, str] = {"session": "for this session", "project": "for this project", "user": "everywhere"}


def opened(held: Held, at: int) -> Draft:
    case, card = held.case, held.drawn.card
    body = AskBody(
        what=card.kind,
        event=case.event.name,
        harness=case.harness,
        project=case.project,
        tool=card.view.tool,
        line=card.view.verb,
        rev=held.rev,
        shown=held.drawn.hash,
        deadline=held.deadline,
        card=case.stored(card),
    )
    return _draft(held, at, "ask", bodies.body(body))


def answer(
    held: Held, at: int, given: AnswerRequest, who: Person, grants: tuple[Grant, ...], together: int = 0
) -> Draft:
    body = AnswerBody(
        choice=given.choice,
        surface=who.surface,
        device=who.device,
        rev=held.rev,
        shown=held.drawn.hash,
        waited_ms=max(0, at - held.opened_at),
        message=given.message.strip(),
        grants=(*map(in_words, grants), *_stays(held, given, is_kept=not grants)),
        together=together,
        approval=held.needs.rules if held.needs is not None else "",
        approved_by=tuple(yes.label for yes in held.yeses),
    )
    return _draft(held, at, "answer", bodies.body(body), who.by)


def approved(held: Held, yes: Yes, given: AnswerRequest, who: Person, missing: int) -> Draft:
    """Who said it is kept whole: by that, and not by a name, the same person is known again."""
    needs = held.drawn.card.approval
    body = ApprovedBody(
        surface=who.surface,
        device=who.device,
        rev=held.rev,
        shown=held.drawn.hash,
        waited_ms=max(0, yes.at - held.opened_at),
        message=given.message.strip(),
        approval=needs.rules if needs is not None else "",
        identity=bodies.body(yes.identity),
        missing=missing,
        is_owner=yes.is_owner,
        hub=yes.hub,
    )
    return _draft(held, yes.at, "approved", bodies.body(body), who.by)


def _stays(held: Held, answer: AnswerRequest, *, is_kept: bool) -> list[str]:
    """The answer that stays, in the words it was shown with."""
    if answer.choice == "deny_here":
        return [f"deny {answer.grant.removeprefix('rule:')}"]
    if answer.choice in GRANTS and is_kept:
        return [f"{answer.grant.removeprefix('rule:')} {_KEPT[GRANTS[answer.choice]]}, kept by Assent"]
    if answer.choice not in ("allow_here", "allow_for"):
        return []
    card = held.drawn.card
    long = f" for {answer.minutes} min" if answer.minutes else f" for {answer.hours} h" if answer.hours else ""
    offered = card.timed if answer.choice == "allow_for" else card.stays
    return [f"{stay.words}{long}" for stay in offered if stay.kind == answer.grant]


def with_approval(draft: Draft, held: Held, needs: ApprovalView) -> Draft:
    """The decision with the rules that asked for it, and everybody who agreed."""
    said = {"rules": list(dict.fromkeys(one.rule for one in needs.each)), "by": [yes.label for yes in held.yeses]}
    return structs.replace(draft, body={**draft.body, "approval": said})


def refused(held: Held, at: int, answer: AnswerRequest, who: Person, why: str) -> Draft:
    return _draft(held, at, "refused", bodies.body(RefusedBody(answer.choice, why, who.surface, who.device)), who.by)


def told(held: Held, at: int, *, delivered: bool, why: str = "") -> Draft:
    event = held.case.event
    tool = held.drawn.card.view.tool
    body = ToldBody(delivered, event.name, held.case.harness, held.case.project, tool, why)
    return _draft(held, at, "told", bodies.body(body))


def outcome(held: Held, at: int, ending: Ending, certainty: Certainty = "certain", why: str = "") -> Draft:
    return _draft(held, at, "outcome", bodies.body(OutcomeBody(ending, certainty, why=why)))


def in_words(grant: Grant) -> str:
    """``Bash(npm test *) in localSettings``"""
    match grant:
        case SetMode():
            granted = f"mode {grant.mode}"
        case AddDirectories() | RemoveDirectories():
            granted = ", ".join(grant.directories)
        case _:
            granted = ", ".join(map(str, grant.rules))
    return f"{granted} in {grant.destination}"


def _draft(held: Held, at: int, kind: _Kind, body: dict[str, Any], by: str | None = None) -> Draft:
    case = held.case
    return Draft(
        at=at,
        kind=kind,
        session=case.event.session_id,
        agent=case.event.agent_id,
        call=case.call,
        ask=held.name,
        request=case.request,
        risk=held.drawn.card.risk.level or None,
        by=by,
        body=body,
    )
