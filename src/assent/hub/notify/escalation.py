"""Escalation of open asks: from the page to further surfaces, and withdrawn everywhere once over. No agent waits
for anything here."""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from assent.asks import escalation
from assent.asks.flood import Burst, Bursts
from assent.config import Presence as Settings
from assent.hub.notify.follower import Followed, Follower
from assent.hub.notify.message import AskMessage, Message, push_draft
from assent.hub.notify.turn_notices import TurnNotices
from assent.protocol.bodies import PushBody
from assent.protocol.card import Peril, ShownAsk, Subject, View
from assent.protocol.record import Draft
from assent.surfaces.base import Audience, Ref
from assent.text import wording

log = logging.getLogger("assent.hub")

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
    # It was being sent, and whether it arrived is unknown.
    is_due: bool = False
    over: str = ""
    over_at: int = 0


class _Kept(Struct, frozen=True, omit_defaults=True):
    """What the next life has to know: how far each ask has climbed, and what is seen where."""

    steps: dict[str, list[str]] = {}
    seen: list[_Seen] = []


@dataclass(slots=True, eq=False)
class _FollowedAsk(Followed):
    ask: ShownAsk
    lines: dict[str, AskMessage] = field(default_factory=dict)

    def draft(self, push: PushBody, at: int) -> Draft:
        return push_draft(self.ask, push, at)


@dataclass(slots=True)
class Escalation(Follower):
    bursts: Bursts = field(default_factory=Bursts)
    # Told that a person is asked whether a turn may end.
    turn_notices: TurnNotices | None = None
    _followed: dict[str, _FollowedAsk] = field(default_factory=dict)
    # One message for all asks of a burst, by session and surface.
    _bursting: dict[tuple[str, str], AskMessage] = field(default_factory=dict)
    # Over, and perhaps still seen somewhere.
    _ending: set[AskMessage] = field(default_factory=set)
    _earlier: _Kept = field(default_factory=_Kept)
    _unknown: set[str] = field(default_factory=set)
    # Why surfaces cannot be used, so that it is not said beside every ask.
    _troubles: dict[str, str] = field(default_factory=dict)

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
                line = self._line(seen.surface, _gone(seen.ask), refs=seen.refs, over_at=seen.over_at)
                self._end([line], seen.over or _OVER)
        self._earlier = _Kept()

    def changed(self, ask: ShownAsk) -> None:
        """An ask opened, changed or ended. Returns at once."""
        if not self._is_closed:
            asyncio.get_running_loop().call_soon(self._changed, ask)

    def on_presence(self, session: str) -> None:
        """Presence or reachability has changed; perhaps for one session only."""
        for followed in list(self._followed.values()):
            if session in ("", followed.ask.subject.session):
                self._look(followed)
        self.delivery.look_again()

    def next_push(self, session: str = "") -> int | None:
        """When an ask of this session, or of any, is shown elsewhere unless something holds it back; None if nothing
        is known to come."""
        times = [
            self._next(followed)
            for followed in self._followed.values()
            if session in ("", followed.ask.subject.session)
        ]
        return min((at for at in times if at is not None), default=None)

    def _next(self, followed: _FollowedAsk) -> int | None:
        ask = followed.ask
        settings = self._settings(ask.subject.project or ask.subject.folder)
        if not self._can_reach(ask, settings):
            return None
        plan = escalation.plan(ask, self.presence, settings, followed.taken, self.clock())
        return None if plan.withheld else plan.look_at

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
        surfaces = (self.surfaces.get(step.surface) for step in settings.ladder_of(ask.risk.level))
        return any(surface is not None and not surface.trouble for surface in surfaces)

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
            if ask.kind == "stop" and self.turn_notices is not None:
                self.turn_notices.asked(ask.subject.session)
            burst = self.bursts.came(ask.subject.session, ask.id, ask.opened_at)
            if burst is not None:
                self._gather(burst, ask)
        followed.ask = ask
        for line in followed.lines.values():
            line.ask = ask
            self.delivery.see_to(line)
        self._look(followed)

    def _recalled(self, ask: ShownAsk) -> _FollowedAsk:
        followed = _FollowedAsk(ask, taken=set(self._earlier.steps.get(ask.id, ())))
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

    def _line(self, surface: str, ask: ShownAsk, **fields: Any) -> AskMessage:
        return AskMessage(surface=surface, ask=ask, moved=self._save, **fields)

    def _let_go(self, ask: ShownAsk) -> None:
        followed = self._followed.pop(ask.id, None)
        if followed is None:
            return
        followed.stop()
        lines, session = [*followed.lines.values()], ask.subject.session
        if not any(other.ask.subject.session == session for other in self._followed.values()):
            lines += [self._bursting.pop(key) for key in list(self._bursting) if key[0] == session]
        self._end(lines, ended(ask))

    def _end(self, messages: Iterable[Message], why: str) -> None:
        messages = list(messages)
        self._ending.update(message for message in messages if isinstance(message, AskMessage))
        super(Escalation, self)._end(messages, why)

    def _look(self, followed: Followed) -> None:
        assert isinstance(followed, _FollowedAsk)
        followed.stop()
        ask = followed.ask
        settings = self._settings(ask.subject.project or ask.subject.folder)
        plan = escalation.plan(ask, self.presence, settings, followed.taken, self.clock())
        # One that is not connected may be while the ask still waits, so that step is not taken yet.
        self._climb(followed, plan, is_patient=True)
        for held in plan.withheld:
            name = held.rung.surface
            if followed.withheld.get(name) != held.kind and self._is_usable(followed, name):
                self._withhold(followed, name, held.kind, held.why)

    def _is_usable(self, followed: Followed, name: str) -> bool:
        assert isinstance(followed, _FollowedAsk)
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
        if is_news or self._reaches_nobody(followed.ask):
            self._withhold(followed, name, surface.trouble, surface.trouble)
        return False

    def _reaches_nobody(self, ask: ShownAsk) -> bool:
        """Whether the user is away and no surface would tell them: shown beside each such ask."""
        settings = self._settings(ask.subject.project or ask.subject.folder)
        return self.presence.is_away(self.clock()) and not self._can_reach(ask, settings)

    def _show(self, followed: Followed, name: str) -> None:
        assert isinstance(followed, _FollowedAsk)
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
    """How it ended, in a few words for a person who was about to answer."""
    if ask.answer is not None:
        who = ask.answer.by.removeprefix("person:")
        return f"{wording.said(ask.answer.choice)} ({who})" if who else wording.said(ask.answer.choice)
    return wording.begun(wording.ENDINGS[ask.result.ending].word) if ask.result else _OVER


def _gone(name: str) -> ShownAsk:
    """An ask of which only the name is left."""
    return ShownAsk(name, 0, "", "permission", "closed", 0, View(""), Subject(""), Peril(""))
