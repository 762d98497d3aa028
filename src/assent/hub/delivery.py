"""Bringing asks to surfaces: for each message one thing after the other, again when it fails, in nobody's way."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from assent.protocol.bodies import PushBody
from assent.protocol.card import ShownAsk
from assent.surfaces.base import Audience, GoneError, RateLimitedError, Ref, Surface, SurfaceError

log = logging.getLogger("assent.hub")

# A service that hangs is a service that failed.
PATIENCE = 30.0
# Seconds until it is tried again; after the last one it is given up.
BACK_OFF = (1.0, 3.0, 10.0, 30.0, 60.0, 120.0, 300.0)
# Nobody reads changes that come faster.
CALM = 3.0
SHORTEST_SILENCE = 1.0
AT_ONCE = 8

Step = Literal["show", "update", "withdraw"]


def told_of(ask: ShownAsk, audience: Audience) -> str:
    """What a message says, as far as a change of it is worth another one."""
    return f"{ask.rev}:{ask.hash}:{ask.state}:{audience.gist}"


@dataclass(slots=True, eq=False)
class Line:
    """One message on one surface: what should be seen there, and what is."""

    surface: Surface
    ask: ShownAsk
    audience: Audience = field(default_factory=Audience)
    refs: list[Ref] = field(default_factory=list)
    # What the message says now; "" while there is none.
    told: str = ""
    is_due: bool = False
    # Why there is nothing left to answer.
    over: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    touched: float = 0.0

    @property
    def step(self) -> Step | None:
        """What has to be done next."""
        if self.over:
            return "withdraw" if self.refs else None
        if self.is_due:
            return "show"
        return "update" if self.refs and self.told != told_of(self.ask, self.audience) else None

    async def take(self, step: Step) -> None:
        """Raises as surfaces do."""
        told = told_of(self.ask, self.audience)
        if step == "show":
            self.keep(await self.surface.show(self.ask, self.audience))
            self.is_due, self.told = False, told
        elif step == "update":
            for ref in self.refs:
                await self.surface.update(ref, self.ask, self.audience)
            self.told = told
        else:
            while self.refs:
                await self.surface.withdraw(self.refs[-1], self.over)
                self.refs.pop()

    def leave(self, step: Step) -> None:
        """It cannot be done; go on as if it was."""
        self.is_due = False
        self.told = told_of(self.ask, self.audience)
        if step == "withdraw":
            self.refs.clear()

    def keep(self, ref: Ref) -> None:
        self.refs = [*(known for known in self.refs if known.key != ref.key), ref]


@dataclass(slots=True)
class Delivery:
    # Told of every try to show something.
    report: Callable[[Line, PushBody], None]
    # Told when something is seen elsewhere than before.
    moved: Callable[[], None] = lambda: None
    back_off: tuple[float, ...] = BACK_OFF
    calm: float = CALM
    # Surfaces that asked for silence, and until when.
    _held: dict[str, float] = field(default_factory=dict)
    _room: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def see_to(self, line: Line) -> None:
        """Something about this line changed."""
        line.changed.set()
        if line.task is None and line.step is not None:
            line.task = asyncio.create_task(self._work(line))
            self._tasks.add(line.task)
            line.task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self, line: Line) -> None:
        last, tries = None, 0
        try:
            while (step := line.step) is not None:
                line.changed.clear()
                wait = self._wait(line, step)
                if wait <= 0:
                    tries = tries + 1 if step == last else 1
                    last = step
                    wait = await self._try(line, step, tries)
                if wait > 0:
                    await _rest(line, wait)
        finally:
            line.task = None
            self.moved()

    def _wait(self, line: Line, step: Step) -> float:
        now = time.monotonic()
        calm = line.touched + self.calm if step == "update" else 0.0
        return max(self._held.get(line.surface.name, 0.0), calm) - now

    async def _try(self, line: Line, step: Step, tries: int) -> float:
        """Seconds to wait before the next try; 0 where it is done, or given up."""
        name = line.surface.name
        try:
            async with self._room.setdefault(name, asyncio.Semaphore(AT_ONCE)), asyncio.timeout(PATIENCE):
                await line.take(step)
        except RateLimitedError as error:
            pause = max(SHORTEST_SILENCE, error.retry_after)
            self._held[name] = time.monotonic() + pause
            return self._failed(line, step, error, tries, pause)
        except GoneError as error:
            return self._failed(line, step, error, tries, None)
        except (SurfaceError, TimeoutError) as error:
            return self._failed(line, step, error, tries, self._pause(tries))
        except Exception as error:
            log.exception("%s: %s failed", name, step)
            return self._failed(line, step, error, tries, self._pause(tries))
        line.touched = time.monotonic()
        if step == "show":
            self.report(line, PushBody(name, sent=True, attempt=tries))
        self.moved()
        return 0.0

    def _failed(self, line: Line, step: Step, error: Exception, tries: int, pause: float | None) -> float:
        why = _words(error)
        if isinstance(error, SurfaceError) and error.ref is not None:
            line.keep(error.ref)
        if step == "show":
            self.report(line, PushBody(line.surface.name, sent=False, why=why, attempt=tries))
        if pause is None:
            line.leave(step)
            log.info("%s: %s was given up: %s", line.surface.name, step, why)
        return pause or 0.0

    def _pause(self, tries: int) -> float | None:
        return self.back_off[tries - 1] if tries <= len(self.back_off) else None


def _words(error: Exception) -> str:
    if isinstance(error, SurfaceError):
        return error.message[:1].lower() + error.message[1:].removesuffix(".")
    return "it took too long" if isinstance(error, TimeoutError) else "it failed; the hub's log says more"


async def _rest(line: Line, seconds: float) -> None:
    """Until it is time again, or until something changed."""
    try:
        async with asyncio.timeout(seconds):
            await line.changed.wait()
    except TimeoutError:
        pass
