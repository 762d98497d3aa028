"""How people come in through a surface: in its name, with the scope its settings give them, and always on record."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from assent.asks import choices
from assent.asks.desk import Desk
from assent.asks.held import Person, RefusedError
from assent.asks.presence import morning
from assent.asks.queue import QueueError
from assent.hub.live import Live
from assent.hub.queueing import told_now
from assent.hub.queues import Queues
from assent.hub.shown import Showing
from assent.hub.whereabouts import Whereabouts
from assent.protocol.card import AnswerRequest, ShownAsk
from assent.protocol.record import Draft
from assent.protocol.scope import Scope
from assent.surfaces.inbox import Outcome, Sender
from assent.views.line import inert
from assent.views.sessions import Session
from assent.words.state import is_waiting, said

# Whoever knocks all day is not written down all day.
MOST_STRANGERS = 10
PER = 3_600_000
LONGEST = 200


@dataclass(slots=True)
class Doorway:
    """The inbox of one surface."""

    surface: str
    title: str
    # How much people may do here, by its settings.
    scope: Callable[[], Scope]
    desk: Desk
    showing: Showing
    live: Callable[[], Live]
    queues: Queues
    whereabouts: Callable[[], Whereabouts]
    record: Callable[[Sequence[Draft]], object]
    _strangers: deque[int] = field(default_factory=deque)

    async def answer(self, sender: Sender, ask: str, said: AnswerRequest) -> Outcome:
        try:
            await self.desk.answer(ask, said, self._person(sender))
        except RefusedError as error:
            now = self.ask(ask)
            return Outcome(is_taken=False, words=_late(now) if error.code == "too-late" else error.why, ask=now)
        return Outcome(is_taken=True, words="Taken.", ask=self.ask(ask))

    def ask(self, name: str) -> ShownAsk | None:
        found = self.live().asks.by_id.get(name)
        return None if found is None else self.showing.shown(found, self.scope(), self._screen())

    def asks(self) -> list[ShownAsk]:
        waiting = [self.showing.shown(ask, self.scope(), self._screen()) for ask in self.live().asks.waiting]
        return sorted(waiting, key=lambda ask: (ask.opened_at, ask.id))

    def sessions(self) -> list[Session]:
        return sorted(self.live().sessions.values(), key=lambda session: session.last, reverse=True)

    async def queue(self, sender: Sender, session: str, text: str) -> Outcome:
        if self.scope() < Scope.INSTRUCT:
            return Outcome(is_taken=False, words=self._too_little("An instruction"))
        if session not in self.live().sessions:
            return Outcome(is_taken=False, words="There is no such session.")
        person = self._person(sender)
        try:
            if await told_now(self.desk, session, text, "stop", person):
                return Outcome(is_taken=True, words="It was waiting for this, and goes on.")
            self.queues.add(session, text, by=person.by)
        except QueueError as error:
            return Outcome(is_taken=False, words=error.message)
        except OSError as error:
            return Outcome(is_taken=False, words=f"It cannot be written down ({error.strerror}), so it was not queued.")
        return Outcome(is_taken=True, words="Queued: it is told when it next stops.")

    async def quiet(self, sender: Sender, wish: float | Literal["morning"]) -> Outcome:
        if self.scope() < Scope.INSTRUCT:
            return Outcome(is_taken=False, words=self._too_little("Quiet"))
        where = self.whereabouts()
        now = where.clock()
        until = morning(now, where.settings().quiet) if wish == "morning" else now + int(wish * 1_000) if wish else None
        where.be_quiet(until)
        self._note("its user wants quiet" if wish else "its user wants quiet no longer", self._person(sender).by)
        return Outcome(is_taken=True, words="Quiet." if wish else "You are told again.")

    def stranger(self, who: str, what: str) -> None:
        now = self.desk.now_ms()
        while self._strangers and now - self._strangers[0] > PER:
            self._strangers.popleft()
        if len(self._strangers) < MOST_STRANGERS:
            self._strangers.append(now)
            told = f"somebody who is not connected tried something on {self.title}: {inert(what, LONGEST)}"
            self._note(told, f"stranger:{inert(who, 60)}")

    def _screen(self) -> choices.Screen:
        return choices.SCREENS.get(self.surface, "glance")

    def _person(self, sender: Sender) -> Person:
        return Person(f"person:{self.title}", self.surface, self.scope(), inert(sender.id, LONGEST))

    def _too_little(self, what: str) -> str:
        return f"{what} needs the scope “{Scope.INSTRUCT.word}”, and {self.title} has “{self.scope().word}”."

    def _note(self, what: str, by: str) -> None:
        body: dict[str, Any] = {"what": what}
        self.record([Draft(at=self.desk.now_ms(), kind="hub", by=by, body=body)])


def _late(ask: ShownAsk | None) -> str:
    if ask is not None and ask.answer is not None:
        return f"Too late: {said(ask.answer)}."
    if ask is not None and is_waiting(ask):
        return "Another answer came first."
    return "Too late: this does not wait for an answer any more."
