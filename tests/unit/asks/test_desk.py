"""The desk, played through with a journal in memory."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from assent.asks import desk as desks
from assent.asks.desk import Desk
from assent.asks.open_ask import Earlier, Held, Person, RefusedError, Release
from assent.asks.state import Life
from assent.journal.base import JournalError
from assent.journal.memory import MemoryJournal
from assent.protocol.card import AnswerRequest
from assent.protocol.decision import Allow, Deny, NoOpinion
from assent.protocol.record import Draft, Record
from assent.protocol.surfaces import Scope, UnknownSurfaceError
from tests.unit.asks.fake_case import FakeCase
from tests.waiting import let_pass_in_loop, seen

OWNER = Person("person:desk", "desk", Scope.ADMIN)
PHONE = Person("person:phone", "page", Scope.ANSWER, "phone")
pytestmark = pytest.mark.anyio


@dataclass
class Scenario:
    """A desk, and what is asked at it."""

    journal: MemoryJournal = field(default_factory=MemoryJournal)
    broken: bool = False
    now: int = 1_000
    on_expiry: str = "hand_back"
    allowed: list[AnswerRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk = Desk(
            self.record,
            lambda: self.now,
            lambda: 0,
            lambda _: self.on_expiry,
            lambda _, said, __: self.allowed.append(said),
        )

    def record(self, drafts: Sequence[Draft]) -> Awaitable[tuple[Record, ...]]:
        if self.broken:
            failed: asyncio.Future[tuple[Record, ...]] = asyncio.get_running_loop().create_future()
            failed.set_exception(JournalError("The disk is full."))
            # Retrieved, so that those that are not awaited log no warning.
            failed.exception()
            return failed
        return asyncio.ensure_future(self.journal.append(drafts))

    async def ask(
        self, case: FakeCase, hold: timedelta = timedelta(minutes=1), earlier: Earlier | None = None
    ) -> tuple[Held, "asyncio.Task[Release]"]:
        """Something that waits now."""
        task = asyncio.ensure_future(self.desk.ask(case, hold, earlier=earlier))
        await until(lambda: any(held.expiry for held in self.desk.waiting if held.case is case) or task.done())
        return next((held for held in self.desk.waiting if held.case is case), None), task  # type: ignore[return-value]

    async def settled(self) -> None:
        """What was handed to the journal is in it."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def kinds(self) -> list[str]:
        await self.settled()
        return [record.kind for record in await self.journal.tail(100)]

    async def bodies(self, kind: str) -> list[dict[str, Any]]:
        await self.settled()
        return [record.body for record in await self.journal.tail(100) if record.kind == kind]


async def until(probe: Callable[[], object]) -> None:
    await seen(probe, "what should happen")


def saying(held: Held, choice: str, **more: Any) -> AnswerRequest:
    return AnswerRequest(rev=held.rev, hash=held.drawn.hash, choice=choice, **more)  # type: ignore[arg-type]


async def test_answer_is_on_record_before_the_agent_is_told() -> None:
    """Ask, then answer and decision together, then told."""
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase())
    await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    assert await scenario.kinds() == ["ask", "answer", "decision"]
    assert (await task).decision == Allow()
    assert scenario.desk.told("r1", delivered=True)
    assert await scenario.kinds() == ["ask", "answer", "decision", "told"]


async def test_denied_ask_is_over_as_soon_as_the_agent_knows() -> None:
    """No later event tells that a call did not run."""
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase())
    await scenario.desk.answer(held.name, saying(held, "deny", message="Use git stash."), OWNER)
    assert (await task).decision == Deny("Use git stash.")
    scenario.desk.told("r1", delivered=True)
    assert await scenario.bodies("outcome") == [{"ending": "denied"}]


async def test_two_answers_at_once_have_one_winner() -> None:
    """The second is refused, told why, and on record as refused."""
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase())
    answers = [scenario.desk.answer(held.name, saying(held, choice), OWNER) for choice in ("deny", "allow")]
    first, second = await asyncio.gather(*answers, return_exceptions=True)
    assert first == 0
    assert isinstance(second, RefusedError)
    assert second.code == "too-late"
    assert isinstance((await task).decision, Deny)
    assert [body["choice"] for body in await scenario.bodies("refused")] == ["allow"]


async def test_answer_after_the_end_is_refused() -> None:
    """Late is late."""
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase())
    scenario.desk.noticed(held.name, Life("closed", "terminal"))
    assert (await task).decision == NoOpinion("answered_elsewhere")
    with pytest.raises(RefusedError, match="does not wait"):
        await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)


@pytest.mark.parametrize("wrong", [{"rev": 2}, {"hash": "0" * 64}])
async def test_answer_to_something_else_is_refused(wrong: dict[str, Any]) -> None:
    """An answer is bound to the revision and to the hash of what was shown."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase())
    answer = {"rev": held.rev, "hash": held.drawn.hash, "choice": "deny", **wrong}
    with pytest.raises(RefusedError) as refused:
        await scenario.desk.answer(held.name, AnswerRequest(**answer), OWNER)
    assert refused.value.code == "changed"


async def test_yes_to_what_has_changed_meanwhile_shows_it_anew() -> None:
    """A yes looks again; what changed becomes a new revision, which can be answered."""
    scenario = Scenario()
    case = FakeCase()
    held, task = await scenario.ask(case)
    before = saying(held, "allow")
    case.text = "rm -rf uploads"
    with pytest.raises(RefusedError) as refused:
        await scenario.desk.answer(held.name, before, OWNER)
    assert (refused.value.code, held.rev) == ("changed", 2)
    assert [body.get("rev", 1) for body in await scenario.bodies("ask")] == [1, 2]
    await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    assert (await task).decision == Allow()


async def test_no_works_without_looking_again() -> None:
    """A no does not need the new text to be read first."""
    scenario = Scenario()
    case = FakeCase()
    held, task = await scenario.ask(case)
    case.text = "rm -rf uploads"
    await scenario.desk.answer(held.name, saying(held, "deny"), OWNER)
    assert isinstance((await task).decision, Deny)


async def test_yes_never_overrides_what_the_policy_denies_by_now() -> None:
    """A person replaces a prompt or silence, never a deny."""
    scenario = Scenario()
    case = FakeCase()
    held, _ = await scenario.ask(case)
    case.policy = Deny("A new rule says no.")
    with pytest.raises(RefusedError, match="A new rule says no") as refused:
        await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    assert refused.value.code == "refused-by-policy"


@pytest.mark.parametrize("word", ["", "main ", "Main", "uploads"])
async def test_danger_needs_its_word(word: str) -> None:
    """It is known only after reading to the end. Blanks around it do no harm."""
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase(level="danger", match="main"))
    answer = scenario.desk.answer(held.name, saying(held, "allow", match=word), OWNER)
    if word.strip() == "main":
        await answer
        assert (await task).decision == Allow()
    else:
        with pytest.raises(RefusedError) as refused:
            await answer
        assert refused.value.code == "needs-match"


async def test_danger_without_a_word_cannot_be_allowed() -> None:
    """An empty word does not count as typed."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase(level="danger"))
    with pytest.raises(RefusedError):
        await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)


@pytest.mark.parametrize("choice", ["allow_session", "allow_edited"])
async def test_scope_limits_what_can_be_said(choice: str) -> None:
    """A phone says yes once, and nothing more."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase())
    with pytest.raises(RefusedError) as refused:
        await scenario.desk.answer(held.name, saying(held, choice, edited={}, grant="rule:Read"), PHONE)
    assert refused.value.code == "not-offered"


async def test_words_of_ones_own_need_a_scope_of_their_own() -> None:
    """Free text to the model is more than a no."""
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase())
    with pytest.raises(RefusedError, match="Words of your own"):
        await scenario.desk.answer(held.name, saying(held, "deny", message="Do this instead."), PHONE)
    await scenario.desk.answer(held.name, saying(held, "deny"), PHONE)
    assert isinstance((await task).decision, Deny)


async def test_expiry_is_no_opinion_and_recorded_as_timeout() -> None:
    """Time that is up is not an answer."""
    scenario = Scenario()
    _, task = await scenario.ask(FakeCase(), timedelta(milliseconds=5))
    assert (await task).decision == NoOpinion("timed_out")
    assert await scenario.bodies("outcome") == [{"ending": "expired"}]
    assert [record.by for record in await scenario.journal.tail(10) if record.kind == "decision"] == ["timeout"]


async def test_expiry_denies_where_the_settings_say_so() -> None:
    """The reason says that it was not a person's no."""
    scenario = Scenario(on_expiry="deny")
    _, task = await scenario.ask(FakeCase(), timedelta(milliseconds=5))
    decision = (await task).decision
    assert isinstance(decision, Deny)
    assert "Nobody said no" in decision.reason


async def test_short_hold_hands_back_to_the_terminal() -> None:
    """A dialog that waits for us opens, and the ask says why it is gone."""
    scenario = Scenario()
    _, task = await scenario.ask(FakeCase(way="before"), timedelta(milliseconds=5))
    assert (await task).decision == NoOpinion("handed_back")
    assert await scenario.bodies("outcome") == [{"ending": "handed_back"}]


async def test_hook_that_is_gone_ends_the_ask_at_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness ends our hook on a no there."""
    monkeypatch.setattr(desks, "COMES_BACK_WITHIN", 0.01)
    scenario = Scenario()
    _, task = await scenario.ask(FakeCase())
    scenario.desk.lost("r1")
    assert (await task).decision == NoOpinion("answered_elsewhere")
    assert (await scenario.bodies("outcome"))[0]["ending"] == "terminal"


async def test_hook_that_comes_back_goes_on_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken connection is not an answer."""
    monkeypatch.setattr(desks, "COMES_BACK_WITHIN", 0.01)
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase())
    scenario.desk.lost("r1")
    scenario.desk.attached("r1")
    # Timers fire in order: the one that would end the ask is before this one.
    await let_pass_in_loop(2 * desks.COMES_BACK_WITHIN)
    assert not task.done()
    await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    # The connection that broke cannot take it; the other one can.
    assert scenario.desk.told("r1", delivered=False)
    assert scenario.desk.told("r1", delivered=True)
    assert [body["delivered"] for body in await scenario.bodies("told")] == [True]


async def test_answer_that_is_not_delivered_is_on_record_as_such() -> None:
    """Nothing looks like success that was none."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase())
    await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    held.hooks = 0
    scenario.desk.told("r1", delivered=False)
    assert [body["delivered"] for body in await scenario.bodies("told")] == [False]
    assert (await scenario.bodies("outcome"))[0]["ending"] == "unknown"


async def test_report_closes_its_own_call_and_no_other() -> None:
    """Identical requests side by side never close each other."""
    scenario = Scenario()
    one = FakeCase("r1", tool_use_id="toolu_1", session="s")
    two = FakeCase("r2", tool_use_id="toolu_2", session="s")
    _, first = await scenario.ask(one)
    held, _ = await scenario.ask(two)
    scenario.desk.reported("s", "toolu_1", "user_temporary")
    assert (await first).decision == NoOpinion("answered_elsewhere")
    assert held.takes_answers
    assert await scenario.bodies("outcome") == [
        {"ending": "terminal", "certainty": "reported", "why": "user_temporary"}
    ]


async def test_report_of_another_session_closes_nothing() -> None:
    """Ids of calls belong to their session."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase(tool_use_id="toolu_1", session="s"))
    scenario.desk.reported("other", "toolu_1", "user_temporary")
    assert held.takes_answers


async def test_missing_prompt_casts_doubt_and_a_seen_one_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Doubtful is still answerable."""
    monkeypatch.setattr(desks, "DOUBT_AFTER", 0.01)
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase(session="s"))
    await until(lambda: held.life.state == "doubtful")
    scenario.desk.still_open("s")
    assert held.life.state == "open"
    await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    assert (await task).decision == Allow()


async def test_harness_that_reports_is_not_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no need to guess what will be told."""
    monkeypatch.setattr(desks, "DOUBT_AFTER", 0.01)
    scenario = Scenario()
    scenario.desk.reporting.add("s")
    held, _ = await scenario.ask(FakeCase(session="s"))
    await let_pass_in_loop(2 * desks.DOUBT_AFTER)
    assert held.life.state == "open"


@pytest.mark.parametrize("session", ["demo-1", "test-1"])
async def test_demo_and_test_ask_are_not_doubted(monkeypatch: pytest.MonkeyPatch, session: str) -> None:
    """They have no terminal at which they could have been answered."""
    monkeypatch.setattr(desks, "DOUBT_AFTER", 0.0)
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase(session=session))
    agents, _ = await scenario.ask(FakeCase(request="r2", session="s"))
    await until(lambda: agents.life.state == "doubtful")
    assert held.life.state == "open"


async def test_no_yes_without_a_record() -> None:
    """With a full disk a no still counts, and a yes does not."""
    scenario = Scenario()
    held, task = await scenario.ask(FakeCase())
    scenario.broken = True
    with pytest.raises(RefusedError, match="No yes without a record"):
        await scenario.desk.answer(held.name, saying(held, "allow"), OWNER)
    assert held.takes_answers
    await scenario.desk.answer(held.name, saying(held, "deny"), OWNER)
    assert isinstance((await task).decision, Deny)


async def test_what_cannot_be_recorded_is_not_asked() -> None:
    """The terminal decides, as if there was no desk."""
    scenario = Scenario(broken=True)
    _, task = await scenario.ask(FakeCase())
    assert (await task).decision == NoOpinion("no_journal")
    assert scenario.desk.waiting == []


async def test_ask_of_an_earlier_life_goes_on_under_its_name() -> None:
    """The same text is the same ask, without a second record of it."""
    scenario = Scenario(now=5_000)
    case = FakeCase()
    earlier = Earlier("kfmzt", 3, case.draw().hash, 1_000, 60_000)
    held, task = await scenario.ask(case, earlier=earlier)
    assert (held.name, held.rev, held.opened_at, held.deadline) == ("kfmzt", 3, 1_000, 60_000)
    assert await scenario.kinds() == []
    await scenario.desk.answer("kfmzt", saying(held, "allow"), OWNER)
    assert (await task).decision == Allow()


async def test_ask_of_an_earlier_life_that_changed_is_a_new_revision() -> None:
    """What was shown before the restart is not what waits now."""
    scenario = Scenario(now=5_000)
    held, _ = await scenario.ask(FakeCase(), earlier=Earlier("kfmzt", 3, "0" * 64, 1_000, 60_000))
    assert held.rev == 4
    assert await scenario.kinds() == ["ask"]


async def test_refusals_on_record_are_bounded() -> None:
    """Repeated answers do not fill the disk."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase(level="danger", match="main"))
    for _ in range(desks.MOST_REFUSALS + 5):
        with pytest.raises(RefusedError):
            await scenario.desk.answer(held.name, saying(held, "allow", match="no"), OWNER)
    assert len(await scenario.bodies("refused")) == desks.MOST_REFUSALS
    assert "no" not in {body.get("match") for body in await scenario.bodies("refused")}


async def test_answer_from_an_unregistered_surface_is_an_error() -> None:
    """What may be answered there is not guessed, so even a no is not taken."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase())
    with pytest.raises(UnknownSurfaceError, match="pigeon"):
        await scenario.desk.answer(held.name, saying(held, "deny"), Person("person:x", "pigeon", Scope.ADMIN))
    assert held.takes_answers


async def test_edit_that_the_policy_refuses_is_not_taken() -> None:
    """An edit is judged like any other call."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase(edit_why="Changed like this it is danger."))
    with pytest.raises(RefusedError, match="it is danger"):
        await scenario.desk.answer(held.name, saying(held, "allow_edited", edited={"command": "rm -rf /"}), OWNER)


async def test_what_was_said_with_a_yes_is_passed_on() -> None:
    """A note goes with the call's result."""
    scenario = Scenario()
    held, _ = await scenario.ask(FakeCase())
    await scenario.desk.answer(held.name, saying(held, "allow", message="Only this once."), OWNER)
    assert [said.message for said in scenario.allowed] == ["Only this once."]


async def test_names_of_asks_are_never_used_twice() -> None:
    """Not even when records are numbered slower than asks come."""
    scenario = Scenario()
    names = [(await scenario.ask(FakeCase(f"r{number}")))[0].name for number in range(20)]
    assert len(set(names)) == 20


async def test_desk_takes_so_many_asks_of_one_session_and_no_more() -> None:
    """A flood from one session leaves room for the others."""
    scenario = Scenario()
    for number in range(desks.MOST_OPEN_OF_SESSION):
        assert not scenario.desk.is_full("s")
        await scenario.ask(FakeCase(f"r{number}", session="s"))
    assert scenario.desk.is_full("s")
    assert not scenario.desk.is_full("other")


async def test_what_led_to_it_is_drawn_before_anybody_is_asked() -> None:
    """One revision: an answer is bound to it."""

    class Telling(FakeCase):
        async def look(self) -> bool:
            self.text = "git status, because"
            return True

    scenario = Scenario()
    held, waiting = await scenario.ask(Telling())
    assert held.rev == 1
    assert held.drawn.card.view.segments[0].text == "git status, because"
    (opened,) = [record for record in await scenario.journal.read() if record.kind == "ask"]
    assert opened.body["shown"] == held.drawn.hash
    waiting.cancel()


async def test_ask_that_ends_while_it_is_looked_at_is_not_opened() -> None:
    """No screen shows what is over already."""
    scenario = Scenario()

    class Slow(FakeCase):
        async def look(self) -> bool:
            scenario.desk.let_go()
            return True

    release = await scenario.desk.ask(Slow(), timedelta(minutes=1))
    assert release.decision == NoOpinion("handed_back")
    assert [record.kind for record in await scenario.journal.read() if record.kind == "ask"] == []
