"""A relay that was taken over: it changes, swaps, repeats and makes up what it carries. It says no yes."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from assent.asks.open_ask import Held
from assent.hub.team import others
from assent.protocol.approval import ApprovalView
from assent.protocol.decision import Allow
from assent.protocol.team import (
    LARGEST_ASK,
    AnswerVerdict,
    Identity,
    Proof,
    SharedAnswer,
    SharedAsk,
    TeamAnswer,
    TeamAsk,
)
from tests.unit.asks.fake_case import FakeCase
from tests.unit.asks.test_desk_approvals import Guarded
from tests.unit.hub.team.machines import ADA, BOB, Machine, Team, settled
from tests.waiting import seen

pytestmark = pytest.mark.anyio

MINUTE = 60_000


@dataclass
class Scene:
    """An ask that waits on Ada's laptop, and the yes of hers that a relay holds back."""

    team: Team
    laptop: Machine
    desktop: Machine
    held: Held
    answer: TeamAnswer
    ask: TeamAsk
    answering: "asyncio.Task[None]"

    @property
    def given(self) -> SharedAnswer:
        return msgspec.json.decode(self.answer.text, type=SharedAnswer)

    def altered(self, **changes: Any) -> TeamAnswer:
        """Another text under the signature that there is."""
        text = msgspec.json.encode(structs.replace(self.given, **changes)).decode()
        return structs.replace(self.answer, text=text)

    def signed(self, by: Machine, proof: Proof | None = None, **changes: Any) -> TeamAnswer:
        """Another text, signed by another machine of the team as if it were an answer of its own."""
        given = structs.replace(self.given, **changes)
        text = msgspec.json.encode(given).decode()
        assert by.link.membership is not None
        own = by.link.membership.proof
        assert own is not None
        return TeamAnswer(
            hub=self.laptop.id,
            ask=given.ask,
            sender=by.id,
            nonce=given.nonce,
            text=text,
            signature=by.link.key.sign("answer", text),
            proof=proof or own,
        )

    async def result(self, answer: TeamAnswer) -> AnswerVerdict:
        """What the laptop says to it."""
        before = len(self.team.relay.results)
        self.laptop.link.hear(answer)
        await seen(lambda: len(self.team.relay.results) > before, "a result")
        return self.team.relay.verdicts[-1]

    async def check_refused(self, answer: TeamAnswer, code: str) -> None:
        """Not taken, and on record; the agent waits, and the answer that was meant still counts."""
        result = await self.result(answer)
        assert (result.is_taken, result.code) == (False, code)
        assert not self.laptop.tasks[0].done()
        assert "answer" not in await self.laptop.kinds()
        assert len([kind for kind in await self.laptop.kinds() if kind in ("refused", "hub")]) == 1
        assert (await self.result(self.answer)).is_taken
        assert (await self.laptop.tasks[0]).decision == Allow()


async def waiting(team: Team, who: Identity = ADA) -> Scene:
    laptop, desktop = team.machine("laptop", who), team.machine("desktop", who)
    kept: list[TeamAnswer] = []

    def keeping(message: Any) -> list[Any]:
        if isinstance(message, TeamAnswer):
            kept.append(message)
            return []
        return [message]

    team.relay.twist = keeping
    held = await laptop.ask(FakeCase())
    shown = await desktop.shown()
    answering = asyncio.create_task(desktop.answer(shown, "allow"))
    # Some of what is forged below looks like its result.
    answering.add_done_callback(lambda task: task.cancelled() or task.exception())
    await seen(lambda: kept, "the answer at the relay")
    (ask,) = team.relay.asks.values()
    return Scene(team, laptop, desktop, held, kept[0], ask, answering)


@pytest.fixture
async def scene(team: Team) -> Scene:
    return await waiting(team)


@pytest.mark.parametrize(
    "changes",
    [
        {"choice": "deny_and_stop"},
        {"choice": "allow_edited", "edited": {"command": "rm -rf ."}},
        {"rev": 2},
        {"shown": "0" * 64},
        {"message": "Push as well."},
        {"screen": "terminal"},
        {"machine": "laptop"},
        {"at": 1},
        {"mode": "accept_edits"},
        {"match": "kiwi"},
    ],
    ids=lambda changes: next(iter(changes)),
)
async def test_changed_text_is_not_what_was_signed(scene: Scene, changes: dict[str, Any]) -> None:
    """Whatever of it a relay changes."""
    await scene.check_refused(scene.altered(**changes), "bad-signature")


async def test_answer_is_not_carried_over_to_another_ask(scene: Scene) -> None:
    """Nor under another number, nor under another name of its sender."""
    await scene.laptop.ask(FakeCase("r2"))
    (other,) = [one.name for one in scene.laptop.desk.waiting if one.name != scene.held.name]
    assert (await scene.result(structs.replace(scene.answer, ask=other))).code == "another-ask"
    assert (await scene.result(structs.replace(scene.answer, nonce="n" * 20))).code == "another-ask"
    assert (await scene.result(structs.replace(scene.answer, sender=scene.laptop.id))).code == "another-key"
    assert not any(task.done() for task in scene.laptop.tasks)


async def test_answer_for_another_hub_is_not_looked_at(scene: Scene) -> None:
    """Whether the envelope says so or what was signed."""
    scene.laptop.link.hear(structs.replace(scene.answer, hub=scene.desktop.id))
    assert (await scene.result(scene.signed(scene.desktop, hub=scene.desktop.id))).code == "another-ask"
    assert len(scene.team.relay.results) == 1


async def test_key_of_a_person_who_is_not_asked_does_not_count(scene: Scene) -> None:
    """They are of the team, and their signature is good; the refusal names them."""
    of_bob = scene.team.machine("tablet", BOB)
    await scene.check_refused(scene.signed(of_bob, nonce="b" * 20), "not-asked")
    (refused,) = await scene.laptop.records("refused")
    assert (refused.by, refused.body["why"]) == ("person:bob@example.org", "This is for others to answer: owner.")


async def test_proof_of_the_owner_does_not_cover_the_key_of_another(scene: Scene) -> None:
    """A relay has seen every proof; none of them is for a key of its own."""
    of_bob = scene.team.machine("tablet", BOB)
    forged = scene.signed(of_bob, proof=scene.answer.proof, nonce="b" * 20)
    await scene.check_refused(forged, "another-key")


async def test_token_of_the_owner_does_not_fit_the_key_of_another(scene: Scene) -> None:
    """The token names the key it was made for."""
    of_bob = scene.team.machine("tablet", BOB)
    proof = structs.replace(scene.answer.proof, key=of_bob.link.key.public)
    await scene.check_refused(scene.signed(of_bob, proof=proof, nonce="b" * 20), "wrong-key")


async def test_signature_under_an_ask_is_none_under_an_answer(scene: Scene) -> None:
    """The same key signs both, each for itself."""
    text = scene.answer.text
    forged = structs.replace(scene.answer, signature=scene.desktop.link.key.sign("ask", text))
    await scene.check_refused(forged, "bad-signature")


async def test_proof_that_is_too_old_does_not_count(team: Team) -> None:
    """Twelve hours after the provider spoke."""
    desktop = team.machine("desktop")
    team.relay.now += 13 * 60 * MINUTE
    scene = await waiting(team)
    await scene.check_refused(scene.signed(desktop, nonce="b" * 20, at=team.relay.now), "proof-too-old")


async def test_machine_that_was_shut_out_does_not_count(scene: Scene) -> None:
    """From the moment on in which this hub hears of it."""
    lost = scene.team.machine("lost")
    scene.team.revoke(lost)
    await scene.check_refused(scene.signed(lost, nonce="b" * 20), "revoked")


async def test_machine_that_was_shut_out_before_does_not_count(scene: Scene) -> None:
    """Each connection begins with who was shut out."""
    lost = scene.team.machine("lost")
    scene.laptop.link.cut()
    scene.laptop.link.connect(revoked=(lost.id,))
    await settled()
    await scene.check_refused(scene.signed(lost, nonce="b" * 20), "revoked")


@pytest.mark.parametrize("minutes", [-11, 11])
async def test_answer_of_another_time_does_not_count(scene: Scene, minutes: int) -> None:
    """Kept back, or made ahead."""
    at = scene.team.relay.now + minutes * MINUTE
    await scene.check_refused(scene.signed(scene.desktop, nonce="b" * 20, at=at), "wrong-time")


async def test_answer_to_an_earlier_revision_does_not_count(team: Team) -> None:
    """It was kept back until something else waits there."""
    case_text = "git push --force"
    scene = await waiting(team)
    case = scene.held.case
    assert isinstance(case, FakeCase)
    case.text = case_text
    scene.laptop.desk.changed(scene.held.name)
    await seen(lambda: scene.team.relay.asks[scene.laptop.id, scene.held.name].rev == 2, "the new revision")
    result = await scene.result(scene.answer)
    assert (result.is_taken, result.code) == (False, "changed")
    assert (await scene.result(scene.signed(scene.desktop, nonce="b" * 20, rev=2))).code == "changed"
    assert not scene.laptop.tasks[0].done()


async def test_answer_to_a_card_that_was_never_shown_does_not_count(scene: Scene) -> None:
    """A relay that shows another card gets an answer to that one."""
    await scene.check_refused(scene.signed(scene.desktop, nonce="b" * 20, shown="0" * 64), "changed")


async def test_number_of_an_answer_is_used_once(scene: Scene) -> None:
    """Two texts under one of them: the second is refused, also from its signer."""
    assert (await scene.result(scene.signed(scene.desktop, at=1))).code == "wrong-time"
    assert (await scene.result(scene.signed(scene.desktop, shown="0" * 64, nonce="c" * 20))).code == "changed"
    assert (await scene.result(scene.signed(scene.desktop, nonce="c" * 20))).code == "replayed"
    assert not scene.laptop.tasks[0].done()


async def test_answer_is_not_used_for_the_next_ask_of_the_same_kind(scene: Scene) -> None:
    """The same call once more is another ask; a repeated answer is one that came before."""
    assert (await scene.result(scene.answer)).is_taken
    await scene.laptop.tasks[0]
    await scene.laptop.ask(FakeCase("r2"))
    await settled()
    result = await scene.result(scene.answer)
    assert (result.ask, result.is_taken) == (scene.held.name, True)
    await settled()
    assert not scene.laptop.tasks[1].done()
    assert (await scene.laptop.kinds()).count("answer") == 1


@pytest.mark.parametrize("choice", ["allow", "allow_edited"])
async def test_screen_that_may_not_say_yes_does_not(team: Team, choice: str) -> None:
    """A lock screen denies; what it is allowed besides is not taken from another machine's word."""
    scene = await waiting(team)
    edited = {"command": "git status"} if choice == "allow_edited" else None
    await scene.check_refused(
        scene.signed(scene.desktop, nonce="b" * 20, screen="glance", choice=choice, edited=edited), "not-offered"
    )


async def test_chat_says_no_yes_to_danger(team: Team) -> None:
    """Also where a person's own hub says that it took it there."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase(level="danger", match="kiwi"))
    shown = await desktop.shown()
    (ask,) = team.relay.asks.values()
    from assent.hub.team.sharing import text_hash

    given = SharedAnswer(
        laptop.id, ask.ask, 1, text_hash(ask.text), "allow", team.relay.now, "n" * 20, "chat", "telegram", match="kiwi"
    )
    text = msgspec.json.encode(given).decode()
    assert desktop.link.membership is not None
    assert desktop.link.membership.proof is not None
    signature = desktop.link.key.sign("answer", text)
    laptop.link.hear(
        TeamAnswer(laptop.id, ask.ask, desktop.id, given.nonce, text, signature, desktop.link.membership.proof)
    )
    await seen(lambda: team.relay.results, "a result")
    assert team.relay.verdicts[0].code == "not-offered"
    assert (laptop.tasks[0].done(), shown.takes_answers) == (False, True)


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 5_000, '{"hub": 1}', "\u0000"], ids=["empty", "cut", "deep", "form", "nul"]
)
async def test_text_that_is_no_answer_is_refused(scene: Scene, text: str) -> None:
    """Also where its sender signed it."""
    signature = scene.desktop.link.key.sign("answer", text)
    await scene.check_refused(structs.replace(scene.answer, text=text, signature=signature), "unfit")


async def test_strangers_fill_no_journal(scene: Scene) -> None:
    """So many of them are put on record, and all are refused."""
    for number in range(40):
        forged = scene.altered(message=f"{number}")
        assert (await scene.result(forged)).code == "bad-signature"
    notes = [record for record in await scene.laptop.records("hub") if "was refused" in record.body["what"]]
    assert len(notes) == 20


def replaced(text: str, at: int, by: str) -> str:
    at %= len(text)
    return f"{text[:at]}{by}{text[at + 1 :]}"


ANSWER_FIELDS: dict[str, Callable[[TeamAnswer, int, str], TeamAnswer]] = {
    "text": lambda answer, at, by: structs.replace(answer, text=replaced(answer.text, at, by)),
    "signature": lambda answer, at, by: structs.replace(answer, signature=replaced(answer.signature, at, by)),
    "ask": lambda answer, at, by: structs.replace(answer, ask=replaced(answer.ask, at, by)),
    "nonce": lambda answer, at, by: structs.replace(answer, nonce=replaced(answer.nonce, at, by)),
    "key": lambda answer, at, by: structs.replace(answer, proof=_proof(answer.proof, "key", at, by)),
    "salt": lambda answer, at, by: structs.replace(answer, proof=_proof(answer.proof, "salt", at, by)),
    "token": lambda answer, at, by: structs.replace(answer, proof=_proof(answer.proof, "token", at, by)),
}
CHARACTERS = st.one_of(
    st.sampled_from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_{}"=,: '),
    st.characters(codec="utf-8"),
)


def test_any_changed_character_of_an_answer_is_refused() -> None:
    """Of its text, its signature and its proof; after all of that the one that was meant is taken."""
    with asyncio.Runner() as runner:
        team = Team()
        scene = runner.run(waiting(team))

        @given(st.sampled_from(sorted(ANSWER_FIELDS)), st.integers(0, 5_000), CHARACTERS)
        def check(field: str, at: int, by: str) -> None:
            forged = ANSWER_FIELDS[field](scene.answer, at, by)
            assume(forged != scene.answer)
            assert not runner.run(scene.result(forged)).is_taken
            assert not scene.laptop.tasks[0].done()

        check()
        assert runner.run(scene.result(scene.answer)).is_taken
        runner.run(team.close())


def test_any_changed_character_of_an_ask_keeps_it_from_the_screens() -> None:
    """Of its text, its signature and its proof."""
    fields: dict[str, Callable[[TeamAsk, int, str], TeamAsk]] = {
        "text": lambda ask, at, by: structs.replace(ask, text=replaced(ask.text, at, by)),
        "signature": lambda ask, at, by: structs.replace(ask, signature=replaced(ask.signature, at, by)),
        "ask": lambda ask, at, by: structs.replace(ask, ask=replaced(ask.ask, at, by)),
        "key": lambda ask, at, by: structs.replace(ask, proof=_proof(ask.proof, "key", at, by)),
        "salt": lambda ask, at, by: structs.replace(ask, proof=_proof(ask.proof, "salt", at, by)),
        "token": lambda ask, at, by: structs.replace(ask, proof=_proof(ask.proof, "token", at, by)),
    }
    with asyncio.Runner() as runner:
        team = Team()
        laptop, desktop = runner.run(_pair(team))
        runner.run(laptop.ask(FakeCase()))
        runner.run(seen(lambda: team.relay.asks, "the ask at the relay"))
        (ask,) = team.relay.asks.values()

        @given(st.sampled_from(sorted(fields)), st.integers(0, 5_000), CHARACTERS)
        def check(field: str, at: int, by: str) -> None:
            forged = fields[field](ask, at, by)
            assume(forged != ask)
            before = desktop.team.others.unproven
            runner.run(_heard(desktop, forged))
            runner.run(seen(lambda: desktop.team.others.unproven > before, "its refusal"))
            assert desktop.desk.waiting == []

        check()
        runner.run(_heard(desktop, ask))
        assert runner.run(desktop.shown()).drawn.card.subject.machine == "laptop"
        runner.run(team.close())


async def _heard(machine: Machine, message: Any) -> None:
    machine.link.hear(message)


async def _pair(team: Team) -> tuple[Machine, Machine]:
    pair = team.machine("laptop"), team.machine("desktop")
    team.relay.twist = lambda message: [] if isinstance(message, TeamAsk) else [message]
    await settled()
    return pair


def _proof(proof: Proof | None, name: str, at: int, by: str) -> Proof:
    assert proof is not None
    return structs.replace(proof, **{name: replaced(getattr(proof, name), at, by)})


async def test_ask_of_another_hub_in_the_name_of_the_owners_is_not_shown(team: Team) -> None:
    """A hub signs for itself alone: neither another's name nor another's proof goes with its key."""
    laptop, desktop, of_bob = team.machine("laptop"), team.machine("desktop"), team.machine("tablet", BOB)
    await laptop.ask(FakeCase())
    await desktop.shown()
    (ask,) = team.relay.asks.values()
    shared = msgspec.json.decode(ask.text, type=SharedAsk)
    for hub, proof in ((laptop.id, ask.proof), (of_bob.id, ask.proof)):
        text = msgspec.json.encode(structs.replace(shared, hub=hub, ask="forged")).decode()
        signature = of_bob.link.key.sign("ask", text)
        desktop.link.hear(structs.replace(ask, hub=hub, ask="forged", text=text, signature=signature, proof=proof))
    await seen(lambda: desktop.team.others.unproven == 2, "the refusal of both")
    assert len(desktop.others()) == 1


@pytest.mark.parametrize("workload", ["", "https://ci.example|acme/app"])
async def test_hub_that_hides_whose_it_is_is_no_machine_of_ones_own(team: Team, workload: str) -> None:
    """Without a proof every key may sign: it may call itself as it likes, and is told from this person's machines."""
    of_bob, of_ada = team.machine("tablet", BOB), team.machine("desktop")
    await of_bob.ask(Guarded(needs=ApprovalView("a", whom=("person:ada@example.org",))))
    await of_ada.shown()
    (ask,) = team.relay.asks.values()
    shared = msgspec.json.decode(ask.text, type=SharedAsk)
    text = msgspec.json.encode(structs.replace(shared, ask="hidden", machine="desktop")).decode()
    signature, public = of_bob.link.key.sign("ask", text), of_bob.link.key.public
    of_ada.link.hear(
        structs.replace(
            ask, ask="hidden", text=text, signature=signature, proof=None, key=public, change=1, workload=workload
        )
    )
    await seen(lambda: len(of_ada.others()) == 2, "the ask without a proof")
    (hidden,) = [held for held in of_ada.others() if held.drawn.card.subject.machine.startswith("desktop")]
    owner = workload or "not known whose"
    assert (hidden.drawn.card.subject.machine, hidden.drawn.card.subject.owner) == (f"desktop ({owner})", owner)


async def test_older_text_of_an_ask_does_not_come_back(team: Team) -> None:
    """A relay that shows what was there before gets no answer to it."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = await laptop.ask(FakeCase())
    shown = await desktop.shown()
    (before,) = team.relay.asks.values()
    case = held.case
    assert isinstance(case, FakeCase)
    case.text = "git push"
    laptop.desk.changed(held.name)
    await seen(lambda: shown.rev == 2, "the new card")
    desktop.link.hear(before)
    await settled()
    assert (shown.rev, shown.drawn.card.view.segments[0].text) == (2, "git push")


async def test_owner_is_known_by_provider_and_number_not_by_name(team: Team) -> None:
    """Another account with the same address is another person."""
    laptop = team.machine("laptop")
    twin = team.machine("twin", structs.replace(ADA, subject="9"))
    await laptop.ask(FakeCase())
    await seen(lambda: team.relay.asks, "the ask at the relay")
    await settled()
    assert twin.others() == []


async def test_flood_of_forged_asks_fills_no_log(team: Team, caplog: pytest.LogCaptureFixture) -> None:
    """A relay can send as many as it likes."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.shown()
    (ask,) = team.relay.asks.values()
    for number in range(100):
        desktop.link.hear(structs.replace(ask, ask=f"forged{number}"))
    await seen(lambda: desktop.team.others.unproven == 100, "their refusal")
    assert len([record for record in caplog.records if "is not shown" in record.getMessage()]) == 7
    assert len(desktop.others()) == 1


async def test_large_asks_take_no_more_memory_than_there_is_for_them(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while nothing can be looked at; those that came first are, once it can."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.shown()
    (ask,) = team.relay.asks.values()
    may_go_on = asyncio.Event()

    async def slow(*_: Any) -> Identity:
        await may_go_on.wait()
        return ADA

    monkeypatch.setattr(others.Others, "_author", slow)
    monkeypatch.setattr(others, "MOST_BYTES", 10 * len(ask.text))
    for number in range(50):
        desktop.link.hear(structs.replace(ask, ask=f"forged{number}"))
    desktop.link.hear(structs.replace(ask, ask="large", text=" " * (LARGEST_ASK + 1)))
    await seen(lambda: desktop.team.others.left >= 40, "asks that are left")
    await settled()
    assert sum(len(each.text) for each in desktop.team.others._news.values() if isinstance(each, TeamAsk)) <= (
        10 * len(ask.text)
    )
    may_go_on.set()
    await seen(lambda: not desktop.team.others._news, "the rest is looked at")


async def test_ask_that_waits_for_ever_is_shown_for_a_month(team: Team) -> None:
    """Numbers that no calendar has are a hub's own affair."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.shown()
    (ask,) = team.relay.asks.values()
    shared = msgspec.json.decode(ask.text, type=SharedAsk)
    text = msgspec.json.encode(structs.replace(shared, ask="long", at=-(1 << 62), deadline=1 << 62)).decode()
    signature = laptop.link.key.sign("ask", text)
    desktop.link.hear(structs.replace(ask, ask="long", text=text, signature=signature))
    await seen(lambda: len(desktop.others()) == 2, "the ask without an end")


async def test_flood_of_answers_leaves_the_ones_that_count(scene: Scene) -> None:
    """What cannot be judged at once is left unread; the ask goes on waiting."""
    for number in range(500):
        scene.laptop.link.hear(scene.altered(message=str(number)))
    await seen(lambda: scene.laptop.team.judging.left, "answers that are left")
    await settled()
    assert not scene.laptop.tasks[0].done()
    await seen(lambda: not scene.laptop.team.judging._tasks, "all are judged")
    assert (await scene.result(scene.answer)).is_taken
