"""A test ask on one surface: whether it gets there, and whether an answer comes back. The ladder has no part in it."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assent.hub import pretending
from assent.hub.outreach import WAITING, ended
from assent.hub.pretending import Pretender
from assent.protocol.card import ShownAsk
from assent.surfaces.base import Audience, Ref, Surface, SurfaceError
from assent.words.state import said

log = logging.getLogger("assent.hub")

# Nobody looks for longer whether their phone rings.
LASTS = 60.0
SHOWN_WITHIN = 15.0
REMEMBERED = 8

State = Literal["asking", "shown", "failed", "answered", "unanswered", "decided"]


@dataclass(slots=True)
class Rehearsal:
    surface: Surface
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    ask: ShownAsk | None = None
    ref: Ref | None = None
    why: str = ""
    is_over: bool = False
    showing: "asyncio.Task[None] | None" = None
    playing: "asyncio.Task[None] | None" = None

    @property
    def state(self) -> State:
        if self.why:
            return "failed"
        if self.ask is not None and self.ask.answer is not None:
            return "answered"
        if self.is_over and (self.surface.traits.may_answer or self.ref is None):
            return "decided" if self.ask is None else "unanswered"
        return "asking" if self.ref is None else "shown"

    def told(self) -> dict[str, Any]:
        """Where it stands, and in words where it was answered."""
        answer = self.ask.answer if self.ask is not None else None
        words = self.why or (said(answer) if answer is not None else "")
        return {
            "state": self.state,
            "words": words,
            "surface": answer.surface if answer is not None else "",
            "can_answer": self.surface.traits.may_answer,
        }


@dataclass(slots=True)
class Rehearsals:
    pretender: Pretender
    surfaces: Mapping[str, Surface]
    # Puts a sentence on record.
    note: Callable[[str], None]
    lasts: float = LASTS
    _known: dict[str, Rehearsal] = field(default_factory=dict)

    def begin(self, surface: Surface) -> str:
        """The name by which it is asked for."""
        name = pretending.session()
        rehearsal = self._known[name] = Rehearsal(surface)
        while len(self._known) > REMEMBERED:
            self._known.pop(next(iter(self._known)))
        rehearsal.playing = asyncio.create_task(self._play(name, rehearsal))
        return name

    def told(self, name: str) -> dict[str, Any] | None:
        found = self._known.get(name)
        return None if found is None else found.told()

    def is_any_on(self, surface: Surface) -> bool:
        return any(not known.is_over and known.surface is surface for known in self._known.values())

    def takes(self, ask: ShownAsk) -> bool:
        """Whether this ask is one of these, and so nobody else's business."""
        rehearsal = self._known.get(ask.subject.session)
        if rehearsal is None:
            return False
        rehearsal.ask = ask
        if rehearsal.showing is None and ask.state in WAITING:
            rehearsal.showing = asyncio.create_task(self._show(rehearsal, ask))
        return True

    async def _play(self, name: str, rehearsal: Rehearsal) -> None:
        alarm = asyncio.get_running_loop().call_later(self.lasts, rehearsal.enough.set)
        try:
            await self.pretender.ask(name, rehearsal.enough)
        finally:
            alarm.cancel()
            rehearsal.is_over = True
        if rehearsal.showing is not None:
            await rehearsal.showing
        await self._take_back(rehearsal)

    async def _show(self, rehearsal: Rehearsal, ask: ShownAsk) -> None:
        try:
            async with asyncio.timeout(SHOWN_WITHIN):
                rehearsal.ref = await rehearsal.surface.show(ask, Audience())
            self.note(f"a test ask was shown on {rehearsal.surface.name}")
        except SurfaceError as error:
            rehearsal.why, rehearsal.ref = error.message, error.ref
        except TimeoutError:
            rehearsal.why = "It took too long."
        except Exception:
            log.exception("%s: a test ask could not be shown", rehearsal.surface.name)
            rehearsal.why = "It failed; the hub's log says more."
        if rehearsal.why or not rehearsal.surface.traits.may_answer:
            rehearsal.enough.set()

    async def _take_back(self, rehearsal: Rehearsal) -> None:
        if rehearsal.ref is None or rehearsal.ask is None:
            return
        try:
            async with asyncio.timeout(SHOWN_WITHIN):
                await rehearsal.surface.withdraw(rehearsal.ref, ended(rehearsal.ask))
        except (SurfaceError, TimeoutError) as error:
            log.info("%s: a test ask could not be taken back: %s", rehearsal.surface.name, error)
