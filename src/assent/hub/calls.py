"""One id for one tool call, from PreToolUse to its result, even where the harness sends none."""

import hashlib
import secrets
from dataclasses import dataclass, field

import msgspec

from assent.protocol.events import Event, PermissionRequest, PostToolUse, PostToolUseFailure, PreToolUse, ToolEvent

# Forgotten oldest first: a session that never reports results must not grow without end.
MOST_OPEN = 500
MOST_SESSIONS = 200


@dataclass(slots=True)
class _Call:
    id: str
    tool_use_id: str | None
    agent: str | None
    tool: str
    digest: bytes
    asked: bool = False


@dataclass(slots=True)
class Calls:
    """Open calls by session, oldest first."""

    _open: dict[str, list[_Call]] = field(default_factory=dict)
    # Random once, then counted: asking the kernel for each id costs more than judging the call.
    _life: str = field(default_factory=lambda: secrets.token_hex(4))
    _minted: int = 0

    def id_of(self, event: Event) -> str | None:
        """The call this event belongs to; minted at PreToolUse."""
        if not isinstance(event, ToolEvent):
            return None
        calls = self._open.get(event.session_id)
        if calls is None:
            calls = self._open[event.session_id] = []
            if len(self._open) > MOST_SESSIONS:
                # Sessions end without saying so; the one known longest is the likeliest.
                del self._open[next(iter(self._open))]
        if isinstance(event, PreToolUse):
            call = _Call(self._mint(), event.tool_use_id, event.agent_id, event.tool_name, _digest(event))
            calls.append(call)
            del calls[:-MOST_OPEN]
            return call.id
        found = self._asked(calls, event) if isinstance(event, PermissionRequest) else self._by_use(calls, event)
        if found is None:
            return None
        if isinstance(event, PostToolUse | PostToolUseFailure):
            calls.remove(found)
        return found.id

    def _mint(self) -> str:
        self._minted += 1
        return f"c{self._life}{self._minted:x}"

    def forget(self, session: str) -> None:
        self._open.pop(session, None)

    @staticmethod
    def _by_use(calls: list[_Call], event: ToolEvent) -> _Call | None:
        return next((call for call in calls if call.tool_use_id == event.tool_use_id), None)

    @staticmethod
    def _asked(calls: list[_Call], event: ToolEvent) -> _Call | None:
        """A PermissionRequest carries no id: it is about the oldest equal call that was not asked about yet."""
        digest = _digest(event)
        for call in calls:
            if not call.asked and (call.agent, call.tool, call.digest) == (event.agent_id, event.tool_name, digest):
                call.asked = True
                return call
        return None


def _digest(event: ToolEvent) -> bytes:
    return hashlib.sha256(msgspec.json.encode(event.tool_input, order="sorted")).digest()
