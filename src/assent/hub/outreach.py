"""Follows every ask that waits for a person up the ladder, from the page to whatever else they look at, and takes it
back everywhere once it is over. No agent waits for anything here."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from assent.asks import ladder
from assent.asks.bursts import Burst, Bursts
from assent.asks.presence import Presence
from assent.config import Presence as Settings
from assent.hub.delivery import Delivery, Line
from assent.hub.saved import Saved
from assent.protocol import bodies
from assent.protocol.bodies import PushBody
from assent.protocol.card import Peril, ShownAsk, Subject, View
from assent.protocol.record import Draft
from assent.surfaces.base import Audience, Ref, Surface
from assent.views.words import CHOICES, ENDINGS

log = logging.getLogger("assent.hub")

WAITING = frozenset({"open", "doubtful"})
_ONE_OF_MANY = "One of many at once"
_OVER = "No longer waiting"


class _Seen(Struct, frozen=True, omit_defaults=True):
    """Where an ask is seen."""

    ask: str
    surface: str
    refs: list[Ref] = []
    told: str = ""
    # It was being sent, and nobody knows whether it arrived.
    is_due: bool = False


class _Kept(Struct, frozen=True, omit_defaults=True):
    """What the next life has to know: how far each ask has climbed, and what is seen where."""

    taken: dict[str, list[int]] = {}
    seen: list[_Seen] = []


@dataclass(slots=True, eq=False)
class _Followed:
    ask: ShownAsk
    taken: set[int] = field(default_factory=set)
    lines: dict[str, Line] = field(default_factory=dict)
    # Why a surface was not told, so that it goes on record once.
    withheld: dict[str, str] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


@dataclass(slots=True)
class Outreach:
    surfaces: Mapping[str, Surface]
    presence: Presence
    # What holds in a project's folder.
    settings: Callable[[str], Settings]
    record: Callable[[Sequence[Draft]], object]
    saved: Saved
    clock: Callable[[], int]
    bursts: Bursts = field(default_factory=Bursts)
    delivery: Delivery = field(init=False)
    _followed: dict[str, _Followed] = field(default_factory=dict)
    # One message for all asks of a burst, by session and surface.
    _bursting: dict[tuple[str, str], Line] = field(default_factory=dict)
    # Over, and perhaps still seen somewhere.
    _ending: set[Line] = field(default_factory=set)
    _earlier: _Kept = field(default_factory=_Kept)
    _unknown: set[str] = field(default_factory=set)
    _is_closed: bool = False

    def __post_init__(self) -> None:
        self.delivery = Delivery(self._report, self._save)

    def start(self, waiting: Iterable[ShownAsk]) -> None:
        """Go on where an earlier life of the hub stopped: what is over by now is taken back."""
        content = self.saved.read()
        try:
            self._earlier = msgspec.json.decode(content, type=_Kept) if content else _Kept()
        except msgspec.DecodeError as error:
            log.warning("what was shown before cannot be read: %s", error)
        for ask in waiting:
            self._changed(ask)
        over = [seen for seen in self._earlier.seen if seen.ask not in self._followed and seen.surface in self.surfaces]
        self._end([Line(self.surfaces[seen.surface], _gone(seen.ask), refs=seen.refs) for seen in over], _OVER)
        self._earlier = _Kept()

    def changed(self, ask: ShownAsk) -> None:
        """An ask opened, changed or ended. Returns at once."""
        if not self._is_closed:
            asyncio.get_running_loop().call_soon(self._changed, ask)

    def look_again(self, session: str = "") -> None:
        """Somebody came, went, wants quiet, or can be reached in another way; perhaps at one session only."""
        for followed in list(self._followed.values()):
            if session in ("", followed.ask.subject.session):
                self._look(followed)

    def next_push(self, session: str = "") -> int | None:
        """When an ask of this session, or of any, is shown elsewhere unless something holds it back; None if nothing
        is known to come."""
        found = [
            self._next(followed)
            for followed in self._followed.values()
            if session in ("", followed.ask.subject.session)
        ]
        return min((at for at in found if at is not None), default=None)

    def _next(self, followed: _Followed) -> int | None:
        ask = followed.ask
        settings = self.settings(ask.subject.project or ask.subject.folder)
        steps = {step.surface for step in settings.ladder if step.surface in self.surfaces}
        if not any(not self.surfaces[name].trouble for name in steps):
            return None
        plan = ladder.plan(ask, self.presence, settings, followed.taken, self.clock())
        return None if plan.withheld else plan.look_at

    def is_burst(self, session: str) -> bool:
        """Whether an ask of this session now is one of too many."""
        return self.bursts.is_next(session, self.clock())

    async def close(self) -> None:
        """What is shown stays shown: the next life goes on with it."""
        self._is_closed = True
        for followed in self._followed.values():
            followed.stop()
        await self.delivery.close()
        self._save()
        await self.saved.flush()
        for surface in self.surfaces.values():
            await surface.close()

    def _changed(self, ask: ShownAsk) -> None:
        try:
            if ask.state in WAITING:
                self._follow(ask)
            else:
                self._let_go(ask)
        except Exception:
            log.exception("an ask could not be followed")

    def _follow(self, ask: ShownAsk) -> None:
        followed = self._followed.get(ask.id)
        if followed is None:
            followed = self._followed[ask.id] = self._recalled(ask)
            burst = self.bursts.came(ask.subject.session, ask.id, ask.opened_at)
            if burst is not None:
                self._gather(burst, ask)
        followed.ask = ask
        for line in followed.lines.values():
            line.ask = ask
            self.delivery.see_to(line)
        self._look(followed)

    def _recalled(self, ask: ShownAsk) -> _Followed:
        followed = _Followed(ask, set(self._earlier.taken.get(ask.id, ())))
        for seen in self._earlier.seen:
            if seen.ask == ask.id and seen.surface in self.surfaces:
                followed.lines[seen.surface] = Line(
                    self.surfaces[seen.surface], ask, refs=seen.refs, told=seen.told, is_due=seen.is_due
                )
        return followed

    def _let_go(self, ask: ShownAsk) -> None:
        followed = self._followed.pop(ask.id, None)
        if followed is None:
            return
        followed.stop()
        lines, session = [*followed.lines.values()], ask.subject.session
        if not any(other.ask.subject.session == session for other in self._followed.values()):
            lines += [self._bursting.pop(key) for key in list(self._bursting) if key[0] == session]
        self._end(lines, ended(ask))

    def _end(self, lines: Iterable[Line], why: str) -> None:
        for line in lines:
            line.over = why
            self._ending.add(line)
            self.delivery.see_to(line)
        self._save()

    def _look(self, followed: _Followed) -> None:
        ask, now = followed.ask, self.clock()
        followed.stop()
        settings = self.settings(ask.subject.project or ask.subject.folder)
        plan = ladder.plan(ask, self.presence, settings, followed.taken, now)
        for rung in plan.due:
            # One that is not connected may be while the ask still waits, so that step is not taken yet.
            if self._is_connected(followed, rung.surface):
                followed.taken.update(n for n in plan.passed if settings.ladder[n].surface == rung.surface)
                self._climb(followed, rung.surface)
        for held in plan.withheld:
            name = held.rung.surface
            if followed.withheld.get(name) != held.kind and self._is_connected(followed, name):
                followed.withheld[name] = held.kind
                self._put_on_record(ask, PushBody(name, sent=False, why=held.why))
        if plan.look_at is not None:
            seconds = max(0.05, (plan.look_at - now) / 1_000)
            followed.timer = asyncio.get_running_loop().call_later(seconds, self._look, followed)

    def _is_connected(self, followed: _Followed, name: str) -> bool:
        surface = self.surfaces.get(name)
        if surface is None:
            if name not in self._unknown:
                self._unknown.add(name)
                log.info("the ladder names %s, which is not connected: nothing is sent there", name)
            return False
        if surface.trouble and followed.withheld.get(name) != surface.trouble:
            followed.withheld[name] = surface.trouble
            self._put_on_record(followed.ask, PushBody(name, sent=False, why=surface.trouble))
        return not surface.trouble

    def _climb(self, followed: _Followed, name: str) -> None:
        ask = followed.ask
        burst = self.bursts.of(ask.subject.session)
        if burst is not None and ask.id in burst.asks:
            self._show_many(burst, ask, name)
            return
        line = followed.lines.get(name)
        if line is None:
            line = followed.lines[name] = Line(self.surfaces[name], ask)
        line.audience = Audience(is_reminder=bool(line.told))
        line.is_due = True
        self.delivery.see_to(line)

    def _show_many(self, burst: Burst, ask: ShownAsk, name: str) -> None:
        line = self._bursting.get((burst.session, name))
        if line is None:
            line = self._bursting[burst.session, name] = Line(self.surfaces[name], ask, is_due=True)
        line.ask, line.audience = ask, Audience(gist=burst.words)
        self.delivery.see_to(line)

    def _gather(self, burst: Burst, ask: ShownAsk) -> None:
        """One message for all of them takes the place of those that were sent."""
        for name in burst.asks:
            followed = self._followed.get(name)
            if followed is None or not followed.lines:
                continue
            lines, followed.lines = followed.lines, {}
            self._end(lines.values(), _ONE_OF_MANY)
            for surface in lines:
                self._show_many(burst, ask, surface)
        for session, surface in self._bursting:
            if session == burst.session:
                self._show_many(burst, ask, surface)

    def _report(self, line: Line, said: PushBody) -> None:
        self._put_on_record(line.ask, said)

    def _put_on_record(self, ask: ShownAsk, said: PushBody) -> None:
        draft = Draft(
            at=self.clock(),
            kind="push",
            session=ask.subject.session or None,
            agent=ask.subject.agent or None,
            call=ask.call or None,
            ask=ask.id,
            risk=ask.risk.level or None,
            by="hub:ladder",
            body=bodies.body(said),
        )
        self.record([draft])

    def _save(self) -> None:
        self._ending = {line for line in self._ending if line.refs or line.task is not None}
        shown = [line for followed in self._followed.values() for line in followed.lines.values()]
        many = [(f"burst of {session}", line) for (session, _), line in self._bursting.items()]
        lines = [*((line.ask.id, line) for line in (*shown, *self._ending)), *many]
        kept = _Kept(
            {name: sorted(followed.taken) for name, followed in self._followed.items() if followed.taken},
            [
                _Seen(name, line.surface.name, line.refs, line.told, line.is_due)
                for name, line in lines
                if line.refs or (line.is_due and not line.over)
            ],
        )
        self.saved.put(msgspec.json.encode(kept))


def ended(ask: ShownAsk) -> str:
    """How it ended, in a few words for somebody who was about to answer."""
    if ask.answer is not None:
        who = ask.answer.by.removeprefix("person:")
        return f"{CHOICES[ask.answer.choice].capitalize()} ({who})" if who else CHOICES[ask.answer.choice].capitalize()
    return ENDINGS[ask.result.ending].capitalize() if ask.result else _OVER


def _gone(name: str) -> ShownAsk:
    """An ask of which only the name is left."""
    return ShownAsk(name, 0, "", "permission", "closed", 0, View(""), Subject(""), Peril(""))
