"""Asking policy of the hub: which events, how long the agent waits, and how asks go on after a restart."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

import msgspec

from assent.asks import timeouts
from assent.asks.desk import Desk
from assent.asks.flood import Bursts
from assent.asks.open_ask import Case, Earlier, Team
from assent.asks.timeouts import Attention, Way
from assent.config import Asks as AskSettings
from assent.config import for_project
from assent.harnesses.base import Harness, subscription
from assent.harnesses.otlp import Decided
from assent.hub.asking import approvals
from assent.hub.asking.case import HubCase
from assent.hub.asking.queues import Continuations
from assent.hub.bus import Bus, now_ms
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.recorder import Live, Recorder
from assent.policy.call import Scene
from assent.policy.judge import Judgement
from assent.protocol import bodies
from assent.protocol.approval import ApprovalView
from assent.protocol.bodies import Ending, OutcomeBody
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion, Prompt, Risk, TraceLine, Verdict
from assent.protocol.events import (
    Elicitation,
    Event,
    PermissionDenied,
    PermissionRequest,
    PreToolUse,
    SessionEnd,
    Stop,
    StopFailure,
    SubagentStop,
    UserPromptSubmit,
)
from assent.protocol.modes import OnAsk, Run
from assent.protocol.record import ELSEWHERE, Draft, Record
from assent.redact import Redactor
from assent.views.asks import DENYING, Ask

log = logging.getLogger("assent.hub")

# A shim of an earlier life comes back within moments of the restart, or never.
COMES_BACK_WITHIN = 10.0
# More than a model writes in one go.
LARGEST = 256 << 10
# What of a record about an ask is written as it came.
_PLAIN = frozenset({"project", "tool", "line", "why"})
_NOTHING: frozenset[type[Decision]] = frozenset({NoOpinion})
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
_WENT_ON = "the session went on at the terminal without an answer"
_ENDED = "the session is over"
_RESTARTED = "the hub was restarted; it is shown again if it still waits on its machine"
_UNHEARD = "the hub was restarted before it heard what came of the answer"
_ABANDONED = "the hub was restarted, and the agent did not come back for an answer"


class Attentive(Protocol):
    def attention(self) -> Attention:
        """Whether a person is away, and whether one can be reached."""


@dataclass(slots=True)
class Asking:
    recorder: Recorder
    redactor: Redactor
    bus: Bus
    policy: SettingsInForce
    presence: Attentive
    # How often turns were kept going.
    continuations: Continuations
    bursts: Bursts
    # This hub's end of its team, for calls that others have to agree to.
    team: Team | None = None
    desk: Desk = field(init=False)
    _abandoning: list[asyncio.TimerHandle] = field(default_factory=list)
    _is_closed: bool = False

    def __post_init__(self) -> None:
        self.desk = Desk(
            record=self._record,
            now_ms=now_ms,
            newest=self._newest,
            on_expiry=self.on_expiry,
            allowed=self.bus.yes,
            denied=self.bus.no,
            team=self.team,
            widened=self.bus.audience,
            offset=_offset(self.recorder.journal.hub),
        )

    @property
    def live(self) -> Live:
        return self.recorder.live

    def on_ask(self, ask: Ask) -> None:
        self.desk.noticed(ask.id, ask.life)

    def on_signal(self, record: Record) -> None:
        """The dialog of a session is open and idle."""
        payload = record.body.get("payload")
        if record.session is None or record.body.get("event") != "Notification" or not isinstance(payload, dict):
            return
        if payload.get("notification_type") == "permission_prompt":
            self.desk.still_open(record.session)

    def is_burst(self, session: str) -> bool:
        """Whether an ask of this session now is one of too many."""
        return self.bursts.is_next(session, now_ms())

    def settings(self, project: Path) -> AskSettings:
        return for_project(self.policy.config, project).asks

    def hold(
        self, harness: Harness, judgement: Judgement, size: int = 0, waits: int | None = None
    ) -> tuple[Way, timedelta] | None:
        """How this event of so many bytes waits and for how long; None where it is not asked about. ``waits``: how many
        seconds its hook listens, where that is known."""
        event, scene = judgement.event, judgement.scene
        if judgement.approval is not None:
            return self._hold_for_approval(harness, judgement, judgement.approval, size, waits)
        way = self._way(harness, judgement)
        if way is None or self._is_closed or harness.HONOURED.get(type(event), _NOTHING) <= _NOTHING:
            # Nothing that a person says could be told.
            return None
        if harness.FACTS.tells_answers:
            self.desk.reporting.add(event.session_id)
        longest = _longest(harness, event, waits)
        settings = self.settings(scene.project)
        if way == "instead" and scene.run is not None:
            settings = _of_run(settings, scene.run)
        if isinstance(event, PermissionDenied) and scene.attended is not False and event.agent_id is None:
            # The ask outlives its hook: a late yes is told at the next event, or when the agent would stop.
            wait = settings.wait
        elif isinstance(event, PermissionDenied) and scene.attended is not False:
            wait = self._longest_appeal(event, settings, longest)
        else:
            wait = timeouts.hold(way, settings, self.presence.attention(), longest)
        if wait <= timedelta(0) or self._is_too_much(event, size):
            return None
        return way, wait

    def _hold_for_approval(
        self, harness: Harness, judgement: Judgement, needs: ApprovalView, size: int, waits: int | None
    ) -> tuple[Way, timedelta] | None:
        """Whether anybody is reachable or away makes no difference: others are asked."""
        event = judgement.event
        if self._is_closed or self.obstacle(harness, judgement) or self._is_too_much(event, size):
            return None
        if harness.FACTS.tells_answers:
            self.desk.reporting.add(event.session_id)
        usual = self.settings(judgement.scene.project).wait
        wait = approvals.wait(needs, usual, _longest(harness, event, waits))
        return (approvals.way(judgement), wait) if wait > timedelta(0) else None

    def named(self, judgement: Judgement) -> Judgement:
        """With the people of this hub's team, where it needs an approval."""
        needs = judgement.approval
        return judgement if needs is None else replace(judgement, approval=self.desk.counting.named(needs))

    def obstacle(self, harness: Harness, judgement: Judgement) -> str:
        """Why a call cannot be held for those whose approval it needs; "" where it can."""
        needs = judgement.approval
        return "" if needs is None else approvals.obstacle(harness, judgement, needs, self.desk)

    def overtaken(self, harness: Harness, event: Event) -> None:
        """Withdraw the asks about calls that the client gave up without ending their hooks, as this event tells."""
        if harness.FACTS.ends_hooks:
            return
        match event:
            case SessionEnd():
                self.desk.overtaken(event.session_id, _ENDED)
            case UserPromptSubmit() if event.agent_id is None:
                # Its helpers were interrupted with it. One that works in the background asks in its terminal.
                self.desk.overtaken(event.session_id, _WENT_ON)
            case UserPromptSubmit() | Stop() | StopFailure() | SubagentStop():
                self.desk.overtaken(event.session_id, _WENT_ON, agents=(event.agent_id,))
            case PreToolUse() if harness.FACTS.one_call_at_a_time:
                self.desk.overtaken(event.session_id, _WENT_ON, agents=(event.agent_id,))

    def patience(self, harness: Harness, event: Event, scene: Scene, waits: int | None = None) -> timedelta | None:
        """How long the agent waits at this event for a person who is asked about a call that was refused; None for as
        long as the ask is open."""
        if scene.attended is False and isinstance(event, PermissionDenied):
            return None
        settings = self.settings(scene.project)
        if scene.attended is False:
            return settings.wait
        return self._longest_appeal(event, settings, _longest(harness, event, waits))

    def _longest_appeal(self, event: Event, settings: AskSettings, longest: timedelta) -> timedelta:
        wanted = timeouts.appeal(settings, self.presence.attention(), is_subagent=event.agent_id is not None)
        return max(timedelta(0), min(wanted, longest))

    def unasked(self, judgement: Judgement) -> Judgement:
        """What a run of `assent exec` is told where a person would have to decide and none is asked."""
        event, verdict, run = judgement.event, judgement.verdict, judgement.scene.run
        if run is None or not isinstance(event, PreToolUse | PermissionRequest):
            return judgement
        if self._way(None, judgement) != "instead":
            return judgement
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
        refused = Verdict(decision, by, verdict.risk, (*verdict.trace, line))
        return replace(judgement, verdict=refused, is_left=False)

    def on_expiry(self, case: Case) -> str:
        """What becomes of an ask when its time is up: "hand_back" or "deny"."""
        if case.way == "instead" and isinstance(case, HubCase) and case.judgement.scene.run is not None:
            return "deny"
        return self.settings(Path(case.project)).on_expiry

    def _is_too_much(self, event: Event, size: int) -> bool:
        """Too many asks, or one too long, cannot be reviewed, and drawing it would keep every other agent waiting:
        that is left to the terminal, and counted."""
        if size <= LARGEST and not self.desk.is_full(event.session_id):
            return False
        self.live.unasked += 1
        log.warning("session %s asks too much at once: %s is left to the terminal", event.session_id[:40], event.name)
        return True

    def _way(self, harness: Harness | None, judgement: Judgement) -> Way | None:
        event, scene = judgement.event, judgement.scene
        is_attended = scene.attended is not False
        if isinstance(event, PreToolUse):
            if not isinstance(judgement.decision, Prompt):
                return None
            # Where a person is at the terminal a prompt opens the client's own dialog; elsewhere it would refuse.
            if not is_attended or (harness is not None and _is_never_prompted(harness)):
                return "instead"
            if harness is None:
                return None
            return "before" if not harness.FACTS.dialog_beside or _is_refused_soon(harness, judgement) else None
        if not judgement.is_left:
            return None
        match event:
            case PermissionRequest() | Elicitation() if not is_attended:
                return "instead"
            case PermissionRequest():
                is_beside = event.agent_id is None and (harness is None or harness.FACTS.dialog_beside)
                return "beside" if is_beside else "before"
            case PermissionDenied() if harness is not None and Allow in harness.HONOURED.get(PermissionDenied, ()):
                return "instead"
            case Elicitation():
                return "before"
            case Stop() | SubagentStop() if is_attended and self._can_go_on(event, scene):
                is_known = harness is None or harness.FACTS.tells_attended or scene.attended is not None
                return "after" if is_known or self.settings(scene.project).hold_stops == "always" else None
        return None

    def _can_go_on(self, event: Stop | SubagentStop, scene: Scene) -> bool:
        if isinstance(event, SubagentStop):
            # A person away wants the agent to go on with what its helpers found, unless told otherwise. Compactions
            # end helpers of their own, which have no type.
            if not event.agent_type or self.settings(scene.project).hold_stops != "always":
                return False
        elif event.background_tasks:
            # It will go on by itself.
            return False
        return self.continuations.is_heard(event)

    def earlier(self, request: str) -> Earlier | None:
        """An ask of an earlier life that still waits for its answer."""
        waiting = next((ask for ask in self.live.asks.waiting if ask.request == request), None)
        if waiting is None or self.desk.held(waiting.id) is not None:
            return None
        yeses = tuple(yes.yes for yes in waiting.approvals)
        return Earlier(waiting.id, waiting.rev, waiting.shown, waiting.at, waiting.deadline, waiting.call, yeses)

    def reported(self, decided: Decided) -> None:
        """The harness tells how a call was answered, and thereby that it will tell of the others, too."""
        self.desk.reporting.add(decided.session)
        if decided.at_terminal:
            self.desk.reported(decided.session, decided.tool_use_id, decided.words)

    def answered_there(self, event: Event) -> None:
        """The client's hook tells that a person answered its own dialog."""
        answer = event.answered_there
        if answer is not None:
            self.desk.reported(event.session_id, answer.call, answer.words)

    def abandon_later(self) -> None:
        """Close asks whose agent does not come back, so that no screen shows them for ever."""
        # What an agent of this machine was answered it may still hear; what is decided elsewhere comes no second time.
        answered_there = [ask for ask in self.live.asks.untold if _is_elsewhere(ask)]
        for ask in (*self.live.asks.waiting, *answered_there):
            timer = asyncio.get_running_loop().call_later(COMES_BACK_WITHIN, self._abandon, ask)
            self._abandoning.append(timer)

    def _abandon(self, ask: Ask) -> None:
        if self.desk.held(ask.id) is None:
            ending, why = _how_it_ended(ask)
            body = bodies.body(OutcomeBody(ending, why=why))
            fields = {name: getattr(ask, name) for name in ("session", "agent", "call", "request", "risk")}
            self.desk.record([Draft(at=now_ms(), kind="outcome", ask=ask.id, body=body, **fields)])

    def close(self) -> None:
        """The hub goes down for good: no new asks, and open ones get their fallback answer."""
        self._is_closed = True
        self.desk.let_go()

    def stop(self) -> None:
        for timer in self._abandoning:
            timer.cancel()

    def _newest(self) -> int:
        return self.live.seq

    def _record(self, drafts: Sequence[Draft]) -> Awaitable[tuple[Record, ...]]:
        """Agents name secrets in folders and tools, and people type them. Hashes and ids stay as they are."""
        return self.recorder.record([msgspec.structs.replace(draft, body=self._redacted(draft)) for draft in drafts])

    def _redacted(self, draft: Draft) -> dict[str, Any]:
        if draft.kind in ("answer", "refused"):
            return self.redactor.storable(draft.body)
        if draft.kind == "approved":
            # Who said it is no secret, and is what the same person is known by.
            return self.redactor.storable(draft.body) | {"identity": draft.body["identity"]}
        plain = {name: self.redactor.text(draft.body[name]) for name in _PLAIN & draft.body.keys()}
        return draft.body | plain


def _is_elsewhere(ask: Ask) -> bool:
    return ask.session is not None and ask.session.startswith(ELSEWHERE)


def _how_it_ended(ask: Ask) -> tuple[Ending, str]:
    """As far as is known after a restart. An answer is on record once it was taken."""
    if ask.answer is None:
        return "withdrawn", _RESTARTED if _is_elsewhere(ask) else _ABANDONED
    return ("denied" if ask.answer.choice in DENYING else "unknown"), _UNHEARD


def _longest(harness: Harness, event: Event, waits: int | None) -> timedelta:
    listening = subscription(harness, event.name)
    return timeouts.longest(listening.timeout if listening else 0, waits)


def _is_never_prompted(harness: Harness) -> bool:
    """Whether no dialog opens for a call that needs a person, who can be asked elsewhere and say yes."""
    honoured = harness.HONOURED.get(PreToolUse, ())
    return Prompt not in honoured and Allow in honoured


def _is_refused_soon(harness: Harness, judgement: Judgement) -> bool:
    """Whether the client's own dialog about this call would refuse it before a person elsewhere can have answered."""
    if judgement.event.permission_mode not in harness.FACTS.hasty_modes:
        return False
    try:
        did = judgement.effects
    except Exception:
        # The judge was heard as a prompt on this call.
        return False
    return any(done.effect.kind == "delete" and done.effect.risk is Risk.DANGER for done in did)


def _of_run(settings: AskSettings, run: Run) -> AskSettings:
    """A run says itself whether it waits for a person, whether or not one can be reached."""
    return msgspec.structs.replace(
        settings, unattended="always" if run.on_ask == "wait" else "never", wait=timedelta(seconds=run.wait)
    )


def _offset(hub: str) -> int:
    """Sets the names of asks of hubs that share a database apart."""
    return int.from_bytes(hashlib.sha256(hub.encode()).digest()[:4], "big")
