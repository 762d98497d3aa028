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
from assent.asks.held import Case, Earlier
from assent.asks.patience import Attention, Way
from assent.config import Asks as AskSettings
from assent.harness.base import Harness
from assent.hub.case import HubCase
from assent.hub.live import Live
from assent.hub.otlp import Decided
from assent.policy.voice import Scene
from assent.protocol import bodies
from assent.protocol.bodies import OutcomeBody
from assent.protocol.decision import Decision, Deny, NoOpinion, Prompt, TraceLine, Verdict
from assent.protocol.events import Elicitation, Event, PermissionRequest, PreToolUse, Stop, SubagentStop, TurnEnd
from assent.protocol.record import Draft
from assent.protocol.run import OnAsk, Run
from assent.redact import Redactor
from assent.views.asks import Ask

log = logging.getLogger("assent.hub")

# A shim of an earlier life comes back within moments of the restart, or never.
COMES_BACK_WITHIN = 10.0
# More than a model writes in one go.
LARGEST = 256 << 10
# What of a record about an ask is written as it came.
_PLAIN = frozenset({"project", "tool", "line", "why"})
_NOT_GRANTED = "This call needs a person's permission."
_NOBODY_TO_ASK = (
    "This run has nobody who could be asked, so it was not allowed. "
    "Go on without it, or say in your result that it is needed."
)
_WHY: dict[OnAsk, str] = {
    "deny": "A person would have to decide, and the run was started with --on-ask deny.",
    "wait": "A person would have to decide, and could not be asked.",
    "hand-back": "A person would have to decide, and the run was started with --on-ask hand-back: left to the client.",
}
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
    _is_closed: bool = False

    def hold(
        self, harness: Harness, event: Event, scene: Scene, verdict: Verdict, size: int = 0
    ) -> tuple[Way, timedelta] | None:
        """How this event of so many bytes waits and for how long; None where nobody is asked."""
        way = self._way(event, scene, verdict.decision)
        if way is None or self._is_closed:
            return None
        subscription = harness.SUBSCRIPTIONS.get(event.name)
        timeout = subscription.timeout if subscription else 0
        settings = self.settings(scene.project)
        if way == "instead" and scene.run is not None:
            settings = _of_run(settings, scene.run)
        wait = patience.hold(way, settings, self.attention(), timeout)
        if wait <= timedelta(0) or self._is_too_much(event, size):
            return None
        return way, wait

    def unasked(self, event: Event, scene: Scene, verdict: Verdict) -> Verdict:
        """What a run of `assent exec` is told where a person would have to decide and none is asked."""
        run = scene.run
        if run is None or not isinstance(event, PreToolUse | PermissionRequest):
            return verdict
        if self._way(event, scene, verdict.decision) != "instead":
            return verdict
        decision: Decision
        if run.on_ask != "hand-back":
            why = verdict.decision.reason if isinstance(verdict.decision, Prompt) else _NOT_GRANTED
            decision = Deny(f"{why} {_NOBODY_TO_ASK}")
        elif isinstance(event, PreToolUse):
            # In a run without a terminal the client turns a prompt into a refusal; silence could run the call.
            decision = verdict.decision
        else:
            decision = NoOpinion("handed_back")
        line = TraceLine(f"run:{run.on_ask}", decision.word, _WHY[run.on_ask])
        by = verdict.by if decision == verdict.decision else line.by
        return Verdict(decision, by, verdict.risk, (*verdict.trace, line))

    def on_expiry(self, case: Case) -> str:
        """What becomes of an ask when its time is up: "hand_back" or "deny"."""
        if case.way == "instead" and isinstance(case, HubCase) and case.scene.run is not None:
            return "deny"
        return self.settings(Path(case.project)).on_expiry

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

    def close(self) -> None:
        """The hub goes down for good: no new asks, and open ones get their fallback answer."""
        self._is_closed = True
        self.desk.let_go()

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


def _of_run(settings: AskSettings, run: Run) -> AskSettings:
    """A run says itself whether it waits for a person, whoever can be reached."""
    return msgspec.structs.replace(
        settings, unattended="always" if run.on_ask == "wait" else "never", wait=timedelta(seconds=run.wait)
    )


def offset(hub: str) -> int:
    """Sets the names of asks of hubs that share a database apart."""
    return int.from_bytes(hashlib.sha256(hub.encode()).digest()[:4], "big")
