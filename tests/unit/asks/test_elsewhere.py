"""Asks of another hub at this desk: what counts is what that hub says to an answer."""

import asyncio
from dataclasses import dataclass, field

import pytest

from assent.asks.open_ask import Person, RefusedError
from assent.protocol.card import AnswerRequest
from assent.protocol.decision import Decision, NoOpinion
from assent.protocol.record import Draft
from assent.protocol.surfaces import Scope
from tests.unit.asks.fake_case import FakeCase
from tests.unit.asks.test_desk import OWNER, PHONE, Scenario, saying, until

pytestmark = pytest.mark.anyio


@dataclass(eq=False)
class FarCase(FakeCase):
    """Held by another hub, which says something once it is let."""

    says: "asyncio.Future[None]" = field(default_factory=asyncio.Future)
    heard: list[AnswerRequest] = field(default_factory=list)

    async def forward(self, answer: AnswerRequest, who: Person) -> None:
        self.heard.append(answer)
        await asyncio.shield(self.says)

    def decided(self, decision: Decision, by: str, ask: str) -> tuple[Draft, ...]:
        return ()


async def test_answer_waits_for_the_hub_that_holds_it() -> None:
    """Nothing is on record, and nobody is told, before that hub has taken it."""
    scenario, case = Scenario(), FarCase()
    held, task = await scenario.ask(case)
    answering = asyncio.ensure_future(scenario.desk.answer(held.name, saying(held, "allow"), OWNER))
    await until(lambda: case.heard)
    assert (await scenario.kinds(), task.done(), scenario.allowed) == (["ask"], False, [])
    case.says.set_result(None)
    await answering
    assert (await task).decision == NoOpinion("answered_elsewhere")
    assert await scenario.kinds() == ["ask", "answer"]


async def test_yes_to_another_hub_changes_nothing_here() -> None:
    """What follows from a yes follows where it is held."""
    scenario, case = Scenario(), FarCase()
    case.says.set_result(None)
    held, _ = await scenario.ask(case)
    await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    assert scenario.allowed == []


async def test_answer_it_refuses_leaves_the_ask_open() -> None:
    """With that hub's words; another answer can be given."""
    scenario, case = Scenario(), FarCase()
    case.says.set_exception(RefusedError("changed", "It has changed."))
    held, task = await scenario.ask(case)
    with pytest.raises(RefusedError, match="It has changed") as refused:
        await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    assert (refused.value.code, refused.value.state) == ("changed", "open")
    assert (held.takes_answers, task.done()) == (True, False)
    assert await scenario.kinds() == ["ask", "refused"]


async def test_second_answer_meanwhile_is_too_late() -> None:
    """One at a time is on its way."""
    scenario, case = Scenario(), FarCase()
    held, _ = await scenario.ask(case)
    first = asyncio.ensure_future(scenario.desk.answer(held.name, saying(held, "allow"), OWNER))
    await until(lambda: case.heard)
    with pytest.raises(RefusedError) as refused:
        await scenario.desk.answer(held.name, saying(held, "deny"), PHONE)
    assert refused.value.code == "too-late"
    case.says.set_result(None)
    await first


async def test_answer_that_is_given_up_leaves_the_ask_open() -> None:
    """A caller that goes away takes no answer with it."""
    scenario, case = Scenario(), FarCase()
    held, _ = await scenario.ask(case)
    answering = asyncio.ensure_future(scenario.desk.answer(held.name, saying(held, "allow"), OWNER))
    await until(lambda: case.heard)
    answering.cancel()
    await asyncio.wait([answering])
    assert held.takes_answers


async def test_what_this_screen_may_not_answer_is_not_sent() -> None:
    """The checks of this desk come first."""
    scenario, case = Scenario(), FarCase()
    held, _ = await scenario.ask(case)
    with pytest.raises(RefusedError):
        await scenario.desk.answer(held.name, saying(held, "allow"), Person("person:w", "page", Scope.DENY))
    assert case.heard == []


async def test_yes_that_was_taken_there_stands_without_a_record_here() -> None:
    """It is on record where it counts; to say that it was refused would be wrong."""
    scenario, case = Scenario(), FarCase()
    case.says.set_result(None)
    held, task = await scenario.ask(case)
    scenario.broken = True
    await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    assert (await task).decision == NoOpinion("answered_elsewhere")


async def test_end_there_is_the_end_here() -> None:
    """With how it ended; no decision is recorded."""
    scenario, case = Scenario(), FarCase()
    held, task = await scenario.ask(case)
    scenario.desk.ended(held.name, "expired", "on devbox")
    assert (await task).decision == NoOpinion("answered_elsewhere")
    assert await scenario.kinds() == ["ask", "outcome"]
    assert await scenario.bodies("outcome") == [{"ending": "expired", "why": "on devbox"}]


async def test_change_there_is_a_new_revision_here() -> None:
    """What was answered before it is not what waits now."""
    scenario, case = Scenario(), FarCase()
    held, _ = await scenario.ask(case)
    earlier = saying(held, "allow")
    case.text = "git push"
    scenario.desk.changed(held.name)
    assert held.rev == 2
    with pytest.raises(RefusedError) as refused:
        await scenario.desk.answer(held.name, earlier, OWNER)
    assert refused.value.code == "changed"
