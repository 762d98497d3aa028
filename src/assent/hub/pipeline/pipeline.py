"""Pipeline of one event: decode, judge, record, encode. One direction, nothing waits but an allow for its record."""

import asyncio
import functools
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from assent.asks.timeouts import Way
from assent.harnesses import names, registry
from assent.harnesses.base import Harness, UnreadableError, subscription
from assent.hub.asking import approvals
from assent.hub.asking.appeals import Appeals, is_guarded
from assent.hub.asking.asking import Asking
from assent.hub.asking.case import HubCase
from assent.hub.pipeline.arrival import Arrival, payload_of, unjudged
from assent.hub.pipeline.calls import Calls, agreed
from assent.hub.pipeline.drafts import Drafts
from assent.hub.pipeline.session_taint import SessionTaints
from assent.hub.recorder import Live, Recorder
from assent.journal.base import DuplicateError, JournalError
from assent.policy.call import Call, Memo, Scene, Voice
from assent.policy.judge import Judgement, judge
from assent.policy.own import NO_OWN, Own
from assent.policy.shell.acts import Act
from assent.protocol import modes
from assent.protocol import modes as runs
from assent.protocol.decision import Allow, Answered, Decision, Deny, Filled, NoOpinion, Prompt, Verdict
from assent.protocol.envelope import SILENT, VERSION, Output
from assent.protocol.events import (
    Event,
    PermissionDenied,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    Stop,
    ToolEvent,
)
from assent.protocol.lasting import Permission
from assent.protocol.record import Draft, Record
from assent.redact import Redactor
from assent.views.decisions import notice

log = logging.getLogger("assent.hub")

Unread = Literal["bad_input", "too_large"]

# Decisions by which something happens that would not have happened by itself: never told before they are on disk.
NEEDS_RECORD: tuple[type[Decision], ...] = (Allow, Answered, Filled)
_NOT_ON_RECORD = "Assent cannot tell from its record what was decided about this call, so it was denied."
NEEDS_RECORD_WORDS = frozenset(str(kind.__struct_config__.tag) for kind in NEEDS_RECORD)
READING_PATIENCE = 1.0  # a gate has two seconds in all
# How many answers are kept for a shim that asks again after a broken connection.
REMEMBERED = 4_096


class Deliveries(Protocol):
    """Instructions of people that go out with a decision."""

    def asked(self, event: Event) -> None:
        """A person is asked about this event, so nothing is taken."""

    def taken(self, event: Event, verdict: Verdict, request: str) -> Sequence[Draft]:
        """Take out what the decision tells; what is recorded with it."""

    def settled(self, request: str, *, on_record: bool) -> None:
        """Whether that is on record; if not, it was not delivered."""


class Alarms(Protocol):
    """Hears of calls that ran past the gate."""

    def unmatched(self, event: Event) -> None:
        """A call has a result, but was never judged."""

    def ran_differently(self, event: ToolEvent) -> None:
        """A call was judged with another input than it ran with."""


class ProjectPolicy(Protocol):
    """What holds in a project beside the voices."""

    def by_rule(self, call: Call, scene: Scene, act: Act) -> str:
        """The allow rule that lets one command of a line pass; "" for none."""

    def directories(self, project: Path, harness: str) -> tuple[str, ...]:
        """Folders that the agent's settings add to the project."""

    def sandboxed(self, project: Path, harness: str) -> bool:
        """Whether the agent's settings keep commands in the client's sandbox."""


class Permitted(Protocol):
    def of(self, project: Path, harness: str, session: str) -> tuple[Permission, ...]:
        """What people permitted there for longer than once."""


@dataclass(slots=True)
class Pipeline:
    recorder: Recorder
    voices: Sequence[Voice]
    drafts: Drafts
    harnesses: Mapping[str, Harness]
    # What belongs to Assent.
    own: Own = NO_OWN
    policy: ProjectPolicy | None = None
    permissions: Permitted | None = None
    calls: Calls = field(default_factory=Calls)
    taints: SessionTaints = field(default_factory=SessionTaints)
    # Lines that were read before. When a person answers, the call is judged without it.
    memo: Memo = field(default_factory=Memo)
    deliveries: Deliveries | None = None
    # None where nothing is ever asked.
    asking: Asking | None = None
    appeals: Appeals | None = None
    alarms: Alarms | None = None
    # Requests an earlier life of this hub has on record: what stands there is repeated, nothing is recorded twice.
    earlier: set[str] = field(default_factory=set)
    # Sessions whose end was heard, and nothing of them since, the newest last.
    _ended: OrderedDict[str, None] = field(default_factory=OrderedDict)
    _answers: OrderedDict[str, asyncio.Future[Output]] = field(default_factory=OrderedDict)

    @property
    def live(self) -> Live:
        return self.recorder.live

    @property
    def redactor(self) -> Redactor:
        return self.drafts.redactor

    @property
    def is_paused(self) -> bool:
        return self.live.paused_for > 0

    def recall(self, records: Iterable[Record]) -> None:
        """Know again which requests an earlier life has on record, and what it knew of calls and sessions."""
        records = list(records)
        for record in records:
            self.calls.recall(record)
        self.taints.recall(records)
        self.earlier = {r.request for r in records if r.request and r.kind in ("event", "decision")}

    async def answer(self, arrival: Arrival) -> Output:
        """What the harness is told. The same request id gets the same answer, however often it asks."""
        earlier = self._answers.get(arrival.request_id)
        if earlier is not None:
            if self.asking is not None:
                self.asking.desk.attached(arrival.request_id)
            if not earlier.done():
                arrival.on_hold()
            return await asyncio.shield(earlier)
        answer: asyncio.Future[Output] = asyncio.get_running_loop().create_future()
        self._answers[arrival.request_id] = answer
        if len(self._answers) > REMEMBERED:
            self._forget_one()
        try:
            output = await self._answer(arrival)
            answer.set_result(output)
            return output
        finally:
            if not answer.done():
                # Cancelled, as the hub stops: other requests for the same answer must not wait for ever.
                del self._answers[arrival.request_id]
                answer.cancel()

    async def answered(self, patience: float) -> None:
        """Wait until what is under way is answered, and told."""
        under_way = [answer for answer in self._answers.values() if not answer.done()]
        if under_way:
            await asyncio.wait(under_way, timeout=patience)
        # One turn for those who wait for an answer, and one for what they write.
        for _ in range(2):
            await asyncio.sleep(0)

    def _forget_one(self) -> None:
        """The oldest, but never one that is still awaited."""
        oldest = next(iter(self._answers))
        if self._answers[oldest].done():
            del self._answers[oldest]
        else:
            self._answers.move_to_end(oldest)

    async def _answer(self, arrival: Arrival) -> Output:
        harness = self.harnesses.get(names.base(arrival.harness))
        if harness is None:
            return self._unknown_harness(arrival)
        try:
            return await self._decide(harness, arrival)
        except Exception:
            # The last line of defence: whatever broke, a gate stays a gate.
            log.exception("answering %s failed", arrival.event_name[:60])
            why = "Assent failed to judge this call"
            in_doubt = self._may_drop_prompts(harness, arrival)
            return harness.unreadable(arrival.event_name, why, may_drop_prompts=in_doubt)[1]

    async def _decide(self, harness: Harness, arrival: Arrival) -> Output:
        if arrival.version != VERSION:
            # What a field of another version means is not known, so nothing in it is believed.
            return self._unreadable(
                harness, arrival, f"its envelope has version {arrival.version}, this hub reads {VERSION}", "bad_input"
            )
        if arrival.too_large is not None:
            return self._unreadable(
                harness, arrival, f"the call is larger than {arrival.too_large >> 20} MiB", "too_large"
            )
        try:
            event = harness.decode(arrival.payload, event_name=arrival.event_name, env=arrival.env)
        except UnreadableError as error:
            return self._unreadable(harness, arrival, str(error), "bad_input")
        if self.asking is not None and event.answered_there is not None:
            self.asking.answered_there(event)
        is_repeated = arrival.request_id in self.earlier
        waits_again = is_repeated and self.asking is not None and self.asking.earlier(arrival.request_id) is not None
        if is_repeated and not waits_again and (recorded := await self._recorded(harness, event, arrival)):
            return recorded
        if self._is_over_already(event):
            return SILENT
        if self.asking is not None and not is_repeated:
            self.asking.overtaken(harness, event)
        scene = self._scene(event, arrival)
        if self.asking is not None and self.appeals is not None and isinstance(event, Stop) and not is_repeated:
            patience = self.asking.patience(harness, event, scene, arrival.waits)
            await self.appeals.before_stop(event, patience or timedelta(0), arrival.on_hold)
        judgement = judge(event, scene, self.voices, paused=self.is_paused, memo=self.memo)
        if judgement.approval is not None and self.asking is not None:
            is_over = self.calls.is_handed_back(event)
            judgement = judgement.handed_back() if is_over else self.asking.named(judgement)
        is_asked_about = isinstance(judgement.decision, Prompt) or (
            isinstance(event, PermissionRequest) and judgement.is_left
        )
        if is_asked_about and self.calls.is_agreed(event, judgement.approval):
            judgement = agreed(judgement, harness)
        ask = ""
        if self.appeals is not None and not is_repeated and judgement.approval is None:
            judgement, ask = self.appeals.used(judgement)
            if ask:
                self.taints.accepted(event, scene)
        encoded = harness.encode_safely(event, judgement.decision)
        for dropped in encoded.dropped:
            log.warning("%s: %s", self.redactor.text(event.name)[:60], dropped)
        approves_nothing = judgement.decision == Allow() and not harness.FACTS.approves
        is_void = encoded.output == SILENT and isinstance(judgement.decision, NEEDS_RECORD)
        if encoded.unheard or approves_nothing or is_void:
            judgement = judgement.left()

        if self.asking is not None and (waits_again or not is_repeated) and not self.calls.was_asked(event):
            waiting = self.asking.hold(harness, judgement, len(arrival.payload), arrival.waits)
            if waiting is not None:
                return await self._ask(self.asking, harness, arrival, judgement, *waiting)
            if judgement.approval is None:
                judgement, before = self.asking.unasked(judgement), judgement
                if judgement is not before:
                    encoded = harness.encode_safely(event, judgement.decision)
        if judgement.approval is not None:
            judgement = approvals.ended(judgement, self.asking.obstacle(harness, judgement) if self.asking else "")
            encoded = harness.encode_safely(event, judgement.decision)
        if scene.attended:
            words = notice(judgement.decision.word, judgement.by, is_appeal=bool(ask))
            encoded = replace(encoded, output=harness.with_notice(event, encoded.output, words))
        if is_repeated:
            # On record already, but unreadable now: judged again, but not recorded again, and never an allow.
            return _unsaid(harness, event) if _needs_record(judgement) else encoded.output
        took_us = arrival.took_us
        if _needs_record(judgement):
            written = self._record_both(harness, arrival, judgement, encoded.dropped, took_us, ask=ask or None)
            return await self._once_durable(harness, event, arrival, encoded.output, written)
        # Told first and recorded in the very next turn of the loop: what needs no record is not waited for.
        asyncio.get_running_loop().call_soon(self._record_both, harness, arrival, judgement, encoded.dropped, took_us)
        return encoded.output

    def _is_over_already(self, event: Event) -> bool:
        """Whether this tells once more of a session's end: some clients do so several times."""
        is_known = event.session_id in self._ended
        if not isinstance(event, SessionEnd):
            self._ended.pop(event.session_id, None)
            return False
        self._ended[event.session_id] = None
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
        return is_known

    async def _ask(
        self,
        asking: Asking,
        harness: Harness,
        arrival: Arrival,
        judgement: Judgement,
        way: Way,
        wait: timedelta,
    ) -> Output:
        """A person decides. The event is on record before it is announced."""
        event, scene = judgement.event, judgement.scene
        earlier = asking.earlier(arrival.request_id)
        if earlier is None and self.deliveries is not None:
            self.deliveries.asked(event)
        # Asked before the call is forgotten.
        guarded = self.calls.was_allowed(event) or is_guarded(judgement, harness.FACTS)
        is_handed_back = self.calls.is_handed_back(event)
        call = earlier.call if earlier else self.calls.id_of(event, permission_first=harness.FACTS.permission_first)
        case = HubCase(
            arrival=arrival,
            judgement=judgement,
            call=call,
            tool_use_id=getattr(event, "tool_use_id", None) or self.calls.harness_id(event.session_id, call),
            way=way,
            module=harness,
            voices=self.voices,
            drafts=self.drafts,
            live=self.live,
            continuations=asking.continuations.of(event.session_id, event.agent_id),
            is_burst=asking.is_burst(event.session_id),
            is_guarded=guarded,
            is_handed_back=is_handed_back,
            named=asking.named,
            by_rule=self.policy.by_rule if self.policy else None,
        )
        before = () if earlier else (self.drafts.event(event, arrival, scene, call),)
        arrival.on_hold()
        if isinstance(event, PermissionDenied) and self.appeals is not None:
            # An entry of an earlier version gives an observer over HTTP a few seconds only.
            patience = (
                timedelta(0) if arrival.transport == "http" else asking.patience(harness, event, scene, arrival.waits)
            )
            return await self.appeals.hear(case, asking.desk.ask(case, wait, before, earlier), patience)
        release = await asking.desk.ask(case, wait, before, earlier)
        self.calls.decided(event, call, release.decision)
        self.taints.decided(event, scene, release.decision)
        if isinstance(release.decision, Allow | Answered):
            self.calls.agreed(event.session_id, call, case.judgement.approval)
        elif case.judgement.approval is not None and isinstance(release.decision, Prompt):
            self.calls.unapproved(event.session_id, call)
        if isinstance(release.decision, Allow):
            self.taints.accepted(event, scene)
        return release.output

    def _record_both(
        self,
        harness: Harness,
        arrival: Arrival,
        judgement: Judgement,
        dropped: tuple[str, ...],
        took_us: int,
        *,
        ask: str | None = None,
    ) -> Awaitable[tuple[Record, ...]]:
        """Event and decision, in one transaction."""
        event, scene, verdict = judgement.event, judgement.scene, judgement.verdict
        if self.alarms and isinstance(event, PostToolUse | PostToolUseFailure) and self.calls.ran_differently(event):
            self.alarms.ran_differently(event)
        call = self.calls.id_of(event, permission_first=harness.FACTS.permission_first)
        if self.alarms and call is None and isinstance(event, PostToolUse | PostToolUseFailure):
            self.alarms.unmatched(event)
        drafts = [self.drafts.event(event, arrival, scene, call)]
        if self._is_worth_recording(harness, judgement):
            drafts.append(self.drafts.decision(judgement, arrival, call, took_us, dropped=dropped, ask=ask))
        written = self._written(event, arrival, verdict, drafts)
        # While the disk works.
        self.calls.decided(event, call, verdict.decision)
        if judgement.approval is not None and isinstance(verdict.decision, Prompt):
            self.calls.unapproved(event.session_id, call)
        self.taints.decided(event, scene, verdict.decision)
        if self.appeals is not None:
            self.appeals.taken(event, verdict, arrival.request_id)
        return written

    def _written(
        self, event: Event, arrival: Arrival, verdict: Verdict, drafts: list[Draft]
    ) -> Awaitable[tuple[Record, ...]]:
        if self.deliveries is None or not (sent := self.deliveries.taken(event, verdict, arrival.request_id)):
            return self.recorder.record(drafts)
        written = asyncio.ensure_future(self.recorder.record([*drafts, *sent]))
        written.add_done_callback(functools.partial(self._settled, self.deliveries, arrival.request_id))
        return written

    @staticmethod
    def _settled(deliveries: Deliveries, request: str, written: "asyncio.Future[tuple[Record, ...]]") -> None:
        deliveries.settled(request, on_record=not written.cancelled() and written.exception() is None)

    async def _once_durable(
        self, harness: Harness, event: Event, arrival: Arrival, output: Output, written: Awaitable[object]
    ) -> Output:
        try:
            await written
        except DuplicateError:
            # Another life of this hub decided it already, and the agent may have been told.
            return await self._recorded(harness, event, arrival) or _unsaid(harness, event)
        except JournalError as error:
            log.error("no allow without a record: %s", error.message)
            return _unsaid(harness, event)
        return output

    async def _recorded(self, harness: Harness, event: Event, arrival: Arrival) -> Output | None:
        """What is on record for a request, where an observer's silence is not; None if the journal cannot say."""
        try:
            async with asyncio.timeout(READING_PATIENCE):
                record = await self.recorder.journal.decision_for(arrival.request_id)
        except (JournalError, TimeoutError) as error:
            log.error("what was decided before cannot be read: %s", str(error) or "no answer in time")
            return None
        if record is None or (record.body.get("redacted") and record.decision in NEEDS_RECORD_WORDS):
            # What is on record is no longer what was told: a changed input with marks in it must never run.
            return _unsaid(harness, event)
        earlier = msgspec.convert(record.body["decision"], type=Decision)
        return harness.encode_safely(event, earlier).output

    def _unreadable(self, harness: Harness, arrival: Arrival, why: str, cause: Unread) -> Output:
        self.live.bad_input += 1
        name = self.redactor.text(arrival.event_name)[:60] or "an event"
        log.warning("%s from %s could not be read: %s", name, arrival.transport, self.redactor.text(why))
        decision, output = harness.unreadable(
            arrival.event_name, why, cause=cause, may_drop_prompts=self._may_drop_prompts(harness, arrival)
        )
        if arrival.request_id in self.earlier:
            return output
        self.recorder.record(unjudged(arrival, self.redactor, decision, "hub:unreadable", why))
        return output

    def _unknown_harness(self, arrival: Arrival) -> Output:
        """An event of a harness this version does not know is recorded and shown, and answered with no opinion."""
        why = f"this version does not know the harness {arrival.harness[:60]!r}"
        log.warning("%s: %s", self.redactor.text(arrival.event_name)[:60], self.redactor.text(why))
        if arrival.request_id not in self.earlier:
            decision = NoOpinion("unknown_event")
            payload = payload_of(arrival)
            self.recorder.record(unjudged(arrival, self.redactor, decision, "hub:unknown_harness", why, payload))
        return SILENT

    def _may_drop_prompts(self, harness: Harness, arrival: Arrival) -> bool:
        """Whether the client may be in a mode in which it drops prompts, by what can be seen of an unread call."""
        session = self.live.sessions.get(arrival.session_id)
        return (session is not None and session.mode == modes.BYPASS) or harness.may_drop_prompts(arrival.payload)

    def _scene(self, event: Event, arrival: Arrival) -> Scene:
        session = self.live.sessions.get(event.session_id)
        client = event.client
        project = _path(client.project or (session.project if session else "") or event.cwd or "/")
        before = session.attended if session else None
        memory = self.taints.of(event.session_id)
        run = runs.read(arrival.env.get(runs.VARIABLE))
        if before is None and run is not None and run.screenless:
            before = False
        return Scene(
            project=project,
            attended=before if client.attended is None else client.attended,
            own=self.own,
            client=client.pid if client.pid is not None else session.pid if session else None,
            harness=arrival.harness,
            memory=memory,
            added=(*(self.policy.directories(project, arrival.harness) if self.policy else ()), *memory.added),
            run=run,
            permissions=self.permissions.of(project, arrival.harness, event.session_id) if self.permissions else (),
            sandboxed=self.policy is not None and self.policy.sandboxed(project, arrival.harness),
        )

    def scene_of(self, project: Path, harness: str = "") -> Scene:
        """The scene of a hypothetical call in a project."""
        harness = harness or registry.DEFAULT
        return Scene(
            project=project,
            own=self.own,
            harness=harness,
            added=self.policy.directories(project, harness) if self.policy else (),
            sandboxed=self.policy is not None and self.policy.sandboxed(project, harness),
        )

    @staticmethod
    def _is_worth_recording(harness: Harness, judgement: Judgement) -> bool:
        """A gate's silence is a decision people look for; an observer's is noise."""
        listening = subscription(harness, judgement.event.name)
        is_gate = listening is not None and listening.may_hold and not isinstance(judgement.event, PermissionDenied)
        return is_gate or not judgement.is_left


def _unsaid(harness: Harness, event: Event) -> Output:
    """Where what was decided cannot be told: silence, or a refusal where silence would run the call."""
    if harness.FACTS.runs_on_silence and isinstance(event, PreToolUse):
        return harness.encode_safely(event, Deny(_NOT_ON_RECORD)).output
    return SILENT


def _needs_record(judgement: Judgement) -> bool:
    # A person's words go out once, and the record is what remembers that they did.
    return isinstance(judgement.decision, NEEDS_RECORD) or judgement.by.startswith("person:")


# The same few folders come again with every event, and making a Path is not cheap.
_path = functools.lru_cache(maxsize=256)(Path)
