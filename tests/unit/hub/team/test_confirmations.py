"""What a hub does until a relay confirms what it posted: nothing that comes meanwhile is lost."""

import asyncio
from typing import Any

import msgspec
import pytest

from assent.asks.open_ask import Held, Person
from assent.config import Config
from assent.config import Team as TeamSettings
from assent.hub.team.base import RefusedByRelayError
from assent.protocol.approval import ApprovalView
from assent.protocol.decision import Allow
from assent.protocol.surfaces import Scope
from assent.protocol.team import AnswerResult, Gone, TeamAnswer, TeamAsk
from tests.unit.asks.fake_case import FakeCase
from tests.unit.asks.test_desk_approvals import Guarded
from tests.unit.hub.team.machines import BOB, Machine, Team, Unconfirmed, settled
from tests.waiting import seen

pytestmark = pytest.mark.anyio

DESK = Person("person:desk", "desk", Scope.ADMIN)
TWO = ApprovalView("approval:user#1", whom=("group:sre",), count=2)


async def answered(machine: Machine, held: Held, choice: str = "deny") -> None:
    """At its own machine; the agent's hook has got it."""
    await machine.answer(held, choice, DESK)
    machine.desk.told(held.case.request, delivered=True)
    await settled()


def ended(team: Team) -> list[str]:
    return [gone.ask for gone in team.relay.gone]


# Asks.


async def test_end_before_the_ask_is_confirmed_is_told(team: Team) -> None:
    """Also where the agent had its answer before the relay said a word."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.link.is_slow = True
    held = await laptop.ask(FakeCase())
    post = await laptop.link.waits_for_word(TeamAsk)
    await desktop.shown()
    await answered(laptop, held)
    assert ended(team) == []
    laptop.link.is_slow = False
    post.confirm()
    await settled()
    assert ended(team) == [held.name]
    assert desktop.others() == []


async def test_end_before_the_ask_is_confirmed_is_told_although_the_connection_broke(team: Team) -> None:
    """The relay has the ask, whatever its hub heard of that."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.link.is_slow = True
    held = await laptop.ask(FakeCase())
    post = await laptop.link.waits_for_word(TeamAsk)
    await desktop.shown()
    laptop.link.cut()
    await answered(laptop, held)
    post.lose()
    await settled()
    laptop.link.is_slow = False
    laptop.link.connect()
    await settled()
    assert desktop.others() == []


async def test_change_before_the_ask_is_confirmed_is_posted(team: Team) -> None:
    """Last of all: the relay ends with the newest."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.link.is_slow = True
    case = FakeCase()
    held = await laptop.ask(case)
    post = await laptop.link.waits_for_word(TeamAsk)
    case.text = "git push --force"
    laptop.desk.changed(held.name)
    await settled()
    assert [ask.rev for ask in team.relay.asks.values()] == [1]
    post.confirm()
    await seen(lambda: [ask.rev for ask in team.relay.asks.values()] == [2], "the change at the relay")
    shown = await desktop.shown()
    await seen(lambda: shown.drawn.card.view.segments[0].text == "git push --force", "the new card")


async def test_ask_whose_confirmation_was_lost_is_posted_again(team: Team) -> None:
    """It is not known whether the relay has it; in the same text, which is shown once."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.team.sharing.again_after = 0.01
    laptop.link.is_slow = True
    await laptop.ask(FakeCase())
    post = await laptop.link.waits_for_word(TeamAsk)
    shown = await desktop.shown()
    post.lose()
    again = await seen(lambda: next((one for one in laptop.link.unconfirmed if one is not post), None), "another post")
    assert again.message == post.message
    assert desktop.others() == [shown]


async def test_word_of_an_earlier_connection_does_not_count_for_the_next(team: Team) -> None:
    """A relay takes an ask for over that its hub does not post again when it comes back."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.link.is_slow = True
    await laptop.ask(FakeCase())
    post = await laptop.link.waits_for_word(TeamAsk)
    shown = await desktop.shown()
    laptop.link.cut()
    laptop.link.connect()
    laptop.link.is_slow = False
    await settled()
    post.confirm()
    await settled()
    team.relay.take_time()
    await settled()
    assert desktop.others() == [shown]


async def test_end_that_an_earlier_relay_took_is_told_to_the_next(team: Team) -> None:
    """It may have passed it on to no other."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = await laptop.ask(FakeCase())
    await desktop.shown()
    laptop.link.is_slow = True
    await answered(laptop, held)
    post = await laptop.link.waits_for_word(Gone)
    laptop.link.cut()
    laptop.link.is_slow = False
    laptop.link.connect()
    await settled()
    post.confirm()
    await settled()
    assert ended(team) == [held.name, held.name]


@pytest.mark.parametrize("is_ended", [False, True], ids=["ask", "end"])
async def test_what_the_relay_has_no_room_for_is_posted_later(team: Team, is_ended: bool) -> None:
    """It says so with a 429."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.team.sharing.again_after = 0.01
    full = RefusedByRelayError(429, "too-many-asks", "This hub has too many.", retry_after=0.0)
    laptop.link.refusal = None if is_ended else full
    held = await laptop.ask(FakeCase())
    if is_ended:
        await desktop.shown()
        laptop.link.refusal = full
        await answered(laptop, held)
    await settled()
    assert bool(desktop.others()) == is_ended
    laptop.link.refusal = None
    await seen(lambda: bool(desktop.others()) != is_ended, "what was refused")


async def test_ask_that_was_refused_for_an_old_sign_in_is_posted_with_the_next(team: Team) -> None:
    """The link renews it meanwhile."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.team.sharing.again_after = laptop.team.sharing.renewed_within = 0.01
    laptop.link.refusal = RefusedByRelayError(403, "proof-too-old", "What the provider said is too old.")
    await laptop.ask(FakeCase())
    await settled()
    assert desktop.others() == []
    laptop.link.refusal = None
    await desktop.shown()


async def test_ask_that_is_taken_back_before_it_is_confirmed_leaves_the_screens(team: Team) -> None:
    """Its owner wants it seen nowhere else any more."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.link.is_slow = True
    await laptop.ask(FakeCase())
    post = await laptop.link.waits_for_word(TeamAsk)
    await desktop.shown()
    laptop.policy.config = msgspec.structs.replace(Config(), team=TeamSettings(share=False))
    laptop.team.on_settings()
    await settled()
    post.confirm()
    await seen(lambda: not desktop.others(), "no ask there")


async def test_hub_that_ends_tells_what_ended_before_its_ask_was_confirmed(team: Team) -> None:
    """Nothing is left on a screen where the relay answers within a second."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.link.is_slow = True
    held = await laptop.ask(FakeCase())
    post = await laptop.link.waits_for_word(TeamAsk)
    await desktop.shown()
    await answered(laptop, held)
    closing = asyncio.create_task(laptop.team.sharing.close())
    await settled()
    laptop.link.is_slow = False
    post.confirm()
    await closing
    assert ended(team) == [held.name]


async def test_ask_of_a_hub_that_joined_anew_is_shared_by_its_new_name(team: Team) -> None:
    """A relay takes asks of one hub from that hub alone."""
    laptop = team.machine("laptop")
    await laptop.ask(FakeCase())
    await seen(lambda: team.relay.asks, "the ask at the relay")
    again = team.machine("laptop", is_connected=False)
    laptop.link.cut()
    laptop.link.key, laptop.link.membership = again.link.key, again.link.membership
    laptop.link.connect()
    await seen(lambda: {hub for hub, _ in team.relay.asks} >= {again.id}, "the ask by its new name")


# Answers and results.


async def test_result_is_enough_although_the_answer_is_not_confirmed(team: Team) -> None:
    """A relay says that it has the answer once its database has it."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    desktop.link.is_slow = True
    await desktop.answer(shown, "allow")
    post = await desktop.link.waits_for_word(TeamAnswer)
    assert (await laptop.tasks[0]).decision == Allow()
    post.lose()
    await settled()
    assert [body["choice"] for body in await desktop.bodies("answer")] == ["allow"]


async def test_result_whose_confirmation_was_lost_is_told_again(team: Team) -> None:
    """Also where its ask is long over, and the same both times."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.team.judging.again_after = 0.01
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    laptop.link.is_slow = True
    await desktop.answer(shown, "allow")
    (await laptop.link.waits_for_word(AnswerResult)).lose()
    (await laptop.link.waits_for_word(Gone)).confirm()
    await seen(lambda: len(team.relay.results) == 2, "the result, again")
    assert team.relay.results[0] == team.relay.results[1]


async def test_result_that_was_confirmed_is_not_told_again(team: Team) -> None:
    """Neither with the next connection, nor where the answer did not come again."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.answer(await desktop.shown(), "allow")
    await settled()
    laptop.link.cut()
    laptop.link.connect()
    await settled()
    assert [result.is_taken for result in team.relay.verdicts] == [True]


async def test_results_may_be_confirmed_in_any_order(team: Team) -> None:
    """Each is told until it is confirmed itself."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.team.judging.again_after = 0.01
    cases = [FakeCase(f"r{number}", session=f"s{number}") for number in (1, 2)]
    for case in cases:
        await laptop.ask(case)
    await seen(lambda: len(desktop.others()) == 2, "both asks there")
    laptop.link.is_slow = True
    for held in desktop.others():
        await desktop.answer(held, "allow")

    def unconfirmed() -> list[Unconfirmed]:
        return [post for post in laptop.link.unconfirmed if isinstance(post.message, AnswerResult)]

    await seen(lambda: len(unconfirmed()) == 2, "two results at the relay")
    first, second = unconfirmed()
    second.confirm()
    first.lose()
    await seen(lambda: len(team.relay.results) == 3, "the first, again")
    assert team.relay.results[2] == team.relay.results[0]


class Kept(list[Any]):
    """Messages of one kind that the relay keeps to itself for now."""

    def __init__(self, team: Team, kind: type) -> None:
        super().__init__()
        self._kind = kind
        team.relay.twist = self._twist

    def _twist(self, message: Any) -> list[Any]:
        if isinstance(message, self._kind):
            self.append(message)
            return []
        return [message]


async def test_end_that_comes_while_an_answer_is_given_up_ends_the_ask(team: Team) -> None:
    """The page that sent it is gone, say."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = await laptop.ask(FakeCase())
    shown = await desktop.shown()
    kept = Kept(team, TeamAnswer)
    answering = asyncio.create_task(desktop.answer(shown, "allow"))
    await seen(lambda: kept, "the answer at the relay")
    await answered(laptop, held)
    await seen(lambda: team.relay.gone, "the end at the relay")
    await settled()
    answering.cancel()
    await asyncio.gather(answering, return_exceptions=True)
    await seen(lambda: not desktop.others(), "the end there")


async def test_end_that_comes_while_a_yes_of_two_is_counted_ends_the_ask(team: Team) -> None:
    """The yes is not the last, so this desk goes on waiting; it heard of the end before."""
    laptop, desktop = team.machine("laptop"), team.machine("tablet", BOB)
    await laptop.ask(Guarded(needs=TWO))
    shown = await desktop.shown()
    kept = Kept(team, AnswerResult)
    answering = asyncio.create_task(desktop.answer(shown, "allow"))
    await seen(lambda: kept, "the result at the relay")
    team.relay.twist = lambda message: [message]
    await laptop.answer(laptop.desk.waiting[0], "deny", DESK)
    await seen(lambda: team.relay.gone, "the end at the relay")
    await settled()
    desktop.link.hear(kept[0])
    await answering
    await seen(lambda: not desktop.others(), "the end there")


async def test_card_that_changes_while_a_yes_of_two_is_counted_is_shown(team: Team) -> None:
    """Who looks here sees what waits there."""
    laptop, desktop = team.machine("laptop"), team.machine("tablet", BOB)
    case = Guarded(needs=TWO)
    held = await laptop.ask(case)
    shown = await desktop.shown()
    kept = Kept(team, AnswerResult)
    answering = asyncio.create_task(desktop.answer(shown, "allow"))
    await seen(lambda: kept, "the result at the relay")
    case.text = "git push --force"
    laptop.desk.changed(held.name)
    await seen(lambda: shown.case.draw().hash != shown.drawn.hash, "the change here")
    desktop.link.hear(kept[0])
    await answering
    await settled()
    assert shown.drawn.hash == shown.case.draw().hash


@pytest.mark.parametrize("turns", range(8))
async def test_ask_that_is_posted_again_right_after_its_end_is_shown(team: Team, turns: int) -> None:
    """A relay that was away lists nothing at first, and then what its hubs post again."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.shown()
    (ask,) = team.relay.asks.values()
    desktop.link.hear(Gone(ask.hub, ask.ask))
    for _ in range(turns):
        await asyncio.sleep(0)
    desktop.link.hear(ask)
    await settled()
    assert desktop.names() == {ask.ask}


async def test_ask_that_is_posted_again_while_an_answer_is_refused_is_not_over(team: Team) -> None:
    """What came last of it counts."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    (ask,) = team.relay.asks.values()
    kept = Kept(team, TeamAnswer)
    answering = asyncio.create_task(desktop.answer(shown, "allow"))
    await seen(lambda: kept, "the answer at the relay")
    for message in (Gone(ask.hub, ask.ask), ask):
        desktop.link.hear(message)
        await settled()
    answering.cancel()
    await asyncio.gather(answering, return_exceptions=True)
    await settled()
    assert desktop.others() == [shown]
