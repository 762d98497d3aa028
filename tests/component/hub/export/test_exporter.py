"""Decisions and answers reach a collector: once, in order, also after it was away, and never at the cost of a hook."""

import asyncio
import datetime
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assent.config import CollectorUrl as Url
from assent.config import Config, Export, SecretFile
from assent.hub.access.authority import Authority
from assent.hub.export import exporter as module
from assent.hub.export.exporter import Exporter, Kept
from assent.hub.recorder import Live
from assent.journal.base import Head
from assent.journal.memory import MemoryJournal
from assent.protocol.record import Draft, Record
from tests.services.collector import Answer, CollectorService
from tests.unit.hub.doubles import InForce
from tests.waiting import seen

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("_soon")]

START = 1_700_000_000_000


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks again at once."""
    monkeypatch.setattr(module, "INTERVAL", 0.01)
    monkeypatch.setattr(module, "FIRST_DELAY", 0.01)
    monkeypatch.setattr(module, "LONGEST_DELAY", 0.05)


@pytest.fixture
def collector() -> Any:
    with CollectorService() as service:
        yield service


class Hub:
    """As much of one as an exporter needs."""

    def __init__(self, folder: Path, collector: CollectorService, **settings: Any) -> None:
        self.journal = MemoryJournal("ab12cd34")
        self.live = Live()
        self.path = folder / "export.json"
        self.exporter: Exporter | None = None
        self.policy = InForce(Config(export=Export(otlp=Url(collector.address), **settings)))

    async def decide(self, count: int = 1, **fields: Any) -> list[int]:
        """The numbers of the decisions, each behind its event."""
        numbers: list[int] = []
        for _ in range(count):
            number = self.live.seq
            event = {"event": "PreToolUse", "payload": {"tool_name": "Bash", "tool_input": {"command": f"ls {number}"}}}
            about: dict[str, Any] = {"session": "s1", "call": f"c{number}", "request": f"r{number}", **fields}
            drafts = [
                Draft(at=START + number, kind="event", body=event, **about),
                Draft(at=START + number, kind="decision", decision="allow", by="rule:user#1", body={}, **about),
            ]
            records = await self.journal.append(drafts)
            self.live.publish(records)
            numbers.append(records[-1].seq)
        return numbers

    def kept(self) -> Kept:
        return msgspec.json.decode(self.path.read_bytes(), type=Kept)

    async def all_sent(self) -> None:
        """Until the collector's reply to the last of it was read, too: what is cut off before that is sent again."""
        exporter = self.exporter
        assert exporter is not None
        await seen(lambda: (exporter.told() or {"through": 0})["through"] == self.live.seq, "that all is sent")

    @asynccontextmanager
    async def life(self) -> AsyncIterator[Exporter]:
        """One life of a hub, from when it knows what to export."""
        exporter = self.exporter = Exporter(self.journal, self.live, self.policy, self.path, host="devbox")
        running = asyncio.ensure_future(exporter.run_forever())
        try:
            await seen(lambda: running.done() or self.path.exists(), "where the export begins")
            yield exporter
        finally:
            running.cancel()
            await exporter.close()


async def test_decisions_arrive_in_order_and_once(tmp_path: Path, collector: CollectorService) -> None:
    """With what they are about."""
    hub = Hub(tmp_path, collector)
    async with hub.life() as exporter:
        numbers = await hub.decide(500)
        await seen(lambda: len(collector.taken()) >= 500, "all decisions")
        await seen(lambda: (exporter.told() or {})["behind"] == 0, "the cursor at the end")
        told = {"otlp": collector.address, "trouble": "", "sent": 500, "refused": 0, "behind": 0}
        assert exporter.told() == told | {"last_sent_at": exporter.last_sent_at, "through": hub.live.seq}
    assert collector.taken() == numbers
    assert collector.records[0].attributes["assent.what"] == f"ls {numbers[0] - 2}"
    assert collector.records[0].resource["host.name"] == "devbox"
    assert max(collector.batches) <= module.PAGE


async def test_what_was_recorded_before_it_was_turned_on_is_not_sent(
    tmp_path: Path, collector: CollectorService
) -> None:
    """It is in the journal, and collectors refuse what is old."""
    hub = Hub(tmp_path, collector)
    await hub.decide(3)
    async with hub.life():
        numbers = await hub.decide()
        await seen(collector.taken, "a decision")
    assert collector.taken() == numbers


async def test_nothing_is_sent_twice_over_a_restart(tmp_path: Path, collector: CollectorService) -> None:
    """And what was recorded in between is not left out."""
    hub = Hub(tmp_path, collector)
    numbers: list[int] = []
    for _ in range(3):
        async with hub.life():
            numbers += await hub.decide(5)
            await hub.all_sent()
        numbers += await hub.decide(2)
    async with hub.life():
        await hub.all_sent()
    assert collector.taken() == numbers


async def test_outage_loses_nothing(tmp_path: Path, collector: CollectorService) -> None:
    """The journal is the buffer; status says that it waits, and that it goes on."""
    hub = Hub(tmp_path, collector)
    async with hub.life() as exporter:
        numbers = await hub.decide()
        await hub.all_sent()
        collector.is_away = True
        numbers += await hub.decide(30)
        await seen(lambda: exporter.trouble, "the trouble")
        assert "cannot be reached" in exporter.trouble
        assert (exporter.told() or {})["behind"] == 60
        collector.is_away = False
        await seen(lambda: len(collector.taken()) == len(numbers), "the rest")
        await seen(lambda: not exporter.trouble, "that it goes on")
    assert collector.taken() == numbers


async def test_collector_that_is_busy_is_given_the_time_it_asks_for(
    tmp_path: Path, collector: CollectorService
) -> None:
    """A collector under load says when to come again."""
    hub = Hub(tmp_path, collector)
    collector.answers += [Answer(429, {"retry-after": "3600"})]
    async with hub.life() as exporter:
        await hub.decide()
        await seen(lambda: exporter.trouble, "the trouble")
        tries = collector.tries
        await hub.decide(20)
        assert "429" in exporter.trouble
        # Other settings are tried at once.
        hub.policy.config = Config(export=replace_url(hub, "/v1/logs"))
        exporter.on_settings()
        await seen(lambda: len(collector.taken()) == 21, "all of it")
    assert tries == 1


def replace_url(hub: Hub, path: str) -> Export:
    export = hub.policy.config.export
    return msgspec.structs.replace(export, otlp=Url(f"{export.otlp}{path}"))


@pytest.mark.parametrize("status", [500, 502, 503, 504, 401, 404])
async def test_refused_request_is_sent_again(tmp_path: Path, collector: CollectorService, status: int) -> None:
    """Whatever is wrong there, a record is not what it is."""
    hub = Hub(tmp_path, collector)
    collector.answers += [Answer(status)] * 3
    async with hub.life() as exporter:
        numbers = await hub.decide(4)
        await seen(lambda: len(collector.taken()) == 4, "all of it")
        assert exporter.refused == 0
    assert collector.taken() == numbers


async def test_record_that_is_not_liked_is_left_out_alone(tmp_path: Path, collector: CollectorService) -> None:
    """One of many keeps the others back no longer than it takes to find it."""
    hub = Hub(tmp_path, collector)
    numbers = await hub.decide(0)
    async with hub.life() as exporter:
        collector.is_away = True
        numbers = await hub.decide(40)
        collector.poison = {numbers[11], numbers[29]}
        collector.is_away = False
        await seen(lambda: exporter.refused == 2, "the refusals")
        await hub.all_sent()
    assert sorted(collector.taken()) == [number for number in numbers if number not in collector.poison]


async def test_collector_that_refuses_everything_is_not_believed(tmp_path: Path, collector: CollectorService) -> None:
    """Nothing is given up until something is taken."""
    hub = Hub(tmp_path, collector)
    collector.answers += [Answer(400)] * 60
    async with hub.life() as exporter:
        numbers = await hub.decide(40)
        await seen(lambda: set(collector.taken()) == set(numbers), "all of it")
    assert exporter.refused == 0


async def test_lost_reply_sends_the_same_record_ids_again(tmp_path: Path, collector: CollectorService) -> None:
    """A receiver can tell by them."""
    hub = Hub(tmp_path, collector)
    collector.answers += [Answer(503, takes=True)]
    async with hub.life():
        await hub.decide()
        await seen(lambda: len(collector.taken()) == 2, "it twice")
    first, second = collector.records
    assert first.uid == second.uid


async def test_headers_come_from_files_and_follow_them(tmp_path: Path, collector: CollectorService) -> None:
    """A token that is changed counts at once; a missing one is named, its value never."""
    token = tmp_path / "token"
    hub = Hub(tmp_path, collector, headers={"authorization": SecretFile(f"file:{token}")})
    async with hub.life() as exporter:
        await hub.decide()
        await seen(lambda: exporter.trouble, "the trouble")
        assert "header authorization" in exporter.trouble
        assert str(token) not in exporter.trouble
        token.write_text("Bearer one\n")
        await seen(lambda: len(collector.taken()) == 1, "the decision")
        token.write_text("Bearer two\n")
        await hub.decide()
        await seen(lambda: len(collector.taken()) == 2, "the next decision")
    assert [headers["authorization"] for headers in collector.headers] == ["Bearer one", "Bearer two"]


async def test_header_of_several_lines_is_not_sent(tmp_path: Path, collector: CollectorService) -> None:
    """It would be several headers."""
    token = tmp_path / "token"
    token.write_bytes(b"Bearer one\r\nx-other: 1")
    hub = Hub(tmp_path, collector, headers={"authorization": SecretFile(f"file:{token}")})
    async with hub.life() as exporter:
        await hub.decide()
        await seen(lambda: exporter.trouble, "the trouble")
    assert collector.tries == 0


async def test_turned_off_sends_nothing_and_goes_on_later(tmp_path: Path, collector: CollectorService) -> None:
    """From where it was."""
    hub = Hub(tmp_path, collector)
    settings = hub.policy.config
    async with hub.life() as exporter:
        numbers = await hub.decide()
        await hub.all_sent()
        hub.policy.config = Config()
        exporter.on_settings()
        await seen(lambda: exporter.told() is None, "that it is off")
        numbers += await hub.decide(3)
        hub.policy.config = settings
        exporter.on_settings()
        await seen(lambda: len(collector.taken()) == 4, "the rest")
    assert collector.taken() == numbers


async def test_answer_long_after_its_event_still_says_what_it_is_about(
    tmp_path: Path, collector: CollectorService
) -> None:
    """The event may have been read by an earlier life of the hub."""
    hub = Hub(tmp_path, collector)
    async with hub.life():
        await hub.decide()
        await hub.all_sent()
    about: dict[str, Any] = {"session": "s1", "call": "c0", "request": "r0", "ask": "bkqzt"}
    answer = Draft(at=START, kind="answer", by="person:desk", body={"choice": "allow", "surface": "page"}, **about)
    async with hub.life():
        hub.live.publish(await hub.journal.append([answer]))
        await seen(lambda: len(collector.taken()) == 2, "the answer")
    assert collector.records[-1].event_name == "assent.answer"
    assert collector.records[-1].attributes["assent.what"] == "ls 0"


def lose_the_end(hub: Hub, left: int) -> None:
    """As after a backup was restored."""
    journal = hub.journal
    journal._kept = journal._kept[:left]
    journal._taken.clear()
    last = msgspec.json.decode(journal._kept[-1], type=Record)
    journal._head = Head(journal.hub, last.seq, last.hash)
    hub.live.seq = left


@pytest.mark.parametrize("is_running", [True, False])
async def test_chain_that_lost_its_end_goes_on_from_what_both_have(
    tmp_path: Path, collector: CollectorService, is_running: bool
) -> None:
    """After a restored backup, or a failover to a copy that lagged behind: nothing is left out for having the number
    of a record that was sent."""
    hub = Hub(tmp_path, collector)
    async with hub.life():
        for _ in range(4):
            await hub.decide()
            await hub.all_sent()
        if is_running:
            lose_the_end(hub, 4)
            await hub.decide(3, session="s2")
            await hub.all_sent()
    if not is_running:
        lose_the_end(hub, 4)
        await hub.decide(3, session="s2")
        async with hub.life():
            await hub.all_sent()
    hashes = {record.uid.split(":")[2] for record in collector.records}
    assert {record.hash for record in await hub.journal.read() if record.kind == "decision"} <= hashes
    # What both chains have is not sent twice.
    assert collector.taken().count(2) == 1


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"hub": "other", "marks": [[1, "x"]]}', b'{"hub": "ab12cd34", "version": 9}']
)
async def test_cursor_that_cannot_be_read_sends_all_again(
    tmp_path: Path, collector: CollectorService, content: bytes
) -> None:
    """Rather twice than not at all."""
    hub = Hub(tmp_path, collector)
    numbers = await hub.decide(3)
    hub.path.write_bytes(content)
    async with hub.life():
        await seen(lambda: len(collector.taken()) == 3, "all of it")
    assert collector.taken() == numbers


async def test_journal_in_trouble_moves_nothing(tmp_path: Path, collector: CollectorService) -> None:
    """A server that is away looks like an empty journal."""
    hub = Hub(tmp_path, collector)
    async with hub.life():
        await hub.decide(2)
        await hub.all_sent()
    kept = hub.kept()
    hub.journal.trouble = "the server is away"
    async with hub.life() as exporter:
        await seen(lambda: exporter.trouble, "the trouble")
    assert hub.kept() == kept


async def test_marks_are_few_however_much_is_sent() -> None:
    """The older the wider apart."""
    kept = Kept("ab12cd34")
    journal = MemoryJournal("ab12cd34")
    for record in await journal.append([Draft(at=START, kind="event", body={}) for _ in range(1_000)]):
        kept.add(record)
    assert len(kept.marks) <= module.MOST_MARKS
    assert kept.newest.seq == 1_000
    assert kept.marks[0].seq < 500


async def test_own_authority_counts_and_no_other(tmp_path: Path, collector: CollectorService) -> None:
    """A collector with a certificate of the team's own."""
    authority, context = certified(tmp_path)
    assert collector._server is not None
    server = collector._server._server
    server.socket = context.wrap_socket(server.socket, server_side=True)
    https = Url(f"https://localhost:{collector.port}")
    hub = Hub(tmp_path, collector)
    hub.policy.config = Config(export=Export(otlp=https))
    async with hub.life() as exporter:
        await hub.decide()
        await seen(lambda: exporter.trouble, "the trouble")
        assert "certificate" in exporter.trouble
        hub.policy.config = Config(export=Export(otlp=https, ca_file=str(authority)))
        exporter.on_settings()
        await seen(collector.taken, "the decision")


def certified(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """A certificate for this machine, and a server's side of it."""
    authority = Authority(folder, "localhost")
    authority.renew(datetime.datetime.now(datetime.UTC))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.server_certificate, authority.server_key)
    return authority.certificate, context
