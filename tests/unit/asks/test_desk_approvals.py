"""The desk, where several people have to agree."""

import asyncio
import hashlib
from dataclasses import dataclass, field
from datetime import timedelta

import msgspec
import pytest

from assent.asks.desk import Desk
from assent.asks.open_ask import Drawn, Earlier, Held, Person, RefusedError
from assent.protocol.approval import ApprovalView, Rung
from assent.protocol.decision import Allow, Decision, Deny, NoOpinion
from assent.protocol.surfaces import Scope
from assent.protocol.team import Identity
from tests.unit.asks.fake_case import FakeCase
from tests.unit.asks.test_approval import ADA, BOB, EVE, FOUR_EYES, OWNER
from tests.unit.asks.test_desk import Scenario, saying, until

pytestmark = pytest.mark.anyio
AT_THE_DESK = Person("person:desk", "desk", Scope.ADMIN)
OWNERS = ApprovalView("approval:user#1", whom=("owner",))


@dataclass
class Team:
    owner: Identity | None = OWNER
    is_joined: bool = True
    trouble: str = ""
    answerers: tuple[str, ...] = ()
    damage: str = ""
    revoked: tuple[str, ...] = ()

    def is_revoked(self, hub: str) -> bool:
        return hub in self.revoked


@dataclass(eq=False)
class Guarded(FakeCase):
    """A call that needs an approval, held before its client."""

    needs: ApprovalView = FOUR_EYES
    fallback: Decision = field(default_factory=lambda: Deny("It was not given."))
    way = "before"

    def draw(self) -> Drawn:
        drawn = super().draw()
        card = msgspec.structs.replace(drawn.card, approval=self.needs)
        bound = msgspec.json.encode((self.text, self.needs))
        return Drawn(card, hashlib.sha256(bound).hexdigest(), self.policy)

    def undecided(self, decision: Decision) -> Decision:
        return self.fallback if isinstance(decision, NoOpinion) else decision


def by(identity: Identity) -> Person:
    """A person on a page of another machine, as their signature proves."""
    return Person(f"person:{identity.mail}", "team", Scope.ANSWER, "hub", identity, "page")


def scene(team: Team | None = None) -> Scenario:
    scenario = Scenario()
    scenario.desk.counting.team = team or Team()
    return scenario


async def refused(desk: Desk, held: Held, who: Person, choice: str = "allow") -> str:
    with pytest.raises(RefusedError) as error:
        await desk.answer(held.name, saying(held, choice), who)
    return error.value.code


async def test_first_yes_is_recorded_and_the_last_one_decides() -> None:
    """One record each; the decision names all of them."""
    scenario = scene()
    held, task = await scenario.ask(Guarded())
    assert await scenario.desk.answer(held.name, saying(held, "allow"), by(ADA)) == 1
    assert not task.done()
    assert held.takes_answers
    assert await scenario.desk.answer(held.name, saying(held, "allow"), by(BOB)) == 0
    assert (await task).decision == Allow()
    assert await scenario.kinds() == ["ask", "approved", "answer", "decision"]
    (decided,) = await scenario.bodies("decision")
    assert decided["approval"] == {"rules": ["approval:user#1"], "by": ["ada@example.org", "bob@example.org"]}
    (answer,) = await scenario.bodies("answer")
    assert answer["approved_by"] == ["ada@example.org", "bob@example.org"]


async def test_one_no_ends_it() -> None:
    """Each of those who are asked may, and however many said yes before."""
    scenario = scene()
    held, task = await scenario.ask(Guarded())
    await scenario.desk.answer(held.name, saying(held, "allow"), by(ADA))
    assert await scenario.desk.answer(held.name, saying(held, "deny"), AT_THE_DESK) == 0
    assert isinstance((await task).decision, Deny)


async def test_who_does_not_count_is_refused() -> None:
    """Strangers, the owner where the rule says so, the same person again, and whose name nothing proves."""
    scenario = scene()
    held, task = await scenario.ask(Guarded())
    assert await refused(scenario.desk, held, by(EVE)) == "not-approver"
    assert await refused(scenario.desk, held, by(OWNER)) == "not-approver"
    assert await refused(scenario.desk, held, AT_THE_DESK) == "not-approver"
    unproven = Person("person:ada@example.org", "team", Scope.ANSWER)
    assert await refused(scenario.desk, held, unproven) == "not-approver"
    await scenario.desk.answer(held.name, saying(held, "allow"), by(ADA))
    assert await refused(scenario.desk, held, by(ADA)) == "already-counted"
    assert scenario.desk.counting.missing(held) == 1
    assert not task.done()


async def test_nothing_but_a_plain_yes_or_no_is_taken() -> None:
    """Not what lasts, not a changed call, and not a way past those who have to agree."""
    scenario = scene()
    held, _ = await scenario.ask(Guarded(needs=OWNERS))
    for choice in ("allow_here", "allow_for", "allow_edited", "allow_session", "deny_here", "hand_back"):
        assert await refused(scenario.desk, held, AT_THE_DESK, choice) == "not-offered"


async def test_person_at_a_hub_without_team_counts_as_its_owner() -> None:
    """And as no other person."""
    scenario = Scenario()
    held, task = await scenario.ask(Guarded(needs=OWNERS))
    assert scenario.desk.counting.unreachable(OWNERS) == ""
    assert await scenario.desk.answer(held.name, saying(held, "allow"), AT_THE_DESK) == 0
    assert (await task).decision == Allow()
    held, _ = await scenario.ask(Guarded(request="r2"))
    assert await refused(scenario.desk, held, AT_THE_DESK) == "not-approver"
    assert "in no team" in scenario.desk.counting.unreachable(FOUR_EYES)


async def test_chat_may_say_no_and_a_single_yes_to_care() -> None:
    """Of several, and of Danger, its yes is none."""
    one = ApprovalView("approval:user#1", whom=("group:sre",))
    scenario = scene()
    chat = Person("person:ada", "team", Scope.ANSWER, "hub", ADA, "chat")
    held, _ = await scenario.ask(Guarded())
    assert await refused(scenario.desk, held, chat) == "not-here"
    held, task = await scenario.ask(Guarded(request="r2", needs=one, level="care"))
    assert await scenario.desk.answer(held.name, saying(held, "allow"), chat) == 0
    assert (await task).decision == Allow()
    held, task = await scenario.ask(Guarded(request="r3", needs=one, level="danger"))
    assert await refused(scenario.desk, held, chat) == "not-offered"
    await scenario.desk.answer(held.name, saying(held, "deny"), chat)
    assert isinstance((await task).decision, Deny)


async def test_change_of_what_is_shown_starts_over() -> None:
    """Who agreed, agreed to something else; a rule that changed counts as a change."""
    scenario = scene()
    case = Guarded()
    held, task = await scenario.ask(case)
    await scenario.desk.answer(held.name, saying(held, "allow"), by(ADA))
    case.text = "git push --force"
    assert await refused(scenario.desk, held, by(BOB)) == "changed"
    assert (held.rev, held.yeses) == (2, ())
    assert await scenario.desk.answer(held.name, saying(held, "allow"), by(BOB)) == 1
    case.needs = ApprovalView("approval:user#1", whom=("group:sre",))
    assert await refused(scenario.desk, held, by(ADA)) == "changed"
    assert await scenario.desk.answer(held.name, saying(held, "allow"), by(ADA)) == 0
    assert (await task).decision == Allow()


async def test_yeses_at_the_same_moment_are_both_taken() -> None:
    """None is refused because the other is being written down; and a no beside them is not lost."""
    scenario = scene()
    held, task = await scenario.ask(Guarded())
    both = [scenario.desk.answer(held.name, saying(held, "allow"), by(each)) for each in (ADA, BOB)]
    assert sorted(await asyncio.gather(*both)) == [0, 1]
    assert (await task).decision == Allow()
    held, task = await scenario.ask(Guarded(request="r2"))
    yes = scenario.desk.answer(held.name, saying(held, "allow"), by(ADA))
    no = scenario.desk.answer(held.name, saying(held, "deny"), by(BOB))
    assert list(await asyncio.gather(yes, no)) == [1, 0]
    assert isinstance((await task).decision, Deny)


async def test_yes_that_is_not_on_record_does_not_count() -> None:
    """Neither the first nor the last; both can be given again."""
    scenario = scene()
    held, task = await scenario.ask(Guarded())
    scenario.broken = True
    assert await refused(scenario.desk, held, by(ADA)) == "no-journal"
    assert held.yeses == ()
    scenario.broken = False
    assert await scenario.desk.answer(held.name, saying(held, "allow"), by(ADA)) == 1
    scenario.broken = True
    assert await refused(scenario.desk, held, by(BOB)) == "no-journal"
    assert len(held.yeses) == 1
    scenario.broken = False
    assert await scenario.desk.answer(held.name, saying(held, "allow"), by(BOB)) == 0
    assert (await task).decision == Allow()


async def test_recorded_yeses_are_known_after_a_restart() -> None:
    """Only of what is shown again unchanged."""
    before = scene()
    held, task = await before.ask(Guarded())
    await before.desk.answer(held.name, saying(held, "allow"), by(ADA))
    earlier = Earlier(held.name, held.rev, held.drawn.hash, held.opened_at, held.deadline, yeses=held.yeses)
    task.cancel()
    after = scene()
    again, task = await after.ask(Guarded(), earlier=earlier)
    assert after.desk.counting.missing(again) == 1
    assert await refused(after.desk, again, by(ADA)) == "already-counted"
    assert await after.desk.answer(again.name, saying(again, "allow"), by(BOB)) == 0
    assert (await task).decision == Allow()
    other = scene()
    changed, _ = await other.ask(Guarded(text="rm -rf ."), earlier=earlier)
    assert (changed.rev, other.desk.counting.missing(changed)) == (2, 2)


@pytest.mark.parametrize("otherwise", ["deny", "hand_back"])
async def test_time_that_is_up_ends_it_as_the_rule_says(otherwise: str) -> None:
    """Whatever the settings say of other asks; why is on record."""
    scenario = scene(Team(trouble="The team cannot be reached now."))
    needs = msgspec.structs.replace(FOUR_EYES, otherwise=otherwise)
    scenario.on_expiry = "hand_back" if otherwise == "deny" else "deny"
    fallback = Deny("no") if otherwise == "deny" else NoOpinion("handed_back")
    _, task = await scenario.ask(Guarded(needs=needs, fallback=fallback), timedelta(milliseconds=20))
    decision = (await task).decision
    assert isinstance(decision, Deny) == (otherwise == "deny")
    (outcome,) = await scenario.bodies("outcome")
    assert outcome == {
        "ending": "denied" if otherwise == "deny" else "handed_back",
        "why": "The team cannot be reached now.",
    }


async def test_no_end_without_an_answer_lets_it_run() -> None:
    """The hub goes down, the hook is gone, the turn went on: each time the agent is told no."""
    for end in ("let_go", "overtaken", "reported"):
        scenario = scene()
        case = Guarded(tool_use_id="t")
        held, task = await scenario.ask(case)
        await scenario.desk.answer(held.name, saying(held, "allow"), by(ADA))
        session = case.event.session_id
        if end == "let_go":
            scenario.desk.let_go()
        elif end == "overtaken":
            scenario.desk.overtaken(session, "moved on")
        else:
            scenario.desk.reported(session, "t", "allowed")
        assert isinstance((await task).decision, Deny)


async def test_ladder_tells_when_more_people_are_asked() -> None:
    """Those who share it hear of it, and ask who it is by then."""
    heard: list[str] = []
    scenario = scene()
    scenario.desk.widened = heard.append
    needs = ApprovalView("approval:user#1", whom=("group:sre",), ladder=(Rung("group:leads", 1),))
    held, _ = await scenario.ask(Guarded(needs=needs))
    assert scenario.desk.whom_now(held.name) == ("group:sre",)
    scenario.now += 1_000
    await until(lambda: heard)
    assert heard == [held.name]
    assert scenario.desk.whom_now(held.name) == ("group:sre", "group:leads")
    assert scenario.desk.whom_now("gone") == ()


async def test_screens_offer_a_yes_only_to_those_whose_counts() -> None:
    """Once it was given there is only the no left."""
    scenario = scene()
    held, _ = await scenario.ask(Guarded(needs=msgspec.structs.replace(FOUR_EYES, not_owner=False)))
    assert scenario.desk.counting.counts_here(held, "page")
    assert not scenario.desk.counting.counts_here(held, "chat")
    await scenario.desk.answer(held.name, saying(held, "allow"), AT_THE_DESK)
    assert not scenario.desk.counting.counts_here(held, "page")
    other, _ = await scenario.ask(Guarded(request="r2"))
    assert not scenario.desk.counting.counts_here(other, "page")


async def test_nobody_at_a_workloads_own_screens_agrees() -> None:
    """Who answers for it was named as it joined, and says so from elsewhere."""
    scenario = scene(Team(owner=None, answerers=("group:sre",)))
    named = scenario.desk.counting.named(OWNERS)
    assert named.whom == ("group:sre",)
    held, task = await scenario.ask(Guarded(needs=named))
    assert not scenario.desk.counting.counts_here(held, "page")
    assert await refused(scenario.desk, held, AT_THE_DESK) == "not-approver"
    assert await scenario.desk.answer(held.name, saying(held, "allow"), by(ADA)) == 0
    assert (await task).decision == Allow()


@pytest.mark.parametrize("who", [AT_THE_DESK, by(OWNER)], ids=["here", "elsewhere"])
async def test_owner_who_leaves_the_team_is_no_second_person(who: Person) -> None:
    """What they said as a member of it was said by the person who sits at the desk afterwards."""
    team = Team()
    scenario = scene(team)
    held, task = await scenario.ask(Guarded(needs=ApprovalView("a", whom=("owner", "group:sre"), count=2)))
    await scenario.desk.answer(held.name, saying(held, "allow"), who)
    assert [body["is_owner"] for body in await scenario.bodies("approved")] == [True]
    team.owner, team.is_joined = None, False
    assert not scenario.desk.counting.counts_here(held, "page")
    assert await refused(scenario.desk, held, AT_THE_DESK) == "already-counted"
    assert scenario.desk.counting.missing(held) == 1
    assert not task.done()


async def test_owner_who_leaves_the_team_is_still_its_owner() -> None:
    """A rule that does not count them does not count what they said as a member, either."""
    team = Team()
    scenario = scene(team)
    others = ApprovalView("b", whom=("group:sre",), not_owner=True)
    held, task = await scenario.ask(Guarded(needs=msgspec.structs.replace(OWNERS, also=(others,))))
    await scenario.desk.answer(held.name, saying(held, "allow"), AT_THE_DESK)
    team.owner, team.is_joined = None, False
    assert scenario.desk.counting.missing(held) == 1
    assert await refused(scenario.desk, held, AT_THE_DESK) == "already-counted"
    assert not task.done()


async def test_nobody_at_the_desk_agrees_where_the_team_cannot_be_read() -> None:
    """A workload may own the hub, so who sits there need not be a person whose yes counts."""
    scenario = scene(Team(owner=None, is_joined=False, damage="team.json cannot be used."))
    assert scenario.desk.counting.unreachable(OWNERS) == "team.json cannot be used."
    held, _ = await scenario.ask(Guarded(needs=OWNERS))
    assert not scenario.desk.counting.counts_here(held, "page")
    assert await refused(scenario.desk, held, AT_THE_DESK) == "not-approver"
