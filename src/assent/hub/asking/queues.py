"""Queues of instructions per session: kept on disk, told to the agent with a tool's result or when it would stop.

The journal decides whether something was delivered. An instruction goes out only once the record of that is on disk,
and whatever the file says after a crash, what stands on record as delivered is not delivered again: a crash in between
may lose it, and never tells it twice."""

import functools
import logging
import secrets
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assent.asks import queue
from assent.asks.desk import Desk
from assent.asks.open_ask import Person, RefusedError
from assent.asks.queue import Items, QueueError
from assent.harnesses import registry
from assent.harnesses.base import subscription
from assent.hub import state_file
from assent.hub.bus import now_ms
from assent.hub.recorder import Recording
from assent.policy.call import Opinion, Scene
from assent.protocol import events
from assent.protocol.card import AnswerRequest
from assent.protocol.decision import Block, Proceed, Verdict
from assent.protocol.events import Event, Stop, SubagentStop, TurnEnd
from assent.protocol.queue import Did, Goal, Item, Queue, QueueBody
from assent.protocol.record import Draft, Record
from assent.redact import Redactor

MOST_KNOWN = 500
_TURN_ENDS = frozenset(kind.__name__ for kind in (Stop, SubagentStop))


@dataclass(slots=True)
class Continuations:
    """How often each turn was kept going when the agent wanted to stop. The client counts too."""

    # By session and sub-agent, in the order of their last ended turns.
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
        harness = registry.of(event.client.harness) or registry.default()
        return used is not None and used < harness.FACTS.most_continuations

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
        """None where a turn was kept going uncounted: this may be the last time the client listens."""
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


log = logging.getLogger("assent.hub")

# In all sessions together: what waits is kept in memory.
MOST_WAITING = 1_000
MOST_DELIVERED = 5
# How many of the latest deliveries can still come back because the reply was not taken.
MOST_UNDER_WAY = 100
GOALS: dict[type[Event], tuple[Goal, ...]] = {
    events.Stop: ("stop", "tool"),
    events.SubagentStop: ("subagent",),
    events.TeammateIdle: ("teammate",),
    events.TaskCompleted: ("task",),
}
_RESULTS: tuple[type[Event], ...] = (events.PostToolUse, events.PostToolUseFailure)
_EVIDENCE = "queue:"


class _Kept(Struct, frozen=True, omit_defaults=True):
    items: Items = ()
    delivered: Items = ()


class _File(Struct, frozen=True):
    sessions: dict[str, _Kept]
    version: int = 1


_NOTHING = _Kept()


@dataclass(slots=True)
class Queues:
    file: Path
    redactor: Redactor
    recorder: Recording
    counted: Continuations = field(default_factory=Continuations)
    _of: dict[str, _Kept] = field(default_factory=dict)
    # By request.
    _under_way: OrderedDict[str, tuple[str, Item]] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        if content := state_file.read(self.file):
            try:
                self._of = msgspec.json.decode(content, type=_File).sessions
            except msgspec.DecodeError as error:
                log.error("%s cannot be read, so nothing is queued: %s", self.file, error)

    def of(self, session: str) -> Queue:
        queue_state = self._of.get(session, _NOTHING)
        return Queue(session, queue_state.items, queue_state.delivered, used=self.counted.of(session))

    def waiting(self) -> dict[str, Items]:
        """What waits, for every session that has something."""
        return {session: queued.items for session, queued in self._of.items() if queued.items}

    def continuations(self, session: str, agent: str | None = None) -> int:
        """How often the turn that ended last was kept going."""
        return self.counted.of(session, agent)

    # People change it. Each raises QueueError, or OSError when it cannot be kept, and then nothing has changed.

    def add(self, session: str, text: str, *, by: str, to: Goal = "stop", harness: str = "") -> Item:
        """``harness``: the session's client, where it is known."""
        if to == "tool" and (why := no_result(harness)):
            raise QueueError("not-taken", why)
        if sum(len(queued.items) for queued in self._of.values()) >= MOST_WAITING:
            raise QueueError("queue-full", f"{MOST_WAITING:,} instructions wait in all sessions, and that is the most.")
        item = Item(id=secrets.token_hex(4), text=text, at=now_ms(), by=by, to=to)
        return self._become(session, "added", queue.added(self._items(session), item), item.id, by)

    def change(self, session: str, name: str, text: str, *, by: str) -> Item:
        return self._become(session, "changed", queue.changed(self._items(session), name, text), name, by)

    def move(self, session: str, name: str, place: int, *, by: str) -> Item:
        return self._become(session, "moved", queue.moved(self._items(session), name, place), name, by)

    def remove(self, session: str, name: str, *, by: str) -> Item:
        return self._become(session, "removed", queue.removed(self._items(session), name), name, by)

    # The pipeline calls speak, then asked or taken; settled after taken; missed when the reply was not taken.

    def speak(self, event: Event, _: Scene) -> Opinion | None:
        """The next instruction, where the client would pass it on."""
        if event.session_id not in self._of or not (goals := _goals(event)):
            return None
        item = queue.first_for(self._items(event.session_id), goals)
        if item is None or (isinstance(event, TurnEnd) and not self.counted.is_heard(event)):
            return None
        # The client shows a turn that was blocked from ending as an error, and context as feedback.
        is_context = isinstance(event, TurnEnd) or "tool" in goals
        decision = Proceed(_said(item)) if is_context else Block(_said(item))
        return Opinion(decision, item.by, "A person queued this.", evidence=f"{_EVIDENCE}{item.id}")

    def asked(self, event: Event) -> None:
        """A person is asked what the agent should do next."""
        if isinstance(event, TurnEnd):
            self.counted.count(event)

    def taken(self, event: Event, verdict: Verdict, request: str) -> tuple[Draft, ...]:
        """Take out what this decision tells the agent. Returns what is recorded in one transaction with it."""
        if not _goals(event):
            if isinstance(event, events.SessionEnd):
                self._forget(event.session_id)
            return ()
        if isinstance(event, TurnEnd):
            self.counted.count(event)
        session = event.session_id
        item = self._carried(session, verdict)
        if item is None:
            return ()
        self._set(session, items=queue.removed(self._items(session), item.id))
        self._under_way[request] = (session, item)
        if len(self._under_way) > MOST_UNDER_WAY:
            self._under_way.popitem(last=False)
        return (self._draft(session, "delivered", item, item.by),)

    def settled(self, request: str, *, on_record: bool) -> None:
        """The record is on disk; or it is not, and then the agent was not told."""
        if (delivery := self._under_way.get(request)) is None:
            return
        session, item = delivery
        if on_record:
            self._note_delivered(session, item, now_ms())
            self._save_or_say()
        else:
            del self._under_way[request]
            self._put_back(session, item)

    def missed(self, request: str) -> None:
        """It waits for the next stop."""
        if (delivery := self._under_way.pop(request, None)) is None:
            return
        session, item = delivery
        self._put_back(session, item)
        self._save_or_say()
        self.recorder.record([self._draft(session, "returned", item, "hub:socket")])

    def recall(self, records: Iterable[Record]) -> None:
        """What an earlier life of this hub delivered, and how often it kept a turn going."""
        for record in records:
            self.counted.recall(record)
            if record.kind == "hub" and record.session and record.body.get("what") == "queue":
                queued = self._of.get(record.session, _NOTHING)
                name, did = record.body.get("item"), record.body.get("did")
                if did == "delivered" and (item := _named(queued.items, name)):
                    self._set(record.session, items=queue.removed(queued.items, item.id))
                    self._note_delivered(record.session, item, record.at)
                elif did == "returned" and (item := _named(queued.delivered, name)):
                    self._put_back(record.session, msgspec.structs.replace(item, delivered=None))

    def _carried(self, session: str, verdict: Verdict) -> Item | None:
        """The instruction in this decision; None where another voice was heard, or none at all."""
        for line in verdict.trace:
            if line.evidence and line.evidence.startswith(_EVIDENCE):
                item = _named(self._items(session), line.evidence.removeprefix(_EVIDENCE))
                # The same person may have said something else that goes out first.
                is_heard = item is not None and verdict.decision in (Proceed(_said(item)), Block(_said(item)))
                return item if is_heard else None
        return None

    def _become(self, session: str, did: Did, items: Items, name: str, by: str) -> Item:
        before = self._items(session)
        self._set(session, items=items)
        try:
            self._save()
        except OSError:
            self._set(session, items=before)
            raise
        item = queue.find(before if did == "removed" else items, name)
        self.recorder.record([self._draft(session, did, item, by)])
        return item

    def _note_delivered(self, session: str, item: Item, at: int) -> None:
        done = msgspec.structs.replace(item, delivered=at)
        self._set(session, delivered=(*self._of.get(session, _NOTHING).delivered, done)[-MOST_DELIVERED:])

    def _put_back(self, session: str, item: Item) -> None:
        delivered = self._of.get(session, _NOTHING).delivered
        self._set(
            session,
            items=(item, *self._items(session)),
            delivered=tuple(other for other in delivered if other.id != item.id),
        )

    def _forget(self, session: str) -> None:
        """It ended. What waits stays: the session may be resumed."""
        if session in self._of:
            self._set(session, delivered=())
        self.counted.forget(session)

    def _items(self, session: str) -> Items:
        return self._of.get(session, _NOTHING).items

    def _set(self, session: str, **changes: Any) -> None:
        now = msgspec.structs.replace(self._of.get(session, _NOTHING), **changes)
        if now == _NOTHING:
            self._of.pop(session, None)
        else:
            self._of[session] = now

    def _save(self) -> None:
        state_file.write(self.file, msgspec.json.encode(_File(self._of)))

    def _save_or_say(self) -> None:
        try:
            self._save()
        except OSError as error:
            log.error("the queues could not be kept; the record tells what was delivered: %s", error)

    def _draft(self, session: str, did: Did, item: Item, by: str) -> Draft:
        items = self._items(session)
        place = queue.place_of(items, item.id) if _named(items, item.id) else None
        body = QueueBody(did=did, item=item.id, text=self.redactor.text(item.text), to=item.to, place=place)
        return Draft(at=now_ms(), kind="hub", session=session, by=by, body=msgspec.to_builtins(body))


def _said(item: Item) -> str:
    return f"Your user says: {item.text}"


def _goals(event: Event) -> tuple[Goal, ...]:
    """Which instructions can be told with the reply to this event."""
    if event.agent_id is None and type(event) in result_events(event.client.harness):
        return ("tool",)
    return GOALS.get(type(event), ())


@functools.lru_cache(maxsize=64)
def result_events(harness: str) -> tuple[type[Event], ...]:
    """The events at which a client passes words on to its model beside the results of tools."""
    module = registry.of(harness) or registry.default()
    return tuple(
        kind
        for kind in _RESULTS
        if Proceed in module.HONOURED.get(kind, ()) and subscription(module, kind.__name__) is not None
    )


def no_result(harness: str) -> str:
    """Why a client cannot be told something with a tool's result; "" where it can."""
    if result_events(harness):
        return ""
    title = (registry.of(harness) or registry.default()).TITLE
    return f"{title} takes no words with a tool's result; queue it for when the agent stops."


def _named(items: Items, name: object) -> Item | None:
    return next((item for item in items if item.id == name), None)


async def told_now(desk: Desk, session: str, text: str, to: Goal, person: Person) -> bool:
    """Whether an agent waited for just this. Raises QueueError where it cannot be said."""
    for held in desk.waiting:
        event = held.case.event
        if event.session_id == session and to in GOALS.get(type(event), ()):
            words = queue.worded(text)
            answer = AnswerRequest(rev=held.rev, hash=held.drawn.hash, choice="keep_going", message=words)
            try:
                await desk.answer(held.name, answer, person)
            except RefusedError:
                # Another answer was faster, so it waits for the next stop.
                continue
            return True
    return False
