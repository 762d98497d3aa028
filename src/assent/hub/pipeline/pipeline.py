"""The way of one event: decode, judge, record, encode. One direction, nothing waits but an allow for its record."""

import asyncio
import functools
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from assent.asks.patience import Way
from assent.harness.base import Harness, UnreadableError
from assent.hub.asking import Asking
from assent.hub.calls import Calls
from assent.hub.case import HubCase
from assent.hub.live import Live
from assent.hub.memories import Memories
from assent.journal.base import DuplicateError, Journal, JournalError
from assent.policy import judge, modes
from assent.policy.own import NO_OWN, Own
from assent.policy.voice import Scene, Voice
from assent.protocol import run as runs
from assent.protocol.decision import Allow, Answered, Decision, Filled, NoOpinion, TraceLine, Verdict
from assent.protocol.envelope import SILENT, VERSION, Output
from assent.protocol.events import Event, PostToolUse, PostToolUseFailure, ToolEvent, UnknownEvent
from assent.protocol.record import Draft, Record
from assent.redact import Redactor

log = logging.getLogger("assent.hub")

Unread = Literal["bad_input", "too_large"]

# Decisions by which something happens that would not have happened by itself: never told before they are on disk.
NEEDS_RECORD: tuple[type[Decision], ...] = (Allow, Answered, Filled)
NEEDS_RECORD_WORDS = frozenset(str(kind.__struct_config__.tag) for kind in NEEDS_RECORD)
# A gate has two seconds in all.
READING_PATIENCE = 1.0
_WHY = {
    "person": "A person was asked and decided.",
    "terminal": "It was answered elsewhere.",
    "timeout": "Nobody answered in time.",
    "hub": "The hub was stopped.",
}
# How many answers are kept for a shim that asks again after a broken connection.
REMEMBERED = 4_096


def nothing() -> None:
    """For transports that need not know."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One hook run as it reached the hub, whatever the transport."""

    harness: str
    event_name: str
    payload: bytes
    transport: str
    request_id: str = field(default_factory=lambda: secrets.token_hex(8))
    session_id: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    too_large: int | None = None
    # Of the envelope it came in.
    version: int = VERSION
    # Told before a person is asked about it.
    on_hold: Callable[[], None] = nothing
    # When it came, on the clock that never jumps.
    came: int = field(default_factory=time.perf_counter_ns)


class Deliveries(Protocol):
    """Instructions of people that go out with a decision."""

    def asked(self, event: Event) -> None:
        """A person is asked about this event, so nothing is taken."""

    def taken(self, event: Event, verdict: Verdict, request: str) -> Sequence[Draft]:
        """Take out what the decision tells; what is recorded with it."""

    def settled(self, request: str, *, on_record: bool) -> None:
        """Whether that is on record; if not, nobody was told."""


@dataclass(slots=True)
class Pipeline:
    journal: Journal
    live: Live
    harnesses: Mapping[str, Harness]
    voices: Callable[[Scene], Sequence[Voice]]
    redactor: Redactor
    # What belongs to Assent.
    own: Own = NO_OWN
    # Folders that the agent's settings add to a project.
    directories: Callable[[Path], tuple[str, ...]] = lambda _: ()
    calls: Calls = field(default_factory=Calls)
    memories: Memories = field(default_factory=Memories)
    deliveries: Deliveries | None = None
    asking: Asking | None = None
    # Hears of results of calls that nobody was asked about.
    unmatched: Callable[[Event], None] = lambda _: None
    # Hears of results of calls that were judged with another input.
    ran_differently: Callable[[ToolEvent], None] = lambda _: None
    # Requests an earlier life of this hub has on record: what stands there is repeated, nothing is recorded twice.
    earlier: set[str] = field(default_factory=set)
    _answers: OrderedDict[str, asyncio.Future[Output]] = field(default_factory=OrderedDict)
    _writing: set[asyncio.Future[Any]] = field(default_factory=set)

    async def answer(self, arrival: Arrival) -> Output:
        """What the harness is told. The same request id gets the same answer, however often it asks."""
        known = self._answers.get(arrival.request_id)
        if known is not None:
            if self.asking is not None:
                self.asking.desk.attached(arrival.request_id)
            if not known.done():
                arrival.on_hold()
            return await asyncio.shield(known)
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
                # Cancelled, as the hub stops: whoever waits for the same answer must not wait for ever.
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
        """The oldest, but never one that somebody still waits for."""
        oldest = next(iter(self._answers))
        if self._answers[oldest].done():
            del self._answers[oldest]
        else:
            self._answers.move_to_end(oldest)

    async def _answer(self, arrival: Arrival) -> Output:
        harness = self.harnesses.get(arrival.harness)
        if harness is None:
            log.warning("event for an unknown harness %r: no opinion", arrival.harness[:60])
            return SILENT
        try:
            return await self._decide(harness, arrival)
        except Exception:
            # The last line of defence: whatever broke, a gate stays a gate.
            log.exception("answering %s failed", arrival.event_name[:60])
            why = "Assent failed to judge this call"
            return harness.unreadable(arrival.event_name, why, may_drop_prompts=self._may_drop_prompts(arrival))[1]

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
            event = harness.decode(arrival.payload, event_name=arrival.event_name)
        except UnreadableError as error:
            return self._unreadable(harness, arrival, str(error), "bad_input")
        is_repeated = arrival.request_id in self.earlier
        waits_again = is_repeated and self.asking is not None and self.asking.earlier(arrival.request_id) is not None
        if is_repeated and not waits_again and (recorded := await self._recorded(harness, event, arrival)):
            return recorded
        scene = self._scene(event, arrival)
        verdict = judge.judge(event, scene, self.voices(scene), paused=self.live.paused_for > 0)
        encoded = harness.encode_safely(event, verdict.decision)
        for what in encoded.dropped:
            log.warning("%s: %s", self.redactor.text(event.name)[:60], what)
        if encoded.output == SILENT and isinstance(verdict.decision, NEEDS_RECORD):
            verdict = msgspec.structs.replace(verdict, decision=NoOpinion("no_rule"))

        if self.asking is not None and (waits_again or not is_repeated):
            waiting = self.asking.hold(harness, event, scene, verdict, len(arrival.payload))
            if waiting is not None:
                return await self._ask(self.asking, harness, event, arrival, scene, verdict, *waiting)
            verdict, before = self.asking.unasked(event, scene, verdict), verdict
            if verdict is not before:
                encoded = harness.encode_safely(event, verdict.decision)
        if is_repeated:
            # On record already, and nobody can read it now: judged again, but not recorded again, and never an allow.
            return SILENT if _needs_record(verdict) else encoded.output
        took_us = (time.perf_counter_ns() - arrival.came) // 1_000
        if _needs_record(verdict):
            written = self._record_both(harness, event, arrival, scene, verdict, encoded.dropped, took_us)
            return await self._once_durable(harness, event, arrival, encoded.output, written)
        # Told first and recorded in the very next turn of the loop: nobody waits for what needs no record.
        asyncio.get_running_loop().call_soon(
            self._record_both, harness, event, arrival, scene, verdict, encoded.dropped, took_us
        )
        return encoded.output

    async def _ask(
        self,
        asking: Asking,
        harness: Harness,
        event: Event,
        arrival: Arrival,
        scene: Scene,
        verdict: Verdict,
        way: Way,
        wait: timedelta,
    ) -> Output:
        """A person decides. The event is on record before anybody is told of it."""
        earlier = asking.earlier(arrival.request_id)
        if earlier is None and self.deliveries is not None:
            self.deliveries.asked(event)
        call = earlier.call if earlier else self.calls.id_of(event)

        def decided(decision: Decision, by: str, ask: str) -> Draft:
            said = TraceLine(by=by, says=decision.word, why=_WHY.get(by.partition(":")[0], "Nobody decided."))
            whole = Verdict(decision, by, verdict.risk, (*verdict.trace, said))
            took_us = (time.perf_counter_ns() - arrival.came) // 1_000
            draft = self._decision_draft(event, arrival, scene, call, whole, (), took_us)
            return msgspec.structs.replace(draft, ask=ask)

        case = HubCase(
            event=event,
            harness=arrival.harness,
            request=arrival.request_id,
            call=call,
            tool_use_id=getattr(event, "tool_use_id", None) or self.calls.harness_id(event.session_id, call),
            project=str(scene.project),
            way=way,
            module=harness,
            scene=scene,
            voices=self.voices,
            redactor=self.redactor,
            session=lambda: self.live.sessions.get(event.session_id),
            continuations=lambda: asking.continuations(event.session_id, event.agent_id),
            # Asked once: what is shown must not change because the flood is over.
            is_burst=functools.cache(lambda: asking.is_burst(event.session_id)),
            draft=decided,
            verdict=verdict.decision,
        )
        before = () if earlier else (self._event_draft(event, arrival, scene, call),)
        arrival.on_hold()
        release = await asking.desk.ask(case, wait, before, earlier)
        self.calls.decided(event, call, release.decision)
        self.memories.decided(event, scene, release.decision)
        return release.output

    def _record_both(
        self,
        harness: Harness,
        event: Event,
        arrival: Arrival,
        scene: Scene,
        verdict: Verdict,
        dropped: tuple[str, ...],
        took_us: int,
    ) -> Awaitable[tuple[Record, ...]]:
        """Event and decision, in one transaction."""
        if isinstance(event, PostToolUse | PostToolUseFailure) and self.calls.ran_differently(event):
            self.ran_differently(event)
        call = self.calls.id_of(event)
        self.calls.decided(event, call, verdict.decision)
        self.memories.decided(event, scene, verdict.decision)
        if call is None and isinstance(event, PostToolUse | PostToolUseFailure):
            self.unmatched(event)
        drafts = [self._event_draft(event, arrival, scene, call)]
        if self._is_worth_recording(harness, event, verdict):
            drafts.append(self._decision_draft(event, arrival, scene, call, verdict, dropped, took_us))
        if self.deliveries is None or not (told := self.deliveries.taken(event, verdict, arrival.request_id)):
            return self.record(drafts)
        written = asyncio.ensure_future(self.record([*drafts, *told]))
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
            return await self._recorded(harness, event, arrival) or SILENT
        except JournalError as error:
            log.error("no allow without a record: %s", error.message)
            return SILENT
        return output

    async def _recorded(self, harness: Harness, event: Event, arrival: Arrival) -> Output | None:
        """What is on record for a request, where an observer's silence is not; None if the journal cannot say."""
        try:
            async with asyncio.timeout(READING_PATIENCE):
                record = await self.journal.decision_for(arrival.request_id)
        except (JournalError, TimeoutError) as error:
            log.error("what was decided before cannot be read: %s", str(error) or "no answer in time")
            return None
        if record is None or (record.body.get("redacted") and record.decision in NEEDS_RECORD_WORDS):
            # What is on record is no longer what was told: a changed input with marks in it must never run.
            return SILENT
        earlier = msgspec.convert(record.body["decision"], type=Decision)
        return harness.encode_safely(event, earlier).output

    def record(self, drafts: Sequence[Draft]) -> Awaitable[tuple[Record, ...]]:
        """Write, and tell the listeners once written. Need not be awaited."""
        future = asyncio.ensure_future(self.journal.append(drafts))
        self._writing.add(future)
        future.add_done_callback(self._written)
        return future

    def _written(self, future: "asyncio.Future[tuple[Record, ...]]") -> None:
        self._writing.discard(future)
        if future.cancelled():
            return
        error = future.exception()
        if error is None:
            # One turn later: whoever waits for the record goes first.
            future.get_loop().call_soon(self.live.publish, future.result())
        elif not isinstance(error, DuplicateError):
            log.error("not recorded: %s", error)

    def _unreadable(self, harness: Harness, arrival: Arrival, why: str, cause: Unread) -> Output:
        self.live.bad_input += 1
        name = self.redactor.text(arrival.event_name)[:60] or "an event"
        log.warning("%s from %s could not be read: %s", name, arrival.transport, self.redactor.text(why))
        decision, output = harness.unreadable(
            arrival.event_name, why, cause=cause, may_drop_prompts=self._may_drop_prompts(arrival)
        )
        if arrival.request_id in self.earlier:
            return output
        line = TraceLine(by="hub:unreadable", says=decision.word, why=why)
        verdict = Verdict(decision=decision, by="hub:unreadable", trace=(line,))
        now = now_ms()
        body = self.redactor.storable(
            {"event": arrival.event_name, "harness": arrival.harness, "transport": arrival.transport}
        )
        told = self.redactor.storable({"decision": msgspec.to_builtins(decision), "trace": msgspec.to_builtins([line])})
        session = arrival.session_id or None
        self.record(
            [
                Draft(
                    at=now,
                    kind="event",
                    session=session,
                    request=arrival.request_id,
                    body={
                        **body,
                        "known": False,
                        "trouble": self.redactor.text(why),
                        "size": arrival.too_large or len(arrival.payload),
                    },
                ),
                Draft(
                    at=now,
                    kind="decision",
                    session=session,
                    request=arrival.request_id,
                    decision=decision.word,
                    by=verdict.by,
                    body={**body, **told},
                ),
            ]
        )
        return output

    def _may_drop_prompts(self, arrival: Arrival) -> bool:
        """Whether the client may be in a mode in which it drops prompts, by what can be seen of a call nobody read."""
        session = self.live.sessions.get(arrival.session_id)
        return (session is not None and session.mode == modes.BYPASS) or modes.BYPASS.encode() in arrival.payload

    def _scene(self, event: Event, arrival: Arrival) -> Scene:
        session = self.live.sessions.get(event.session_id)
        folder = arrival.env.get("CLAUDE_PROJECT_DIR") or (session.project if session else "") or event.cwd or "/"
        attended = arrival.env.get("CLAUDE_CODE_SESSION_ATTENDED")
        pid = arrival.env.get("CLAUDE_PID", "")[:10]
        known = session.attended if session else None
        is_attended = known if attended is None else attended != "0"
        project = _path(folder)
        memory = self.memories.of(event.session_id)
        return Scene(
            project=project,
            attended=is_attended,
            own=self.own,
            client=int(pid) if pid.isdigit() else session.pid if session else None,
            harness=arrival.harness,
            memory=memory,
            added=(*self.directories(project), *memory.added),
            run=runs.read(arrival.env.get(runs.VARIABLE)),
        )

    def _event_draft(self, event: Event, arrival: Arrival, scene: Scene, call: str | None) -> Draft:
        body: dict[str, Any] = {
            "event": event.name,
            "harness": arrival.harness,
            "transport": arrival.transport,
            "payload": self.redactor.storable(event.raw),
        }
        if arrival.env:
            body["env"] = self.redactor.storable(dict(arrival.env))
        if "CLAUDE_PROJECT_DIR" not in arrival.env:
            body["project"] = self.redactor.text(str(scene.project))
        if isinstance(event, UnknownEvent):
            body |= {"known": False, "event": self.redactor.text(event.name)}
        return Draft(
            at=now_ms(),
            kind="event",
            session=event.session_id,
            agent=event.agent_id,
            call=call,
            request=arrival.request_id,
            body=body,
        )

    def _decision_draft(
        self,
        event: Event,
        arrival: Arrival,
        scene: Scene,
        call: str | None,
        verdict: Verdict,
        dropped: tuple[str, ...],
        took_us: int,
    ) -> Draft:
        told = msgspec.to_builtins(verdict.decision)
        body: dict[str, Any] = {
            "event": event.name,
            "harness": arrival.harness,
            "project": str(scene.project),
            "decision": told,
            "trace": msgspec.to_builtins(verdict.trace),
            # The hub's own time, from the event's arrival until it was decided; the disk's comes on top for an allow.
            "took_us": took_us,
        }
        if tool := event.raw.get("tool_name"):
            body["tool"] = tool
        if dropped:
            body["dropped"] = list(dropped)
        body = self.redactor.storable(body)
        if body["decision"] != told:
            body["redacted"] = True
        return Draft(
            at=now_ms(),
            kind="decision",
            session=event.session_id,
            agent=event.agent_id,
            call=call,
            request=arrival.request_id,
            risk=verdict.risk,
            decision=verdict.decision.word,
            by=verdict.by,
            body=body,
        )

    @staticmethod
    def _is_worth_recording(harness: Harness, event: Event, verdict: Verdict) -> bool:
        """A gate's silence is a decision people look for; an observer's is noise."""
        subscription = harness.SUBSCRIPTIONS.get(event.name)
        is_gate = subscription is not None and subscription.may_hold
        return is_gate or not isinstance(verdict.decision, NoOpinion) or verdict.decision.cause != "no_rule"


def _needs_record(verdict: Verdict) -> bool:
    # A person's words go out once, and the record is what remembers that they did.
    return isinstance(verdict.decision, NEEDS_RECORD) or verdict.by.startswith("person:")


# The same few folders come again with every event, and making a Path is not cheap.
_path = functools.lru_cache(maxsize=256)(Path)


def now_ms() -> int:
    return time.time_ns() // 1_000_000
