"""Connection to PostgreSQL that reconnects by itself, limits waiting, and explains failures in a sentence."""

import math
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import psycopg
from psycopg import Connection, errors
from psycopg.conninfo import conninfo_to_dict

from assent.journal.base import JournalError
from assent.journal.schema import load

HINT = "Write it like postgresql://user:password@host:5432/database, with %40 for @ and %2F for / in the password."
_SECRETS = ("password", "sslpassword")


@dataclass(frozen=True, slots=True)
class Address:
    parameters: dict[str, str]

    @classmethod
    def read(cls, url: str) -> "Address":
        try:
            parameters = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
        except psycopg.ProgrammingError:
            # What the library says quotes the part it stumbled over, which may be a password.
            raise JournalError("The [journal] url cannot be read.", hint=HINT) from None
        authority = re.split(r"[?#]", url.partition("://")[2])[0]
        # A password with a bare @ or / is read as a part of the host or port, and would be shown as such.
        if ("@" in authority and "user" not in parameters) or "@" in parameters.get("host", ""):
            raise JournalError("The [journal] url cannot be read.", hint=HINT)
        return cls(parameters)

    @property
    def name(self) -> str:
        """For people: host, port and database, nothing else."""
        where = self.parameters
        if "service" in where and "host" not in where:
            return f"service {where['service']}"
        host = where.get("host") or where.get("hostaddr") or "the local server"
        port = f":{where['port']}" if where.get("port", "").strip(",") else ""
        database = f"/{where['dbname']}" if "dbname" in where else ""
        return f"{host}{port}{database}"

    def without_secrets(self, text: str) -> str:
        for name in _SECRETS:
            if secret := self.parameters.get(name):
                text = text.replace(secret, "…")
        return text


TICK = 0.1


class Watchdog:
    """One thread, asleep while no call waits for a server."""

    def __init__(self) -> None:
        self._limits: dict[object, tuple[float, int]] = {}
        self._wake = threading.Event()
        # Held while a connection is cut: its number must not have become another one's meanwhile.
        self._door = threading.Lock()
        threading.Thread(target=self._run, name="journal-watchdog", daemon=True).start()

    @contextmanager
    def limit(self, connection: Connection, seconds: float) -> Iterator[None]:
        if seconds == math.inf:
            yield
            return
        key = object()
        self._limits[key] = (time.monotonic() + seconds, connection.fileno())
        self._wake.set()
        try:
            yield
        finally:
            with self._door:
                del self._limits[key]

    def _run(self) -> None:
        while self._wake.wait():
            time.sleep(TICK)
            now = time.monotonic()
            with self._door:
                for until, number in list(self._limits.values()):
                    if now > until:
                        cut(number)
            # In this order: a call that comes in between is seen, or sets it again.
            self._wake.clear()
            if self._limits:
                self._wake.set()


def cut(number: int) -> None:
    """Shut a socket down; the thread that waits on it wakes up with an error."""
    try:
        with socket.socket(fileno=os.dup(number)) as other_handle:
            other_handle.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It was broken already.


@cache
def the_watchdog() -> Watchdog:
    return Watchdog()


# The driver takes no less; who waits for a connection is told sooner.
CONNECT_TIMEOUT = 2
FIRST_DELAY = 0.1
LONGEST_DELAY = 2.0
# What the server is given more than a statement may take, before it is taken for dead.
GRACE = 0.5

QUERY = load("postgres")
Prepare = Callable[[Connection], None]


class LostError(JournalError):
    """The connection broke: what was under way may have been done or not."""


class Link:
    """Belongs to one thread at a time."""

    def __init__(
        self,
        address: Address,
        *,
        name: str,
        prepare: Prepare | None = None,
        patience: float = 1.0,
        statement: float = 1.0,
        is_away: Callable[[], bool] = lambda: False,
    ) -> None:
        self.address = address
        self._name = name
        self._prepare = prepare
        # How long to wait for a connection, and for one statement.
        self._patience = patience
        self._statement = statement
        # Whether another thread has just waited for the server in vain.
        self._is_away = is_away
        self._connection: Connection | None = None
        self._trying: Future[Connection] | None = None
        self._kept_waiting = False
        self._delay = FIRST_DELAY
        self._not_before = 0.0
        self._last_words = ""
        self._hint: str | None = None
        self._closed = False

    @contextmanager
    def use(self, *, seconds: float | None = None) -> Iterator[Connection]:
        """Raises JournalError and nothing else of the driver's; LostError if the connection broke in between.
        All of it takes ``seconds`` at most, or as long as one statement may."""
        connection = self._connection or self._connected()
        try:
            with the_watchdog().limit(connection, (seconds or self._statement) + GRACE):
                yield connection
        except (psycopg.Error, OSError) as error:
            if connection.closed:
                self.drop()
                raise LostError(self._sentence(f"lost the connection ({self._first_line(error)})")) from error
            raise self._told(error) from error
        finally:
            if not connection.closed and connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                # Something of ours went wrong in mid-transaction: no connection is worth finding out how.
                self.drop()

    def drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @property
    def is_connected(self) -> bool:
        """As far as is known here; the server may have gone since."""
        return self._connection is not None

    def close(self) -> None:
        self._closed = True
        self.drop()
        if self._trying is not None:
            # No longer wanted, whenever it comes.
            self._trying.add_done_callback(_close)

    def _connected(self) -> Connection:
        if self._closed:
            raise JournalError("Not read: the journal is closed.")
        if self._trying is None:
            if time.monotonic() < self._not_before:
                raise JournalError(self._last_words, hint=self._hint)
            self._trying = Future()
            self._kept_waiting = False
            # In a thread of its own: looking up a name, or a server that accepts and says nothing, takes any time.
            threading.Thread(target=self._try, args=(self._trying,), name="journal-connect", daemon=True).start()
        try:
            # Only the first caller waits: while a server is away, the others fail at once.
            connection = self._trying.result(0 if self._kept_waiting or self._is_away() else self._patience)
        except TimeoutError:
            self._kept_waiting = True
            raise JournalError(self._sentence("does not answer"), hint=_HINT) from None
        except JournalError as error:
            self._trying = None
            self._not_before = time.monotonic() + self._delay
            self._delay = min(2 * self._delay, LONGEST_DELAY)
            self._last_words, self._hint = error.message, error.hint
            raise JournalError(error.message, hint=error.hint) from error
        self._trying = None
        self._delay = FIRST_DELAY
        self._connection = connection
        return connection

    def _try(self, future: "Future[Connection]") -> None:
        try:
            connection = self.connect()
        except JournalError as error:
            future.set_exception(error)
        except Exception as error:  # The edge of the thread: who waits must hear of it.
            future.set_exception(JournalError(self._sentence(f"cannot be used ({type(error).__name__})"), hint=_HINT))
        else:
            future.set_result(connection)

    def connect(self, *, statement: float | None = None) -> Connection:
        """A connection of its own, ready for use. Blocks."""
        seconds = self._statement if statement is None else statement
        parameters: dict[str, Any] = {
            # A host that is gone is noticed even while nothing is said.
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 5_000,
            **self.address.parameters,
            "connect_timeout": CONNECT_TIMEOUT,
            "client_encoding": "UTF8",
            "application_name": self._name,
        }
        connection: Connection | None = None
        try:
            connection = psycopg.connect(autocommit=True, **parameters)
            with the_watchdog().limit(connection, CONNECT_TIMEOUT + GRACE):
                connection.execute(QUERY["settings"], {"timeout": f"{round(seconds * 1000)}ms"})
            if self._prepare:
                self._prepare(connection)
        except (psycopg.Error, OSError) as error:
            if connection is not None:
                connection.close()
            raise self._told(error) from error
        except BaseException:
            if connection is not None:
                connection.close()
            raise
        return connection

    def _told(self, error: Exception) -> JournalError:
        for kind, (says, hint) in _SENTENCES.items():
            if isinstance(error, kind):
                return JournalError(self._sentence(says.format(self._first_line(error))), hint=hint)
        return JournalError(self._sentence(f"cannot be used: {self._first_line(error)}"), hint=_HINT)

    def _sentence(self, says: str) -> str:
        return f"The journal in PostgreSQL at {self.address.name} {says}."

    def _first_line(self, error: Exception) -> str:
        text = self.address.without_secrets(str(error)).strip() or type(error).__name__
        # Where the server is stands in the sentence already.
        return _WHERE.sub("", text.splitlines()[0]).rstrip(".")


def _close(came: "Future[Connection]") -> None:
    if came.exception() is None:
        came.result().close()


_WHERE = re.compile(r"^(?:connection failed: )?(?:connection to server (?:at|on) .*? failed: )?(?:FATAL: +)?")
_HINT = "See that the server runs and takes connections from here; it is tried again by itself."
_SENTENCES: dict[type[Exception], tuple[str, str]] = {
    errors.InsufficientPrivilege: (
        "refuses: {}",
        "Let its owner grant what docs/postgresql.md lists; it is tried again by itself.",
    ),
    errors.ReadOnlySqlTransaction: (
        "takes no records: {}",
        "This is a copy that can only be read; name the server it copies in [journal] url.",
    ),
    errors.DiskFull: ("has no room: {}", "Make room on the server's disk; it is tried again by itself."),
    errors.QueryCanceled: ("took too long: {}", "See what keeps the server busy; it is tried again by itself."),
    errors.LockNotAvailable: ("took too long: {}", "See who holds the table; it is tried again by itself."),
    errors.UndefinedTable: ("has lost its tables: {}", "Restore a backup, then run `assent restart`."),
}
