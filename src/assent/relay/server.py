"""A relay's lifetime: listen, connect to the database, wait, tell the hubs to go elsewhere."""

import asyncio
import logging
import resource
import secrets
import signal
import socket
import ssl
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assent._version import __version__
from assent.errors import AssentError, UsageError
from assent.relay.app import RelayApp
from assent.relay.connection import Connection, look_after
from assent.relay.database import AwayError, Database
from assent.relay.exchange import Exchange
from assent.relay.held import Held
from assent.relay.people import People
from assent.relay.settings import Relay, Settings
from assent.relay.store import Store
from assent.relay.tls import over_tls
from assent.relay.writer import Writer
from assent.webapi.server import HttpServer

log = logging.getLogger("assent.relay")

BACKLOG = 4096
# Files that are open besides connections of hubs, and connections that are no streams.
OTHER_FILES = 256
MOST_FILES = 65_536
# A connection for posts, after the last one: a new one takes three ways to a hub far away and back.
KEPT_SECONDS = 55
# To let those who are told to go read it, and to let writing to the database end.
LAST_WORDS = 1.0
GOODBYE = 5.0
# Between two looks at the files of the certificate.
CERTIFICATE_SECONDS = 60.0


@dataclass(slots=True)
class RunningRelay:
    """One relay in this event loop. ``start`` and ``stop`` it."""

    settings: Settings
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    database: Database = field(init=False)
    exchange: Exchange = field(init=False)
    app: RelayApp = field(init=False)
    port: int = 0
    # Set where it is told to stop, or cannot go on.
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    has_failed: bool = False
    _people: People = field(init=False)
    _writer: Writer = field(init=False)
    _http: HttpServer = field(init=False)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.database = Database(self.settings.database.url, f"assent relay {self.name}")
        store = Store(self.database, self.name)
        self._writer = Writer(store)
        self.exchange = Exchange(store, self._writer, self.name, self.settings.roles.table())
        self._people = People(self.settings)
        files = raise_file_limit()
        self.app = RelayApp(
            self.settings, self.database, store, self.exchange, self._people, max(1, (files - OTHER_FILES) * 9 // 10)
        )

    async def start(self) -> None:
        """Raises AssentError where it cannot listen, or the database is one that cannot be used."""
        tls = tls_of(self.settings.relay)
        sock = bound(*self.settings.relay.address)
        try:
            async with self.database.connection():
                pass
        except AwayError as error:
            log.warning("%s The relay goes on, and tries again", error.message)
        except BaseException:
            sock.close()
            raise
        self.port = int(sock.getsockname()[1])
        self._run(self.database.listen(self.exchange.on_there, self.exchange.on_note))
        self._run(self._writer.run_forever())
        self._run(self.exchange.run_forever())
        self._run(self._keep_alive())
        if tls is not None:
            self._run(self._renew_certificate(tls))
        await self._listen(sock, tls)

    def _run(self, forever: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(forever)
        task.add_done_callback(self._ended)
        self._tasks.append(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """None of them ends by itself: without one of them the relay would only seem to be well."""
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the relay has a bug", exc_info=error)
            self.has_failed = True
            self.ending.set()

    async def _listen(self, sock: socket.socket, tls: ssl.SSLContext | None) -> None:
        self._http = http = HttpServer(self.app, Connection, timeout_keep_alive=KEPT_SECONDS)
        await http.start()
        waiting: set[Connection | Held] = set()
        self._run(look_after(waiting))

        def connection() -> Connection:
            return Connection(http.config, http.state, {}, waiting)

        made = connection if tls is None else over_tls(connection, tls)
        http.servers.append(await asyncio.get_running_loop().create_server(made, sock=sock, backlog=BACKLOG))

    async def _keep_alive(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            now = asyncio.get_running_loop().time()
            for stream in self.exchange.streams.all():
                stream.keep_alive(now)

    async def _renew_certificate(self, tls: ssl.SSLContext) -> None:
        """Who renews it writes the same files again; connections from then on are shown the new one."""
        relay = self.settings.relay
        stamp = _stamp(relay)
        while True:
            await asyncio.sleep(CERTIFICATE_SECONDS)
            if (newest := _stamp(relay)) == stamp or not newest:
                continue
            try:
                load_certificate(tls, relay)
            except UsageError as error:
                log.error("%s The one before is used on", error.message)
            else:
                log.info("the certificate was renewed")
            stamp = newest

    async def stop(self) -> None:
        """Streams end, so that hubs go to another relay at once; what was posted is written."""
        self.app.is_closing = True
        for server in self._http.servers:
            server.close()
        for stream in self.exchange.streams.all():
            stream.end()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                await self._writer.is_written()
        await self._http.shutdown()
        for task in self._tasks:
            task.cancel()
        # A database that hangs does not keep it.
        await asyncio.wait(self._tasks, timeout=GOODBYE)
        with suppress(AssentError, TimeoutError):
            async with asyncio.timeout(GOODBYE):
                await self.exchange.leave()
        await self._people.close()
        await self.database.close()


def raise_file_limit() -> int:
    """As many open files as the system lets us have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft


def bound(host: str, port: int) -> socket.socket:
    """Raises UsageError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise UsageError(
            f"Cannot listen on {host}, port {port}: {error.strerror}.", hint="name another address in [relay] listen."
        ) from error
    return sock


def tls_of(relay: Relay) -> ssl.SSLContext | None:
    """Raises UsageError."""
    if relay.certificate is None or relay.key is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Each hub holds one connection for hours: sessions to come back by are only memory.
    context.options |= ssl.OP_NO_TICKET
    context.num_tickets = 0
    load_certificate(context, relay)
    return context


def load_certificate(context: ssl.SSLContext, relay: Relay) -> None:
    """Raises UsageError."""
    try:
        context.load_cert_chain(relay.certificate or "", relay.key)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(
            f"The certificate in {relay.certificate} and its key cannot be used: {error.strerror or error}.",
            hint="name files that hold PEM, and that the relay may read, in [relay].",
        ) from error


def _stamp(relay: Relay) -> tuple[int, ...]:
    """Empty while one of the files is missing."""
    try:
        return tuple(Path(file).stat().st_mtime_ns for file in (relay.certificate or "", relay.key or ""))
    except OSError:
        return ()


def run(settings: Settings, announce: Callable[[RunningRelay], None]) -> None:
    """Be a relay until told to stop."""
    # What strangers send is not worth a line each.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)

    async def live() -> None:
        relay = RunningRelay(settings)
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, relay.ending.set)
        await relay.start()
        log.info("relay %s of version %s is up, port %d", relay.name, __version__, relay.port)
        announce(relay)
        await relay.ending.wait()
        log.info("stopping")
        await relay.stop()
        log.info("stopped")
        if relay.has_failed:
            raise AssentError("The relay failed, and stopped: it has a bug.", hint="what is above belongs to a report.")

    _in_loop(live())


def _in_loop(main: Coroutine[Any, Any, None]) -> None:
    try:
        import uvloop
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)
