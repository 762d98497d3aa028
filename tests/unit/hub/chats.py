"""A chat service that can be down or hang, and the hub's side of it, in a time that passes at once."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from assent.asks.presence import Presence
from assent.config import Config, Step
from assent.config import Presence as Settings
from assent.hub.notify.delivery import Delivery
from assent.hub.notify.escalation import Escalation
from assent.hub.state_file import DebouncedFile
from assent.protocol.card import ShownAsk
from assent.protocol.record import Draft
from assent.surfaces.base import Audience, FailedError, Notice, Ref, Surface, Traits
from tests.fake_time import later
from tests.shown_asks import OPENED
from tests.unit.hub.doubles import InForce, Recorded

HOUR = 3_600.0
DAY = 24 * HOUR


def second() -> float:
    return asyncio.get_running_loop().time()


def clock() -> int:
    return OPENED + int(second() * 1_000)


@dataclass
class Chat:
    name: str = "chat"
    # From when until when nothing works.
    down: list[tuple[float, float]] = field(default_factory=list)
    hangs: bool = False
    # What was done, and in which second.
    done: list[tuple[float, str, str]] = field(default_factory=list)
    tries: int = 0
    traits: Traits = field(default_factory=lambda: Traits(shows_all=True, may_answer=True, is_private=True))
    trouble: str = ""

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        return await self._do("show", audience.gist or ask.id, ask.id)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        await self._do("update", audience.gist or ask.id, ask.id)

    async def withdraw(self, ref: Ref, why: str) -> None:
        await self._do("withdraw", f"{ref.key}: {why}", "")

    async def notify(self, notice: Notice, audience: Audience) -> Ref:
        return await self._do("notify", f"{notice.what}: {notice.text}", notice.key)

    async def close(self) -> None:
        pass

    async def _do(self, act: str, what: str, key: str) -> Ref:
        self.tries += 1
        if self.hangs:
            await asyncio.Event().wait()
        if any(start <= second() < end for start, end in self.down):
            raise FailedError("The chat cannot be reached.")
        self.done.append((second(), act, what))
        return Ref(self.name, key)

    def acts(self) -> list[tuple[str, str]]:
        return [(act, what) for _, act, what in self.done]


class AtOnce(DebouncedFile):
    """Written where it is told to: a thread knows nothing of the time here."""

    def put(self, content: bytes) -> None:
        self.path.write_bytes(content)


def reaching(folder: Path, surfaces: dict[str, Surface], settings: Settings, records: list[Draft]) -> Escalation:
    recorder = Recorded(records)
    delivery = Delivery(surfaces, recorder, clock)
    policy = InForce(Config(presence=settings))
    return Escalation(surfaces, Presence(), policy, recorder, delivery, AtOnce(folder / "outreach.json"), clock)


def ladder(*names: str) -> Settings:
    """Each after twenty seconds."""
    return Settings(ladder=tuple(Step(name, timedelta(seconds=20)) for name in names))


async def until(probe: Callable[[], object], longest: float = DAY) -> None:
    end = second() + longest
    while not probe():
        assert second() < end, "not seen"
        await later(0.25)
