"""Notices of turns that ended unseen: on the same surfaces as asks, once, and not if the session went on."""

import logging
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from assent.asks import escalation
from assent.asks.finished_turns import Ended, Turns
from assent.hub.notify.follower import Followed, Follower
from assent.hub.notify.message import DAY, NoticeMessage, can_notify, notice_draft
from assent.hub.recorder import Live
from assent.protocol.bodies import PushBody
from assent.protocol.record import Draft, Record
from assent.surfaces.base import Notice, Ref

log = logging.getLogger("assent.hub")

# Within this time it shows whether a turn is over: a person may be asked about it, or an instruction keeps it going.
SETTLE = 2.0
MOST = 500
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
class _Waiting(Followed):
    notice: Notice
    is_settled: bool = False

    def draft(self, push: PushBody, at: int) -> Draft:
        return notice_draft(self.notice, push, at)


@dataclass(slots=True, kw_only=True)
class TurnNotices(Follower):
    live: Live
    settle: float = SETTLE
    turns: Turns = field(default_factory=Turns)
    # Those whose time has not come, by session.
    _waiting: dict[str, _Waiting] = field(default_factory=dict)
    _lines: list[NoticeMessage] = field(default_factory=list)

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
            self._lines.append(NoticeMessage(moved=self._save, **fields))
            self.delivery.see_to(self._lines[-1])
        for notice, taken in kept.waiting:
            self._wait(_Waiting(notice, taken=set(taken)))

    def on_signal(self, record: Record) -> None:
        """An event of a session, or that its process is gone."""
        if not self._is_closed and record.session is not None:
            self._heard(record.session, record)

    def asked(self, session: str) -> None:
        """A person is asked whether the turn may end: that tells them."""
        self.turns.told(session)
        self._drop(session)

    def on_presence(self, session: str) -> None:  # noqa: ARG002 - every turn is looked at
        """What has just ended is looked at in a moment anyway."""
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
        session = self.live.sessions.get(ended.session)
        if session is None or session.attended is False:
            return
        project = session.project or session.cwd
        if self._settings(project).finished == "never":
            return
        self._drop(ended.session)
        self._wait(_Waiting(Notice(ended.session, ended.what, ended.at, project, session.title, ended.text)))
        self._save()

    def _wait(self, waiting: _Waiting) -> None:
        self._waiting[waiting.notice.session] = waiting
        self._look_in(waiting, self.settle)

    def _look(self, followed: Followed) -> None:
        assert isinstance(followed, _Waiting)
        try:
            followed.stop()
            followed.is_settled = True
            self._act(followed)
        except Exception:
            log.exception("a turn that ended could not be told of")
        self._save()

    def _act(self, waiting: _Waiting) -> None:
        notice, now = waiting.notice, self.clock()
        session, settings = self.live.sessions.get(notice.session), self._settings(notice.project)
        is_at_rest = session and (session.state == "vanished" or (session.is_live and session.turn == "idle"))
        if not is_at_rest or now > notice.at + DAY:
            # It goes on, so it did not end.
            self._drop(notice.session)
            return
        is_wanted = settings.finished == "always" or (settings.finished == "away" and self.presence.is_away(now))
        plan = escalation.plan_of_end(notice.session, notice.at, self.presence, settings, waiting.taken, now)
        held = [one for one in plan.withheld if self._is_usable(waiting, one.rung.surface)] if is_wanted else []
        for one in held:
            self._withhold(waiting, one.rung.surface, one.kind, one.why)
        if not is_wanted or any(one.kind == "focused" for one in held):
            # They were there, and saw it.
            self.asked(notice.session)
        elif self._climb(waiting, plan, is_patient=False) is None:
            self._drop(notice.session)

    def _is_usable(self, followed: Followed, name: str) -> bool:  # noqa: ARG002 - as every follower
        surface = self.surfaces.get(name)
        return surface is not None and can_notify(surface) and not surface.trouble

    def _show(self, followed: Followed, name: str) -> None:
        assert isinstance(followed, _Waiting)
        self.turns.told(followed.notice.session)
        line = NoticeMessage(surface=name, notice=followed.notice, is_due=True, moved=self._save)
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
        lines = [line for line in self._lines if line.notice.session == session and not line.over]
        if lines:
            self._end(lines, why)

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
