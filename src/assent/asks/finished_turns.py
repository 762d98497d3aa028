"""Finished turns to announce: each that a person began, once, when nothing of it runs any more."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assent.asks.presence import is_typed_by_a_person
from assent.protocol.record import Record, client_of

MOST_SESSIONS = 500
LONGEST = 2_000
_VANISHED = "Its process is gone, and said nothing of its end."


@dataclass(frozen=True, slots=True)
class Ended:
    """The agent's last words, or what went wrong, in ``text``."""

    session: str
    what: Literal["finished", "failed"]
    at: int
    text: str = ""


@dataclass(slots=True)
class _Turn:
    is_running: bool = False
    # A person began it and has not heard of its end. Where the beginning was not seen it may well be so.
    is_owed: bool = True


@dataclass(slots=True)
class Turns:
    """What machines begin (a background task that finished) belongs to the turn before: if its end was not told while
    work went on in the background, it is told then, and otherwise never."""

    _known: dict[str, _Turn] = field(default_factory=dict)

    def heard(self, record: Record) -> Ended | None:
        """The end of a turn that is to be announced."""
        session = record.session
        if session is None or record.agent is not None:
            return None
        if record.kind == "hub":
            return self._vanished(session, record)
        payload = record.body.get("payload")
        if record.kind != "event" or not isinstance(payload, dict):
            return None
        match record.body.get("event"):
            case "UserPromptSubmit":
                self._began(session, by_person=is_typed_by_a_person(payload, attended=client_of(record.body).attended))
            case "Stop":
                return self._ended(session) and _finished(session, record.at, payload)
            case "StopFailure":
                return self._ended(session) and _failed(session, record.at, payload)
            case "SessionEnd":
                self._known.pop(session, None)
        return None

    def is_owed(self, session: str) -> bool:
        return self._turn(session).is_owed

    def told(self, session: str) -> None:
        """It was announced, or the person was there."""
        self._turn(session).is_owed = False

    def _began(self, session: str, *, by_person: bool) -> None:
        is_new = session not in self._known
        turn = self._turn(session)
        turn.is_running = True
        turn.is_owed = by_person or (turn.is_owed and not is_new)

    def _ended(self, session: str) -> Literal[True] | None:
        turn = self._turn(session)
        turn.is_running = False
        return True if turn.is_owed else None

    def _vanished(self, session: str, record: Record) -> Ended | None:
        if record.body.get("what") != "session_vanished":
            return None
        turn = self._known.pop(session, None)
        if turn is None or not turn.is_running or not turn.is_owed:
            return None
        return Ended(session, "failed", record.at, _VANISHED)

    def _turn(self, session: str) -> _Turn:
        turn = self._known.setdefault(session, _Turn())
        if len(self._known) > MOST_SESSIONS:
            del self._known[next(iter(self._known))]
        return turn


def _finished(session: str, at: int, payload: Mapping[str, Any]) -> Ended | None:
    if payload.get("background_tasks"):
        return None
    return Ended(session, "finished", at, _text(payload.get("last_assistant_message")))


def _failed(session: str, at: int, payload: Mapping[str, Any]) -> Ended:
    details = (_text(payload.get(name)) for name in ("error", "error_details"))
    return Ended(session, "failed", at, ": ".join(filter(None, details)))


def _text(value: object) -> str:
    return value[:LONGEST] if isinstance(value, str) else ""
