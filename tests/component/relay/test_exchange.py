"""Asks and answers between hubs, over real connections and a real PostgreSQL."""

import msgspec
import pytest
from msgspec import structs

from assent.protocol.team import AnswerResult, Gone, Snapshot, TeamAnswer, TeamAsk
from tests.component.relay.team import Team, refused

pytestmark = pytest.mark.anyio


async def test_team_is_told_before_anyone_signs_in(here: Team) -> None:
    """A hub that wants to join learns from the relay where its owner signs in."""
    relay = await here.relay()
    info = msgspec.json.decode(await here.hub(relay).raw("GET", "/team", headers={}))
    assert (info["name"], info["issuer"], info["client_id"]) == (
        "Example",
        here.provider.issuer,
        here.provider.client_id,
    )


async def test_join_says_who_the_owner_is(here: Team) -> None:
    """As the identity provider names them."""
    relay = await here.relay()
    joined = await here.hub(relay).join()
    assert (joined.owner, joined.roles) == ("ada@example.org", ("member",))


async def test_ask_is_shown_at_the_other_hubs_of_its_owner(here: Team) -> None:
    """And at no one else's, nor at its own."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    other = await here.joined(relay, "bob@example.org")
    ask = holder.ask()
    assert await holder.post("/team/asks", ask) == {"reach": "team"}
    shown = await phone.hears(TeamAsk)
    assert msgspec.structs.replace(shown, proof=ask.proof) == ask
    await other.post("/team/asks", other.ask("marker", whom=("person:ada@example.org",)))
    await holder.hears(TeamAsk)
    assert [one.ask for one in holder.heard(TeamAsk)] == ["marker"]
    assert other.heard(TeamAsk) == []


async def test_answer_goes_to_the_hub_that_asked_and_its_result_back(here: Team) -> None:
    """The relay carries both and judges neither."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    await holder.post("/team/asks", holder.ask())
    answer = phone.answer(await phone.hears(TeamAsk))
    await phone.post("/team/answers", answer)
    assert await holder.hears(TeamAnswer) == answer
    result = AnswerResult(phone.id, "ask-1", answer.nonce, text="taken")
    await holder.post("/team/results", result)
    assert await phone.hears(AnswerResult) == result


@pytest.mark.parametrize("relays", [1, 2])
async def test_result_is_told_although_the_ask_is_over(here: Team, relays: int) -> None:
    """A hub posts both over connections of their own: which of them comes first is chance."""
    ways = [await here.relay() for _ in range(relays)]
    holder, phone = await here.joined(ways[0]), await here.joined(ways[-1])
    await holder.post("/team/asks", ask := holder.ask())
    answer = phone.answer(await phone.hears(TeamAsk))
    await phone.post("/team/answers", answer)
    await holder.hears(TeamAnswer)
    await holder.post("/team/gone", holder.gone(ask))
    await phone.hears(Gone)
    result = AnswerResult(phone.id, "ask-1", answer.nonce, text="taken")
    await holder.post("/team/results", result)
    assert await phone.hears(AnswerResult) == result


async def test_end_of_an_ask_is_told_with_its_answer(here: Team) -> None:
    """To those who were shown it."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    await holder.post("/team/asks", ask := holder.ask())
    await phone.hears(TeamAsk)
    await holder.post("/team/gone", holder.gone(ask))
    assert await phone.hears(Gone) == holder.gone(ask)
    refusal = await refused(holder.post("/team/asks", holder.ask(change=2)))
    assert refusal.code == "ask-over"


async def test_end_is_told_to_a_hub_that_came_back_before_its_stream_was_missed(here: Team) -> None:
    """As after a change of networks. The older stream takes nothing along as it ends."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), here.hub(relay)
    await phone.join()
    async with phone.stream() as older:
        assert (await anext(older))[0] == "hello"
        await holder.post("/team/asks", ask := holder.ask())
        await phone.listen()
        names = [name async for name, _ in older]
    assert "ask" in names
    await holder.post("/team/gone", holder.gone(ask))
    assert await phone.hears(Gone) == holder.gone(ask)


async def test_snapshot_has_what_is_open(here: Team) -> None:
    """A hub that comes later is shown the same."""
    relay = await here.relay()
    holder = await here.joined(relay)
    await holder.post("/team/asks", holder.ask("one"))
    await holder.post("/team/asks", holder.ask("two"))
    await holder.post("/team/asks", holder.ask("two", change=2))
    await holder.post("/team/gone", holder.gone(holder.ask("one")))
    phone = await here.joined(relay)
    assert [(ask.ask, ask.change) for ask in phone.heard(Snapshot)[0].asks] == [("two", 2)]


async def test_group_sees_what_is_for_it(here: Team) -> None:
    """By the groups that the identity provider names; the owner sees it as well."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    sre = await here.joined(relay, "bob@example.org")
    await holder.post("/team/asks", holder.ask(whom=("group:sre",)))
    assert (await sre.hears(TeamAsk)).ask == (await phone.hears(TeamAsk)).ask == "ask-1"


async def test_audience_may_grow(here: Team) -> None:
    """The next one on the ladder is shown it when its turn has come."""
    relay = await here.relay()
    holder, bob = await here.joined(relay), await here.joined(relay, "bob@example.org")
    await holder.post("/team/asks", holder.ask())
    await holder.post("/team/asks", holder.ask(change=2, whom=("owner", "person:Bob@Example.org")))
    assert (await bob.hears(TeamAsk)).change == 2


async def test_older_change_does_not_come_back(here: Team) -> None:
    """Posts may arrive in any order."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    await holder.post("/team/asks", holder.ask(change=3))
    await holder.post("/team/asks", holder.ask(change=2))
    await holder.post("/team/asks", holder.ask("marker"))
    await phone.hears(TeamAsk, 2)
    assert [(ask.ask, ask.change) for ask in phone.heard(TeamAsk)] == [("ask-1", 3), ("marker", 1)]


async def test_auditor_reads_and_does_not_answer(here: Team) -> None:
    """What they are shown says so."""
    relay = await here.relay()
    holder, auditor = await here.joined(relay), await here.joined(relay, "aud@example.org")
    assert auditor.hello.roles == ("member", "auditor")
    await holder.post("/team/asks", holder.ask())
    shown = await auditor.hears(TeamAsk)
    assert shown.read_only
    assert (await refused(auditor.post("/team/answers", auditor.answer(shown)))).code == "read-only"


async def test_answer_of_one_who_was_not_asked_is_not_carried(here: Team) -> None:
    """Nor does the relay say whether there is such an ask."""
    relay = await here.relay()
    holder, bob = await here.joined(relay), await here.joined(relay, "bob@example.org")
    await holder.post("/team/asks", ask := holder.ask())
    assert (await refused(bob.post("/team/answers", bob.answer(ask)))).code == "no-such-ask"


async def test_result_goes_only_where_an_answer_came_from(here: Team) -> None:
    """A hub cannot tell others what became of answers that it never got."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    made_up = AnswerResult(phone.id, "ask-1", "n" * 16, text="taken")
    assert (await refused(holder.post("/team/results", made_up))).code == "no-such-answer"


async def test_answer_waits_for_a_hub_that_is_away(here: Team) -> None:
    """And so does its result."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    await holder.post("/team/asks", holder.ask())
    answer = phone.answer(await phone.hears(TeamAsk))
    await holder.go_deaf()
    await phone.post("/team/answers", answer)
    await phone.go_deaf()
    await holder.listen()
    assert await holder.hears(TeamAnswer) == answer
    await holder.post("/team/results", AnswerResult(phone.id, "ask-1", answer.nonce, text="late"))
    await phone.listen()
    assert (await phone.hears(AnswerResult)).text == "late"


async def test_answer_that_came_twice_is_carried_once(here: Team) -> None:
    """A hub that is not sure whether it arrived posts it again."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    await holder.post("/team/asks", holder.ask())
    answer = phone.answer(await phone.hears(TeamAsk))
    await phone.post("/team/answers", answer)
    await phone.post("/team/answers", answer)
    marker = phone.answer(await phone.hears(TeamAsk))
    await phone.post("/team/answers", marker)
    await holder.hears(TeamAnswer, 2)
    assert [one.nonce for one in holder.heard(TeamAnswer)] == [answer.nonce, marker.nonce]


async def test_ask_of_a_person_proves_whose_it_is(here: Team) -> None:
    """Without a proof no one could tell it from an ask of their own machines."""
    relay = await here.relay()
    ada = await here.joined(relay, "ada@example.org")
    ask = structs.replace(ada.ask(whom=("group:sre",)), proof=None, key=ada.key.public)
    error = await refused(ada.post("/team/asks", ask))
    assert (error.code, "whose it is" in error.message) == ("bad-message", True)


async def test_workload_asks_and_sees_nothing(here: Team) -> None:
    """Its owner is no person; who answers is named by the ask, and what the relay knows of it goes with it."""
    relay = await here.relay()
    job, other = here.hub(relay), here.hub(relay)
    bob = await here.joined(relay, "bob@example.org")
    for each in (job, other):
        await each.join(workload=here.provider.workload_token("assent-ci"))
        await each.listen()
    await job.post("/team/asks", job.ask(whom=("group:sre",)))
    shown = await bob.hears(TeamAsk)
    assert shown.workload.endswith("|repo:acme/app:ref:refs/heads/main")
    assert shown.proof is None
    await bob.post("/team/answers", answer := bob.answer(shown))
    assert await job.hears(TeamAnswer) == answer
    assert other.heard(TeamAsk) == []
