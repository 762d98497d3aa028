"""The database is away, comes back, loses what was live; a relay ends with asks open."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator

import pytest

from assent.protocol.team import AnswerResult, Gone, Revoked, Snapshot, TeamAnswer, TeamAsk
from assent.relay import database, exchange
from assent.relay.server import RunningRelay
from scripts.postgres_server import Server
from tests.component import postgres
from tests.component.relay.team import Hub, Team, refused, team
from tests.waiting import seen, until

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    postgres.url()  # Skips, or fails, where there is no PostgreSQL.
    server = Server()
    yield server
    server.remove()


@pytest.fixture
async def here(server: Server) -> AsyncIterator[Team]:
    """On a server of its own, that can be stopped."""
    if server.process is None or server.process.poll() is not None:
        server.start()
    postgres.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public", to=server.place.url)
    async with team(server.place.url) as made:
        yield made


async def stopped(server: Server, *relays: RunningRelay, how: signal.Signals = signal.SIGINT) -> None:
    """Returns once the relays have noticed."""
    await asyncio.to_thread(server.stop, how)
    for relay in relays:
        await seen(lambda relay=relay: not relay.database.is_there, "the loss of the database")  # type: ignore[misc]


async def started(server: Server, *relays: RunningRelay) -> None:
    await asyncio.to_thread(server.start)
    for relay in relays:
        await seen(lambda relay=relay: relay.database.is_there, "the database, again")  # type: ignore[misc]


async def test_asks_go_on_among_hubs_of_one_relay_while_the_database_is_away(here: Team, server: Server) -> None:
    """Streams stay up; what has to be durable is refused."""
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    stranger = here.hub(relay)
    await stopped(server, relay)
    assert await holder.post("/team/asks", holder.ask()) == {"reach": "relay"}
    answer = phone.answer(await phone.hears(TeamAsk))
    await phone.post("/team/answers", answer)
    assert await holder.hears(TeamAnswer) == answer
    await holder.post("/team/results", AnswerResult(phone.id, "ask-1", answer.nonce, text="taken"))
    assert (await phone.hears(AnswerResult)).text == "taken"
    for refusal in (await refused(stranger.join()), await refused(holder.raw("POST", "/team/leave", b"{}"))):
        assert (refusal.status, refusal.code, refusal.retry_after) == (503, "database-away", 2)
    assert (holder.streams, phone.streams) == (1, 1)


async def test_what_was_live_is_shared_when_the_database_is_back(here: Team, server: Server) -> None:
    """Asks, answers and ends that came meanwhile reach the hubs of the other relay."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    await holder.post("/team/asks", holder.ask("before"))
    await phone.hears(TeamAsk)
    await stopped(server, one, two)
    await phone.post("/team/answers", answer := phone.answer(phone.heard(TeamAsk)[0]))
    await holder.post("/team/asks", holder.ask("short"))
    await holder.post("/team/asks", holder.ask("long"))
    await holder.post("/team/gone", holder.gone(holder.ask("short")))
    await started(server, one, two)
    assert await holder.hears(TeamAnswer) == answer
    await phone.hears(TeamAsk, 2)
    assert [ask.ask for ask in phone.heard(TeamAsk)] == ["before", "long"]
    assert (holder.streams, phone.streams) == (1, 1)


async def test_crash_that_empties_the_live_tables_loses_no_ask(
    here: Team, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unlogged tables are empty after it; each relay puts there again what was posted to it."""
    # However busy the machine is: doubts are settled below.
    monkeypatch.setattr(exchange, "DOUBT_SECONDS", 10_000.0)
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    await holder.post("/team/asks", holder.ask())
    await phone.hears(TeamAsk)
    await stopped(server, one, two, how=signal.SIGQUIT)
    await started(server, one, two)
    await asyncio.to_thread(rows, server, 1)
    await two.exchange.settle_doubts()
    assert two.exchange.asks.get((holder.id, "ask-1")) is not None
    assert phone.heard(Gone) == []
    await phone.post("/team/answers", phone.answer(phone.heard(TeamAsk)[0]))
    await holder.hears(TeamAnswer)


def rows(server: Server, number: int) -> None:
    """Wait for so many asks in the table."""
    until(
        lambda: len(postgres.execute("SELECT ask FROM team_ask", to=server.place.url)) == number,
        "the asks in the table again",
    )


async def test_ask_whose_relay_and_table_are_gone_is_over(here: Team, server: Server) -> None:
    """No one can answer it there any more; its hub posts it again where it went."""
    one, two = await here.relay(), await here.relay()
    holder, phone = await here.joined(one), await here.joined(two)
    await holder.post("/team/asks", holder.ask())
    await phone.hears(TeamAsk)
    await holder.go_deaf()
    await one.stop()
    await stopped(server, two, how=signal.SIGQUIT)
    await started(server, two)
    await two.exchange.settle_doubts()
    assert await phone.hears(Gone) == Gone(holder.id, "ask-1")


class Passage:
    """A way to the server on which all can stop: nothing is lost, and nothing comes through."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._server: asyncio.Server | None = None
        self._pumps: set[asyncio.Task[None]] = set()
        self.is_open = asyncio.Event()
        self.is_open.set()

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", self._port)
        for each in ((reader, there[1]), (there[0], writer)):
            pump = asyncio.create_task(self._pump(*each))
            self._pumps.add(pump)
            pump.add_done_callback(self._pumps.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 16):
                await self.is_open.wait()
                writer.write(data)
        except ConnectionError:
            pass  # As every end of a connection.
        finally:
            writer.close()

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for pump in list(self._pumps):
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)


async def test_database_that_hangs_is_given_up(here: Team, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for it for long, and it is used again when it goes on."""
    monkeypatch.setattr(database, "LISTEN_LOOK", 0.5)
    passage = Passage(server.place.port)
    here.stack.push_async_callback(passage.close)
    here.database = here.database.replace(f":{server.place.port}/", f":{await passage.start()}/")
    relay = await here.relay()
    holder, phone = await here.joined(relay), await here.joined(relay)
    await seen(lambda: relay.database.is_there, "the database")
    with monkeypatch.context() as patch:
        patch.setattr(database, "STATEMENT_SECONDS", 1.0)
        await hang(passage, holder, phone, relay)
    passage.is_open.set()
    await seen(lambda: relay.database.is_there, "the database, again")
    await here.joined(relay)


async def hang(passage: Passage, holder: Hub, phone: Hub, relay: RunningRelay) -> None:
    """An ask is shown, and what became of the database is noticed."""
    passage.is_open.clear()
    assert await holder.post("/team/asks", holder.ask()) == {"reach": "relay"}
    await phone.hears(TeamAsk)
    await seen(lambda: not relay.database.is_there, "the loss of the database")


async def test_relay_starts_without_the_database(here: Team, server: Server) -> None:
    """It lets hubs in as soon as it can look them up."""
    one = await here.relay()
    holder = await here.joined(one)
    await one.stop()
    await holder.go_deaf()
    await asyncio.to_thread(server.stop)
    two = await here.relay()
    holder.place = here.hub(two).place
    assert (await refused(holder.post("/team/asks", holder.ask()))).code == "database-away"
    assert b'"database":false' in await holder.raw("GET", "/healthz", headers={})
    await started(server, two)
    await holder.listen()
    assert await holder.post("/team/asks", holder.ask()) == {"reach": "team"}


async def test_revocation_at_another_relay_is_learned_after_a_break(here: Team, server: Server) -> None:
    """No note came meanwhile; the tables have it."""
    relay = await here.relay()
    holder, lost = await here.joined(relay), await here.joined(relay)
    await stopped(server, relay)
    # Before the relay is back, as another relay would.
    await asyncio.to_thread(server.start)
    postgres.execute("UPDATE team_hub SET revoked_at = 1 WHERE hub = %s", lost.id, to=server.place.url)
    await seen(lambda: relay.database.is_there, "the database, again")
    # Where the relay was faster than this test, it would hear of it by a note.
    await relay.exchange.on_there()
    await seen(lambda: lost.refusal is not None and lost.refusal.code == "revoked", "the end of its stream")
    assert (await holder.hears(Revoked)).hubs == (lost.id,)


async def test_end_of_a_relay_sends_its_hubs_elsewhere(here: Team) -> None:
    """Their streams end at once, and a new relay at the same address has what they post again."""
    one = await here.relay()
    holder, phone = await here.joined(one), await here.joined(one)
    await holder.post("/team/asks", ask := holder.ask())
    await phone.hears(TeamAsk)
    await one.stop()
    await here.relay(one.port)
    await seen(lambda: holder.streams == phone.streams == 2, "both streams at the new relay")
    await holder.post("/team/asks", ask)

    def is_shown() -> bool:
        asks = [*phone.heard(Snapshot)[-1].asks, *phone.heard(TeamAsk)[1:]]
        return "ask-1" in {one.ask for one in asks}

    await seen(is_shown, "the ask at the new relay")
    await phone.post("/team/answers", phone.answer(ask))
    await holder.hears(TeamAnswer)


async def test_ends_of_streams_are_seen(here: Team) -> None:
    """A hub that closes its stream is not counted any more."""
    relay = await here.relay()
    hub: Hub = await here.joined(relay)
    await hub.go_deaf()
    await seen(lambda: not len(relay.exchange.streams), "the end of the stream")
