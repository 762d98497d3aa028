"""Asks that wait for a person: opened by sessions, seen by pages, answered on a screen or at the terminal."""

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from bench.crowd import Crowd, Messages, Reply, Response
from bench.events import ALLOWED, UNDECIDED, Session
from bench.hub import Hub
from tests.component.signing import Browser

# Where an ask is answered, in turn.
DESK, PAGE, CHAT, TERMINAL = "at the desk", "signed by a page", "by a tap in a chat", "at the terminal"
TOLD = (DESK, PAGE, CHAT)
PLACES = (DESK, PAGE, CHAT, CHAT, TERMINAL)
# A session's client says every six seconds that its dialog waits.
EVENTS_PER_REMINDER = 24
_WAITING = ("open", "doubtful")


class _View(Struct):
    raw: dict[str, Any] = {}


class _Shown(Struct):
    id: str
    rev: int
    hash: str
    state: str
    view: _View


class _Told(Struct):
    asks: list[_Shown] = []


_decoder = msgspec.json.Decoder(_Told)


@dataclass(slots=True, eq=False)
class Ask:
    session: Session
    call: dict[str, Any]
    place: str
    shown: _Shown | None = None
    said: float = 0.0
    is_told: bool = False
    # Pages that do not know yet that it is answered.
    unseen: set[int] = field(default_factory=set)
    # How often the hub said meanwhile that it lives.
    reply: Reply | None = None

    @property
    def is_over(self) -> bool:
        return self.is_told and not self.unseen


@dataclass(slots=True)
class Taken:
    """Seconds, by what was waited for."""

    told: dict[str, list[float]] = field(default_factory=lambda: {place: [] for place in TOLD})
    seen: dict[str, list[float]] = field(default_factory=lambda: {place: [] for place in (*TOLD, TERMINAL)})
    allows: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Room:
    """All parties: sessions that ask, pages that watch, and a person who answers."""

    hub: Hub
    sessions: list[Session]
    browser: Browser
    # Where taps in the chat come in.
    chat: str
    crowd: Crowd = field(default_factory=Crowd)
    taken: Taken = field(default_factory=Taken)
    pages: list[Messages] = field(default_factory=list)
    # Whether a session asks again once it is answered.
    goes_on: bool = True
    held: dict[str, Ask] = field(default_factory=dict)
    # Calls that a rule allowed, and that have not ended.
    _running: deque[tuple[Session, dict[str, Any]]] = field(default_factory=deque)
    _ready: deque[Ask] = field(default_factory=deque)
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _places: Iterator[str] = field(default_factory=lambda: itertools.cycle(PLACES))

    # --- asking

    def ask(self, session: Session) -> None:
        # A command of its own, so that whatever is shown says which ask it is.
        command = f"{UNDECIDED} --number {next(self._numbers)}"
        ask = Ask(session, session.pre(command), next(self._places))
        self.held[command] = ask
        self._send(session, ask.call, lambda _, __: self._wish(ask))

    def _wish(self, ask: Ask) -> None:
        ask.reply = Reply(partial(self._released, ask))
        line = ask.session.line(ask.session.wish(ask.call))
        self.crowd.connect(self.hub.socket, line, ask.reply)

    def _released(self, ask: Ask, line: bytes, now: float) -> None:
        is_allow = b'"behavior":"allow"' in line
        if not ask.said or is_allow is (ask.place == TERMINAL):
            raise AssertionError(f"a wrong reply to a hook that waited: {line!r}")
        ask.is_told = True
        if is_allow:
            self.taken.told[ask.place].append(now - ask.said)
            self._send(ask.session, ask.session.end_of(ask.call))
        self._over(ask)
        if self.goes_on:
            self.ask(ask.session)

    # --- watching

    def watch(self, count: int) -> None:
        """Pages come, each with what a browser sends."""
        for number in range(count):
            head = f"GET /api/stream?rows=1&beat=1 HTTP/1.1\r\nHost: 127.0.0.1:{self.hub.port}\r\n"
            request = f"{head}Cookie: {self.browser.cookie}\r\nSec-Fetch-Site: same-origin\r\n\r\n"
            page = Messages(partial(self._heard, number))
            self.pages.append(page)
            self.crowd.connect(("127.0.0.1", self.hub.port), request.encode(), page)

    def look(self, asks: list[dict[str, Any]]) -> None:
        """What a page that comes finds."""
        for found in asks:
            self._show(msgspec.convert(found, _Shown))

    def _heard(self, page: int, data: bytes, now: float) -> None:
        for shown in _decoder.decode(data).asks:
            if shown.state in _WAITING:
                self._show(shown)
                continue
            ask = self.held.get(shown.view.raw.get("command", ""))
            if ask is None or page not in ask.unseen:
                continue
            ask.unseen.discard(page)
            if not ask.unseen:
                self.taken.seen[ask.place].append(now - ask.said)
                self._over(ask)

    def _show(self, shown: _Shown) -> None:
        ask = self.held.get(shown.view.raw.get("command", ""))
        if ask is not None and not ask.said:
            if ask.shown is None:
                self._ready.append(ask)
            ask.shown = shown

    @property
    def ready(self) -> int:
        """How many asks could be answered."""
        return len(self._ready)

    @property
    def answered(self) -> int:
        """How many answers did not reach all screens yet."""
        return sum(ask.said > 0 for ask in self.held.values())

    def _over(self, ask: Ask) -> None:
        if ask.is_over:
            del self.held[ask.call["tool_input"]["command"]]

    # --- answering

    def answer(self) -> None:
        """The one that waits longest."""
        ask = self._ready.popleft()
        assert ask.shown is not None
        ask.unseen = set(range(len(self.pages)))
        if ask.place == TERMINAL:
            # A person said yes at the terminal: the call ran, and its end is the first that the hub hears of it.
            ask.said = time.perf_counter()
            self._send(ask.session, ask.session.end_of(ask.call))
            return
        if ask.place == CHAT:
            tap = msgspec.json.encode({"id": ask.shown.id, "rev": ask.shown.rev, "hash": ask.shown.hash})
            ask.said = time.perf_counter()
            self.crowd.connect(self.chat, tap + b"\n", Reply(_taken))
            return
        path = f"/api/asks/{ask.shown.id}/answer"
        body = msgspec.json.encode({"rev": ask.shown.rev, "hash": ask.shown.hash, "choice": "allow"})
        headers = {"Host": "localhost", "Content-Length": str(len(body))}
        address: str | tuple[str, int] = str(self.hub.paths.desk_socket)
        if ask.place == PAGE:
            headers |= {**self.browser.headers("POST", path, body), "Host": f"127.0.0.1:{self.hub.port}"}
            address = ("127.0.0.1", self.hub.port)
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        # As from the moment of the press: what follows is the hub's and the wire's.
        ask.said = time.perf_counter()
        self.crowd.connect(address, f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body, Response(_accepted))

    # --- everything else that happens

    def event(self, number: int) -> None:
        """The beginning or the end of a call that a rule allows, or a reminder of the client."""
        if number % EVENTS_PER_REMINDER == 0:
            session = self.sessions[number // EVENTS_PER_REMINDER % len(self.sessions)]
            self._send(session, session.reminder())
        elif self._running and number % 2:
            session, call = self._running.popleft()
            self._send(session, session.end_of(call))
        else:
            session = self.sessions[number // 2 % len(self.sessions)]
            call = session.pre(ALLOWED)
            self._send(session, call, partial(self._allowed, time.perf_counter(), session, call))

    def _allowed(self, began: float, session: Session, call: dict[str, Any], line: bytes, now: float) -> None:
        if b'"allow"' not in line:
            raise AssertionError(f"a wrong reply: {line!r}")
        self._running.append((session, call))
        self.taken.allows.append(now - began)

    def _send(
        self, session: Session, payload: dict[str, Any], done: Callable[[bytes, float], None] = lambda _, __: None
    ) -> None:
        self.crowd.connect(self.hub.socket, session.line(payload), Reply(done))


def _accepted(response: bytes, _: float) -> None:
    if not response.startswith(b"HTTP/1.1 202"):
        raise AssertionError(f"an answer was not taken: {response!r}")


def _taken(line: bytes, _: float) -> None:
    if line != b"Taken.\n":
        raise AssertionError(f"a tap was not taken: {line!r}")
