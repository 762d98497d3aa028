"""The smallest surface there can be: it shows that the suite asks for nothing but the protocol."""

import asyncio
from dataclasses import dataclass, field

import pytest

from assent.protocol.bodies import Choice
from assent.protocol.card import AnswerRequest, ShownAsk
from assent.surfaces.ask_text import ask_summary
from assent.surfaces.base import (
    Audience,
    FailedError,
    GoneError,
    RateLimitedError,
    Ref,
    Surface,
    SurfaceError,
    Traits,
    offered,
)
from tests.component.surfaces.conformance import Conformance, Stage


@dataclass
class World:
    """What outlives a surface: the messages, and the service that carries them."""

    messages: dict[str, tuple[ShownAsk, Audience]] = field(default_factory=dict)
    moods: list[SurfaceError] = field(default_factory=list)
    calls: int = 0
    hangs: bool = False


@dataclass
class FakeSurface:
    world: World
    name: str = "fake"
    traits: Traits = field(default_factory=lambda: Traits(shows_all=True, may_answer=True, is_private=True))
    trouble: str = ""

    async def show(self, ask: ShownAsk, audience: Audience) -> Ref:
        key = f"many of {ask.subject.session}" if audience.gist else ask.id
        await self._call()
        self.world.messages[key] = (ask, audience)
        return Ref(self.name, key)

    async def update(self, ref: Ref, ask: ShownAsk, audience: Audience) -> None:
        await self._call()
        self.world.messages[ref.key] = (ask, audience)

    async def withdraw(self, ref: Ref, why: str) -> None:
        await self._call()
        assert why
        del self.world.messages[ref.key]

    async def close(self) -> None:
        pass

    async def _call(self) -> None:
        self.world.calls += 1
        if self.world.hangs:
            await asyncio.Event().wait()
        if self.world.moods:
            raise self.world.moods.pop(0)


@dataclass
class FakeStage:
    world: World
    surface: Surface

    def seen(self) -> dict[str, str]:
        return {name: " ".join(ask_summary(ask, audience)) for name, (ask, audience) in self.world.messages.items()}

    def answer(self, about: str, choice: Choice) -> AnswerRequest | None:
        if about not in self.world.messages:
            return None
        ask, audience = self.world.messages[about]
        is_offered = any(way.choice == choice for way in offered(ask, self.surface.traits, audience))
        return AnswerRequest(rev=ask.rev, hash=ask.hash, choice=choice) if is_offered else None

    def tries(self) -> int:
        return self.world.calls

    def limit(self, seconds: int) -> None:
        self.world.moods.append(RateLimitedError("Too much.", seconds))

    def fail(self, times: int) -> None:
        self.world.moods += [FailedError("Down.")] * times

    def lose(self) -> None:
        self.world.moods.append(GoneError("Nobody there."))

    def hang(self) -> None:
        self.world.hangs = True

    def reborn(self) -> Surface:
        return FakeSurface(self.world)


class TestFakeSurface(Conformance):
    @pytest.fixture
    def stage(self) -> Stage:
        world = World()
        return FakeStage(world, FakeSurface(world))
