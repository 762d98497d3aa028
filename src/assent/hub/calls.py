"""One id for one tool call, from PreToolUse to its result, even where the harness sends none."""

import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any

import msgspec

from assent.hub import acted_on
from assent.protocol.decision import Allow, Decision, Deny
from assent.protocol.events import (
    Event,
    PermissionDenied,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    Stop,
    SubagentStop,
    ToolEvent,
)
from assent.protocol.record import Record

# Forgotten oldest first: a session that never reports results must not grow without end.
MOST_OPEN = 500
MOST_SESSIONS = 200

_FINAL = (PostToolUse, PostToolUseFailure, PermissionDenied)
_FINAL_NAMES = frozenset(kind.__name__ for kind in _FINAL)
_TURN_ENDS = frozenset({"Stop", "SubagentStop"})


@dataclass(slots=True)
class _Call:
    id: str
    tool_use_id: str | None
    agent: str | None
    tool: str
    digest: bytes
    # Whether a PermissionRequest may still be about it.
    may_be_asked: bool = True
    # The input as it was judged, or as we changed it; None for a call of an earlier life, whose secrets are gone.
    judged: dict[str, Any] | None = None


@dataclass(slots=True)
class Calls:
    """Open calls by session, oldest first; the session heard of last comes last."""

    _open: dict[str, list[_Call]] = field(default_factory=dict)
    # Random once, then counted: asking the kernel for each id costs more than judging the call.
    _life: str = field(default_factory=lambda: secrets.token_hex(4))
    _minted: int = 0

    def id_of(self, event: Event) -> str | None:
        """The call this event belongs to; minted at PreToolUse."""
        if not isinstance(event, ToolEvent):
            return None
        if isinstance(event, PreToolUse):
            digest = _digest(event.tool_input)
            call = _Call(self._mint(), event.tool_use_id, event.agent_id, event.tool_name, digest)
            call.judged = event.tool_input
            self._add(event.session_id, call)
            return call.id
        calls = self._of(event.session_id)
        found = self._asked(calls, event) if isinstance(event, PermissionRequest) else self._result(calls, event)
        if found is not None and isinstance(event, _FINAL):
            calls.remove(found)
        return None if found is None else found.id

    def ran_differently(self, event: PostToolUse | PostToolUseFailure) -> bool:
        """Whether this result is of a call that was judged with another input. ``id_of`` then forgets the call."""
        call = None if event.tool_use_id is None else self._result(self._open.get(event.session_id, []), event)
        if call is None or call.judged is None:
            return False
        if call.tool != event.tool_name:
            return True
        response = event.raw.get("tool_response")
        return acted_on.differs(call.tool, call.judged, event.tool_input, response=response, cwd=event.cwd)

    def harness_id(self, session: str, call: str | None) -> str | None:
        """What the harness calls it."""
        return next((known.tool_use_id for known in self._open.get(session, ()) if known.id == call), None)

    def decided(self, event: Event, call: str | None, decision: Decision) -> None:
        """Learn what the agent is told: it changes what later events of a call look like, and whether they come."""
        if isinstance(event, SessionEnd):
            self._open.pop(event.session_id, None)
        elif isinstance(event, Stop | SubagentStop):
            self._turn_over(event.session_id, event.agent_id)
        elif isinstance(decision, Deny):
            self._settle(event.session_id, call, no_dialog=True, is_over=True)
        elif isinstance(decision, Allow) and decision.updated_input is not None:
            self._settle(event.session_id, call, updated_input=decision.updated_input)

    def recall(self, record: Record) -> None:
        """Know a call of an earlier life again, as far as its record tells: secrets in its input are gone."""
        if record.session is None:
            return
        if record.kind == "decision":
            updated_input = (record.body.get("decision") or {}).get("updated_input")
            self._settle(record.session, record.call, no_dialog=record.decision == "deny", updated_input=updated_input)
        elif record.kind == "event":
            self._recall_event(record, record.session)

    def _recall_event(self, record: Record, session: str) -> None:
        name, payload = record.body.get("event"), record.body.get("payload") or {}
        if name == "SessionEnd":
            self._open.pop(session, None)
        elif name in _TURN_ENDS:
            self._turn_over(session, record.agent)
        elif record.call is None:
            return
        elif name == "PreToolUse":
            digest = _digest(payload.get("tool_input"))
            tool = payload.get("tool_name", "")
            self._add(session, _Call(record.call, payload.get("tool_use_id"), record.agent, tool, digest))
        elif name in _FINAL_NAMES:
            calls = self._of(session)
            calls[:] = [call for call in calls if call.id != record.call]
        else:
            self._settle(session, record.call, no_dialog=True)

    def _turn_over(self, session: str, agent: str | None) -> None:
        """Nothing asks about the calls of a turn that is over, though a late result still finds its call."""
        for call in self._open.get(session, ()):
            if call.agent == agent:
                call.may_be_asked = False
                # Whole files may stand in it.
                call.judged = None

    def _settle(
        self,
        session: str,
        call: str | None,
        *,
        no_dialog: bool = False,
        updated_input: dict[str, Any] | None = None,
        is_over: bool = False,
    ) -> None:
        for known in self._open.get(session, ()):
            if known.id == call:
                known.may_be_asked = known.may_be_asked and not no_dialog
                known.judged = None if is_over else known.judged
                if updated_input is not None:
                    known.digest = _digest(updated_input)
                    known.judged = None if known.judged is None else updated_input

    def _add(self, session: str, call: _Call) -> None:
        calls = self._of(session)
        calls.append(call)
        del calls[:-MOST_OPEN]

    def _of(self, session: str) -> list[_Call]:
        calls = self._open.pop(session, None)
        if calls is None:
            calls = []
            if len(self._open) >= MOST_SESSIONS:
                # Sessions end without saying so; the one not heard of for longest is the likeliest.
                del self._open[next(iter(self._open))]
        self._open[session] = calls
        return calls

    def _mint(self) -> str:
        self._minted += 1
        return f"c{self._life}{self._minted:x}"

    @staticmethod
    def _result(calls: list[_Call], event: ToolEvent) -> _Call | None:
        if event.tool_use_id is not None:
            return next((call for call in calls if call.tool_use_id == event.tool_use_id), None)
        return _oldest_equal([call for call in calls if call.tool_use_id is None], event)

    @staticmethod
    def _asked(calls: list[_Call], event: ToolEvent) -> _Call | None:
        """A PermissionRequest carries no id: it is about the oldest equal call that was not asked about yet."""
        found = _oldest_equal([call for call in calls if call.may_be_asked], event)
        if found is not None:
            found.may_be_asked = False
        return found


def _oldest_equal(calls: list[_Call], event: ToolEvent) -> _Call | None:
    wanted = (event.agent_id, event.tool_name, _digest(event.tool_input))
    return next((call for call in calls if (call.agent, call.tool, call.digest) == wanted), None)


def _digest(tool_input: dict[str, Any] | None) -> bytes:
    return hashlib.sha256(msgspec.json.encode(tool_input, order="sorted")).digest()
