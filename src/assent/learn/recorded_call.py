"""The record, read once from its beginning, as one case for each tool call."""

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from assent.filter import project_of
from assent.learn.case import Case, needed
from assent.protocol.bodies import AnswerBody, OutcomeBody, read
from assent.protocol.record import Record

GATES = frozenset({"PreToolUse", "PermissionRequest"})
RESULTS = frozenset({"PostToolUse", "PostToolUseFailure"})
# After these nobody waits for an answer any more; a result may still be on its way.
TURN_ENDS = frozenset({"Stop", "StopFailure", "SubagentStop", "UserPromptSubmit"})
# Forgotten oldest first, so that memory does not grow with history.
MOST_OPEN = 5_000


def cases(records: Iterable[Record]) -> Iterator[Case]:
    """Each call once, as soon as nothing more can be learnt about it."""
    fold = _Fold()
    for record in records:
        yield from fold.take(record)
    yield from fold.rest()


class _Fold:
    def __init__(self) -> None:
        self._open: dict[str, Case] = {}
        self._of_session: dict[str, dict[str, None]] = {}
        self._of_ask: dict[str, str] = {}

    def take(self, record: Record) -> list[Case]:
        match record.kind:
            case "event":
                return self._event(record)
            case "decision":
                self._decision(record)
            case "ask" if record.ask and (case := self._open.get(_key(record))):
                self._of_ask[record.ask] = _key(record)
                case.asks += (record.ask,)
            case "answer":
                self._answer(record)
            case "outcome":
                self._outcome(record)
        return []

    def rest(self) -> list[Case]:
        return [self._close(key) for key in list(self._open)]

    def _event(self, record: Record) -> list[Case]:
        name = str(record.body.get("event"))
        if name in GATES:
            return self._gate(record, name)
        if name in TURN_ENDS or name == "SessionEnd":
            return self._end_of_turn(record, ends_session=name == "SessionEnd")
        case = self._open.get(_key(record))
        if case is None:
            return []
        if name == "PermissionDenied":
            case.blocked = True
        elif name in RESULTS:
            case.ran = True
        else:
            return []
        # A result settles it. After a refusal the agent may be told to try the same call again.
        return [self._close(_key(record))] if case.ran else []

    def _gate(self, record: Record, name: str) -> list[Case]:
        key = _key(record)
        case = self._open.get(key)
        if case is None:
            payload = record.body.get("payload")
            if not isinstance(payload, dict) or record.session is None:
                return []
            kept, is_cut = needed(payload)
            case = self._open[key] = Case(
                seq=record.seq,
                at=record.at,
                event=name,
                # The same few come again with every call, and thousands of calls may be remembered.
                session=sys.intern(record.session),
                harness=sys.intern(str(record.body.get("harness", ""))),
                project=sys.intern(project_of(record) or "/"),
                payload=kept,
                agent=record.agent,
                attended=_attended(record.body),
                is_cut=is_cut,
            )
            self._of_session.setdefault(record.session, {})[key] = None
        if name == "PermissionRequest":
            case.asked = True
        return [self._close(next(iter(self._open)))] if len(self._open) > MOST_OPEN else []

    def _decision(self, record: Record) -> None:
        case = self._open.get(_key(record))
        if case is None or record.decision is None:
            return
        if record.body.get("event") == "PermissionRequest":
            case.told = record.decision
            if record.decision == "deny":
                case.by = record.by or ""
        if record.body.get("event") == case.event:
            case.decision, case.by, case.risk = record.decision, record.by or "", record.risk or ""

    def _answer(self, record: Record) -> None:
        case, said = self._about(record), read(record, AnswerBody)
        if case is not None and said is not None:
            case.choice = said.choice

    def _outcome(self, record: Record) -> None:
        """A no in the terminal may be known from elsewhere than from the silence after it."""
        case, said = self._about(record), read(record, OutcomeBody)
        if case is not None and case.choice is None and said is not None and said.ending == "denied":
            case.choice = "deny"

    def _about(self, record: Record) -> Case | None:
        return self._open.get(_key(record)) or self._open.get(self._of_ask.get(record.ask or "", ""))

    def _end_of_turn(self, record: Record, *, ends_session: bool) -> list[Case]:
        """A late result still finds its call, until the next turn is over, too."""
        done = []
        for key in list(self._of_session.get(record.session or "", ())):
            case = self._open[key]
            if not ends_session and case.agent != record.agent:
                continue
            if case.over or ends_session:
                done.append(key)
            case.over = True
        return [self._close(key) for key in done]

    def _close(self, key: str) -> Case:
        case = self._open.pop(key)
        of_session = self._of_session[case.session]
        del of_session[key]
        if not of_session:
            del self._of_session[case.session]
        for ask in case.asks:
            self._of_ask.pop(ask, None)
        return case


def _key(record: Record) -> str:
    """Its call; a dialog that could not be matched to one stands for itself."""
    return record.call or f"request:{record.request}"


def _attended(body: dict[str, Any]) -> bool | None:
    environ = body.get("env")
    said = environ.get("CLAUDE_CODE_SESSION_ATTENDED") if isinstance(environ, dict) else None
    return None if said is None else said != "0"
