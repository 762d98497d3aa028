"""Asks of another hub that need several people: this hub's person is one of them."""

import hashlib
from dataclasses import dataclass

import msgspec
import pytest

from assent.asks.open_ask import Drawn, Person
from assent.protocol.card import AnswerRequest
from tests.unit.asks.fake_case import FakeCase
from tests.unit.asks.test_approval import FOUR_EYES
from tests.unit.asks.test_desk import OWNER, saying
from tests.unit.asks.test_desk_approvals import scene

pytestmark = pytest.mark.anyio


@dataclass(eq=False)
class FarCase(FakeCase):
    """One more is needed there."""

    missing: int = 1

    def draw(self) -> Drawn:
        drawn = super().draw()
        card = msgspec.structs.replace(drawn.card, approval=FOUR_EYES)
        return Drawn(card, hashlib.sha256(self.text.encode()).hexdigest(), drawn.decision)

    async def forward(self, answer: AnswerRequest, who: Person) -> int:
        return self.missing


async def test_yes_that_was_not_the_last_there_leaves_the_no_here() -> None:
    """It stays on this screen, as one of those that were said."""
    scenario, case = scene(), FarCase()
    held, task = await scenario.ask(case)
    assert scenario.desk.counting.counts_here(held, "page")
    assert await scenario.desk.answer(held.name, saying(held, "allow"), OWNER) == 1
    assert not task.done()
    assert not scenario.desk.counting.counts_here(held, "page")
    assert await scenario.kinds() == ["ask", "approved"]
    case.missing = 0
    assert await scenario.desk.answer(held.name, saying(held, "deny"), OWNER) == 0
    await task
