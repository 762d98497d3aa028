"""Answers and instructions from surfaces: in the surface's name, with the scope of its settings, always on record."""

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from assent.asks.desk import Desk
from assent.asks.open_ask import Person, RefusedError
from assent.asks.presence import morning
from assent.asks.queue import QueueError
from assent.hub.asking.queues import Queues, told_now
from assent.hub.asking.shown_asks import ShownAsks
from assent.hub.notify.presence_tracker import PresenceTracker
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.recorder import Live, Recording
from assent.protocol.card import AnswerRequest, ShownAsk
from assent.protocol.session import Session
from assent.protocol.surfaces import SURFACES, Scope, Screen, screen_of
from assent.surfaces.base import Outcome, Sender
from assent.text import approval_words
from assent.text.ask_state import is_waiting, said
from assent.text.safe import plain_line

# Rate limit for records about strangers.
MOST_STRANGERS = 10
PER = 3_600_000
LONGEST = 200
DEFAULT_SCOPE = Scope.INSTRUCT
SCOPES = {scope.word: scope for scope in (Scope.WATCH, Scope.DENY, Scope.ANSWER, Scope.INSTRUCT)}


@dataclass(slots=True)
class Inbox:
    """The inbox of one surface."""

    surface: str
    title: str
    parts: "Inboxes"
    _strangers: deque[int] = field(default_factory=deque)

    async def answer(self, sender: Sender, ask: str, answer: AnswerRequest) -> Outcome:
        try:
            missing = await self.parts.desk.answer(ask, answer, self._person(sender))
        except RefusedError as error:
            now = self.ask(ask)
            return Outcome(is_taken=False, words=_late(now) if error.code == "too-late" else error.why, ask=now)
        words = approval_words.counted(missing) if missing else "Taken."
        return Outcome(is_taken=True, words=words, ask=self.ask(ask))

    def ask(self, name: str) -> ShownAsk | None:
        known_ask = self.parts.live.asks.by_id.get(name)
        return None if known_ask is None else self.parts.shown_asks.shown(known_ask, self.scope, self._screen())

    def asks(self) -> list[ShownAsk]:
        waiting = [self.parts.shown_asks.shown(ask, self.scope, self._screen()) for ask in self.parts.live.asks.waiting]
        return sorted(waiting, key=lambda ask: (ask.opened_at, ask.id))

    def sessions(self) -> list[Session]:
        return sorted(self.parts.live.sessions.values(), key=lambda session: session.last, reverse=True)

    async def queue(self, sender: Sender, session: str, text: str) -> Outcome:
        if self.scope < Scope.INSTRUCT:
            return Outcome(is_taken=False, words=self._too_little("An instruction"))
        if session not in self.parts.live.sessions:
            return Outcome(is_taken=False, words="There is no such session.")
        person = self._person(sender)
        try:
            if await told_now(self.parts.desk, session, text, "stop", person):
                return Outcome(is_taken=True, words="It was waiting for this, and goes on.")
            self.parts.queues.add(session, text, by=person.by)
        except QueueError as error:
            return Outcome(is_taken=False, words=error.message)
        except OSError as error:
            return Outcome(is_taken=False, words=f"It cannot be written down ({error.strerror}), so it was not queued.")
        return Outcome(is_taken=True, words="Queued: it is told when it next stops.")

    async def quiet(self, sender: Sender, wish: float | Literal["morning"]) -> Outcome:
        if self.scope < Scope.INSTRUCT:
            return Outcome(is_taken=False, words=self._too_little("Quiet"))
        where = self.parts.presence
        now = where.clock()
        until = morning(now, where.settings.quiet) if wish == "morning" else now + int(wish * 1_000) if wish else None
        where.be_quiet(until)
        self._note("its user wants quiet" if wish else "its user wants quiet no longer", self._person(sender).by)
        return Outcome(is_taken=True, words="Quiet." if wish else "You are told again.")

    def stranger(self, who: str, action: str) -> None:
        now = self.parts.desk.now_ms()
        while self._strangers and now - self._strangers[0] > PER:
            self._strangers.popleft()
        if len(self._strangers) < MOST_STRANGERS:
            self._strangers.append(now)
            text = f"somebody who is not connected tried something on {self.title}: {plain_line(action, LONGEST)}"
            self._note(text, f"stranger:{plain_line(who, 60)}")

    def _screen(self) -> Screen:
        return screen_of(self.surface)

    def _person(self, sender: Sender) -> Person:
        return Person(f"person:{self.title}", self.surface, self.scope, plain_line(sender.id, LONGEST))

    def _too_little(self, action: str) -> str:
        return f"{action} needs the scope “{Scope.INSTRUCT.word}”, and {self.title} has “{self.scope.word}”."

    @property
    def scope(self) -> Scope:
        return scope_of(self.parts.policy, self.surface)

    def _note(self, text: str, by: str) -> None:
        self.parts.recorder.note(text, by)


@dataclass(frozen=True, slots=True)
class Inboxes:
    """What the inboxes of all surfaces work with."""

    policy: SettingsInForce
    desk: Desk
    shown_asks: ShownAsks
    live: Live
    queues: Queues
    presence: PresenceTracker
    recorder: Recording

    def open(self, surface: str) -> Inbox:
        return Inbox(surface, SURFACES[surface].title, self)


def scope_of(policy: SettingsInForce, surface: str) -> Scope:
    """How much people may do there: never what is for the desk alone. A word that is none permits nothing."""
    word = policy.config.surface.get(surface, {}).get("scope", DEFAULT_SCOPE.word)
    return SCOPES.get(word, Scope.WATCH) if isinstance(word, str) else Scope.WATCH


def _late(ask: ShownAsk | None) -> str:
    if ask is not None and ask.answer is not None:
        return f"Too late: {said(ask.answer)}."
    if ask is not None and is_waiting(ask):
        return "Another answer came first."
    return "Too late: this does not wait for an answer any more."
