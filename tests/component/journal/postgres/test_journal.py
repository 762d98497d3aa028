"""Several hubs, one database."""

import asyncio
import os

import psycopg
import pytest

from assent.filter import parse
from assent.journal.base import DuplicateError, JournalError
from assent.journal.postgres import chain, open_postgres
from assent.protocol.record import Draft
from tests.component import postgres
from tests.component.journal.postgres.conftest import OpenHub, eventually

pytestmark = pytest.mark.anyio


def event(n: int = 0) -> Draft:
    return Draft(at=1, kind="event", body={"n": n})


async def test_restart_continues_the_chain(open_hub: OpenHub) -> None:
    """The next process of a hub goes on where the last one ended."""
    for n in range(3):
        journal = open_hub("ab12cd34")
        (record,) = await journal.append([event(n)])
        assert (record.seq, record.hub) == (n + 1, "ab12cd34")
        assert (await journal.verify()).broken is None
        await journal.close()


async def test_each_hub_has_a_chain_of_its_own(open_hub: OpenHub) -> None:
    """Numbers, hashes and reading are a hub's own; the others can be looked at by name."""
    one, other = open_hub(), open_hub()
    await one.append([event(1), event(2)])
    await other.append([event(3)])
    assert [record.body["n"] for record in await one.read()] == [1, 2]
    assert [record.body["n"] for record in await other.tail(10)] == [3]
    assert [(head.hub, head.seq) for head in await one.heads()] == [(one.hub, 2), (other.hub, 1)]
    assert [head.hub for head in await other.heads()] == [other.hub, one.hub]
    others = one.of(other.hub)
    assert await others.read() == await other.read()
    assert (await others.verify(await other.head())).broken is None
    assert len((await others.search(parse("since:1970-01-01", now=0))).records) == 1
    for journal in (one, other):
        assert (await journal.verify()).broken is None


async def test_new_hub_is_among_the_heads_before_its_first_record(open_hub: OpenHub) -> None:
    """A hub that has recorded nothing yet has a head, too."""
    journal = open_hub()
    assert [head.seq for head in await journal.heads()] == [0]


async def test_one_answer_wins_whichever_hub_it_came_to(open_hub: OpenHub) -> None:
    """Two hubs answer the same asks at once: each ask has one answer, each loser hears so, both chains hold."""
    hubs = [open_hub(), open_hub()]
    asks = [f"ask{n:02}" for n in range(40)]
    outcomes = await asyncio.gather(
        *(
            hub.append([event(), Draft(at=1, kind="answer", ask=ask)])
            for hub, order in zip(hubs, (asks, asks[::-1]), strict=True)
            for ask in order
        ),
        return_exceptions=True,
    )
    kept = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    assert len(kept) == len(asks)
    assert sum(isinstance(outcome, DuplicateError) for outcome in outcomes) == len(asks)
    answers = [record.ask for hub in hubs for record in await hub.read() if record.kind == "answer"]
    assert sorted(str(ask) for ask in answers) == asks
    for hub in hubs:
        assert (await hub.verify()).broken is None
        assert (hub.trouble, hub.lost) == (None, 0)


async def test_decision_of_another_hub_is_found_and_stands(open_hub: OpenHub) -> None:
    """A request that reaches two hubs is decided once."""
    one, other = open_hub(), open_hub()
    (kept,) = await one.append([Draft(at=1, kind="decision", request="r", decision="deny")])
    with pytest.raises(DuplicateError):
        await other.append([Draft(at=1, kind="decision", request="r", decision="allow")])
    assert await other.decision_for("r") == kept


async def test_story_has_what_other_hubs_recorded(open_hub: OpenHub) -> None:
    """An answer given elsewhere belongs to the call; each hub's part is in its order."""
    one, other = open_hub(), open_hub()
    await one.append([Draft(at=9, kind="event", call="c"), Draft(at=8, kind="ask", call="c")])
    await other.append([Draft(at=9, kind="answer", call="c", ask="abcde")])
    assert [record.kind for record in await one.story("c")] == ["event", "ask", "answer"]


async def test_second_process_of_one_hub_is_refused_until_the_first_is_gone(open_hub: OpenHub) -> None:
    """Two that record under one name would break the chain: the second takes nothing and says why."""
    first = open_hub("ab12cd34")
    second = open_hub("ab12cd34", patience=1.5)
    with pytest.raises(JournalError, match="Another process records as hub ab12cd34"):
        await second.append([event()])
    assert second.trouble is not None
    await first.append([event()])
    await first.close()
    record = await eventually(second)
    assert record.seq == 2
    assert second.trouble is None
    assert (await second.verify()).broken is None


async def test_record_put_in_by_another_program_is_no_duplicate(open_hub: OpenHub) -> None:
    """Who loses a place in the chain did not lose the race for an answer, and is told so."""
    journal = open_hub()
    (kept,) = await journal.append([event()])
    postgres.execute(
        "INSERT INTO assent_records (hub, seq, at, kind, body, prev, hash, words) "
        "VALUES (%s, 2, 1, 'event', '{}', '', '', '')",
        journal.hub,
    )
    with pytest.raises(JournalError, match="another process records as hub") as refused:
        await journal.append([Draft(at=1, kind="answer", ask="abcde")])
    assert not isinstance(refused.value, DuplicateError)
    assert await journal.read(before=2) == [kept]


async def test_record_is_never_changed(open_hub: OpenHub) -> None:
    """The database itself refuses an UPDATE or DELETE."""
    await open_hub().append([event()])
    with pytest.raises(psycopg.errors.RaiseException, match="a record is never changed"):
        postgres.execute("UPDATE assent_records SET body = '{}'")


async def test_commits_are_durable_whatever_the_server_prefers(url: str, open_hub: OpenHub) -> None:
    """A database whose commits are asynchronous by default waits for the disk with ours."""
    database = url.rpartition("/")[2]
    postgres.execute(f"ALTER DATABASE {database} SET synchronous_commit = off")
    try:
        journal = open_hub()
        with journal._link.use() as connection:
            assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
    finally:
        postgres.execute(f"ALTER DATABASE {database} RESET synchronous_commit")


async def test_draft_that_no_column_holds_harms_no_other(open_hub: OpenHub) -> None:
    """A number too large for the database is an error of its own append alone."""
    journal = open_hub()
    appends = [journal.append(drafts) for drafts in ([event(1)], [Draft(at=2**70, kind="event")], [event(3)])]
    outcomes = await asyncio.gather(*appends, return_exceptions=True)
    assert isinstance(outcomes[1], JournalError)
    assert [record.body["n"] for record in await journal.read()] == [1, 3]


async def test_backlog_of_thousands_is_one_commit_in_several_statements(open_hub: OpenHub) -> None:
    """More rows than one statement takes are kept all the same, in order."""
    journal = open_hub()
    records = await journal.append([event(n) for n in range(1700)])
    assert [record.seq for record in records] == list(range(1, 1701))
    assert journal.commits == 1
    assert (await journal.verify()).head == await journal.head()


async def test_search_that_ends_early_says_where(open_hub: OpenHub, monkeypatch: pytest.MonkeyPatch) -> None:
    """One search goes on for so long and no longer; asking again from there finds the rest."""
    monkeypatch.setattr(chain, "PAGE", 10)
    monkeypatch.setattr(chain, "WIDER", 1)
    monkeypatch.setattr(chain, "SEARCH_SECONDS", 0)
    journal = open_hub()
    await journal.append([Draft(at=1, kind="event", body={"tool": "Write" if n == 3 else "Bash"}) for n in range(25)])
    wanted = parse("tool:write", now=0)
    before: int | None = None
    records = []
    for _ in range(9):
        page = await journal.search(wanted, before=before)
        records += page.records
        before = page.unseen_before
        if before is None:
            break
        monkeypatch.setattr(chain, "SEARCH_SECONDS", 60)
    assert [record.seq for record in records] == [4]


async def test_search_finds_all_though_the_server_lets_too_much_through(open_hub: OpenHub) -> None:
    """What only the filter can tell is asked for again until there is enough."""
    journal = open_hub()
    await journal.append([Draft(at=1, kind="event", body={"tool": "b" if n % 7 else "a"}) for n in range(1, 1401)])
    result = await journal.search(parse("-tool:b", now=0), limit=120)
    assert [record.seq for record in result.records] == [n for n in range(1, 1401) if n % 7 == 0][-120:]


async def test_words_are_found_by_an_index(open_hub: OpenHub) -> None:
    """Where the server has pg_trgm, a rare word needs no look at every record."""
    journal = open_hub()
    await journal.append([Draft(at=1, kind="event", body={"text": f"needle{n}"}) for n in range(3000)])
    postgres.execute("ANALYZE assent_records")
    # Of so few records the server would rather read them all.
    look = "EXPLAIN SELECT * FROM assent_records WHERE words LIKE '%needle2718%'"
    plan = postgres.execute(f"SELECT set_config('enable_seqscan', 'off', false); {look}")
    assert "assent_words" in str(plan)


async def test_closed_journal_is_not_read(open_hub: OpenHub) -> None:
    """Reading after closing is an error, not an empty answer."""
    journal = open_hub()
    await journal.close()
    for read in (journal.read, journal.head, journal.verify):
        with pytest.raises(JournalError, match="closed"):
            await read()


@pytest.mark.parametrize(
    "change",
    [
        lambda url: url.replace(":5", ":6", 1).replace("127.0.0.1", "nowhere.invalid"),
        lambda url: url.replace("@127", "wrong@127"),
        lambda url: url.rpartition("/")[0] + "/no_such_database",
        lambda url: url.replace("@127", "@@127"),
        lambda url: url.replace("@127", "/x@127"),
        lambda url: url.replace("@127", "%@127"),
        lambda url: f"{url}?sslmode=perhaps",
    ],
)
async def test_password_is_in_no_message(url: str, change: "object") -> None:
    """Whatever is wrong with the address, what is said about it does not tell the password."""
    assert callable(change)
    password = url.partition("://assent:")[2].partition("@")[0]
    try:
        journal = open_postgres(change(url), os.urandom(4).hex())
        messages = [str(journal.trouble)]
        with pytest.raises(JournalError) as failed:
            await journal.append([event()])
        messages.append(str(failed.value))
        await journal.close()
    except JournalError as error:
        messages = [str(error)]
    assert not any(password in each or password[:8] in each for each in messages), messages
    assert all("PostgreSQL" in each or "url" in each for each in messages), messages


async def test_backlog_is_kept_whole_or_not_at_all(open_hub: OpenHub) -> None:
    """A duplicate in the last of several statements takes the first ones back, too."""
    journal = open_hub()
    answer = Draft(at=1, kind="answer", ask="abcde")
    await journal.append([answer])
    with pytest.raises(DuplicateError):
        await journal.append([*(event(n) for n in range(1200)), answer])
    assert (await journal.head()).seq == 1
    assert (await journal.append([event()]))[0].seq == 2
