"""Calls that others have to agree to: who sees them, whose yes counts, and how many it takes."""

from datetime import timedelta

import pytest

from assent.asks.open_ask import Person, RefusedError
from assent.protocol.approval import ApprovalView, Rung
from assent.protocol.decision import Allow, Deny
from assent.protocol.surfaces import Scope
from assent.protocol.team import Identity
from tests.unit.asks.test_desk_approvals import Guarded
from tests.unit.hub.team.machines import ADA, BOB, ISSUER, Team, settled
from tests.waiting import seen

pytestmark = pytest.mark.anyio

CAROL = Identity(ISSUER, "9", "carol@example.org", "Carol", ("dev", "sre"))
ONE = ApprovalView("approval:user#1", whom=("group:sre",), not_owner=True)
TWO = ApprovalView("approval:user#1", whom=("group:sre",), count=2)
THREE = ApprovalView("approval:user#1", whom=("group:dev",), count=3)
CHAT = Person("person:Telegram", "telegram", Scope.INSTRUCT)


async def test_those_who_are_asked_see_it_and_whose_it_is(team: Team) -> None:
    """The owner's other machines show it as well; a yes counts from those who are asked alone."""
    laptop, of_ada, of_bob = team.machine("laptop"), team.machine("desktop", ADA), team.machine("tablet", BOB)
    await laptop.ask(Guarded(needs=ONE))
    with pytest.raises(RefusedError) as refused:
        await of_ada.answer(await of_ada.shown(), "allow")
    assert refused.value.code == "not-offered"
    shown = await of_bob.shown()
    assert shown.drawn.card.subject.machine == "laptop (ada@example.org)"
    await of_bob.answer(shown, "allow")
    assert (await laptop.tasks[0]).decision == Allow()
    assert (await laptop.records("answer"))[0].by == "person:bob@example.org"


async def test_owner_ends_what_others_are_asked_about(team: Team) -> None:
    """From any machine of theirs: a no is always theirs to say."""
    laptop, of_ada = team.machine("laptop"), team.machine("desktop", ADA)
    await laptop.ask(Guarded(needs=ONE))
    await of_ada.answer(await of_ada.shown(), "deny")
    assert isinstance((await laptop.tasks[0]).decision, Deny)


async def test_two_people_agree_from_two_machines(team: Team) -> None:
    """The first yes counts and releases nothing; it is on record where it was given, too."""
    laptop, of_bob, of_carol = team.machine("laptop"), team.machine("tablet", BOB), team.machine("phone", CAROL)
    await laptop.ask(Guarded(needs=TWO))
    first = await of_bob.shown()
    await of_bob.answer(first, "allow")
    assert not laptop.tasks[0].done()
    assert await of_bob.kinds() == ["ask", "approved"]
    assert first.takes_answers
    await of_carol.answer(await of_carol.shown(), "allow")
    assert (await laptop.tasks[0]).decision == Allow()
    assert await laptop.kinds() == ["ask", "approved", "answer", "decision"]
    await seen(lambda: not of_bob.others(), "its end at the other machine")


async def test_yes_of_another_shows_on_the_cards_of_all_who_are_asked(team: Team) -> None:
    """With their name and how many are missing, live, without another revision: what was read still is what waits."""
    laptop, of_bob, of_carol = team.machine("laptop"), team.machine("tablet", BOB), team.machine("phone", CAROL)
    await laptop.ask(Guarded(needs=THREE))
    shown = await of_carol.shown()
    before = (shown.rev, shown.drawn.hash)
    await of_bob.answer(await of_bob.shown(), "allow")
    await seen(lambda: shown.yeses, "the yes at the other machine")
    (told,) = await of_carol.records("approved")
    assert (told.by, told.body["missing"], told.body["surface"]) == ("person:bob@example.org", 2, "team")
    assert (shown.rev, shown.drawn.hash) == before
    (ask,) = of_carol.live.asks.by_id.values()
    assert [said.yes.label for said in ask.approvals] == ["bob@example.org"]
    await of_carol.answer(shown, "allow")
    await settled()
    assert [record.by for record in await of_bob.records("approved")] == ["person:ada", "person:carol@example.org"]
    assert not laptop.tasks[0].done()


async def test_yes_that_was_said_before_shows_on_a_card_that_comes_later(team: Team) -> None:
    """And once, however often the relay tells of it."""
    laptop, of_bob = team.machine("laptop"), team.machine("tablet", BOB)
    await laptop.ask(Guarded(needs=TWO))
    await of_bob.answer(await of_bob.shown(), "allow")
    await seen(lambda: '"agreed"' in next(iter(team.relay.asks.values())).text, "the yes at the relay")
    of_carol = team.machine("phone", CAROL)
    shown = await of_carol.shown()
    await seen(lambda: shown.yeses, "the yes")
    of_carol.link.connect()
    await settled()
    assert len(await of_carol.records("approved")) == 1


async def test_one_person_does_not_agree_twice(team: Team) -> None:
    """Whichever of their machines they use."""
    laptop, one, two = team.machine("laptop"), team.machine("tablet", BOB), team.machine("phone", BOB)
    await laptop.ask(Guarded(needs=TWO))
    await one.answer(await one.shown(), "allow")
    with pytest.raises(RefusedError) as refused:
        await two.answer(await two.shown(), "allow")
    assert refused.value.code == "already-counted"
    assert not laptop.tasks[0].done()


async def test_one_no_ends_it(team: Team) -> None:
    """Also after a yes."""
    laptop, of_bob, of_carol = team.machine("laptop"), team.machine("tablet", BOB), team.machine("phone", CAROL)
    await laptop.ask(Guarded(needs=TWO))
    await of_bob.answer(await of_bob.shown(), "allow")
    await of_carol.answer(await of_carol.shown(), "deny")
    assert isinstance((await laptop.tasks[0]).decision, Deny)


@pytest.mark.parametrize(("needs", "is_taken"), [(ONE, True), (TWO, False)])
async def test_chat_gives_a_single_yes_and_none_of_several(team: Team, needs: ApprovalView, is_taken: bool) -> None:
    """It vouches for a person by their number alone."""
    laptop, of_bob = team.machine("laptop"), team.machine("tablet", BOB)
    await laptop.ask(Guarded(needs=needs, level="care"))
    shown = await of_bob.shown()
    if is_taken:
        await of_bob.answer(shown, "allow", CHAT)
        assert (await laptop.tasks[0]).decision == Allow()
        return
    with pytest.raises(RefusedError) as refused:
        await of_bob.answer(shown, "allow", CHAT)
    assert refused.value.code == "not-here"
    assert not laptop.tasks[0].done()


async def test_more_people_see_it_as_the_ladder_says(team: Team) -> None:
    """Those of a later step not before, and what is shown to the others stays the same."""
    needs = ApprovalView("approval:user#1", whom=("person:bob@example.org",), ladder=(Rung("group:sre", 60),))
    laptop, of_bob, of_carol = team.machine("laptop"), team.machine("tablet", BOB), team.machine("phone", CAROL)
    held = await laptop.ask(Guarded(needs=needs))
    shown = await of_bob.shown()
    (before,) = team.relay.asks.values()
    assert before.audience == ("owner", "person:bob@example.org")
    team.relay.now += 61_000
    laptop.desk.widened(held.name)
    await seen(lambda: before not in team.relay.asks.values(), "a wider audience")
    (after,) = team.relay.asks.values()
    assert (after.audience, after.text) == (("owner", "person:bob@example.org", "group:sre"), before.text)
    await settled()
    assert shown.rev == 1
    await of_carol.answer(await of_carol.shown(), "allow")
    assert (await laptop.tasks[0]).decision == Allow()


async def test_those_of_a_later_step_cannot_answer_before_it(team: Team) -> None:
    """A relay that shows it to them early gains nothing by it."""
    needs = ApprovalView("approval:user#1", whom=("person:bob@example.org",), ladder=(Rung("group:sre", 60),))
    laptop, of_carol = team.machine("laptop"), team.machine("phone", CAROL)
    await laptop.ask(Guarded(needs=needs))
    with pytest.raises(RefusedError) as refused:
        await of_carol.answer(await of_carol.shown(), "allow")
    assert refused.value.code == "not-approver"
    assert not laptop.tasks[0].done()


async def test_yes_of_a_machine_that_is_shut_out_afterwards_does_not_count(team: Team) -> None:
    """It may have been lost, and its owner says so again from another one."""
    laptop, lost = team.machine("laptop"), team.machine("tablet", BOB)
    of_bob, of_carol = team.machine("desktop", BOB), team.machine("phone", CAROL)
    await laptop.ask(Guarded(needs=TWO))
    await lost.answer(await lost.shown(), "allow")
    team.revoke(lost)
    await settled()
    await of_carol.answer(await of_carol.shown(), "allow")
    assert not laptop.tasks[0].done()
    await of_bob.answer(await of_bob.shown(), "allow")
    assert (await laptop.tasks[0]).decision == Allow()
    (decided,) = await laptop.bodies("decision")
    assert decided["approval"]["by"] == ["carol@example.org", "bob@example.org"]


@pytest.mark.parametrize(("hours", "is_taken"), [(11, True), (12, False)])
async def test_groups_of_the_owner_count_as_long_as_those_of_others(team: Team, hours: int, is_taken: bool) -> None:
    """Who is in a group no more could keep their own machine from hearing of it."""
    laptop = team.machine("laptop", BOB)
    held = await laptop.ask(Guarded(needs=ApprovalView("a", whom=("group:sre",))), timedelta(days=1))
    team.relay.now += hours * 3_600_000
    if is_taken:
        await laptop.answer(held, "allow")
        assert (await laptop.tasks[0]).decision == Allow()
        return
    with pytest.raises(RefusedError) as refused:
        await laptop.answer(held, "allow")
    assert refused.value.code == "not-approver"
