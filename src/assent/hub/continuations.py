"""How often a turn was kept going when the agent wanted to stop. The client counts too, and listens eight times."""

from collections import OrderedDict
from dataclasses import dataclass, field

from assent.protocol.events import Stop, SubagentStop, TurnEnd
from assent.protocol.queue import MOST_CONTINUATIONS
from assent.protocol.record import Record

MOST_KNOWN = 500
_TURN_ENDS = frozenset(kind.__name__ for kind in (Stop, SubagentStop))


@dataclass(slots=True)
class Continuations:
    # By session and sub-agent; whoever ended a turn last comes last.
    _known: OrderedDict[tuple[str, str | None], int] = field(default_factory=OrderedDict)

    def of(self, session: str, agent: str | None = None) -> int:
        """For the turn that ended last."""
        return self._known.get((session, agent), 0)

    def is_heard(self, event: TurnEnd) -> bool:
        """Whether the client would pass on what is said now."""
        if isinstance(event, SubagentStop) and not event.agent_type:
            # A helper of the client's own, made for a compaction.
            return False
        used = self._used(event.session_id, event.agent_id, bool(event.stop_hook_active))
        return used is not None and used < MOST_CONTINUATIONS

    def count(self, event: TurnEnd) -> None:
        self._count(event.session_id, event.agent_id, bool(event.stop_hook_active))

    def recall(self, record: Record) -> None:
        """Count what an earlier life of the hub saw."""
        if record.kind == "event" and record.session and record.body.get("event") in _TURN_ENDS:
            payload = record.body.get("payload") or {}
            self._count(record.session, record.agent, bool(payload.get("stop_hook_active")))

    def forget(self, session: str) -> None:
        for key in [key for key in self._known if key[0] == session]:
            del self._known[key]

    def _used(self, session: str, agent: str | None, is_continuation: bool) -> int | None:
        """None where a turn was kept going and nobody counted: this may be the last time the client listens."""
        if not is_continuation:
            return 0
        before = self._known.get((session, agent))
        return None if before is None else before + 1

    def _count(self, session: str, agent: str | None, is_continuation: bool) -> None:
        used = self._used(session, agent, is_continuation)
        self._known.pop((session, agent), None)
        if used is None:
            return
        self._known[session, agent] = used
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
