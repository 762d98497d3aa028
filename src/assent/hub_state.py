"""Client-side copy of the hub's state: a snapshot, then every change. Items are replaced by id, never patched."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import msgspec

from assent.client import ApiError, Client, odd
from assent.client.snapshot import Snapshot
from assent.errors import AssentError
from assent.protocol.card import ShownAsk
from assent.protocol.queue import Item
from assent.protocol.session import Session
from assent.text.ask_state import is_waiting
from assent.views.feed import Row

RETRY = 0.5
# Farther behind than this, rows of the feed are read anew.
LONGEST_CATCH_UP = 1_500
# As many as the hub shows.
MOST_ASKS = 500


@dataclass(frozen=True, slots=True)
class Fresh:
    """Everything anew; ``is_far`` where what happened in between will not be told."""

    snapshot: Snapshot
    is_far: bool


@dataclass(frozen=True, slots=True)
class Heard:
    """A record and what it changed, or a beat, which has no ``seq``. Raises msgspec.ValidationError otherwise."""

    message: dict[str, Any]
    told: "_Told | _Beat" = field(init=False)

    def __post_init__(self) -> None:
        # In the thread that reads: what cannot be understood must not reach a screen.
        kind = _Told if "seq" in self.message else _Beat
        object.__setattr__(self, "told", msgspec.convert(self.message, kind))


@dataclass(frozen=True, slots=True)
class Lost:
    """No hub, or one that fell silent. It is tried again until stopped."""

    error: AssentError | None


News = Fresh | Heard | Lost


def follow(client: Client, ending: Event, *, screen: str = "", is_seen: bool = True) -> Iterator[News]:
    """Everything, until ``ending`` is set. Blocks while nothing happens: for a thread of its own. ``is_seen``: a person
    looks at what becomes of it, so that an ask reaches them."""
    seq = 0
    while not ending.is_set():
        try:
            snapshot = client.snapshot()
            is_far = not seq or snapshot.seq < seq or snapshot.seq - seq > LONGEST_CATCH_UP
            seq = snapshot.seq if is_far else seq
            yield Fresh(snapshot, is_far)
            for message in client.stream(seq, with_views=True, beats=True, screen=screen, is_seen=is_seen):
                seq = message.get("seq", seq)
                yield Heard(message)
                if ending.is_set():
                    return
            yield Lost(None)
        except msgspec.ValidationError:
            # Of another version: what is on the screen may be wrong from here on, so it is read anew.
            seq = 0
            yield Lost(odd())
        except ApiError as error:
            # Refused, perhaps because it reaches too far back.
            seq = 0
            yield Lost(error)
        except AssentError as error:
            yield Lost(error)
        ending.wait(RETRY)


@dataclass(frozen=True, slots=True)
class Changes:
    """What a piece of news changed."""

    # As they were before; None for those that are new.
    asks: dict[str, ShownAsk | None] = field(default_factory=dict)
    sessions: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    record: dict[str, Any] | None = None
    # Everything may be different.
    is_fresh: bool = False
    # Rows that were heard before are out of date.
    is_far: bool = False

    def and_then(self, later: "Changes") -> "Changes":
        """Both, as one."""
        return Changes(
            asks=later.asks | self.asks,
            sessions=(*self.sessions, *later.sessions),
            rows=(*self.rows, *later.rows),
            record=later.record or self.record,
            is_fresh=self.is_fresh or later.is_fresh,
            is_far=self.is_far or later.is_far,
        )


class _Told(msgspec.Struct):
    """The parts of a record that change what is shown."""

    seq: int
    kind: str = ""
    asks: tuple[ShownAsk, ...] = ()
    rows: tuple[Row, ...] = ()
    sessionChanged: Session | None = None  # noqa: N815 - as it stands on the wire
    queues: dict[str, list[Item]] = {}


class _Beat(msgspec.Struct):
    at: float = 0
    screens: tuple[str, ...] = ()


def snippets(hub: Mapping[str, Any], project: str) -> list[str]:
    """Replies to pick from: those of the innermost folder around the project that has settings of its own."""
    known: dict[str, list[str]] = hub.get("snippets") or {}
    around = [folder for folder in known if not folder or f"{project}/".startswith(f"{folder}/")]
    return known[max(around, key=len)] if around else []


@dataclass(slots=True)
class Mirror:
    asks: dict[str, ShownAsk] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    queues: dict[str, list[Item]] = field(default_factory=dict)
    presence: dict[str, Any] = field(default_factory=dict)
    hub: dict[str, Any] = field(default_factory=dict)
    seq: int = 0
    # When an ask came into the state it is in, by our own clock where we saw it.
    turned: dict[str, float] = field(default_factory=dict)
    # Other screens of this kind that are open.
    screens: tuple[str, ...] = ()
    # The hub's clock minus ours, in milliseconds.
    skew: float = 0.0

    def now(self) -> float:
        """The hub's time, in milliseconds."""
        return time.time() * 1000 + self.skew

    @property
    def waiting(self) -> list[ShownAsk]:
        """In the order in which they came."""
        return [ask for ask in self.in_order() if is_waiting(ask)]

    def in_order(self) -> list[ShownAsk]:
        return sorted(self.asks.values(), key=lambda ask: (ask.opened_at, ask.id))

    @property
    def live_sessions(self) -> list[Session]:
        return [session for session in self.sessions.values() if session.is_live]

    def take(self, news: Fresh | Heard) -> Changes:
        return self._fresh(news) if isinstance(news, Fresh) else self._heard(news)

    def take_ask(self, ask: ShownAsk) -> bool:
        """False where a newer one is known."""
        earlier = self.asks.get(ask.id)
        if earlier is not None and earlier.changed > ask.changed:
            return False
        self._turn(ask, earlier)
        self.asks[ask.id] = ask
        if len(self.asks) > MOST_ASKS:
            self._forget()
        return True

    def _fresh(self, news: Fresh) -> Changes:
        snapshot, before = news.snapshot, self.asks
        self.asks = {ask.id: ask for ask in reversed(snapshot.asks)}
        self.sessions = {session.id: session for session in snapshot.sessions}
        self.queues, self.presence, self.hub = dict(snapshot.queues), snapshot.presence, snapshot.hub
        self.seq = snapshot.seq
        for ask in snapshot.asks:
            self._turn(ask, before.get(ask.id))
        self.turned = {name: at for name, at in self.turned.items() if name in self.asks}
        return Changes(
            asks={name: before.get(name) for name in self.asks},
            sessions=tuple(self.sessions),
            is_fresh=True,
            is_far=news.is_far,
        )

    def _heard(self, news: Heard) -> Changes:
        message = news.told
        if isinstance(message, _Beat):
            self._beat(message)
            return Changes()
        self.seq = message.seq
        before = {ask.id: self.asks.get(ask.id) for ask in message.asks}
        for ask in message.asks:
            self.take_ask(ask)
        if message.sessionChanged is not None:
            self.sessions[message.sessionChanged.id] = message.sessionChanged
        self.queues.update(message.queues)
        changed = (message.sessionChanged.id,) if message.sessionChanged else ()
        return Changes(before, (*changed, *message.queues), message.rows, news.message)

    def _beat(self, beat: _Beat) -> None:
        self.screens = beat.screens
        skew = beat.at - time.time() * 1000
        # What a message takes to arrive is no difference of clocks.
        self.skew = skew if abs(skew) > 1_000 else 0.0

    def _turn(self, ask: ShownAsk, before: ShownAsk | None) -> None:
        if before is not None and before.state == ask.state:
            return
        ended = ask.result.at if ask.result and ask.result.at else ask.answer.at if ask.answer else ask.opened_at
        self.turned[ask.id] = ended if before is None else self.now()

    def _forget(self) -> None:
        oldest = next((ask for ask in self.in_order() if ask.state == "closed"), None)
        if oldest is not None:
            del self.asks[oldest.id]
            self.turned.pop(oldest.id, None)
