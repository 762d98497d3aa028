"""Connections to PostgreSQL that come back by themselves, and notes from other relays."""

import asyncio
import logging
import os
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import psycopg
from psycopg import AsyncConnection, errors
from psycopg.conninfo import conninfo_to_dict

from assent.errors import AssentError
from assent.relay import tables
from assent.relay.tables import SchemaError

log = logging.getLogger("assent.relay")

CHANNEL = "team"
CONNECTIONS = 4
CONNECT_SECONDS = 5
STATEMENT_SECONDS = 8.0
MIGRATION_SECONDS = 120.0
# How long to wait until one of the connections is free.
PATIENCE = 5.0
FIRST_DELAY, LONGEST_DELAY = 0.1, 2.0
# Between two looks whether the connection that listens still is one.
LISTEN_LOOK = 10.0

Connection = AsyncConnection[Any]
OnNote = Callable[[str], Awaitable[None]]


class AwayError(AssentError):
    """The database does not answer; it is tried again by itself."""


class BadValueError(AwayError):
    """The database does not take what it was given; trying again does not help."""


class AddressError(AssentError):
    """The database's url is none."""


class Database:
    """A few connections. While the server is away, callers are told at once."""

    def __init__(self, url: str, name: str, *, migrates: bool = True) -> None:
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            # What the library says quotes the part it stumbled over, which may be a password.
            hint = "write it like postgresql://user:password@host:5432/database, with %40 for @ in the password."
            raise AddressError("The database's url cannot be read.", hint=hint) from None
        self._parameters: dict[str, Any] = {
            # A host that is gone is noticed even while nothing is said.
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 10_000,
            **{key: value for key, value in given.items() if value is not None},
            "connect_timeout": CONNECT_SECONDS,
            "client_encoding": "UTF8",
            "application_name": name,
        }
        self._secrets = [str(given[key]) for key in ("password", "sslpassword") if given.get(key)]
        self._idle: list[Connection] = []
        self._slots = asyncio.Semaphore(CONNECTIONS)
        self._not_before = 0.0
        self._delay = FIRST_DELAY
        self._trouble = ""
        # Whether the tables are those of this version.
        self._is_checked = not migrates
        self._is_closed = False
        # Whether notes come; what another relay has done is known as long as they do.
        self.is_there = False

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Raises AwayError, SchemaError. What fails in between for a reason of the server's is AwayError as well."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._slots.acquire()
        except TimeoutError:
            raise AwayError("The database is too slow for what is asked of it.") from None
        try:
            connection = await self._taken()
            try:
                with _limited(connection, STATEMENT_SECONDS):
                    yield connection
            except (psycopg.Error, OSError) as error:
                await _close(connection)
                # What broke this one broke the others, or they are not missed.
                await self._close_idle()
                raise self._away(error) from error
            except BaseException:
                await _close(connection)
                raise
            if self._is_closed or connection.closed:
                await _close(connection)
            else:
                self._idle.append(connection)
        finally:
            self._slots.release()

    async def _taken(self) -> Connection:
        while self._idle:
            connection = self._idle.pop()
            if not connection.closed:
                return connection
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            raise AwayError(self._trouble)
        try:
            connection = await self.connect()
        except AwayError as error:
            self._trouble = error.message
            self._not_before = asyncio.get_running_loop().time() + self._delay
            self._delay = min(self._delay * 2, LONGEST_DELAY)
            raise
        self._delay = FIRST_DELAY
        return connection

    async def connect(self) -> Connection:
        """Raises AwayError, SchemaError."""
        connection: Connection | None = None
        try:
            async with asyncio.timeout(CONNECT_SECONDS * 2):
                connection = await AsyncConnection.connect(autocommit=True, **self._parameters)
            with _limited(connection, STATEMENT_SECONDS):
                await connection.execute(f"SET statement_timeout = {int(STATEMENT_SECONDS * 1000)}".encode())
            if not self._is_checked:
                with _limited(connection, MIGRATION_SECONDS):
                    await tables.bring_up_to_date(connection)
                self._is_checked = True
        except (psycopg.Error, OSError, TimeoutError) as error:
            if connection is not None:
                await _close(connection)
            raise self._away(error) from error
        except BaseException:
            if connection is not None:
                await _close(connection)
            raise
        return connection

    def _away(self, error: BaseException) -> AwayError:
        text = str(error) or ("it took too long" if isinstance(error, TimeoutError) else type(error).__name__)
        for secret in self._secrets:
            text = text.replace(secret, "…")
        says = text.strip().splitlines()[0].rstrip(".")
        if isinstance(error, errors.InsufficientPrivilege | errors.ReadOnlySqlTransaction):
            return AwayError(
                f"The database refuses: {says}.", hint="see docs/relay.md for what the relay's role needs."
            )
        if isinstance(error, psycopg.DataError):
            return BadValueError(f"The database does not take a value: {says}.")
        is_away = not isinstance(error, psycopg.Error) or isinstance(error, psycopg.OperationalError)
        return AwayError(f"The database {'does not answer' if is_away else 'failed'}: {says}.")

    async def listen(self, on_there: Callable[[], Awaitable[None]], on_note: OnNote) -> None:
        """Forever: hear notes, and say each time when they begin to come."""
        delay = FIRST_DELAY
        while True:
            try:
                await self._listen(on_there, on_note)
            except (AssentError, psycopg.Error, OSError, TimeoutError) as error:
                if self.is_there or delay == FIRST_DELAY:
                    log.warning("%s", (error if isinstance(error, AssentError) else self._away(error)).args[0])
                delay = FIRST_DELAY if self.is_there else min(2 * delay, LONGEST_DELAY)
            finally:
                self.is_there = False
            await asyncio.sleep(delay * random.uniform(0.5, 1))  # noqa: S311 - not for a secret

    async def _listen(self, on_there: Callable[[], Awaitable[None]], on_note: OnNote) -> None:
        connection = await self.connect()
        try:
            await connection.execute(f"LISTEN {CHANNEL}".encode())
            # Others may go on at once, too, and with connections to the server as it is now.
            self._not_before = 0.0
            await self._close_idle()
            # Notes that come from here on wait in the connection, so nothing is missed in between.
            await on_there()
            self.is_there = True
            while True:
                async for note in connection.notifies(timeout=LISTEN_LOOK):
                    await on_note(note.payload)
                with _limited(connection, STATEMENT_SECONDS):
                    await connection.execute("SELECT 1")
        finally:
            await _close(connection)

    async def close(self) -> None:
        self._is_closed = True
        await self._close_idle()

    async def _close_idle(self) -> None:
        while self._idle:
            await _close(self._idle.pop())


@contextmanager
def _limited(connection: Connection, seconds: float) -> Iterator[None]:
    """Cut it off after this time. The driver itself would wait for a server that hangs, even where it is cancelled."""
    timer = asyncio.get_running_loop().call_later(seconds, _cut, connection.fileno())
    try:
        yield
    finally:
        timer.cancel()


def _cut(number: int) -> None:
    try:
        with socket.socket(fileno=os.dup(number)) as other_handle:
            other_handle.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It was broken already.


async def _close(connection: Connection) -> None:
    with suppress(psycopg.Error, OSError):
        await connection.close()


__all__ = ["AddressError", "AwayError", "BadValueError", "Connection", "Database", "SchemaError"]
