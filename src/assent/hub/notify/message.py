"""Messages on surfaces: what should be seen there, what is, and what has to be done about the difference."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from msgspec.structs import replace

from assent.protocol import bodies
from assent.protocol.bodies import PushBody
from assent.protocol.card import ShownAsk
from assent.protocol.record import Draft
from assent.surfaces.base import Audience, GoneError, Notice, Ref, Surface

Step = Literal["show", "update", "withdraw"]

# So long it is tried to take back what is over, and to tell what has happened.
DAY = 86_400_000


@runtime_checkable
class _CanNotify(Protocol):
    async def notify(self, notice: Notice, audience: Audience) -> Ref: ...


def can_notify(surface: Surface) -> bool:
    return isinstance(surface, _CanNotify)


def told_of(ask: ShownAsk, audience: Audience) -> str:
    """What a message says, as far as a change of it is worth another one."""
    return f"{ask.rev}:{ask.hash}:{ask.state}:{audience.gist}"


@dataclass(slots=True, eq=False, kw_only=True)
class Message:
    """One message on one surface. The surface is known by its name: it may be made anew, or come back later."""

    surface: str
    refs: list[Ref] = field(default_factory=list)
    is_due: bool = False
    # Why it is of no use any more, and since when.
    over: str = ""
    over_at: int = 0
    # Told when something is seen elsewhere than before.
    moved: Callable[[], None] = lambda: None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    # When it was last changed, and last tried, on the loop's clock.
    touched: float = 0.0
    tried: float = 0.0

    @property
    def step(self) -> Step | None:
        """What has to be done next."""
        if self.over:
            return "withdraw" if self.refs else None
        if self.is_due:
            return "show"
        return "update" if self.refs and self._is_old() else None

    async def take(self, step: Step, surface: Surface) -> None:
        """Raises as surfaces do."""
        if step == "withdraw":
            while self.refs:
                await surface.withdraw(self.refs[-1], self.over)
                self.refs.pop()
        elif step == "update":
            await self._tell_again(surface)
        else:
            self.keep(await self._tell(surface))
            self.is_due = False

    def leave(self, step: Step) -> None:
        """It cannot be done; go on as if it was."""
        self.is_due = False
        if step == "withdraw":
            self.refs.clear()

    def keep(self, ref: Ref) -> None:
        self.refs = [*(earlier for earlier in self.refs if earlier.key != ref.key), ref]

    def is_too_late(self, now: int) -> bool:
        return bool(self.over) and now > self.over_at + DAY

    def draft(self, push: PushBody, at: int) -> Draft:
        """What goes on record about it."""
        raise NotImplementedError

    def _is_old(self) -> bool:
        return False

    async def _tell(self, surface: Surface) -> Ref:
        raise NotImplementedError

    async def _tell_again(self, surface: Surface) -> None:
        raise NotImplementedError


@dataclass(slots=True, eq=False, kw_only=True)
class AskMessage(Message):
    ask: ShownAsk
    audience: Audience = field(default_factory=Audience)
    # What the message says now; "" while there is none.
    told: str = ""

    def leave(self, step: Step) -> None:
        Message.leave(self, step)
        self.told = told_of(self.ask, self.audience)

    def draft(self, push: PushBody, at: int) -> Draft:
        return push_draft(self.ask, push, at)

    def _is_old(self) -> bool:
        return self.told != told_of(self.ask, self.audience)

    async def _tell(self, surface: Surface) -> Ref:
        text = told_of(self.ask, self.audience)
        ref = await surface.show(self.ask, self.audience)
        self.told = text
        return ref

    async def _tell_again(self, surface: Surface) -> None:
        text = told_of(self.ask, self.audience)
        for ref in self.refs:
            await surface.update(ref, self.ask, self.audience)
        self.told = text


@dataclass(slots=True, eq=False, kw_only=True)
class NoticeMessage(Message):
    notice: Notice

    def is_too_late(self, now: int) -> bool:
        return now > self.notice.at + DAY

    def draft(self, push: PushBody, at: int) -> Draft:
        return notice_draft(self.notice, push, at)

    async def _tell(self, surface: Surface) -> Ref:
        if not isinstance(surface, _CanNotify):
            raise GoneError("It does not tell of turns that ended.")
        return await surface.notify(self.notice, Audience())


def push_draft(ask: ShownAsk, push: PushBody, at: int) -> Draft:
    return Draft(
        at=at,
        kind="push",
        session=ask.subject.session or None,
        agent=ask.subject.agent or None,
        call=ask.call or None,
        ask=ask.id,
        risk=ask.risk.level or None,
        by="hub:ladder",
        body=bodies.body(push),
    )


def notice_draft(notice: Notice, push: PushBody, at: int) -> Draft:
    body = bodies.body(replace(push, about=notice.what))
    return Draft(at=at, kind="push", session=notice.session, by="hub:ladder", body=body)
