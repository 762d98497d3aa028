"""Delivery of messages to surfaces: in order for each surface, retried while it fails, without blocking others."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from assent.hub.bus import Clock, now_ms
from assent.hub.notify.message import Message, Step
from assent.hub.recorder import Recording
from assent.protocol.bodies import PushBody
from assent.surfaces.base import GoneError, RateLimitedError, Surface, SurfaceError

log = logging.getLogger("assent.hub")

# A service that hangs is a service that failed.
PATIENCE = 30.0
# Seconds until it is tried again; the last of them again and again, as long as the message is needed.
BACK_OFF = (1.0, 3.0, 10.0, 30.0, 60.0, 120.0, 300.0)
# Once a service works again, what failed there longer ago than this need not wait for its time.
SOON = 10.0
# Faster changes cannot be read.
CALM = 3.0
SHORTEST_SILENCE = 1.0
AT_ONCE = 8


@dataclass(slots=True)
class Delivery:
    surfaces: Mapping[str, Surface]
    recorder: Recording
    clock: Clock = now_ms
    back_off: tuple[float, ...] = BACK_OFF
    calm: float = CALM
    # Surfaces that asked for silence, and until when.
    _held: dict[str, float] = field(default_factory=dict)
    _room: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    # Lines that wait for their surface to work again, or to be there at all.
    _failing: dict[str, set[Message]] = field(default_factory=dict)
    _missing: dict[str, set[Message]] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def see_to(self, line: Message) -> None:
        """Something about this line changed."""
        line.changed.set()
        if line.task is None and line.step is not None:
            line.task = asyncio.create_task(self._work(line))
            self._tasks.add(line.task)
            line.task.add_done_callback(self._tasks.discard)

    def look_again(self) -> None:
        """Perhaps a surface is there that was not."""
        for name, lines in self._missing.items():
            if name in self.surfaces:
                _wake(lines)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self, line: Message) -> None:
        last, tries = None, 0
        try:
            while (step := line.step) is not None:
                line.changed.clear()
                if line.is_too_late(self.clock()):
                    line.leave(step)
                    log.info("%s: %s was given up: it is not needed any more", line.surface, step)
                    continue
                surface = self.surfaces.get(line.surface)
                if surface is None:
                    await self._rest(line, self.back_off[-1], self._missing)
                    continue
                if (wait := self._wait(line, step)) > 0:
                    await self._rest(line, wait)
                    continue
                tries = tries + 1 if step == last else 1
                last = step
                if (wait := await self._try(line, step, surface, tries)) > 0:
                    await self._rest(line, wait, self._failing)
        finally:
            line.task = None
            line.moved()

    def _wait(self, line: Message, step: Step) -> float:
        calm = line.touched + self.calm if step == "update" and line.touched else 0.0
        return max(self._held.get(line.surface, 0.0), calm) - _now()

    async def _try(self, line: Message, step: Step, surface: Surface, tries: int) -> float:
        """Seconds to wait before the next try; 0 where it is done, or given up."""
        name = line.surface
        try:
            async with self._room.setdefault(name, asyncio.Semaphore(AT_ONCE)), asyncio.timeout(PATIENCE):
                if line.step != step:
                    # It was over, or changed, before its turn came.
                    return 0.0
                line.tried = _now()
                await line.take(step, surface)
        except RateLimitedError as error:
            pause = max(SHORTEST_SILENCE, error.retry_after)
            self._held[name] = _now() + pause
            return self._failed(line, step, error, tries, pause)
        except GoneError as error:
            return self._failed(line, step, error, tries, None)
        except (SurfaceError, TimeoutError) as error:
            return self._failed(line, step, error, tries, self._pause(tries))
        except Exception as error:
            log.exception("%s: %s failed", name, step)
            return self._failed(line, step, error, tries, self._pause(tries))
        line.touched = _now()
        if step == "show":
            self._report(line, PushBody(name, sent=True, attempt=tries))
        line.moved()
        _wake({other for other in self._failing.get(name, ()) if _now() - other.tried >= SOON})
        return 0.0

    def _failed(self, line: Message, step: Step, error: Exception, tries: int, pause: float | None) -> float:
        why = _words(error)
        if isinstance(error, SurfaceError) and error.ref is not None:
            line.keep(error.ref)
            line.moved()
        # After that the same would be told all day.
        if step == "show" and tries <= len(self.back_off):
            self._report(line, PushBody(line.surface, sent=False, why=why, attempt=tries))
        if pause is None:
            line.leave(step)
            log.info("%s: %s was given up: %s", line.surface, step, why)
        return pause or 0.0

    def _report(self, line: Message, push: PushBody) -> None:
        """Of every try to show something."""
        self.recorder.record([line.draft(push, self.clock())])

    def _pause(self, tries: int) -> float:
        return self.back_off[min(tries, len(self.back_off)) - 1]

    async def _rest(self, line: Message, seconds: float, among: dict[str, set[Message]] | None = None) -> None:
        """Until it is time again, or until something changed."""
        waiting = set() if among is None else among.setdefault(line.surface, set())
        waiting.add(line)
        try:
            async with asyncio.timeout(seconds):
                await line.changed.wait()
        except TimeoutError:
            pass
        finally:
            waiting.discard(line)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _wake(lines: set[Message]) -> None:
    for line in lines:
        line.changed.set()


def _words(error: Exception) -> str:
    if isinstance(error, SurfaceError):
        return error.message[:1].lower() + error.message[1:].removesuffix(".")
    return "it took too long" if isinstance(error, TimeoutError) else "it failed; the hub's log says more"
