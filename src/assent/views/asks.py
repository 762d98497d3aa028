"""Asks as a pure fold of records: what waits for a person, what they said and where, and how it ended."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from assent.asks import state as life
from assent.asks.approval import Yes
from assent.asks.state import Life
from assent.protocol.bodies import (
    AnswerBody,
    ApprovedBody,
    AskBody,
    AskKind,
    Certainty,
    Ending,
    OutcomeBody,
    PushBody,
    RefusedBody,
    ToldBody,
    read,
)
from assent.protocol.card import State
from assent.protocol.record import Kind, Record
from assent.protocol.team import Identity
from assent.text.safe import plain_line

MOST_ASKS = 500
MOST_REMARKS = 20
DENYING = frozenset({"deny", "deny_here", "deny_and_stop", "decline"})

_RESULTS: dict[str, Ending] = {"PostToolUse": "ran", "PostToolUseFailure": "failed", "PermissionDenied": "denied"}
_WORKED = frozenset({"PostToolUse", "PostToolUseFailure"})
# After these what the same agent asked before does not wait any more.
_TURN_ENDS = frozenset({"UserPromptSubmit", "Stop", "StopFailure", "SubagentStop"})
_APPEALED, _WITH_RESULTS = "PermissionDenied", ("ran", "failed", "terminal")
# Of a failed call: an error's first line is its kind or exit code, its last one mostly the sum of it.
_LONGEST_KIND, _LONGEST_SUM = 60, 120
# How a text ends of which only the beginning is on record.
IS_CUT = re.compile(r"⟨\d+ more⟩\Z")


class Answer(Struct, frozen=True, omit_defaults=True):
    """An answer, on which screen, and how long the ask had waited."""

    at: int
    by: str
    choice: str
    surface: str = ""
    device: str = ""
    waited_ms: int | None = None
    message: str = ""
    grants: tuple[str, ...] = ()
    # How many alike ones were answered with it at once.
    together: int = 0
    # Where an approval was needed: everybody who agreed.
    approved_by: tuple[str, ...] = ()


class Approval(Struct, frozen=True, omit_defaults=True):
    """A yes where several have to agree, and more were missing."""

    yes: Yes
    surface: str = ""
    device: str = ""
    missing: int = 0


class Refusal(Struct, frozen=True, omit_defaults=True):
    """An answer that was not used."""

    at: int
    by: str
    choice: str
    why: str
    surface: str = ""
    device: str = ""


class Push(Struct, frozen=True, omit_defaults=True):
    """A message about it that was sent, or was not."""

    at: int
    surface: str
    sent: bool
    why: str = ""
    attempt: int = 1


class Ask(Struct, frozen=True, omit_defaults=True):
    id: str
    # The record that opened it, and the one that changed it last.
    seq: int
    changed: int
    at: int
    what: AskKind
    event: str
    harness: str
    state: State = "open"
    session: str | None = None
    agent: str | None = None
    call: str | None = None
    request: str | None = None
    risk: str | None = None
    project: str = ""
    tool: str = ""
    line: str = ""
    # What answers are bound to.
    rev: int = 1
    shown: str = ""
    deadline: int | None = None
    answer: Answer | None = None
    # Why the agent could not be told.
    undelivered: str = ""
    # Set when closed; on a doubtful ask it is what seems to have happened.
    ending: Ending | None = None
    certainty: Certainty = "certain"
    ended_at: int | None = None
    # Why it ended so, where that was said.
    why: str = ""
    # Of the revision that is shown.
    approvals: tuple[Approval, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    pushes: tuple[Push, ...] = ()
    # The queued instruction that was told together with its result.
    told_with: str = ""
    # What was shown, as far as it is on record.
    card: dict[str, Any] = {}

    @property
    def life(self) -> Life:
        return Life(self.state, self.ending, self.certainty)


@dataclass(slots=True)
class Asks:
    """The newest asks by id, oldest first, and which of them may still end."""

    most: int = MOST_ASKS
    by_id: dict[str, Ask] = field(default_factory=dict)
    _unended: dict[str, None] = field(default_factory=dict)
    # The same by session: whatever happens concerns the asks of one, and hundreds of others may wait.
    _of: dict[str | None, dict[str, None]] = field(default_factory=dict)
    # By session: between which records the results stand that the model was last given together.
    batches: dict[str | None, tuple[int, int]] = field(default_factory=dict)
    # By session: the record of its newest result.
    results: dict[str | None, int] = field(default_factory=dict)

    @property
    def waiting(self) -> list[Ask]:
        """What a person can still answer, oldest first."""
        return [ask for ask in map(self.by_id.__getitem__, self._unended) if ask.state in ("open", "doubtful")]

    @property
    def untold(self) -> list[Ask]:
        """What was answered, and is not on record as told, oldest first."""
        return [ask for ask in map(self.by_id.__getitem__, self._unended) if ask.state == "answered"]

    def unended(self, session: str | None) -> list[Ask]:
        return [self.by_id[name] for name in self._of.get(session, ())]

    def needing(self, session: str | None) -> int:
        """How many of a session a person can still answer."""
        return sum(ask.life.is_answerable for ask in self.unended(session))

    def changed_after(self, seq: int) -> dict[int, list[Ask]]:
        """By the record that changed them last."""
        changed: dict[int, list[Ask]] = {}
        for ask in self.by_id.values():
            if ask.changed > seq:
                changed.setdefault(ask.changed, []).append(ask)
        return changed

    @property
    def has_unended(self) -> bool:
        return bool(self._unended)

    def put(self, ask: Ask) -> Ask:
        self.by_id[ask.id] = ask
        if ask.life.is_over:
            self._end(ask)
        else:
            self._unended[ask.id] = None
            self._of.setdefault(ask.session, {})[ask.id] = None
        if len(self.by_id) > self.most:
            # What waits for a person stays as long as there is something else to forget.
            oldest = next((name for name in self.by_id if name not in self._unended), next(iter(self.by_id)))
            self._end(self.by_id.pop(oldest))
        return ask

    def heard(self, event: str, record: Record) -> None:
        """Results of the main agent: words that wait are told with them."""
        if event == "PostToolBatch":
            self.batches[record.session] = (self.batches.get(record.session, (0, 0))[1], record.seq)
        elif event in _WORKED:
            self.results[record.session] = record.seq
        elif event == "SessionEnd":
            self.batches.pop(record.session, None)
            self.results.pop(record.session, None)

    def told(self, record: Record) -> tuple[Ask, ...]:
        """Asks whose results the model was given together with the queued instruction of this record."""
        result = self.results.get(record.session, 0)
        # Version 0.1.0 told it with the batch, behind all results of one message.
        start, end = max((result - 1, result), self.batches.get(record.session, (0, 0)), key=lambda each: each[1])
        # One transaction: the event, what was decided about it, what was told.
        known = self.by_id.values() if 0 < record.seq - end <= 2 else ()
        ended = [ask for ask in known if ask.ending in _WITH_RESULTS and start < ask.changed <= end]
        mine = [ask for ask in ended if _is_of_turn(ask, record)]
        words = plain_line(str(record.body.get("text", "")), _LONGEST_SUM)
        return tuple(self.put(msgspec.structs.replace(ask, told_with=words, changed=record.seq)) for ask in mine)

    def _end(self, ask: Ask) -> None:
        self._unended.pop(ask.id, None)
        of_session = self._of.get(ask.session, {})
        of_session.pop(ask.id, None)
        if not of_session:
            self._of.pop(ask.session, None)


def fold(asks: Asks, record: Record) -> tuple[Ask, ...]:
    """Apply one record in place; the asks it changed."""
    if record.kind == "event":
        if record.agent is None:
            asks.heard(str(record.body.get("event", "")), record)
        # Nearly always: no ask waits, so there is nothing to look for.
        return _after_event(asks, record) if asks.has_unended else ()
    if record.kind == "hub" and record.body.get("what") == "session_vanished":
        return _session_over(asks, record)
    if record.kind == "hub" and record.body.get("did") == "delivered":
        return asks.told(record)
    if record.ask is None:
        return ()
    ask = asks.by_id.get(record.ask)
    changed = _asked(ask, record) if record.kind == "ask" else _changed(ask, record)
    if changed is None:
        return ()
    return (asks.put(msgspec.structs.replace(changed, changed=record.seq)),)


def rebuilt(records: Iterable[Record], most: int = MOST_ASKS) -> Asks:
    asks = Asks(most)
    for record in records:
        fold(asks, record)
    return asks


def _asked(ask: Ask | None, record: Record) -> Ask | None:
    body = read(record, AskBody)
    if body is None or record.ask is None or (ask is not None and not ask.life.is_answerable):
        return None
    shown: dict[str, Any] = {
        "tool": body.tool,
        "line": body.line,
        "rev": body.rev,
        "shown": body.shown,
        "deadline": body.deadline,
        "risk": record.risk,
        "card": body.card,
    }
    if ask is not None:
        return _moved(ask, life.revised(ask.life), approvals=(), **shown)
    return Ask(
        id=record.ask,
        seq=record.seq,
        changed=record.seq,
        at=record.at,
        what=body.what,
        event=body.event,
        harness=body.harness,
        session=record.session,
        agent=record.agent,
        call=record.call,
        request=record.request,
        project=body.project,
        **shown,
    )


def _changed(ask: Ask | None, record: Record) -> Ask | None:
    change = _CHANGES.get(record.kind)
    return change(ask, record) if change and ask else None


def _answered(ask: Ask, record: Record) -> Ask | None:
    body = read(record, AnswerBody)
    if body is None:
        return None
    waited = record.at - ask.at if body.waited_ms is None else body.waited_ms
    answer = Answer(
        at=record.at,
        by=record.by or "",
        choice=body.choice,
        surface=body.surface,
        device=body.device,
        waited_ms=max(0, waited),
        message=body.message,
        grants=body.grants,
        together=body.together,
        approved_by=body.approved_by,
    )
    return _moved(ask, life.answered(ask.life), answer=answer)


def _approved(ask: Ask, record: Record) -> Ask | None:
    """Only what was said to the revision that is shown."""
    body = read(record, ApprovedBody)
    if body is None or not ask.life.is_answerable or (body.rev, body.shown) != (ask.rev, ask.shown):
        return None
    try:
        identity = msgspec.convert(body.identity, Identity)
    except msgspec.ValidationError:
        return None
    said = Approval(
        Yes(identity, record.at, record.by or "", body.is_owner, body.hub), body.surface, body.device, body.missing
    )
    return msgspec.structs.replace(ask, approvals=(*ask.approvals, said))


def _moved(ask: Ask, to: Life | None, **changes: Any) -> Ask | None:
    """None where that may not happen to it any more."""
    if to is None:
        return None
    return msgspec.structs.replace(ask, state=to.state, ending=to.ending, certainty=to.certainty, **changes)


def _refused(ask: Ask, record: Record) -> Ask | None:
    body = read(record, RefusedBody)
    if body is None:
        return None
    refusal = Refusal(record.at, record.by or "", body.choice, body.why, body.surface, body.device)
    return msgspec.structs.replace(ask, refusals=(*ask.refusals, refusal)[-MOST_REMARKS:])


def _told(ask: Ask, record: Record) -> Ask | None:
    body = read(record, ToldBody)
    if body is None or ask.state == "closed":
        return None
    if not body.delivered:
        return msgspec.structs.replace(ask, undelivered=body.why or "the agent was gone")
    return _moved(ask, life.told(ask.life), undelivered="")


def _ended(ask: Ask, record: Record) -> Ask | None:
    body = read(record, OutcomeBody)
    if body is None:
        return None
    to = life.ended(ask.life, body.ending, body.certainty)
    ended_at = record.at if to is not None and to.state == "closed" else None
    return _moved(ask, to, ended_at=ended_at, why=body.why)


def _repeated(ask: Ask, record: Record) -> Ask | None:
    """A refused call was made again and allowed by the answer to this ask: its result is the ask's."""
    if ask.event != _APPEALED or record.body.get("event") != "PreToolUse" or record.call is None:
        return None
    if ask.state != "closed":
        return msgspec.structs.replace(ask, call=record.call)
    if ask.ending != "unknown":
        return None
    # Its turn seemed to be over, and the agent was told to go on.
    life = Life("told")
    return msgspec.structs.replace(
        ask, call=record.call, state=life.state, ending=life.ending, certainty=life.certainty, ended_at=None
    )


def _pushed(ask: Ask, record: Record) -> Ask | None:
    body = read(record, PushBody)
    if body is None:
        return None
    push = Push(record.at, body.surface, body.sent, body.why, body.attempt)
    return msgspec.structs.replace(ask, pushes=(*ask.pushes, push)[-MOST_REMARKS:])


_CHANGES: dict[Kind, Callable[[Ask, Record], Ask | None]] = {
    "answer": _answered,
    "approved": _approved,
    "refused": _refused,
    "told": _told,
    "outcome": _ended,
    "push": _pushed,
    "decision": _repeated,
}


def _after_event(asks: Asks, record: Record) -> tuple[Ask, ...]:
    name = str(record.body.get("event", ""))
    if name in _RESULTS and record.call is not None:
        return _close(asks, record, lambda ask: ask.call == record.call, lambda ask: _result(ask, _RESULTS[name]))
    if name in _TURN_ENDS:
        # The request the ask is about may be this very event: a stop that is held.
        return _close(asks, record, lambda ask: _is_of_turn(ask, record) and not _outlives(ask, record), _left)
    if name == "Notification" and (record.body.get("payload") or {}).get("notification_type") == "permission_prompt":
        waiting = [_moved(ask, life.seen_waiting(ask.life)) for ask in asks.unended(record.session)]
        return tuple(asks.put(msgspec.structs.replace(ask, changed=record.seq)) for ask in waiting if ask is not None)
    return _session_over(asks, record) if name == "SessionEnd" else ()


def _session_over(asks: Asks, record: Record) -> tuple[Ask, ...]:
    return _close(asks, record, lambda _: True, _abandoned)


def _close(
    asks: Asks, record: Record, concerned: Callable[[Ask], bool], how: Callable[[Ask], tuple[Ending, Certainty]]
) -> tuple[Ask, ...]:
    """Of the record's session: calls and agents have ids of their own in each."""
    concerned_ones = [ask for ask in asks.unended(record.session) if concerned(ask)]
    return tuple(asks.put(_closed(ask, record, *how(ask))) for ask in concerned_ones)


def _closed(ask: Ask, record: Record, ending: Ending, certainty: Certainty = "certain") -> Ask:
    return msgspec.structs.replace(
        ask,
        state="closed",
        changed=record.seq,
        ending=ending,
        certainty=certainty,
        ended_at=record.at,
        why=_failure(record) if ending == "failed" else ask.why,
    )


def _failure(record: Record) -> str:
    """``Exit code 1 … 1 failed, 4 passed``: of what is on record, from which secrets were taken before."""
    error = (record.body.get("payload") or {}).get("error")
    lines = [line for line in error.splitlines() if line.strip()] if isinstance(error, str) else []
    if not lines:
        return ""
    if len(lines) == 1 or IS_CUT.search(lines[-1]):
        return plain_line(lines[0], _LONGEST_KIND + _LONGEST_SUM)
    return f"{plain_line(lines[0], _LONGEST_KIND)} … {plain_line(lines[-1], _LONGEST_SUM)}"


def _is_of_turn(ask: Ask, record: Record) -> bool:
    return (ask.session, ask.agent) == (record.session, record.agent)


def _outlives(ask: Ask, record: Record) -> bool:
    """The stop that is held, and a refused call whose yes the agent does not know yet: it may be told at a stop."""
    return ask.request == record.request or (ask.event == _APPEALED and ask.state != "told")


def _result(ask: Ask, ending: Ending) -> tuple[Ending, Certainty]:
    """A call that ran without a yes here was allowed at the terminal."""
    said_yes = ask.answer is not None and ask.answer.choice not in DENYING
    return (ending if said_yes or ending == "denied" else "terminal"), "certain"


def _left(ask: Ask) -> tuple[Ending, Certainty]:
    """The turn went on and nothing was reported of the call."""
    if ask.answer is None:
        # A report that the turn bears out was right.
        return "terminal", "certain" if ask.state == "closed" else "probable"
    return ("denied", "certain") if ask.answer.choice in DENYING else ("unknown", "probable")


def _abandoned(ask: Ask) -> tuple[Ending, Certainty]:
    return ("withdrawn", "certain") if ask.answer is None else _left(ask)
