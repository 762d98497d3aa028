"""What is in a database before a hub uses it, and who may do what in it."""

import asyncio
import os
from urllib.parse import quote

import psycopg
import pytest

from assent.journal.base import JournalError
from assent.journal.postgres import open_postgres
from assent.journal.schema import migrations
from assent.protocol.record import Draft
from tests.component import postgres
from tests.component.journal.postgres.conftest import OpenHub, eventually

pytestmark = pytest.mark.anyio
EVENT = Draft(at=1, kind="event")
TABLES = "SELECT tablename, tableowner FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"


async def refusal(url: str) -> str:
    journal = open_postgres(url, os.urandom(4).hex())
    try:
        with pytest.raises(JournalError) as refused:
            await journal.append([EVENT])
        return str(refused.value)
    finally:
        await journal.close()


async def test_empty_database_gets_todays_schema(url: str, open_hub: OpenHub) -> None:
    """The first hub makes the tables; the number of the last step stands in them."""
    await open_hub().append([EVENT])
    assert postgres.execute("SELECT value FROM assent_meta WHERE name = 'version'") == [
        (str(max(migrations("postgres"))),)
    ]
    assert list(migrations("postgres")) == list(range(1, len(migrations("postgres")) + 1))


async def test_hubs_that_come_at_once_make_the_tables_once(open_hub: OpenHub) -> None:
    """Of several hubs that find an empty database one fills it, and all go on."""
    hubs = await asyncio.gather(*(asyncio.to_thread(open_hub) for _ in range(4)))
    for hub in hubs:
        assert (await eventually(hub)).seq == 1
        assert hub.trouble is None


async def test_newer_schema_is_refused_and_left_as_it_is(url: str, open_hub: OpenHub) -> None:
    """An older program neither reads nor writes what a newer one made."""
    journal = open_hub()
    await journal.append([EVENT])
    await journal.close()
    postgres.execute("UPDATE assent_meta SET value = '99'")
    assert "was written by a newer assent (schema 99" in await refusal(url)
    assert postgres.execute("SELECT count(*), max(seq) FROM assent_records") == [(1, 1)]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE assent_meta (id int)",
        "CREATE TABLE assent_records (id int)",
        "CREATE TABLE assent_meta (name text, value text)",
        "CREATE TABLE assent_meta (name text, value text); CREATE TABLE assent_records (id int)",
    ],
)
async def test_tables_of_another_program_are_left_as_they_are(url: str, statement: str) -> None:
    """What has our names and is not ours is not touched."""
    postgres.execute(statement)
    before = postgres.execute(TABLES)
    assert "that are no journal. They were left as they are." in await refusal(url)
    assert postgres.execute(TABLES) == before


async def test_schema_can_be_named_in_the_address(url: str, open_hub: OpenHub) -> None:
    """Two schemas of one database are two journals; one that does not exist is said to be missing."""
    postgres.execute("DROP SCHEMA IF EXISTS team CASCADE; CREATE SCHEMA team")
    named = f"{url}?options={quote('-csearch_path=team')}"
    one, other = open_hub(to=named), open_hub()
    await one.append([Draft(at=1, kind="answer", ask="abcde")])
    await other.append([Draft(at=1, kind="answer", ask="abcde")])
    assert [head.hub for head in await one.heads()] == [one.hub]
    assert postgres.execute("SELECT hub FROM team.assent_records") == [(one.hub,)]
    missing = await refusal(f"{url}?options={quote('-csearch_path=nowhere')}")
    assert "The schema named for the journal in PostgreSQL" in missing
    assert "does not exist" in missing


@pytest.fixture
def appender(url: str, open_hub: OpenHub) -> str:
    """The address of a role that may append and read, and nothing else."""
    open_hub()
    postgres.execute("DO $$ BEGIN CREATE ROLE appender LOGIN PASSWORD 'small'; EXCEPTION WHEN OTHERS THEN NULL; END $$")
    postgres.execute("GRANT SELECT ON assent_meta TO appender; GRANT SELECT, INSERT ON assent_records TO appender")
    return url.replace(url.partition("://")[2].partition("@")[0], "appender:small")


async def test_role_that_may_only_append_is_enough(appender: str, open_hub: OpenHub) -> None:
    """A hub needs no more than reading and inserting, and cannot do more then."""
    journal = open_hub(to=appender)
    (record,) = await journal.append([EVENT])
    assert await journal.read() == [record]
    assert (await journal.verify()).broken is None
    for statement in ("DELETE FROM assent_records", "TRUNCATE assent_records", "DROP TABLE assent_records"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            postgres.execute(statement, to=appender)


async def test_role_that_may_not_append_is_told_so(appender: str) -> None:
    """A missing grant is named, with where to look."""
    postgres.execute("REVOKE INSERT ON assent_records FROM appender")
    message = await refusal(appender)
    assert "refuses: permission denied for table assent_records" in message
    assert "docs/postgresql.md" in message


async def test_role_that_may_not_create_is_told_so(appender: str) -> None:
    """In an empty database such a role cannot begin a journal."""
    postgres.execute("DROP TABLE assent_records, assent_meta CASCADE; DROP FUNCTION assent_never_changes")
    assert "refuses: permission denied for schema public" in await refusal(appender)


async def test_database_of_another_encoding_is_refused(url: str) -> None:
    """A database that cannot hold every text would lose records of some."""
    name = f"latin_{os.getpid()}"
    postgres.execute(f"CREATE DATABASE {name} ENCODING 'LATIN1' TEMPLATE template0")
    try:
        assert "is in LATIN1, which cannot hold every text" in await refusal(f"{url.rpartition('/')[0]}/{name}")
    finally:
        postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")
