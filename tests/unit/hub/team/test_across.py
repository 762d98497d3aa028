"""An ask at one machine, its answer at another: the parts of both hubs over a relay."""

import asyncio

import pytest

from assent.asks.open_ask import Person, RefusedError
from assent.protocol.decision import Allow, Deny
from assent.protocol.surfaces import Scope
from tests.unit.asks.fake_case import FakeCase
from tests.unit.hub.team.machines import ADA, BOB, PAGE, Team, settled
from tests.waiting import seen

pytestmark = pytest.mark.anyio


async def test_ask_is_shown_at_the_other_machine_of_its_owner(team: Team) -> None:
    """With the machine it comes from, under a session that is none of this machine's."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase(session="s1"))
    held = await desktop.shown()
    card = held.drawn.card
    assert (card.view.verb, card.subject.machine, "other_machine" in card.flags) == ("Run a command", "laptop", True)
    assert held.case.event.session_id == card.subject.session == f"team-{laptop.id[:8]}-s1"


async def test_yes_there_releases_the_agent_here(team: Team) -> None:
    """And says on record who, on which machine and on which screen."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.answer(await desktop.shown(), "allow")
    assert (await laptop.tasks[0]).decision == Allow()
    assert await laptop.kinds() == ["ask", "answer", "decision"]
    (answer,) = await laptop.records("answer")
    assert (answer.by, answer.body["surface"], answer.body["device"]) == (
        "person:ada@example.org",
        "team",
        "desktop: iPhone",
    )


async def test_both_journals_tell_of_it(team: Team) -> None:
    """Where it was answered no decision is recorded: nothing was decided there."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.answer(await desktop.shown(), "deny", message="Use git stash.")
    assert (await laptop.tasks[0]).decision == Deny("Use git stash.")
    await seen(lambda: not desktop.others(), "the ask is over there")
    assert await desktop.kinds() == ["ask", "answer", "told", "outcome"]
    assert await desktop.bodies("outcome") == [{"ending": "denied"}]


async def test_answer_here_ends_it_there_with_who_gave_it(team: Team) -> None:
    """The other screens say what became of it."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = await laptop.ask(FakeCase())
    await desktop.shown()
    await laptop.answer(held, "allow", Person("person:desk", "desk", Scope.ADMIN))
    await seen(lambda: not desktop.others(), "the ask is over there")
    why = "Allowed by ada@example.org on laptop"
    assert await desktop.bodies("outcome") == [{"ending": "withdrawn", "why": why}]


async def test_what_came_of_a_yes_is_on_record_where_the_agent_runs(team: Team) -> None:
    """No more is heard of it elsewhere, and that is said."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.answer(await desktop.shown(), "allow")
    await laptop.tasks[0]
    await settled()
    assert await desktop.kinds() == ["ask", "answer", "told", "outcome"]
    assert await desktop.bodies("outcome") == [
        {"ending": "unknown", "why": "Allowed from here; what came of it is on record on laptop"}
    ]


async def test_first_valid_answer_wins(team: Team) -> None:
    """Of two machines that answer at once; the other is told that it was too late."""
    laptop, one, two = (team.machine(name) for name in ("laptop", "one", "two"))
    await laptop.ask(FakeCase())
    there, elsewhere = await one.shown(), await two.shown()
    results = await asyncio.gather(one.answer(there, "allow"), two.answer(elsewhere, "deny"), return_exceptions=True)
    refused = [result for result in results if isinstance(result, RefusedError)]
    assert [error.code for error in refused] == ["too-late"]
    assert (await laptop.kinds()).count("answer") == 1


async def test_change_is_shown_and_an_answer_to_what_was_before_is_refused(team: Team) -> None:
    """What waits now has to be looked at."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    case = FakeCase()
    held = await laptop.ask(case)
    shown = await desktop.shown()
    before = shown.drawn.hash
    case.text = "git push --force"
    laptop.desk.changed(held.name)
    await seen(lambda: shown.drawn.hash != before, "the new card")
    assert (shown.rev, shown.drawn.card.view.segments[0].text) == (2, "git push --force")
    await desktop.answer(shown, "allow")
    assert (await laptop.tasks[0]).decision == Allow()


async def test_yes_to_what_has_changed_meanwhile_is_refused_there(team: Team) -> None:
    """The desk of the agent's machine looks again before it takes a yes."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    case = FakeCase()
    await laptop.ask(case)
    shown = await desktop.shown()
    case.text = "git push --force"
    with pytest.raises(RefusedError) as refused:
        await desktop.answer(shown, "allow")
    assert refused.value.code == "changed"
    assert not laptop.tasks[0].done()
    await seen(lambda: shown.rev == 2, "the new card")
    await desktop.answer(shown, "allow")
    assert (await laptop.tasks[0]).decision == Allow()


async def test_changed_input_goes_along(team: Team) -> None:
    """And is judged where the agent runs."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.answer(await desktop.shown(), "allow_edited", edited={"command": "git status -s"})
    assert (await laptop.tasks[0]).decision == Allow(updated_input={"command": "git status -s"})


async def test_changed_input_that_is_worse_is_refused(team: Team) -> None:
    """In the words of the machine that judged it."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase(edit_why="Changed like this it is danger."))
    with pytest.raises(RefusedError, match="Changed like this it is danger"):
        await desktop.answer(await desktop.shown(), "allow_edited", edited={"command": "rm -rf ."})
    assert len(await laptop.bodies("refused")) == 1


@pytest.mark.parametrize("choice", ["allow_here", "allow_for", "allow_project", "deny_here"])
async def test_what_lasts_is_not_offered_elsewhere(team: Team, choice: str) -> None:
    """It is kept where the agent runs, and is not carried."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    with pytest.raises(RefusedError) as refused:
        await desktop.answer(await desktop.shown(), choice, grant="rule:Bash(git status)")
    assert refused.value.code == "not-offered"
    assert team.relay.answers == []


async def test_dangerous_call_needs_its_word_there_as_well(team: Team) -> None:
    """The same as at the machine itself."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase(level="danger", match="kiwi"))
    shown = await desktop.shown()
    with pytest.raises(RefusedError) as refused:
        await desktop.answer(shown, "allow")
    assert refused.value.code == "needs-match"
    await desktop.answer(shown, "allow", match="kiwi")
    assert (await laptop.tasks[0]).decision == Allow()


async def test_ask_is_not_shown_to_another_person(team: Team) -> None:
    """Unless it is asked of them; a later ask of their own machine shows that nothing came."""
    laptop, of_bob = team.machine("laptop"), team.machine("desktop", BOB)
    other_of_bob = team.machine("tablet", BOB)
    await laptop.ask(FakeCase("r1"))
    await other_of_bob.ask(FakeCase("r2"))
    held = await of_bob.shown()
    assert held.drawn.card.subject.machine == "tablet"
    await settled()
    assert len(of_bob.others()) == 1


@pytest.mark.parametrize("session", ["demo-1", "test-1", "team-1"])
async def test_practice_and_asks_of_others_stay_here(team: Team, session: str) -> None:
    """Only what agents of this machine ask goes out."""
    laptop = team.machine("laptop")
    await laptop.ask(FakeCase("r1", session=session))
    await laptop.ask(FakeCase("r2"))
    await seen(lambda: team.relay.asks, "the ask of an agent")
    await settled()
    assert len(team.relay.asks) == 1


async def test_workloads_ask_whom_they_named(team: Team) -> None:
    """Its hub has no owner: those whom its own side named answer, and no one else sees it."""
    job = team.machine("ci", None, answerers=("group:sre",))
    of_ada, of_bob = team.machine("laptop", ADA), team.machine("desktop", BOB)
    await job.ask(FakeCase())
    await of_bob.answer(await of_bob.shown(), "allow", PAGE)
    assert (await job.tasks[0]).decision == Allow()
    assert (await job.records("answer"))[0].by == "person:bob@example.org"
    assert of_ada.others() == []


async def test_auditor_reads_and_answers_nothing(team: Team) -> None:
    """What is asked of others is shown with no way to answer it."""
    laptop, of_bob = team.machine("laptop"), team.machine("desktop", BOB, roles=("member", "auditor"))
    await laptop.ask(FakeCase())
    shown = await of_bob.shown()
    assert (shown.drawn.card.subject.machine, shown.drawn.card.flags) == (
        "laptop (ada@example.org)",
        ("other_machine", "read_only"),
    )
    with pytest.raises(RefusedError, match="others answer it"):
        await of_bob.answer(shown, "deny")


async def test_ask_too_large_to_be_sent_can_be_denied_elsewhere(team: Team) -> None:
    """What cannot be shown whole cannot be allowed."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase(text="x" * (300 << 10)))
    shown = await desktop.shown()
    assert "shortened" in shown.drawn.card.flags
    assert len(shown.drawn.card.view.segments[0].text) < 3_000
    with pytest.raises(RefusedError, match="too long to be shown whole"):
        await desktop.answer(shown, "allow")
    await desktop.answer(shown, "deny")
    assert isinstance((await laptop.tasks[0]).decision, Deny)
