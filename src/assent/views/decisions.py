"""A decision as a row: what it was about, who said what on which screen, after how long, and what came of it."""

from collections.abc import Sequence

from msgspec import Struct

from assent.protocol.bodies import Ending
from assent.protocol.record import Record
from assent.views import asks
from assent.views.asks import Ask
from assent.views.line import inert, what_of

LONGEST = 300
_RESULTS: dict[str, Ending] = {"PostToolUse": "ran", "PostToolUseFailure": "failed", "PermissionDenied": "denied"}


class DecisionRow(Struct, frozen=True, omit_defaults=True):
    # Of the decision's own record.
    seq: int
    at: int
    hash: str
    decision: str
    by: str = ""
    risk: str | None = None
    session: str | None = None
    agent: str | None = None
    call: str | None = None
    project: str = ""
    event: str = ""
    tool: str = ""
    # The command or file, and for an ask what it would do in words.
    what: str = ""
    verb: str = ""
    why: str = ""
    # The rest only where a person was asked.
    ask: str = ""
    choice: str = ""
    surface: str = ""
    device: str = ""
    waited_ms: int | None = None
    ending: str = ""
    certainty: str = "certain"


def rows(story: Sequence[Record]) -> list[DecisionRow]:
    """One for each decision among the records of one call or ask."""
    known = asks.rebuilt(story).by_id
    return [_row(record, story, known.get(record.ask or "")) for record in story if record.kind == "decision"]


def _row(record: Record, story: Sequence[Record], ask: Ask | None) -> DecisionRow:
    body = record.body
    said = body.get("decision") or {}
    answer = ask.answer if ask else None
    return DecisionRow(
        seq=record.seq,
        at=record.at,
        hash=record.hash,
        decision=inert(record.decision or "?"),
        by=inert(record.by or ""),
        risk=record.risk,
        session=record.session,
        agent=record.agent,
        call=record.call,
        project=inert(str(body.get("project") or "")),
        event=inert(str(body.get("event") or "")),
        tool=inert(str(body.get("tool") or "")),
        what=_what(story),
        verb=inert(ask.line) if ask else "",
        why=inert(str(said.get("reason") or said.get("context") or ""), LONGEST),
        ask=record.ask or "",
        choice=answer.choice if answer else "",
        surface=inert(answer.surface) if answer else "",
        device=inert(answer.device) if answer else "",
        waited_ms=_waited(record, ask),
        ending=(ask.ending if ask else _ending(story)) or "",
        certainty=ask.certainty if ask else "certain",
    )


def _what(story: Sequence[Record]) -> str:
    told = (what_of(record.body.get("payload") or {}) for record in story if record.kind == "event")
    return inert(next((text for text in told if text), ""), LONGEST)


def _waited(record: Record, ask: Ask | None) -> int | None:
    if ask is None:
        return None
    return ask.answer.waited_ms if ask.answer else max(0, record.at - ask.at)


def _ending(story: Sequence[Record]) -> Ending | None:
    """What became of a call that nobody was asked about."""
    names = (record.body.get("event") for record in story if record.kind == "event")
    return next((_RESULTS[name] for name in names if name in _RESULTS), None)
