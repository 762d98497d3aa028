"""Tells people of turns that ended while nobody looked: by the same surfaces as asks, once, and not if they went on."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from assent.asks import ladder
from assent.asks.presence import Presence
from assent.asks.turns import Ended, Turns
from assent.config import Presence as Settings
from assent.hub.delivery import Delivery
from assent.hub.lines import DAY, NoticeLine, can_notify, notice_draft
from assent.hub.saved import Saved
from assent.protocol.bodies import PushBody
from assent.protocol.record import Draft, Record
from assent.surfaces.base import Notice, Ref, Surface
from assent.views.sessions import Session

log = logging.getLogger("assent.hub")

# Within this time it shows whether a turn is over: a person may be asked about it, or an instruction keeps it going.
SETTLE = 2.0
MOST = 500
_AT_REST = frozenset({"idle", "vanished"})
_WENT_ON = "You went on"
_SESSION_OVER = "The session is over"


class _KeptLine(Struct, frozen=True, omit_defaults=True):
    notice: Notice
    surface: str
    refs: list[Ref] = []
    is_due: bool = False
    over: str = ""
    over_at: int = 0


class _Kept(Struct, frozen=True, omit_defaults=True):
    """What the next life has to know."""

    waiting: list[tuple[Notice, list[str]]] = []
    lines: list[_KeptLine] = []


@dataclass(slots=True, eq=False)
class _Waiting:
    notice: Notice
    taken: set[str] = field(default_factory=set)
    # Why a surface was not told, so that it goes on record once.
    withheld: dict[str, str] = field(default_factory=dict)
    is_settled: bool = False
    timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


@dataclass(slots=True)
class Notices:
    surfaces: Mapping[str, Surface]
    presence: Presence
    # What holds in a project's folder.
    settings: Callable[[str], Settings]
    session: Callable[[str], Session | None]
    delivery: Delivery
    record: Callable[[Sequence[Draft]], object]
    saved: Saved
    clock: Callable[[], int]
    settle: float = SETTLE
    turns: Turns = field(default_factory=Turns)
    # Those whose time has not come, by session.
    _waiting: dict[str, _Waiting] = field(default_factory=dict)
    _lines: list[NoticeLine] = field(default_factory=list)
    _is_closed: bool = False

    def start(self) -> None:
        """Go on where an earlier life of the hub stopped."""
        content = self.saved.read()
        try:
            kept = msgspec.json.decode(content, type=_Kept) if content else _Kept()
        except msgspec.DecodeError as error:
            log.warning("which turns were told of cannot be read: %s", error)
            return
        for each in kept.lines:
            fields = {name: getattr(each, name) for name in each.__struct_fields__}
            self._lines.append(NoticeLine(moved=self._save, **fields))
            self.delivery.see_to(self._lines[-1])
        for notice, taken in kept.waiting:
            self._wait(_Waiting(notice, set(taken)))

    def heard(self, record: Record) -> None:
        """An event of a session, or that its process is gone. Whatever breaks here, the record of events goes on."""
        try:
            if not self._is_closed and record.session is not None:
                self._heard(record.session, record)
        except Exception:
            log.exception("the end of a turn could not be noted")

    def asked(self, session: str) -> None:
        """A person is asked whether the turn may end: that tells them."""
        self.turns.told(session)
        self._drop(session)

    def look_again(self) -> None:
        """Somebody came, went or wants quiet. What has just ended is looked at in a moment anyway."""
        for waiting in list(self._waiting.values()):
            if waiting.is_settled:
                self._look(waiting)

    async def close(self) -> None:
        self._is_closed = True
        for waiting in self._waiting.values():
            waiting.stop()
        self._save()
        await self.saved.flush()

    def _heard(self, session: str, record: Record) -> None:
        name = record.body.get("event")
        ended = self.turns.heard(record)
        if name == "SessionEnd":
            self._over(session, _SESSION_OVER)
        elif name == "UserPromptSubmit":
            self._drop(session)
            if self.turns.is_owed(session):
                self._over(session, _WENT_ON)
        if ended is not None:
            self._begin(ended)

    def _begin(self, ended: Ended) -> None:
        session = self.session(ended.session)
        if session is None or session.attended is False:
            return
        project = session.project or session.cwd
        if self.settings(project).finished == "never":
            return
        self._drop(ended.session)
        self._wait(_Waiting(Notice(ended.session, ended.what, ended.at, project, session.title, ended.text)))
        self._save()

    def _wait(self, waiting: _Waiting) -> None:
        self._waiting[waiting.notice.session] = waiting
        waiting.timer = asyncio.get_running_loop().call_later(self.settle, self._look, waiting)

    def _look(self, waiting: _Waiting) -> None:
        try:
            waiting.stop()
            waiting.is_settled = True
            self._act(waiting)
        except Exception:
            log.exception("a turn that ended could not be told of")
        self._save()

    def _act(self, waiting: _Waiting) -> None:
        notice, now = waiting.notice, self.clock()
        session, settings = self.session(notice.session), self.settings(notice.project)
        if session is None or session.state not in _AT_REST or now > notice.at + DAY:
            # It goes on, so it did not end.
            self._drop(notice.session)
            return
        is_wanted = settings.finished == "always" or (settings.finished == "away" and self.presence.is_away(now))
        plan = ladder.plan_of_end(notice.session, notice.at, self.presence, settings, waiting.taken, now)
        held = [one for one in plan.withheld if self._is_usable(one.rung.surface)] if is_wanted else []
        for one in held:
            if waiting.withheld.get(one.rung.surface) != one.kind:
                waiting.withheld[one.rung.surface] = one.kind
                said = PushBody(one.rung.surface, sent=False, why=one.why)
                self.record([notice_draft(notice, said, now)])
        if not is_wanted or any(one.kind == "focused" for one in held):
            # They were there, and saw it.
            self.asked(notice.session)
            return
        for rung in plan.due:
            waiting.taken.add(rung.key)
            if self._is_usable(rung.surface):
                self._tell(notice, rung.surface)
        if plan.look_at is None:
            self._drop(notice.session)
        else:
            seconds = max(0.05, (plan.look_at - now) / 1_000)
            waiting.timer = asyncio.get_running_loop().call_later(seconds, self._look, waiting)

    def _is_usable(self, name: str) -> bool:
        surface = self.surfaces.get(name)
        return surface is not None and can_notify(surface) and not surface.trouble

    def _tell(self, notice: Notice, surface: str) -> None:
        self.turns.told(notice.session)
        line = NoticeLine(surface=surface, notice=notice, is_due=True, moved=self._save)
        self._lines = [*self._lines, line][-MOST:]
        self.delivery.see_to(line)

    def _drop(self, session: str) -> None:
        waiting = self._waiting.pop(session, None)
        if waiting is not None:
            waiting.stop()
            self._save()

    def _over(self, session: str, why: str) -> None:
        """What was told is taken back, and what was not is not."""
        self._drop(session)
        for line in self._lines:
            if line.notice.session == session and not line.over:
                line.over, line.over_at = why, self.clock()
                self.delivery.see_to(line)
                self._save()

    def _save(self) -> None:
        now = self.clock()
        self._lines = [
            line
            for line in self._lines
            if line.task is not None or (not line.is_too_late(now) and (line.refs or (line.is_due and not line.over)))
        ]
        lines = [
            _KeptLine(line.notice, line.surface, line.refs, line.is_due, line.over, line.over_at)
            for line in self._lines
        ]
        waiting = [(one.notice, sorted(one.taken)) for one in self._waiting.values()]
        self.saved.put(msgspec.json.encode(_Kept(waiting, lines)))
