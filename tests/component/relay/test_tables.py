"""The relay's tables: made once, with no more rights than the page says."""

import asyncio
from urllib.parse import urlsplit

import pytest

from assent.protocol.team import TeamAsk
from assent.relay import tables
from tests.component import postgres
from tests.component.relay.team import Team, team

pytestmark = pytest.mark.anyio


async def test_relays_that_start_at_once_make_the_tables_once(here: Team) -> None:
    """One does, the others wait for it."""
    relays = await asyncio.gather(*(here.relay() for _ in range(4)))
    assert postgres.execute("SELECT value FROM team_meta") == [(str(tables.NEWEST),)]
    holder, phone = await here.joined(relays[0]), await here.joined(relays[3])
    await holder.post("/team/asks", holder.ask())
    await phone.hears(TeamAsk)


async def test_what_is_live_is_not_logged(here: Team) -> None:
    """And what must outlive a crash is."""
    await here.relay()
    rows = postgres.execute(
        "SELECT relname, relpersistence::text FROM pg_class WHERE relkind = 'r' AND relname ~ '^team_'"
    )
    assert sorted(rows) == [
        ("team_answer", "u"),
        ("team_ask", "u"),
        ("team_hub", "p"),
        ("team_meta", "p"),
        ("team_presence", "u"),
        ("team_relay", "u"),
    ]


async def test_relay_works_with_few_rights_in_a_schema_of_its_own() -> None:
    """Once the owner has made the tables."""
    owner = postgres.emptied()
    postgres.execute("DROP SCHEMA IF EXISTS relays CASCADE; CREATE SCHEMA relays")
    async with team(f"{owner}?options=-csearch_path%3Drelays") as first:
        await (await first.relay()).stop()
    postgres.execute("DROP ROLE IF EXISTS few_rights")
    postgres.execute("CREATE ROLE few_rights LOGIN PASSWORD 'few'; GRANT USAGE ON SCHEMA relays TO few_rights")
    postgres.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA relays TO few_rights")
    where = urlsplit(owner)
    few = f"postgresql://few_rights:few@{where.hostname}:{where.port}{where.path}?options=-csearch_path%3Drelays"
    try:
        async with team(few) as here:
            relay = await here.relay()
            holder, phone = await here.joined(relay), await here.joined(relay)
            assert await holder.post("/team/asks", holder.ask()) == {"reach": "team"}
            await phone.hears(TeamAsk)
            await relay.exchange.beat()
            await relay.exchange.sweep_tables()
    finally:
        postgres.execute("DROP SCHEMA relays CASCADE; DROP ROLE few_rights")


async def test_many_changes_fit_into_notes(here: Team) -> None:
    """A note holds less than 8,000 bytes; what does not fit goes into further ones."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    names = [f"{number:0100d}" for number in range(120)]
    await asyncio.gather(*(holder.post("/team/asks", holder.ask(name)) for name in names))
    await phone.hears(TeamAsk, len(names))
    nonces = [f"{number:0100d}" for number in range(60)]
    ask = phone.heard(TeamAsk)[0]
    await asyncio.gather(*(phone.post("/team/answers", phone.answer(ask, nonce)) for nonce in nonces))
    assert sorted(message.ask for message in phone.heard(TeamAsk)) == names
