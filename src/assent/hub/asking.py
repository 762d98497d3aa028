"""Which events a person is asked about, how long the agent waits, and how the asks of an earlier life go on."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec

from assent.asks import patience
from assent.asks.desk import Desk
from assent.asks.held import Earlier
from assent.asks.patience import Attention, Way
from assent.config import Asks as AskSettings
from assent.harness.base import Harness
from assent.hub.live import Live
from assent.hub.otlp import Decided
from assent.policy.voice import Scene
from assent.protocol import bodies
from assent.protocol.bodies import OutcomeBody
from assent.protocol.decision import Decision, NoOpinion, Prompt, Verdict
from assent.protocol.events import Elicitation, Event, PermissionRequest, PreToolUse, Stop, SubagentStop, TurnEnd
from assent.protocol.record import Draft
from assent.redact import Redactor
from assent.views.asks import Ask

log = logging.getLogger("assent.hub")

# A shim of an earlier life comes back within moments of the restart, or never.
COMES_BACK_WITHIN = 10.0
# More than a model writes in one go.
LARGEST = 256 << 10
# What of a record about an ask is written as it came.
_PLAIN = frozenset({"project", "tool", "line", "why"})
_ABANDONED = "the hub was restarted, and the agent did not come back for an answer"


@dataclass(slots=True)
class Asking:
    desk: Desk
    live: Callable[[], Live]
    redactor: Redactor
    settings: Callable[[Path], AskSettings]
    attention: Callable[[], Attention]
    continuations: Callable[[str, str | None], int] = lambda _, __: 0
    # Whether the client would pass on what is said at this stop.
    is_heard: Callable[[TurnEnd], bool] = lambda _: True
    is_burst: Callable[[str], bool] = lambda _: False
    _abandoning: list[asyncio.TimerHandle] = field(default_factory=list)

    def hold(
        self, harness: Harness, event: Event, scene: Scene, verdict: Verdict, size: int = 0
    ) -> tuple[Way, timedelta] | None:
        """How this event of so many bytes waits and for how long; None where nobody is asked."""
        way = self._way(event, scene, verdict.decision)
        if way is None:
            return None
        subscription = harness.SUBSCRIPTIONS.get(event.name)
        timeout = subscription.timeout if subscription else 0
        wait = patience.hold(way, self.settings(scene.project), self.attention(), timeout)
        if wait <= timedelta(0) or self._is_too_much(event, size):
            return None
        return way, wait

    def _is_too_much(self, event: Event, size: int) -> bool:
        """Nobody reads hundreds of asks, or one as long as a book, and drawing it would keep every other agent waiting:
        that is left to the terminal, and counted."""
        if size <= LARGEST and not self.desk.is_full(event.session_id):
            return False
        self.live().unasked += 1
        log.warning("session %s asks too much at once: %s is left to the terminal", event.session_id[:40], event.name)
        return True

    def _way(self, event: Event, scene: Scene, decision: Decision) -> Way | None:
        is_attended = scene.attended is not False
        if isinstance(event, PreToolUse):
            # Where somebody sits at the terminal a prompt opens the client's own dialog; elsewhere it would refuse.
            return None if is_attended or not isinstance(decision, Prompt) else "instead"
        if decision != NoOpinion("no_rule"):
            return None
        match event:
            case PermissionRequest() | Elicitation() if not is_attended:
                return "instead"
            case PermissionRequest():
                return "beside" if event.agent_id is None else "before"
            case Elicitation():
                return "before"
            case Stop() | SubagentStop() if is_attended and self._can_go_on(event, scene):
                return "after"
        return None

    def _can_go_on(self, event: Stop | SubagentStop, scene: Scene) -> bool:
        if isinstance(event, SubagentStop):
            # Whoever is away wants the agent to go on with what its helpers found, unless told otherwise. Compactions
            # end helpers of their own, which have no type.
            if not event.agent_type or self.settings(scene.project).hold_stops != "always":
                return False
        elif event.background_tasks:
            # It will go on by itself.
            return False
        return self.is_heard(event)

    def earlier(self, request: str) -> Earlier | None:
        """An ask of an earlier life that still waits for its answer."""
        found = next((ask for ask in self.live().asks.waiting if ask.request == request), None)
        if found is None or self.desk.held(found.id) is not None:
            return None
        return Earlier(found.id, found.rev, found.shown, found.at, found.deadline, found.call)

    def reported(self, decided: Decided) -> None:
        """The harness tells how a call was answered, and thereby that it will tell of the others, too."""
        self.desk.reporting.add(decided.session)
        if decided.at_terminal:
            self.desk.reported(decided.session, decided.tool_use_id, decided.words)

    def abandon_later(self) -> None:
        """What nobody comes back for is closed, so that no screen shows it for ever."""
        for ask in self.live().asks.waiting:
            timer = asyncio.get_running_loop().call_later(COMES_BACK_WITHIN, self._abandon, ask)
            self._abandoning.append(timer)

    def _abandon(self, ask: Ask) -> None:
        if self.desk.held(ask.id) is None:
            body = bodies.body(OutcomeBody("withdrawn", why=_ABANDONED))
            known = {name: getattr(ask, name) for name in ("session", "agent", "call", "request", "risk")}
            self.desk.record([Draft(at=self.desk.now_ms(), kind="outcome", ask=ask.id, body=body, **known)])

    def stop(self) -> None:
        for timer in self._abandoning:
            timer.cancel()

    def storable(self, drafts: Sequence[Draft]) -> list[Draft]:
        """Agents name secrets in folders and tools, and people type them. Hashes and ids stay as they are."""
        return [msgspec.structs.replace(draft, body=self._redacted(draft)) for draft in drafts]

    def _redacted(self, draft: Draft) -> dict[str, Any]:
        if draft.kind in ("answer", "refused"):
            return self.redactor.storable(draft.body)
        plain = {name: self.redactor.text(draft.body[name]) for name in _PLAIN & draft.body.keys()}
        return draft.body | plain


def offset(hub: str) -> int:
    """Sets the names of asks of hubs that share a database apart."""
    return int.from_bytes(hashlib.sha256(hub.encode()).digest()[:4], "big")
