"""Puts things on record: writes to the journal, and tells views and listeners once they are written."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from assent.hub.bus import Bus, now_ms
from assent.journal.base import DuplicateError, Head, Journal
from assent.protocol.record import Draft, Record
from assent.protocol.session import Session
from assent.protocol.surfaces import Scope
from assent.views import asks as ask_view
from assent.views import feed as feed_view
from assent.views import sessions as session_view
from assent.views.figures import missed_hooks

# A listener this far behind is cut off; it comes back with the last seq it saw.
MOST_WAITING = 2_000
# The user typed, a dialog is idle, a turn or a session is over.
SIGNALS = frozenset({"UserPromptSubmit", "Notification", "Stop", "StopFailure", "SessionEnd"})


@dataclass(slots=True, eq=False)
class Heard:
    """A record, and what it changed."""

    record: Record
    rows: tuple[feed_view.Row, ...] = ()
    asks: tuple[ask_view.Ask, ...] = ()
    session: Session | None = None
    # As it is sent, by what the one who hears it may do: many listen, and most of them hear the same.
    encoded: dict[Scope | None, bytes] = field(default_factory=dict)


class FellBehindError(Exception):
    """A listener was too slow and missed records."""


@dataclass(slots=True, eq=False)
class Listener:
    # Whether a person looks at what it hears: a page or a terminal, not a program that follows the log.
    is_person: bool = False
    # What its screen is called, where there can be several.
    screen: str = ""
    _heard: list[Heard] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _is_over: bool = False

    def put(self, heard: Heard) -> None:
        # One more than it may be behind by says that it is.
        if len(self._heard) <= MOST_WAITING:
            self._heard.append(heard)
            self._news.set()

    def end(self) -> None:
        self._is_over = True
        self._news.set()

    async def next(self) -> list[Heard]:
        """Everything since the last time, at least one; nothing when the hub stops."""
        if not self._heard and not self._is_over:
            self._news.clear()
            await self._news.wait()
        if len(self._heard) > MOST_WAITING:
            raise FellBehindError
        heard, self._heard = self._heard, []
        return heard


@dataclass(slots=True)
class Live:
    """The hub's memory. Everything in it but the pause can be rebuilt from the journal."""

    sessions: session_view.Sessions = field(default_factory=dict)
    feed: feed_view.Feed = field(default_factory=feed_view.Feed)
    asks: ask_view.Asks = field(default_factory=ask_view.Asks)
    # The newest record: where the chain ends.
    seq: int = 0
    hash: str | None = None
    last_event_at: int | None = None
    events: int = 0
    bad_input: int = 0
    gaps: int = 0
    # Events that were not asked about, because too much was asked at once.
    unasked: int = 0
    paused_until: float = 0.0
    bus: Bus = field(default_factory=Bus)
    _listeners: set[Listener] = field(default_factory=set)

    def recall(self, records: Sequence[Record], head: Head | None = None) -> None:
        """Know again what an earlier life knew; without records, nothing."""
        self.sessions = session_view.rebuilt(list(records))
        self.feed = feed_view.rebuilt(list(records))
        self.asks = ask_view.rebuilt(list(records))
        if head is not None:
            self.seq, self.hash = head.seq, head.hash

    def publish(self, records: Iterable[Record]) -> None:
        for record in records:
            self.seq, self.hash = record.seq, record.hash
            asks = ask_view.fold(self.asks, record)
            session = session_view.fold(self.sessions, record, self.asks.needing(record.session))
            rows = feed_view.fold(self.feed, record)
            for ask in asks:
                self.bus.ask(ask)
            if record.kind == "event":
                self.events += 1
                self.last_event_at = record.at
                if record.body.get("event") in SIGNALS:
                    self.bus.signal(record)
            elif record.kind == "gap":
                self.gaps += missed_hooks(record)
            elif record.kind == "hub" and record.body.get("what") == "session_vanished":
                self.bus.signal(record)
            self.bus.record(record)
            if self._listeners:
                heard = Heard(record, rows, asks, session)
                for listener in self._listeners:
                    listener.put(heard)

    @contextmanager
    def listening(self, *, is_person: bool = False, screen: str = "") -> Iterator[Listener]:
        listener = Listener(is_person, screen)
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    @property
    def watched(self) -> bool:
        """Whether a person would see an ask now."""
        return any(listener.is_person for listener in self._listeners)

    @property
    def screens(self) -> list[str]:
        """Those that are called something."""
        return sorted(listener.screen for listener in self._listeners if listener.screen)

    def stop_listeners(self) -> None:
        for listener in self._listeners:
            listener.end()

    def pause(self, seconds: float) -> None:
        """Ends by itself: a forgotten pause must not disarm the policy for good."""
        self.paused_until = time.monotonic() + seconds if seconds > 0 else 0.0

    @property
    def paused_for(self) -> float:
        """Seconds left, 0 when not paused."""
        return max(0.0, self.paused_until - time.monotonic())


log = logging.getLogger("assent.hub")


class Recording(Protocol):
    """As much of the recorder as most parts need."""

    def record(self, drafts: Sequence[Draft]) -> Awaitable[object]:
        """Need not be awaited."""

    def note(self, text: str, by: str = "hub") -> None:
        """A sentence about the hub itself."""


@dataclass(slots=True)
class Recorder:
    journal: Journal
    live: Live
    _writing: set[asyncio.Future[Any]] = field(default_factory=set)
    # What is on record and not told yet.
    _news: deque[tuple[Record, ...]] = field(default_factory=deque)

    def record(self, drafts: Sequence[Draft]) -> Awaitable[tuple[Record, ...]]:
        """Write, and tell the listeners once written. Need not be awaited."""
        future = asyncio.ensure_future(self.journal.append(drafts))
        self._writing.add(future)
        future.add_done_callback(self._written)
        return future

    def note(self, text: str, by: str = "hub") -> None:
        self.record([Draft(at=now_ms(), kind="hub", by=by, body={"what": text})])

    async def go_on_with(self, journal: Journal) -> None:
        """The one there was cannot be read: nothing of it is known."""
        await self.journal.close()
        self.journal = journal
        self.live.recall(())

    async def settled(self, within: float | None = None) -> None:
        """Wait for what is being written, at most so many seconds."""
        if self._writing:
            await asyncio.wait(self._writing, timeout=within)

    def publish(self, records: tuple[Record, ...]) -> None:
        """Tell the listeners what was just written, in the order of these calls."""
        if not self._news:
            # One turn later, so that those who wait for the record go first, and all of a transaction together.
            asyncio.get_running_loop().call_soon(self._publish)
        self._news.append(records)

    def _written(self, future: "asyncio.Future[tuple[Record, ...]]") -> None:
        self._writing.discard(future)
        if future.cancelled():
            return
        error = future.exception()
        if error is None:
            self.publish(future.result())
        elif not isinstance(error, DuplicateError):
            log.error("not recorded: %s", error)

    def _publish(self) -> None:
        try:
            while self._news:
                self.live.publish(self._news.popleft())
        finally:
            if self._news:
                asyncio.get_running_loop().call_soon(self._publish)
