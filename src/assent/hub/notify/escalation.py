"""Follows every ask that waits for a person up the ladder, from the page to whatever else they look at, and takes it
back everywhere once it is over. No agent waits for anything here."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from assent.asks import ladder
from assent.asks.bursts import Burst, Bursts
from assent.asks.presence import Presence
from assent.config import Presence as Settings
from assent.hub.delivery import Delivery
from assent.hub.lines import AskLine, Line, push_draft
from assent.hub.saved import Saved
from assent.protocol.bodies import PushBody
from assent.protocol.card import Peril, ShownAsk, Subject, View
from assent.protocol.record import Draft
from assent.surfaces.base import Audience, Ref, Surface
from assent.views.words import CHOICES, ENDINGS

log = logging.getLogger("assent.hub")

# A surface in trouble is looked at again after so many milliseconds.
TROUBLE_LASTS = 30_000
WAITING = frozenset({"open", "doubtful"})
_ONE_OF_MANY = "One of many at once"
_OVER = "No longer waiting"
# Begins what a message for many asks is called in the file; a session's name follows.
_BURST = "burst of "


class _Seen(Struct, frozen=True, omit_defaults=True):
    """Where an ask is seen, or still to be taken back."""

    ask: str
    surface: str
    refs: list[Ref] = []
    told: str = ""
    # It was being sent, and nobody knows whether it arrived.
    is_due: bool = False
    over: str = ""
    over_at: int = 0


class _Kept(Struct, frozen=True, omit_defaults=True):
    """What the next life has to know: how far each ask has climbed, and what is seen where."""

    steps: dict[str, list[str]] = {}
    seen: list[_Seen] = []


@dataclass(slots=True, eq=False)
class _Followed:
    ask: ShownAsk
    taken: set[str] = field(default_factory=set)
    lines: dict[str, AskLine] = field(default_factory=dict)
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
    # Told that a person is asked whether a turn of this session may end.
    turn_asked: Callable[[str], None] = lambda _: None
    delivery: Delivery = field(init=False)
    _followed: dict[str, _Followed] = field(default_factory=dict)
    # One message for all asks of a burst, by session and surface.
    _bursting: dict[tuple[str, str], AskLine] = field(default_factory=dict)
    # Over, and perhaps still seen somewhere.
    _ending: set[AskLine] = field(default_factory=set)
    _earlier: _Kept = field(default_factory=_Kept)
    _unknown: set[str] = field(default_factory=set)
    # Why surfaces cannot be used, so that it is not said beside every ask.
    _troubles: dict[str, str] = field(default_factory=dict)
    _is_closed: bool = False

    def __post_init__(self) -> None:
        self.delivery = Delivery(self.surfaces, self._report, self.clock)

    def start(self, waiting: Iterable[ShownAsk]) -> None:
        """Go on where an earlier life of the hub stopped: what is over by now is taken back."""
        content = self.saved.read()
        try:
            self._earlier = msgspec.json.decode(content, type=_Kept) if content else _Kept()
        except msgspec.DecodeError as error:
            log.warning("what was shown before cannot be read: %s", error)
        for ask in waiting:
            self._changed(ask)
        self._go_on_with_bursts()
        for seen in self._earlier.seen:
            if seen.over or not self._is_followed(seen):
                line = AskLine(surface=seen.surface, ask=_gone(seen.ask), refs=seen.refs, over_at=seen.over_at)
                self._end([line], seen.over or _OVER)
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
        self.delivery.look_again()

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
        if not self._can_reach(ask, settings):
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

    def _can_reach(self, ask: ShownAsk, settings: Settings) -> bool:
        """Whether the ladder names anything that can be used now."""
        found = (self.surfaces.get(step.surface) for step in settings.ladder_of(ask.risk.level))
        return any(surface is not None and not surface.trouble for surface in found)

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
            if ask.kind == "stop":
                self.turn_asked(ask.subject.session)
            burst = self.bursts.came(ask.subject.session, ask.id, ask.opened_at)
            if burst is not None:
                self._gather(burst, ask)
        followed.ask = ask
        for line in followed.lines.values():
            line.ask = ask
            self.delivery.see_to(line)
        self._look(followed)

    def _recalled(self, ask: ShownAsk) -> _Followed:
        followed = _Followed(ask, set(self._earlier.steps.get(ask.id, ())))
        for seen in self._earlier.seen:
            if seen.ask == ask.id and not seen.over:
                followed.lines[seen.surface] = self._line(
                    seen.surface, ask, refs=seen.refs, told=seen.told, is_due=seen.is_due
                )
        return followed

    def _go_on_with_bursts(self) -> None:
        """What stood for many asks still does, where they wait."""
        for seen in self._earlier.seen:
            session = seen.ask.removeprefix(_BURST)
            burst = self.bursts.of(session) if session != seen.ask and not seen.over else None
            asks = [self._followed[name].ask for name in burst.asks if name in self._followed] if burst else []
            if burst is not None and asks:
                audience = Audience(gist=burst.words)
                line = self._line(seen.surface, asks[-1], refs=seen.refs, told=seen.told, audience=audience)
                self._bursting[session, seen.surface] = line
                self.delivery.see_to(line)

    def _is_followed(self, seen: _Seen) -> bool:
        return seen.ask in self._followed or (seen.ask.removeprefix(_BURST), seen.surface) in self._bursting

    def _line(self, surface: str, ask: ShownAsk, **fields: Any) -> AskLine:
        return AskLine(surface=surface, ask=ask, moved=self._save, **fields)

    def _let_go(self, ask: ShownAsk) -> None:
        followed = self._followed.pop(ask.id, None)
        if followed is None:
            return
        followed.stop()
        lines, session = [*followed.lines.values()], ask.subject.session
        if not any(other.ask.subject.session == session for other in self._followed.values()):
            lines += [self._bursting.pop(key) for key in list(self._bursting) if key[0] == session]
        self._end(lines, ended(ask))

    def _end(self, lines: Iterable[AskLine], why: str) -> None:
        for line in lines:
            line.over, line.over_at, line.moved = why, line.over_at or self.clock(), self._save
            self._ending.add(line)
            self.delivery.see_to(line)
        self._save()

    def _look(self, followed: _Followed) -> None:
        ask, now = followed.ask, self.clock()
        followed.stop()
        settings = self.settings(ask.subject.project or ask.subject.folder)
        plan = ladder.plan(ask, self.presence, settings, followed.taken, now)
        looks = [] if plan.look_at is None else [plan.look_at]
        for rung in plan.due:
            # One that is not connected may be while the ask still waits, so that step is not taken yet.
            if self._is_connected(followed, rung.surface):
                followed.taken.update(passed.key for passed in plan.passed if passed.surface == rung.surface)
                self._climb(followed, rung.surface)
            elif rung.surface in self.surfaces:
                # Trouble passes without a word, such as a second program that read a bot's messages.
                looks.append(now + TROUBLE_LASTS)
        for held in plan.withheld:
            name = held.rung.surface
            if followed.withheld.get(name) != held.kind and self._is_connected(followed, name):
                followed.withheld[name] = held.kind
                self._put_on_record(ask, PushBody(name, sent=False, why=held.why))
        if looks:
            seconds = max(0.05, (min(looks) - now) / 1_000)
            followed.timer = asyncio.get_running_loop().call_later(seconds, self._look, followed)

    def _is_connected(self, followed: _Followed, name: str) -> bool:
        surface = self.surfaces.get(name)
        if surface is None:
            if name not in self._unknown:
                self._unknown.add(name)
                log.info("the ladder names %s, which is not connected: nothing is sent there", name)
            return False
        if not surface.trouble:
            self._troubles.pop(name, None)
            return True
        is_news = self._troubles.get(name) != surface.trouble
        self._troubles[name] = surface.trouble
        if followed.withheld.get(name) != surface.trouble and (is_news or self._reaches_nobody(followed.ask)):
            followed.withheld[name] = surface.trouble
            self._put_on_record(followed.ask, PushBody(name, sent=False, why=surface.trouble))
        return False

    def _reaches_nobody(self, ask: ShownAsk) -> bool:
        """Somebody is away, and nothing would tell them: that belongs beside every ask it is true of."""
        settings = self.settings(ask.subject.project or ask.subject.folder)
        return self.presence.is_away(self.clock()) and not self._can_reach(ask, settings)

    def _climb(self, followed: _Followed, name: str) -> None:
        ask = followed.ask
        burst = self.bursts.of(ask.subject.session)
        if burst is not None and ask.id in burst.asks:
            self._show_many(burst, ask, name)
            return
        line = followed.lines.get(name)
        if line is None:
            line = followed.lines[name] = self._line(name, ask)
        line.audience = Audience(is_reminder=bool(line.told))
        line.is_due = True
        self.delivery.see_to(line)

    def _show_many(self, burst: Burst, ask: ShownAsk, name: str) -> None:
        line = self._bursting.get((burst.session, name))
        if line is None:
            line = self._bursting[burst.session, name] = self._line(name, ask, is_due=True)
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
        self.record([line.draft(said, self.clock())])

    def _put_on_record(self, ask: ShownAsk, said: PushBody) -> None:
        self.record([push_draft(ask, said, self.clock())])

    def _save(self) -> None:
        self._ending = {line for line in self._ending if line.refs or line.task is not None}
        shown = [line for followed in self._followed.values() for line in followed.lines.values()]
        many = [(f"{_BURST}{session}", line) for (session, _), line in self._bursting.items()]
        lines = [*((line.ask.id, line) for line in (*shown, *self._ending)), *many]
        kept = _Kept(
            {name: sorted(followed.taken) for name, followed in self._followed.items() if followed.taken},
            [
                _Seen(name, line.surface, line.refs, line.told, line.is_due, line.over, line.over_at)
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
