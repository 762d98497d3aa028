"""A machine that joined a moment ago: it may only deny, and it is announced to its owner's other machines."""

import pytest
from msgspec import structs

from assent.asks.open_ask import Held, RefusedError
from assent.hub.team.new_machines import MOST, NewMachines
from assent.protocol.decision import Allow, Deny
from assent.protocol.team import NEW_MACHINE_MS, NewMachine
from tests.unit.asks.fake_case import FakeCase
from tests.unit.hub.team.machines import ADA, Machine, Team, saying, settled
from tests.waiting import seen

pytestmark = pytest.mark.anyio

MINUTE = 60_000


def choices_of(machine: Machine, held: Held) -> set[str]:
    """Those that its owner is not kept from."""
    return {"allow", "allow_edited", "deny", "hand_back"} - set(held.drawn.card.untold)


def sign_in_again(machine: Machine, team: Team) -> None:
    membership = machine.link.membership
    assert membership is not None
    proof = team.relay.provider.proof(machine.link.key, ADA, team.relay.now)
    machine.link.membership = structs.replace(membership, proof=proof)


async def test_new_machine_is_offered_a_no_and_told_why(team: Team) -> None:
    """A no of it counts at once."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop", joined_ago=3 * MINUTE)
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    assert choices_of(desktop, shown) == {"deny", "hand_back"}
    assert "new_machine" in shown.drawn.card.flags
    with pytest.raises(RefusedError, match="for ten minutes it may only deny"):
        await desktop.answer(shown, "allow")
    await desktop.answer(shown, "deny")
    assert isinstance((await laptop.tasks[0]).decision, Deny)


async def test_all_answers_are_offered_once_ten_minutes_are_over(team: Team) -> None:
    """The card on the screen changes by itself, and its yes counts then."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop", joined_ago=3 * MINUTE)
    desktop.team.others.pause = 0.0
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    before = saying(shown, "deny")
    team.relay.now += 7 * MINUTE
    await seen(lambda: "allow" in choices_of(desktop, shown), "the other answers")
    assert "new_machine" not in shown.drawn.card.flags
    assert before.hash != shown.drawn.hash
    await desktop.answer(shown, "allow")
    assert isinstance((await laptop.tasks[0]).decision, Allow)


@pytest.mark.parametrize("choice", ["allow", "allow_edited"])
async def test_yes_of_a_new_machine_is_refused_where_the_agent_runs(team: Team, choice: str) -> None:
    """Also where its own hub says that it joined long ago; the ask goes on waiting for another's."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop", joined_ago=3 * MINUTE)
    assert desktop.link.membership is not None
    desktop.link.membership = structs.replace(desktop.link.membership, joined_at=1)
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    with pytest.raises(RefusedError, match=r"^desktop joined the team 3 min ago; for 10 minutes .*, until \d") as error:
        await desktop.answer(shown, choice, edited={"command": "ls"} if choice == "allow_edited" else None)
    assert error.value.code == "new-machine"
    assert not laptop.tasks[0].done()
    (refused,) = await laptop.bodies("refused")
    assert refused["why"].startswith("desktop joined the team 3 min ago")


async def test_signing_in_again_does_not_make_a_machine_a_new_one(team: Team) -> None:
    """Where the hub that asks has seen an earlier token of its key."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await desktop.ask(FakeCase())
    await laptop.shown()
    sign_in_again(desktop, team)
    await laptop.ask(FakeCase("r2"))
    await desktop.answer(await desktop.shown(), "allow")
    assert isinstance((await laptop.tasks[0]).decision, Allow)


async def test_machine_that_was_never_heard_of_is_as_new_as_its_token(team: Team) -> None:
    """The word of its own hub, that it joined long ago, proves nothing."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    sign_in_again(desktop, team)
    await laptop.ask(FakeCase())
    with pytest.raises(RefusedError) as error:
        await desktop.answer(await desktop.shown(), "allow")
    assert error.value.code == "new-machine"


async def test_new_machine_is_announced_for_ten_minutes(team: Team) -> None:
    """Once, and on record; this machine itself is none of those that its owner has to know of."""
    laptop = team.machine("laptop")
    notes = list[str]()
    machines = NewMachines(laptop.link, notes.append, lambda: team.relay.now)
    for hub in ("n" * 43, "n" * 43, laptop.id):
        laptop.link.hear(NewMachine(hub, "desktop\n", team.relay.now - MINUTE))
    await settled()
    assert [(one["hub"], one["name"]) for one in machines.told()] == [("n" * 43, "desktop")]
    assert notes == ["a new machine was joined in the name of this hub's owner: desktop (nnnnnnnn)"]
    team.relay.now += NEW_MACHINE_MS
    assert machines.told() == []


async def test_relay_cannot_fill_screens_and_journal_with_machines(team: Team) -> None:
    """So many are named; those that came first stay."""
    laptop = team.machine("laptop")
    notes = list[str]()
    machines = NewMachines(laptop.link, notes.append, lambda: team.relay.now)
    for number in range(3 * MOST):
        laptop.link.hear(NewMachine(f"{number:043}", f"machine-{number}", team.relay.now))
    await settled()
    assert [one["name"] for one in machines.told()] == [f"machine-{number}" for number in range(MOST)]
    assert len(notes) == MOST
