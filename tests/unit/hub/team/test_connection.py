"""Asks across machines while the connection to the relay comes and goes."""

import asyncio
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from assent.asks.open_ask import Earlier, Person, RefusedError
from assent.config import Config
from assent.config import Team as TeamSettings
from assent.hub.team.others import content_hash
from assent.protocol.decision import Allow
from assent.protocol.surfaces import Scope
from assent.protocol.team import AnswerResult, Gone, SharedAsk, TeamAnswer
from tests.unit.asks.fake_case import FakeCase
from tests.unit.hub.team.machines import BOB, Team, settled
from tests.waiting import seen

pytestmark = pytest.mark.anyio

DESK = Person("person:desk", "desk", Scope.ADMIN)


async def test_ask_that_opened_without_a_relay_is_shared_with_the_first_one(team: Team) -> None:
    """What waits is posted as soon as there is a connection."""
    laptop, desktop = team.machine("laptop", is_connected=False), team.machine("desktop")
    await laptop.ask(FakeCase())
    laptop.link.connect()
    assert (await desktop.shown()).drawn.card.subject.machine == "laptop"


async def test_relay_that_forgot_everything_is_told_again(team: Team) -> None:
    """In the very same text: who was about to answer need not look again."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    before = dict(team.relay.asks)
    team.relay.asks.clear()
    laptop.link.cut()
    laptop.link.connect()
    await seen(lambda: team.relay.asks, "the ask at the relay")
    await settled()
    assert team.relay.asks == before
    assert (desktop.others(), shown.rev) == ([shown], 1)


async def test_end_that_came_without_a_relay_is_told_with_the_next_one(team: Team) -> None:
    """No screen shows for ever what is over."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = await laptop.ask(FakeCase())
    await desktop.shown()
    laptop.link.cut()
    await laptop.answer(held, "deny", DESK)
    await settled()
    assert len(desktop.others()) == 1
    laptop.link.connect()
    await seen(lambda: not desktop.others(), "the end there")
    assert await desktop.bodies("outcome") == [{"ending": "withdrawn", "why": "Denied by ada@example.org on laptop"}]


async def test_what_a_snapshot_does_not_list_is_over(team: Team) -> None:
    """Its end was not heard while this machine was away."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = await laptop.ask(FakeCase())
    await desktop.shown()
    desktop.link.cut()
    await laptop.answer(held, "deny", DESK)
    await seen(lambda: team.relay.gone, "the end at the relay")
    assert len(desktop.others()) == 1
    desktop.link.connect()
    await seen(lambda: not desktop.others(), "the end there")


async def test_answer_without_a_connection_is_refused_at_once(team: Team) -> None:
    """No answer goes into the void; the ask stays, and can be answered when the relay is back."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    desktop.link.cut()
    with pytest.raises(RefusedError, match=r"laptop cannot be reached now.*Nothing was sent") as refused:
        await desktop.answer(shown, "allow")
    assert refused.value.code == "unreachable"
    desktop.link.connect()
    await desktop.answer(shown, "allow")
    assert (await laptop.tasks[0]).decision == Allow()


async def test_answer_that_cannot_be_posted_is_not_known_to_be_taken(team: Team) -> None:
    """The relay may have heard it before the connection broke."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    desktop.link.is_mute = True
    with pytest.raises(RefusedError, match="it is not known whether your answer was taken") as refused:
        await desktop.answer(shown, "allow")
    assert refused.value.code == "not-known"


async def test_answer_without_a_word_is_not_known_to_be_taken(team: Team) -> None:
    """It is not: the ask stays open until its machine says so."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    desktop.team.others.answers.patience = 0.05
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    team.relay.twist = lambda message: [] if isinstance(message, AnswerResult | Gone) else [message]
    with pytest.raises(RefusedError, match=r"no word from laptop.*not known whether your answer was taken") as refused:
        await desktop.answer(shown, "allow")
    assert refused.value.code == "not-known"
    assert shown.takes_answers
    assert (await laptop.tasks[0]).decision == Allow()


async def test_end_that_comes_while_an_answer_is_refused_ends_the_ask(team: Team) -> None:
    """The other machine tells of the answer that won, and then that this one came too late."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = await laptop.ask(FakeCase())
    shown = await desktop.shown()
    kept: list[TeamAnswer] = []

    def keeping(message: Any) -> list[Any]:
        if isinstance(message, TeamAnswer):
            kept.append(message)
            return []
        return [message]

    team.relay.twist = keeping
    answering = asyncio.create_task(desktop.answer(shown, "allow"))
    await seen(lambda: kept, "the answer at the relay")
    await laptop.answer(held, "deny", DESK)
    await seen(lambda: team.relay.gone, "the end at the relay")
    await settled()
    laptop.link.hear(kept[0])
    with pytest.raises(RefusedError) as refused:
        await answering
    assert refused.value.code == "too-late"
    await seen(lambda: not desktop.others(), "the end there")


async def test_asks_leave_the_screens_while_the_relay_stays_away(team: Team) -> None:
    """And come back with it, if they still wait."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    desktop.team.others.grace = desktop.team.others.pause = 0.01
    await laptop.ask(FakeCase())
    await desktop.shown()
    desktop.link.cut()
    await seen(lambda: not desktop.others(), "no ask that cannot be answered")
    assert "relay cannot be reached" in (await desktop.bodies("outcome"))[0]["why"]
    desktop.link.connect()
    await desktop.answer(await desktop.shown(), "allow")
    assert (await laptop.tasks[0]).decision == Allow()


async def test_answer_that_comes_twice_counts_once(team: Team) -> None:
    """Both times the same result is told, so that each hub that waits for it gets it."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    team.relay.twist = lambda message: [message, message] if isinstance(message, TeamAnswer) else [message]
    await desktop.answer(await desktop.shown(), "allow")
    await laptop.tasks[0]
    laptop.link.hear(team.relay.answers[0])
    await seen(lambda: len(team.relay.results) >= 2, "the result of the one that came later")
    assert {result.is_taken for result in team.relay.verdicts} == {True}
    assert (await laptop.kinds()).count("answer") == 1
    assert await laptop.bodies("refused") == []


async def test_result_that_no_relay_took_is_told_again(team: Team) -> None:
    """The answer counts, and its author is to know."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    laptop.link.is_mute = True
    answering = asyncio.create_task(desktop.answer(shown, "allow"))
    await laptop.tasks[0]
    await settled()
    assert not answering.done()
    laptop.link.is_mute = False
    laptop.link.cut()
    laptop.link.connect()
    await answering
    assert {result.is_taken for result in team.relay.verdicts} == {True}


async def test_sign_in_that_is_too_old_is_told_before_anything_is_sent(team: Team) -> None:
    """With what to do about it."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    shown = await desktop.shown()
    team.relay.now += 13 * 3_600_000
    with pytest.raises(RefusedError, match="assent team sign-in") as refused:
        await desktop.answer(shown, "allow")
    assert refused.value.code == "proof-too-old"
    assert team.relay.answers == []


async def test_many_asks_of_one_machine_leave_room_for_others(team: Team) -> None:
    """The rest comes as the first ones end."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = [await laptop.ask(FakeCase(f"r{number}", session=f"s{number}")) for number in range(22)]
    await seen(lambda: len(desktop.others()) == 20, "as many as are shown")
    await seen(lambda: len(team.relay.asks) == 22, "all of them at the relay")
    await settled()
    assert len(desktop.others()) == 20
    names = desktop.names()
    first, second = [one for one in held if one.name in names][:2]
    await laptop.answer(first, "deny", DESK)
    await laptop.answer(second, "deny", DESK)
    later = {one.name for one in held} - names
    await seen(lambda: later <= desktop.names(), "the rest")


async def test_hub_in_no_team_shares_nothing(team: Team) -> None:
    """And is asked nothing."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.link.membership = None
    await laptop.ask(FakeCase())
    await desktop.ask(FakeCase("r2"))
    await seen(lambda: team.relay.asks, "the ask of the other")
    await settled()
    assert (len(team.relay.asks), laptop.others()) == (1, [])


async def test_ask_that_an_earlier_life_left_is_taken_back(team: Team) -> None:
    """The relay may still show what the hub that was killed had posted."""
    laptop = team.machine("laptop", BOB)
    team.relay.now += 1
    laptop.desk.record([_earlier(team.relay.now - 10_000)])
    await settled()
    laptop.desk.record([_ended(team.relay.now)])
    await seen(lambda: [gone.ask for gone in team.relay.gone] == ["abcde"], "the end at the relay")


def _earlier(at: int) -> Any:
    from assent.protocol.record import Draft

    body = {"what": "permission", "event": "PermissionRequest", "harness": "claude-code"}
    return Draft(at=at, kind="ask", session="s1", ask="abcde", request="r0", body=body)


def _ended(at: int) -> Any:
    from assent.protocol.record import Draft

    return Draft(at=at, kind="outcome", session="s1", ask="abcde", request="r0", body={"ending": "withdrawn"})


async def test_settings_can_keep_asks_here(team: Team) -> None:
    """Those that are seen elsewhere already are taken back; later ones may be seen again."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase("r1"))
    await desktop.shown()
    laptop.policy.config = msgspec.structs.replace(Config(), team=TeamSettings(share=False))
    laptop.team.on_settings()
    await seen(lambda: not desktop.others(), "no ask there")
    laptop.policy.config = Config()
    laptop.team.on_settings()
    await laptop.ask(FakeCase("r2"))
    assert (await desktop.shown()).drawn.card.subject.machine == "laptop"


async def test_change_that_comes_while_an_answer_is_refused_is_shown(team: Team) -> None:
    """Nothing else is taken in meanwhile, and nothing of it is lost."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    case = FakeCase()
    held = await laptop.ask(case)
    shown = await desktop.shown()
    kept: list[TeamAnswer] = []

    def keeping(message: Any) -> list[Any]:
        if isinstance(message, TeamAnswer):
            kept.append(message)
            return []
        return [message]

    team.relay.twist = keeping
    answering = asyncio.create_task(desktop.answer(shown, "deny"))
    await seen(lambda: kept, "the answer at the relay")
    case.text = "git push"
    laptop.desk.changed(held.name)
    await seen(lambda: [ask.rev for ask in team.relay.asks.values()] == [2], "the change at the relay")
    await settled()
    assert shown.rev == 1
    laptop.link.hear(kept[0])
    with pytest.raises(RefusedError) as refused:
        await answering
    assert refused.value.code == "changed"
    await seen(lambda: shown.rev == 2, "the new card")


async def test_ask_that_goes_on_after_a_restart_is_shared(team: Team) -> None:
    """Its shim came back after the connection was there, and of that nothing is recorded."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    laptop.link.cut()
    case = FakeCase()
    shown = case.draw().hash
    earlier = Earlier("abcde", 1, shown, team.relay.now, team.relay.now + 600_000)
    laptop.link.connect()
    await settled()
    laptop.tasks.append(asyncio.create_task(laptop.desk.ask(case, timedelta(minutes=10), earlier=earlier)))
    held = await desktop.shown()
    assert await laptop.kinds() == []
    await desktop.answer(held, "allow")
    assert (await laptop.tasks[0]).decision == Allow()


async def test_what_a_relay_has_is_not_posted_again(team: Team) -> None:
    """Also where more was recorded of the ask, such as a message about it."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    held = await laptop.ask(FakeCase())
    await desktop.shown()
    posts: list[Any] = []

    def counting(message: Any) -> list[Any]:
        posts.append(message)
        return [message]

    team.relay.twist = counting
    laptop.team.on_ask(laptop.live.asks.by_id[held.name])
    await settled()
    assert posts == []


async def test_ask_of_another_machine_goes_on_after_a_restart_here(team: Team) -> None:
    """Under the name it had, and without being recorded again."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop", is_connected=False)
    await laptop.ask(FakeCase())
    await seen(lambda: team.relay.asks, "the ask at the relay")
    (ask,) = team.relay.asks.values()
    request = f"team:{laptop.id}:{ask.ask}"
    until = team.relay.now + 600_000
    shared = msgspec.json.decode(ask.text, type=SharedAsk)
    desktop.earlier[request] = Earlier("abcde", 3, content_hash(shared), team.relay.now, until)
    desktop.link.connect()
    held = await desktop.shown()
    assert (held.name, held.rev, await desktop.kinds()) == ("abcde", 3, [])
    await desktop.answer(held, "allow")
    assert (await laptop.tasks[0]).decision == Allow()


async def test_answer_that_an_earlier_life_took_is_told_as_taken(team: Team) -> None:
    """That life ended before it could tell, and the relay brings the answer again."""
    laptop, desktop = team.machine("laptop"), team.machine("desktop")
    await laptop.ask(FakeCase())
    await desktop.answer(await desktop.shown(), "allow")
    await laptop.tasks[0]
    laptop.team.judging._results.clear()
    laptop.team.judging._nonces.clear()
    laptop.link.hear(team.relay.answers[0])
    await seen(lambda: len(team.relay.results) == 2, "a result")
    assert [result.is_taken for result in team.relay.verdicts] == [True, True]
    assert (await laptop.kinds()).count("answer") == 1
