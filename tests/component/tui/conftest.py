"""The terminal UI over a hub that is not there, with a clock that only a test moves."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen

from assent.client import Client
from assent.hub_state import Mirror
from assent.protocol.card import ShownAsk
from assent.tui import ending
from assent.tui.app import Watch
from assent.tui.asks import answers
from assent.tui.drawing.look import Look
from assent.tui.keys import GRACE
from tests.component.tui.stand_in import StandIn
from tests.unit.tui.shown_asks import OPENED
from tests.waiting import HANG, PAUSE, let_pass_in_loop

# A key may move something, which draws something, which asks to be told when it is drawn.
STILL = 6


@dataclass
class Clock:
    """Seconds, for grace; the hub's time follows from it."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now

    @property
    def ms(self) -> float:
        return OPENED + (self.now - 1_000.0) * 1000


@dataclass
class Seat:
    """A person at the terminal."""

    app: Watch
    pilot: Pilot[Any]
    hub: StandIn
    clock: Clock

    async def press(self, *keys: str) -> None:
        """Keys as Textual calls them, one right after the other."""
        for key in keys:
            self.send(key)
            await self.settle()

    def send(self, key: str) -> None:
        """The terminal hands it over; it is not processed yet."""
        named = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
        event = events.Key(named, " " if key == "space" else key if len(key) == 1 else None)
        event.set_sender(self.app)
        assert self.app._driver is not None
        self.app._driver.send_message(event)

    async def type(self, text: str) -> None:
        await self.press(*("space" if letter == " " else letter for letter in text))

    async def settle(self) -> None:
        """Everything that is on its way arrived, and was drawn. The pilot's own pause waits for an idle processor."""
        still, screen = 0, None
        pumps: tuple[MessagePump, ...] = ()
        while still < STILL:
            await asyncio.sleep(0)
            if screen is not self.app.screen:
                screen = self.app.screen
                pumps = (self.app, screen, *screen.walk_children())
            still += 1
            if any(not pump._message_queue.empty() for pump in pumps):
                still = 0
                continue
            # Now, and not when its timer says so.
            screen._on_timer_update()
            if screen._callbacks or self.app.shared.grace._until == float("inf"):
                still = 0

    async def read(self) -> None:
        """What is drawn now stands long enough to be read, and no key is held."""
        await self.settle()
        self.clock.now += GRACE + 1

    async def later(self, seconds: float) -> None:
        """Time goes by, and the screen notices."""
        self.clock.now += seconds
        self.app._tick()
        await self.settle()

    async def tell(self, *asks: ShownAsk, **more: Any) -> None:
        """The hub tells of it, and it is drawn."""
        self.hub.change(*asks, **more)
        await self.until(lambda: self.app.shared.mirror.seq == self.hub.seq, "what the hub told")

    async def until(self, holds: Callable[[], object], what: str) -> None:
        end = time.monotonic() + HANG
        while not holds():
            assert time.monotonic() < end, f"{what} did not come:\n{self.screen}"
            await let_pass_in_loop(PAUSE)
            await self.settle()
        await self.settle()

    async def sees(self, *texts: str) -> None:
        for text in texts:
            await self.until(lambda text=text: text in self.screen, f"“{text}”")  # type: ignore[misc]

    async def answered(self, count: int = 1) -> list[tuple[str, str]]:
        """The asks and the choices, once so many answers arrived."""
        await self.until(lambda: len(self.hub.answers) >= count, f"{count} answers")
        return self.given

    @property
    def given(self) -> list[tuple[str, str]]:
        return [(ask, answer.choice) for ask, answer in self.hub.answers]

    @property
    def lines(self) -> list[str]:
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip) for strip in strips]

    @property
    def screen(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines)

    def place(self, text: str) -> int:
        """The line it stands on."""
        return next(at for at, line in enumerate(self.lines) if text in line)


@pytest.fixture
def anyio_backend() -> str:
    """Without asyncio's debug mode, which takes half of the time of a screen."""
    return "asyncio"


Sit = Callable[..., AbstractAsyncContextManager[Seat]]


@pytest.fixture
def sit(monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Sit down at a terminal of a size. News are drawn at once, and nothing waits for a real clock."""
    monkeypatch.setattr(ending, "PAINT", 0.0)
    # There is no terminal to write to; a test that looks draws what it looks at.
    monkeypatch.setattr(Screen, "_compositor_refresh", lambda screen: screen._dirty_widgets.clear())
    monkeypatch.setattr(answers, "UNDO", 0.05)

    @asynccontextmanager
    async def sitting(
        *asks: ShownAsk,
        hub: StandIn | None = None,
        size: tuple[int, int] = (120, 36),
        look: Look | None = None,
        start_hub: Callable[[], None] = lambda: None,
    ) -> AsyncIterator[Seat]:
        clock, hub = Clock(), hub or StandIn(*asks)
        monkeypatch.setattr(Mirror, "now", lambda _: clock.ms)
        app = Watch(cast("Client", hub), look or Look(), start_hub, screen_name="pts/1")
        app.shared.grace.clock = clock
        try:
            async with app.run_test(size=size) as pilot:
                seat = Seat(app, pilot, hub, clock)
                await seat.until(lambda: app.shared.link != "starting", "the hub's first word")
                await seat.read()
                yield seat
        finally:
            hub.end_stream()

    return sitting
