"""Hearing of what other hubs record."""

import asyncio
from urllib.parse import quote

import pytest

from assent.journal.base import News
from assent.journal.postgres import news
from assent.protocol.record import Draft
from tests.component import postgres
from tests.component.hub_process import until
from tests.component.journal.postgres.conftest import OpenHub
from tests.component.journal.postgres.proxy import Proxy
from tests.waiting import HANG, let_pass_in_loop

pytestmark = pytest.mark.anyio
EVENT = Draft(at=1, kind="event")


async def wait_for(heard: list[News], seq: int) -> None:
    await asyncio.to_thread(until, lambda: any(each.seq == seq for each in heard), f"news of record {seq}")


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "LOOK", 0.05)


async def test_what_others_record_is_heard(open_hub: OpenHub) -> None:
    """Whose, and up to where; nothing of the own records, and nothing twice."""
    one, other = open_hub(), open_hub()
    heard: list[News] = []
    await other.append([EVENT])
    one.hear(heard.append)
    await wait_for(heard, 1)
    await other.append([EVENT, Draft(at=1, kind="ask", ask="abcde"), Draft(at=1, kind="told", ask="fghij")])
    await one.append([EVENT])
    await wait_for(heard, 4)
    assert heard == [News(other.hub, 1), News(other.hub, 4)]


async def test_hub_holds_two_connections(open_hub: OpenHub) -> None:
    """One that writes and one that reads: a server has a hundred, and many hubs."""
    one, other = open_hub(), open_hub()
    heard: list[News] = []
    one.hear(heard.append)
    await other.append([EVENT])
    await wait_for(heard, 1)
    await one.append([EVENT])
    assert await one.tail(1)
    held = "SELECT application_name FROM pg_stat_activity WHERE application_name LIKE %s"
    names = sorted(str(name).split()[-1] for (name,) in postgres.execute(held, f"assent {one.hub} %"))
    assert names == ["reads", "writes"]


async def test_commit_notifies_nobody(open_hub: OpenHub) -> None:
    """A note would take a lock of the whole server with every commit."""
    journal = open_hub()
    with postgres.listening("assent_records") as notes:
        await journal.append([EVENT])
        await journal.append([Draft(at=1, kind="ask", ask="abcde")])
        # One of our own, behind theirs: what comes first was sent first.
        postgres.execute("SELECT pg_notify('assent_records', 'last')")
        assert await asyncio.to_thread(notes) == "last"


async def test_what_was_missed_is_told_after_the_connection_is_back(open_hub: OpenHub, url: str) -> None:
    """A listener that was cut off learns where the others are now."""
    proxy = Proxy(url)
    try:
        one, other = open_hub(to=proxy.url), open_hub()
        heard: list[News] = []
        await other.append([EVENT])
        one.hear(heard.append)
        await wait_for(heard, 1)
        proxy.refuses = True
        proxy.cut()
        await other.append([EVENT])
        await other.append([EVENT])
        proxy.refuses = False
        await wait_for(heard, 3)
    finally:
        await one.close()
        proxy.close()


async def test_other_schemas_are_not_heard(open_hub: OpenHub, url: str) -> None:
    """Another schema of the database is another journal."""
    postgres.execute("DROP SCHEMA IF EXISTS team CASCADE; CREATE SCHEMA team")
    one, other, stranger = open_hub(), open_hub(), open_hub(to=f"{url}?options={quote('-csearch_path=team')}")
    heard: list[News] = []
    one.hear(heard.append)
    await other.append([EVENT])
    await wait_for(heard, 1)
    await stranger.append([EVENT] * 7)
    await other.append([EVENT])
    await wait_for(heard, 2)
    assert {each.hub for each in heard} == {other.hub}


async def test_journal_closed_while_its_listener_connects_is_closed(open_hub: OpenHub) -> None:
    """Closing does not wait for the listener, whatever it is doing."""
    for delay in range(12):
        journal = open_hub()
        journal.hear(lambda _: None)
        # Not for something to happen: to close at another moment each time.
        await let_pass_in_loop(delay / 400)
        await asyncio.wait_for(journal.close(), HANG)
