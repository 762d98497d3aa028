"""A connection that is cut, a server that goes and comes, a process that is killed: nothing lost, nothing twice."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from assent.journal.base import JournalError
from assent.journal.postgres.journal import PATIENCE
from assent.protocol.record import Draft, Record
from scripts.postgres_server import Server
from tests.component import postgres
from tests.component.hub_process import until
from tests.component.journal.postgres.conftest import OpenHub, eventually
from tests.component.journal.postgres.proxy import Proxy
from tests.waiting import HANG, PAUSE, let_pass_in_loop

pytestmark = pytest.mark.anyio
IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
KILLS = 100 if IS_LONG else 6
CUTS = 200 if IS_LONG else 15


@pytest.fixture
def proxy(url: str) -> Iterator[Proxy]:
    proxy = Proxy(url)
    yield proxy
    proxy.close()


def event(n: int = 0) -> Draft:
    return Draft(at=1, kind="event", body={"n": n})


async def test_connection_cut_while_idle_is_not_noticed_by_who_appends(open_hub: OpenHub, proxy: Proxy) -> None:
    """The next append finds a new connection, and so does the next reader."""
    journal = open_hub(to=proxy.url)
    await journal.append([event(1)])
    assert len(await journal.read()) == 1
    proxy.cut()
    (record,) = await journal.append([event(2)])
    assert record.seq == 2
    assert len(await journal.read()) == 2
    assert (journal.lost, journal.trouble) == (0, None)


async def test_commit_whose_answer_was_lost_is_acknowledged_once(open_hub: OpenHub, proxy: Proxy) -> None:
    """The server committed, the answer vanished: the next connection tells, and nothing is recorded twice."""
    journal = open_hub(to=proxy.url)
    await journal.append([event(1)])
    proxy.swallows = True
    append = journal.append([event(2)])
    await asyncio.to_thread(until, lambda: len(postgres.execute("SELECT 1 FROM assent_records")) == 2, "the commit")
    proxy.swallows = False
    proxy.cut()
    (record,) = await append
    assert record.seq == 2
    assert [each.body["n"] for each in await journal.read()] == [1, 2]
    assert (journal.lost, journal.trouble) == (0, None)


async def test_commit_whose_fate_is_unknown_is_not_acknowledged(open_hub: OpenHub, proxy: Proxy) -> None:
    """Without a connection the outcome is unknown; the chain goes on from what the server has."""
    journal = open_hub(to=proxy.url, patience=PATIENCE)
    await journal.append([event(1)])
    proxy.swallows = True
    append = journal.append([event(2)])
    await asyncio.to_thread(until, lambda: len(postgres.execute("SELECT 1 FROM assent_records")) == 2, "the commit")
    proxy.refuses = True
    proxy.cut()
    with pytest.raises(JournalError, match="It is not known whether the last 1 records were kept"):
        await append
    assert (journal.lost, str(journal.trouble).startswith("It is not known")) == (1, True)
    proxy.swallows = proxy.refuses = False
    record = await eventually(journal)
    assert record.seq == 3
    assert (await journal.verify()).broken is None
    assert journal.trouble is None


async def test_server_that_hangs_fails_appends_and_is_not_tried_for_each(open_hub: OpenHub, proxy: Proxy) -> None:
    """A server that says nothing is given up; appends right after that are told so without another try."""
    journal = open_hub(to=proxy.url, patience=PATIENCE)
    await journal.append([event(1)])
    proxy.swallows = True
    with pytest.raises(JournalError):
        await journal.append([event(2)])
    tries = proxy.connections
    for _ in range(20):
        with pytest.raises(JournalError):
            await journal.append([event(3)])
    assert proxy.connections - tries < 20
    proxy.swallows = False
    proxy.cut()
    await eventually(journal)
    assert (await journal.verify()).broken is None


async def test_lost_race_costs_no_connection(open_hub: OpenHub) -> None:
    """A duplicate is no trouble of the connection's."""
    journal = open_hub()
    answer = Draft(at=1, kind="answer", ask="abcde")
    await journal.append([answer])
    used = journal._link._connection
    for _ in range(3):
        with pytest.raises(JournalError, match="first one stands"):
            await journal.append([event(), answer])
    assert journal._link._connection is used


async def load(journal: object, acknowledged: list[Record], stop: asyncio.Event, name: int) -> None:
    """Append one after the other, each with a text of its own."""
    count = 0
    while not stop.is_set():
        count += 1
        try:
            acknowledged += await journal.append(  # type: ignore[attr-defined]
                [Draft(at=1, kind="event", body={"text": f"{name}/{count}/{half}"}) for half in range(2)]
            )
        except JournalError:
            await let_pass_in_loop(PAUSE)


async def test_sessions_ended_in_mid_load_lose_and_double_nothing(open_hub: OpenHub) -> None:
    """Each time the server ends all sessions of a hub: what was acknowledged is there once, and the chain holds."""
    journal = open_hub()
    acknowledged: list[Record] = []
    stop = asyncio.Event()
    loads = [asyncio.create_task(load(journal, acknowledged, stop, name)) for name in range(8)]
    for _ in range(CUTS):
        wanted = len(acknowledged) + 20
        await asyncio.to_thread(until, lambda wanted=wanted: len(acknowledged) > wanted, "more records")
        await asyncio.to_thread(
            postgres.execute,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE %s",
            f"assent {journal.hub}%",
        )
    stop.set()
    await asyncio.gather(*loads)
    kept = {record.seq: record for record in await journal.read(limit=10**6)}
    assert all(kept[record.seq] == record for record in acknowledged)
    texts = [record.body["text"] for record in kept.values()]
    assert len(set(texts)) == len(texts)
    assert (await journal.verify()).broken is None


async def test_two_hubs_cut_off_in_turn_answer_each_ask_once(open_hub: OpenHub, url: str) -> None:
    """The compare-and-set holds while connections break: no ask has two answers, none that was acknowledged is gone."""
    proxies = [Proxy(url), Proxy(url)]
    hubs = [open_hub(to=proxy.url) for proxy in proxies]
    won: list[str] = []

    async def answer(journal: object) -> None:
        for n in range(150):
            try:
                await journal.append([Draft(at=1, kind="answer", ask=f"ask{n:03}")])  # type: ignore[attr-defined]
                won.append(f"ask{n:03}")
            except JournalError:
                pass

    answering = [asyncio.create_task(answer(hub)) for hub in hubs]
    turn = 0
    while not all(task.done() for task in answering):
        proxies[turn % 2].cut()
        turn += 1
        await let_pass_in_loop(PAUSE)
    await asyncio.gather(*answering)
    assert len(set(won)) == len(won)
    rows = postgres.execute("SELECT ask FROM assent_records WHERE kind = 'answer'")
    assert set(won) <= {str(ask) for (ask,) in rows}
    for hub, proxy in zip(hubs, proxies, strict=True):
        assert (await hub.verify()).broken is None
        proxy.close()


async def test_server_stopped_and_started_again_is_found_again(open_hub: OpenHub) -> None:
    """While it is away nothing is acknowledged and every append says so at once; then the chain goes on by itself."""
    server = await asyncio.to_thread(Server)
    try:
        journal = open_hub(to=server.place.url, patience=PATIENCE)
        journal.hear(lambda news: None)
        (first,) = await journal.append([event(1)])
        await asyncio.to_thread(server.stop, signal.SIGQUIT)
        # The trouble is noticed without an append.
        await asyncio.to_thread(until, lambda: journal.trouble is not None, "the trouble")
        for _ in range(3):
            with pytest.raises(JournalError, match="PostgreSQL at"):
                await journal.append([event(2)])
        assert server.place.password not in str(journal.trouble)
        with pytest.raises(JournalError):
            await journal.read()
        await asyncio.to_thread(server.start)
        # And it ends in the same way.
        await asyncio.to_thread(until, lambda: journal.trouble is None, "the end of the trouble")
        (second,) = await journal.append([event(3)])
        assert (second.seq, second.prev) == (2, first.hash)
        assert (await journal.verify()).broken is None
        await journal.close()
    finally:
        await asyncio.to_thread(server.remove)


async def test_server_that_takes_connections_and_says_nothing_is_given_up_at_a_start(open_hub: OpenHub) -> None:
    """Opening and the first look take their time together; a later call fails at once."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        journal = open_hub(to=f"postgresql://127.0.0.1:{mute.getsockname()[1]}/x", patience=PATIENCE)
        for look in (journal.head, journal.read, journal.heads):
            with pytest.raises(JournalError, match="does not answer"):
                await look()
        with pytest.raises(JournalError, match="does not answer"):
            await journal.append([event()])
        await journal.close()


async def test_journal_opened_without_a_server_finds_it_when_it_comes(open_hub: OpenHub) -> None:
    """Opening does not wait for a server that is away, and needs no second opening."""
    server = await asyncio.to_thread(Server)
    try:
        await asyncio.to_thread(server.stop)
        journal = open_hub(to=server.place.url, patience=PATIENCE)
        assert "refused" in str(journal.trouble)
        await asyncio.to_thread(server.start)
        assert (await eventually(journal)).seq == 1
        await journal.close()
    finally:
        await asyncio.to_thread(server.remove)


WRITER = """
import asyncio, os, sys
from assent.journal.postgres import open_postgres
from assent.protocol.record import Draft

async def one(journal):
    while True:
        records = await journal.append([Draft(at=1, kind="event", body={"pad": "x" * 300}) for _ in range(2)])
        os.write(1, "".join(f"{record.seq} {record.hash}\\n" for record in records).encode())

async def main():
    journal = open_postgres(os.environ["URL"], "ab12cd34")
    await asyncio.gather(*(one(journal) for _ in range(16)))

asyncio.run(main())
"""


def kill_while_writing(url: str, lines: int) -> dict[int, str]:
    """Run a process that writes without end, kill it in the middle, and give what it had acknowledged."""
    acknowledged: dict[int, str] = {}
    command = [sys.executable, "-c", WRITER]
    environ = {**os.environ, "URL": url}
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for count, line in enumerate(child.stdout, 1):
            if not line.endswith("\n"):
                break
            seq, digest = line.split()
            acknowledged[int(seq)] = digest
            if count == lines:
                child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    return acknowledged


@pytest.mark.timeout(HANG * (2 + KILLS / 5))
async def test_killed_writer_loses_nothing_it_acknowledged(open_hub: OpenHub, url: str) -> None:
    """After each SIGKILL in mid-write the next process of the hub goes on, and every acknowledged record is there."""
    acknowledged: dict[int, str] = {}
    for kill in range(KILLS):
        acknowledged |= await asyncio.to_thread(kill_while_writing, url, 20 + 37 * (kill % 10))
    journal = open_hub("ab12cd34")
    kept = {record.seq: record.hash for record in await journal.read(limit=10**6)}
    assert (await journal.verify()).broken is None
    assert {seq: kept.get(seq) for seq in acknowledged} == acknowledged
    assert len(acknowledged) >= KILLS * 20
