"""Several relays on one database, and what breaks between them."""

from collections.abc import Sequence

import msgspec
import pytest

from assent.protocol.team import AnswerResult, Gone, Members, NewMachine, Snapshot, TeamAnswer, TeamAsk
from assent.relay.exchange import Exchange, now_ms
from assent.relay.store import AskKey, AskRow, Store
from tests.component import postgres
from tests.component.relay.team import Hub, Team, refused
from tests.waiting import seen

pytestmark = pytest.mark.anyio


async def test_ask_at_one_relay_is_shown_and_answered_at_another(here: Team) -> None:
    """With all that belongs to it: the answer, its result, the end."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    await holder.post("/team/asks", ask := holder.ask())
    answer = phone.answer(await phone.hears(TeamAsk))
    await phone.post("/team/answers", answer)
    assert await holder.hears(TeamAnswer) == answer
    await holder.post("/team/results", AnswerResult(phone.id, "ask-1", answer.nonce, text="taken"))
    assert (await phone.hears(AnswerResult)).text == "taken"
    await holder.post("/team/gone", holder.gone(ask))
    assert await phone.hears(Gone) == holder.gone(ask)


async def test_requests_of_one_hub_may_go_to_any_relay(here: Team) -> None:
    """As a load balancer sends them."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(one)
    holder.place, phone.place = here.hub(two).place, here.hub(two).place
    await holder.post("/team/asks", ask := holder.ask())
    answer = phone.answer(await phone.hears(TeamAsk))
    # It is open at relay two by now, whose word the others have.
    await phone.post("/team/answers", answer)
    await holder.hears(TeamAnswer)
    await holder.post("/team/results", AnswerResult(phone.id, "ask-1", answer.nonce, text="taken"))
    await phone.hears(AnswerResult)
    await holder.post("/team/gone", holder.gone(ask))
    await phone.hears(Gone)


async def test_hub_that_comes_later_to_another_relay_is_shown_what_is_open(here: Team) -> None:
    """A relay that starts takes in what is live."""
    one = await here.relay()
    holder = await here.joined(one)
    await holder.post("/team/asks", holder.ask())
    two = await here.relay()
    await seen(lambda: two.exchange.asks.get((holder.id, "ask-1")), "the ask at the relay that started")
    phone = await here.joined(two)
    assert [ask.ask for ask in phone.heard(Snapshot)[0].asks] == ["ask-1"]


async def test_revoked_hub_is_turned_away_at_every_relay(here: Team) -> None:
    """At once, and all are told, because its answers must not count any more."""
    one, two = await here.relay(), await here.relay()
    holder, lost = await here.joined(one), await here.joined(two)
    colleague = await here.joined(two, "bob@example.org")
    await lost.post("/team/asks", lost.ask())
    await holder.hears(TeamAsk)
    await holder.raw("POST", "/team/revoke", msgspec.json.encode({"hub": lost.id}))
    await seen(lambda: lost.refusal is not None and lost.refusal.code == "revoked", "the end of its stream")
    for hub in (holder, colleague):
        await seen(lambda hub=hub: ("revoked", (lost.id,)) in revocations(hub), "the news of it")  # type: ignore[misc]
    await holder.hears(Gone)
    assert (await refused(lost.join())).code == "revoked"
    assert (await refused(lost.post("/team/asks", lost.ask("again")))).code == "revoked"
    late = await here.joined(two, "bob@example.org")
    assert late.hello.revoked == (lost.id,)


def revocations(hub: Hub) -> list[tuple[str, tuple[str, ...]]]:
    return [(name, message.hubs) for name, message in hub.events if name == "revoked"]


async def test_revocation_that_the_database_lost_is_made_again(here: Team) -> None:
    """A server that took over may lack the last seconds; a relay that knew of it does not forget."""
    relay = await here.relay()
    holder, lost = await here.joined(relay), await here.joined(relay)
    await holder.raw("POST", "/team/revoke", msgspec.json.encode({"hub": lost.id}))
    postgres.execute("UPDATE team_hub SET revoked_at = NULL")
    await relay.exchange.on_there()
    assert postgres.execute("SELECT hub FROM team_hub WHERE revoked_at IS NOT NULL") == [(lost.id,)]
    assert (await refused(lost.post("/team/asks", lost.ask()))).code == "revoked"


async def test_answer_may_be_faster_than_the_news_of_its_ask(here: Team) -> None:
    """A relay that has not heard of an ask looks for it."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(one)
    await holder.post("/team/asks", ask := holder.ask())
    await seen(lambda: two.exchange.asks.get((holder.id, "ask-1")), "the ask at the other relay")
    two.exchange.asks.remove((holder.id, "ask-1"))
    phone.place = here.hub(two).place
    await phone.post("/team/answers", answer := phone.answer(ask))
    assert await holder.hears(TeamAnswer) == answer


async def test_ask_that_cannot_be_read_harms_no_other(here: Team) -> None:
    """A later version may write what this one does not know."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    postgres.execute("INSERT INTO team_ask VALUES (%s, 'odd', 1, 9999999999999, '[]')", holder.id)
    note = msgspec.json.encode({"relay": "other", "asks": [[holder.id, "odd"]]}).decode()
    for payload in ("no note", '{"relay":1}', note):
        postgres.execute("SELECT pg_notify('team', %s)", payload)
    two = await here.relay()
    other = await here.joined(two)
    await other.post("/team/asks", other.ask())
    await phone.hears(TeamAsk)
    assert not relay.has_failed
    assert not two.has_failed


async def test_relay_that_has_a_bug_says_so_and_ends(
    here: Team, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Rather than only seem to be well: what supervises it starts it again."""
    monkeypatch.setattr("assent.relay.exchange.UPKEEP_SECONDS", 0.01)
    monkeypatch.setattr(Exchange, "sweep_memory", lambda _: 1 / 0)
    relay = await here.relay()
    await relay.ending.wait()
    assert relay.has_failed
    assert "ZeroDivisionError" in caplog.text


async def test_hub_that_leaves_is_gone_everywhere(here: Team) -> None:
    """With its asks; it may join again."""
    one, two = await here.relay(), await here.relay()
    leaver, phone = await here.joined(one), await here.joined(two)
    await leaver.post("/team/asks", leaver.ask())
    await phone.hears(TeamAsk)
    await leaver.post("/team/leave")
    await phone.hears(Gone)
    await seen(lambda: leaver.refusal is not None and leaver.refusal.code == "unknown-hub", "the end of its stream")
    await leaver.join()
    await leaver.listen()
    assert leaver.refusal is None


async def test_list_says_which_hubs_are_connected(here: Team) -> None:
    """Wherever they are; people see their own, admins all."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    away, admin = here.hub(two, "bob@example.org"), await here.joined(two, "root@example.org")
    await away.join()
    for relay in (one, two):
        await relay.exchange.beat()

    async def listed(hub: Hub) -> set[tuple[str, bool]]:
        members = msgspec.json.decode(await hub.raw("GET", "/team/hubs"), type=Members)
        return {(member.hub, member.is_connected) for member in members.hubs}

    own = {(holder.id, True), (phone.id, True)}
    assert await listed(holder) == own
    assert await listed(admin) == own | {(away.id, False), (admin.id, True)}


async def test_hub_goes_on_at_another_relay(here: Team) -> None:
    """One relay ends: what its hub posts again elsewhere is the same ask to those who were shown it."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    await holder.post("/team/asks", ask := holder.ask())
    await phone.hears(TeamAsk)
    holder.place = here.hub(two).place
    await one.stop()
    await seen(lambda: holder.streams > 1, "its stream at the other relay")
    await holder.post("/team/asks", ask)
    await phone.post("/team/answers", answer := phone.answer(ask))
    assert await holder.hears(TeamAnswer) == answer
    assert (len(phone.heard(TeamAsk)), phone.heard(Gone)) == (1, [])


@pytest.mark.parametrize("is_own", [False, True], ids=["another's", "own"])
async def test_end_that_came_while_a_relay_heard_no_notes_is_learned(here: Team, is_own: bool) -> None:
    """The tables have it, with who answered, whichever relay the ask was posted to."""
    one, two = await here.relay(), await here.relay()
    deaf = one if is_own else two
    holder, phone = await here.joined(one), await here.joined(deaf)
    await holder.post("/team/asks", ask := holder.ask())
    await phone.hears(TeamAsk)
    gone = msgspec.json.encode(holder.gone(ask))
    postgres.execute("UPDATE team_ask SET body = '', gone = %s WHERE ask = 'ask-1'", gone)
    await deaf.exchange.on_there()
    assert await phone.hears(Gone) == holder.gone(ask)


async def test_doubt_about_an_ask_is_settled_by_its_end(here: Team) -> None:
    """Its relay put the end into the tables, and not the ask."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    await holder.post("/team/asks", ask := holder.ask())
    await phone.hears(TeamAsk)
    postgres.execute("DELETE FROM team_ask")
    await two.exchange.on_there()
    assert phone.heard(Gone) == []
    gone = msgspec.json.encode(holder.gone(ask))
    postgres.execute("INSERT INTO team_ask VALUES (%s, 'ask-1', 0, 0, '', %s)", holder.id, gone)
    await two.exchange.settle_doubts()
    assert await phone.hears(Gone) == holder.gone(ask)


async def test_ask_that_comes_while_doubts_are_settled_is_not_over(here: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables were read before it was there."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    await holder.post("/team/asks", holder.ask())
    await phone.hears(TeamAsk)
    postgres.execute("DELETE FROM team_ask")
    await two.exchange.on_there()
    asks = Store.asks

    async def slow(store: Store, keys: Sequence[AskKey] | None = None) -> list[AskRow]:
        found = await asks(store, keys)
        if keys:
            monkeypatch.setattr(Store, "asks", asks)
            await holder.post("/team/asks", holder.ask(change=2))
            await phone.hears(TeamAsk, 2)
        return found

    monkeypatch.setattr(Store, "asks", slow)
    await two.exchange.settle_doubts()
    assert two.exchange.asks.get((holder.id, "ask-1")) is not None
    assert phone.heard(Gone) == []


async def test_ask_that_is_not_posted_again_is_over(here: Team) -> None:
    """Its hub came back without it: the agent is gone, and so is what it asked."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    await holder.post("/team/asks", holder.ask("lost"))
    await holder.post("/team/asks", kept := holder.ask("kept"))
    await phone.hears(TeamAsk, 2)
    await holder.go_deaf()
    await holder.listen()
    await holder.post("/team/asks", kept)
    due = {ask.row.ask: ask for ask in relay.exchange.asks.all() if ask.confirm_by is not None}
    assert list(due) == ["lost"]
    due["lost"].confirm_by = 1
    relay.exchange.sweep_memory()
    assert await phone.hears(Gone) == Gone(holder.id, "lost")


async def test_sweep_removes_what_is_over(here: Team) -> None:
    """Asks of hubs that never came back, past deadlines, old ends: nothing in the tables is live for ever."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    await relay.exchange.beat()
    for name in ("left", "open", "late", "over"):
        await holder.post("/team/asks", holder.ask(name))
    await phone.hears(TeamAsk, 4)
    await holder.post("/team/gone", holder.gone(holder.ask("over")))
    postgres.execute("UPDATE team_ask SET deadline = 1 WHERE ask = 'late'")
    postgres.execute("UPDATE team_ask SET at = 1")
    postgres.execute(f"UPDATE team_ask SET hub = '{'x' * 43}' WHERE ask = 'left'")
    await relay.exchange.sweep_tables()
    await seen(lambda: "late" in {gone.ask for gone in phone.heard(Gone)}, "the end of the late one")
    assert postgres.execute("SELECT ask FROM team_ask") == [("open",)]


@pytest.mark.parametrize("at", [0, 1])
async def test_machine_that_joins_is_announced_to_the_others_of_its_owner(here: Team, at: int) -> None:
    """At its own relay or at another; to those that come later as well, and to no one else."""
    relays = [await here.relay(), await here.relay()]
    first, of_bob = await here.joined(relays[0]), await here.joined(relays[0], "bob@example.org")
    second = here.hub(relays[at])
    await second.join()
    told = await first.hears(NewMachine)
    assert (told.hub, told.machine) == (second.id, "laptop")
    await second.listen()
    assert (await second.hears(NewMachine)).hub == first.id
    third = await here.joined(relays[0])
    await third.hears(NewMachine, 2)
    assert {machine.hub for machine in third.heard(NewMachine)} == {first.id, second.id}
    await first.hears(NewMachine, 2)
    assert of_bob.heard(NewMachine) == []


async def test_machine_that_joins_again_is_no_new_one(here: Team) -> None:
    """It is announced once, and listed with the time at which it joined first."""
    relay = await here.relay()
    first, second = await here.joined(relay), await here.joined(relay)
    await first.hears(NewMachine)

    async def joined_at() -> dict[str, int]:
        members = msgspec.json.decode(await first.raw("GET", "/team/hubs"), type=Members)
        return {member.hub: member.joined_at for member in members.hubs}

    before = await joined_at()
    await second.join(iat=now_ms() // 1000 + 1)
    assert await joined_at() == before
    await here.joined(relay)
    await first.hears(NewMachine, 2)
    assert [machine.hub for machine in first.heard(NewMachine)].count(second.id) == 1
