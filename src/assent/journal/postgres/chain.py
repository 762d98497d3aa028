"""Reading one hub's chain, in a thread of its own."""

import asyncio
import functools
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from psycopg import Connection, IsolationLevel

from assent.filter import TEXT, Filter, Term, risks
from assent.journal.base import Checked, Found, Head, JournalError, Mark
from assent.journal.chain import check, pruned
from assent.journal.postgres.link import QUERY, Address, Link, LostError
from assent.journal.postgres.schema import COLUMNS, check_version, record, written
from assent.protocol.bodies import CheckpointBody
from assent.protocol.record import GENESIS, Record
from assent.record_text import folded

# Text that stands in JSON as it is.
_PLAIN = re.compile(r"[ !#-\[\]-~]+")

_BEGINS = ("session", "agent", "call", "by")
_SAME = ("decision", "ask", "event", "tool")

Condition = tuple[str, list[Any]]


def where(wanted: Filter) -> Condition:
    """A condition that every wanted record meets, and its values."""
    met = [condition for term in wanted.terms if not term.negated and (condition := _condition(term))]
    return " AND ".join(f"({sql})" for sql, _ in met) or "TRUE", [value for _, values in met for value in values]


def _condition(term: Term) -> Condition | None:
    key, values = term.key, [written(value) for value in term.values]
    if key == "since":
        return "at >= %s", [int(values[0])]
    if key == "until":
        return "at < %s", [int(values[0])]
    if key == "risk":
        return "lower(risk) = ANY(%s)", [sorted(risk.word for risk in risks(term.values))]
    if key in _BEGINS:
        return _either(f"{key} ^@ %s", values)
    if key in _SAME:
        # Text that is not ASCII must be equal, and equal text is equal in lower case, too.
        return f"lower({key}) = ANY(%s)", [[_lower(value) for value in values]]
    if key == "project":
        return _either("strpos(project, %s) > 0", [value.rstrip("/") for value in values])
    if key == "harness" and all(map(_PLAIN.fullmatch, values)):
        return _either("strpos(lower(body), %s) > 0", [f'"harness":"{_lower(value)}"' for value in values])
    if key == "rule" and all(map(_PLAIN.fullmatch, values)):
        spoken = [f"rule:{value}" for value in values for _ in range(2)]
        return " OR ".join(["by ^@ %s OR strpos(body, %s) > 0"] * len(values)), spoken
    if key == TEXT:
        pattern = re.sub(r"[%_\\]", r"\\\g<0>", written(folded(term.values[0])))
        return "words LIKE %s", [f"%{pattern}%"]
    return None


def _either(sql: str, values: list[str]) -> Condition:
    return " OR ".join([f"({sql})"] * len(values)), list(values)


def _lower(text: str) -> str:
    """As the server lowers text that compares byte by byte: ASCII alone."""
    return "".join(chr(ord(character) + 32) if "A" <= character <= "Z" else character for character in text)


T = TypeVar("T")

PAGE = 500
# One search takes no longer than this; the caller continues from where it ended.
SEARCH_SECONDS = 2.0
# How much wider each look is than the one before; and no wider than the server can read in a moment.
WIDER = 10
WIDEST = 100_000
# A walk over the whole chain: how long for a connection, for a page, in all.
PATIENCE = 5.0
PAGE_SECONDS = 30.0
WALK_SECONDS = 3600.0
END = 2**63 - 1


class Reader:
    """One thread and one connection that many questions share."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self._closed = threading.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal-reader")

    async def ask(self, question: Callable[[Connection], T]) -> T:
        self.check_open()
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, question)

    def ask_from_thread(self, question: Callable[[Connection], T]) -> T:
        """The same for a thread without an event loop. Blocks."""
        self.check_open()
        return self._thread.submit(self._answer, question).result()

    def _answer(self, question: Callable[[Connection], T]) -> T:
        try:
            with self.link.use() as connection:
                return question(connection)
        except LostError:
            # The server may have been restarted since the last question, and asking twice does no harm.
            with self.link.use() as connection:
                return question(connection)

    async def ask_at_length(self, question: Callable[[Connection], T]) -> T:
        """With a connection and thread of its own: a walk over a million records keeps no other reader waiting."""
        self.check_open()
        return await asyncio.to_thread(self._answer_at_length, question)

    def _answer_at_length(self, question: Callable[[Connection], T]) -> T:
        link = Link(self.link.address, name="assent verifies", patience=PATIENCE, statement=PAGE_SECONDS)
        try:
            with link.use(seconds=WALK_SECONDS) as connection:
                return question(connection)
        finally:
            link.close()

    def check_open(self) -> None:
        if self._closed.is_set():
            raise JournalError("Not read: the journal is closed.")

    def close(self) -> None:
        self._closed.set()
        self._thread.shutdown()
        self.link.close()


class PostgresChain:
    """What one hub recorded."""

    def __init__(self, reader: Reader, hub: str) -> None:
        self.hub = hub
        self._reader = reader

    async def read(self, *, after: int = 0, before: int | None = None, limit: int = 1000) -> list[Record]:
        bounds = (after, END if before is None else before, max(limit, 0))
        return await self._reader.ask(lambda connection: records(connection, "read", self.hub, *bounds))

    async def tail(self, limit: int) -> list[Record]:
        return (await self._reader.ask(lambda connection: records(connection, "tail", self.hub, max(limit, 0))))[::-1]

    async def head(self) -> Head:
        return await self._reader.ask(lambda connection: head(connection, self.hub))

    async def story(self, call: str) -> list[Record]:
        """From every hub: an answer given elsewhere belongs to it."""
        return await self._reader.ask(lambda connection: records(connection, "story", call))

    async def search(self, wanted: Filter, *, before: int | None = None, limit: int = 100) -> Found:
        condition = where(wanted)
        give_up = time.monotonic() + SEARCH_SECONDS
        end = (await self.head()).seq + 1
        end = min(end, end if before is None else before)
        width = PAGE
        matches: list[Record] = []
        # The newest first, then wider and wider: what is found soon is found at once, and others come in between.
        while end > 1 and len(matches) < limit and time.monotonic() < give_up:
            begin = max(1, end - width)
            page = await self._reader.ask(functools.partial(_look, self.hub, condition, (begin, end)))
            matches += filter(wanted.matches, page)
            end = page[-1].seq if len(page) == PAGE else begin
            width = min(width * WIDER, WIDEST)
        ended_early = end > 1 and len(matches) < limit
        return Found(matches[: max(limit, 0)][::-1], unseen_before=end if ended_early else None)

    async def verify(self, against: Head | None = None) -> Checked:
        return await self._reader.ask_at_length(lambda connection: self._walk(connection, against))

    def _walk(self, connection: Connection, against: Head | None) -> Checked:
        # One look at the whole, however long it takes: a removal meanwhile is seen wholly or not at all.
        connection.isolation_level = IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        with connection.transaction():
            newest = next(iter(records(connection, "checkpoint", self.hub)), None)
            return check(self.hub, _all(connection, self.hub), against, checkpoint=newest)

    async def checkpoint(self) -> Record | None:
        return next(iter(await self._reader.ask(lambda each: records(each, "checkpoint", self.hub))), None)

    async def marks(self, *, after: int = 0) -> list[Mark]:
        def look(connection: Connection) -> list[Mark]:
            return [Mark(*row) for row in connection.execute(QUERY["marks"], (self.hub, after))]

        return await self._reader.ask(look)

    async def size(self) -> int:
        """An estimate, as the server gives room back only later: as many records as there are, each of the width that
        the newest have."""
        return await self._reader.ask(self._size)

    def _size(self, connection: Connection) -> int:
        checkpoint = pruned(next(iter(records(connection, "checkpoint", self.hub)), None))
        gone = checkpoint.through - checkpoint.kept if isinstance(checkpoint, CheckpointBody) else 0
        row = connection.execute(QUERY["breadth"], (self.hub,)).fetchone()
        return (head(connection, self.hub).seq - gone) * int(row[0] or 0) if row else 0


def head(connection: Connection, hub: str) -> Head:
    row = connection.execute(QUERY["head"], (hub,)).fetchone()
    return Head(hub, *row) if row else Head(hub, 0, GENESIS)


def heads(connection: Connection) -> list[Head]:
    return [Head(*row) for row in connection.execute(QUERY["heads"])]


def machines(connection: Connection) -> dict[str, str]:
    told: dict[str, str] = {}
    for hub, body in connection.execute(QUERY["machines"]):
        try:
            name = msgspec.json.decode(body).get("machine")
        except (msgspec.DecodeError, AttributeError):
            continue
        if isinstance(name, str):
            told[hub] = name
    return told


def records(connection: Connection, query: str, *values: Any) -> list[Record]:
    return _records(connection, QUERY[query], values)


def _records(connection: Connection, query: str, values: tuple[Any, ...]) -> list[Record]:
    # Not the columns that only searches look at.
    query = query.replace("SELECT *", f"SELECT {COLUMNS}", 1)
    return [record(row) for row in connection.execute(query.encode(), values)]


def _look(hub: str, condition: Condition, window: tuple[int, int], connection: Connection) -> list[Record]:
    """The newest of a window first, as far as the server can tell."""
    text, values = condition
    query = QUERY["window"].replace("TRUE /* condition */", text)
    return _records(connection, query, (hub, *window, *values, PAGE))


def _all(connection: Connection, hub: str) -> Iterator[Record]:
    seq = 0
    while page := records(connection, "read", hub, seq, END, PAGE):
        yield from page
        seq = page[-1].seq


HISTORY_PAGE = 1000
HISTORY_PATIENCE = 5.0
HISTORY_SECONDS = 30.0
ALL_SECONDS = 3600.0


class PostgresHistory:
    """The records of one hub up to the moment it was opened."""

    def __init__(self, url: str, hub: str, *, since: int = 0) -> None:
        """``since`` in Unix milliseconds. Raises JournalError where there is nothing that can be read."""
        self._address = Address.read(url)
        self._hub = hub
        self._since = since
        link = self._link()
        try:
            with link.use() as connection:
                check_version(connection, self._address.name)
                self._last = head(connection, hub).seq
                row = connection.execute(QUERY["first_since"], (hub, since)).fetchone()
        except JournalError as error:
            raise JournalError(f"Nothing was read: {error.message}", hint=error.hint) from error
        finally:
            link.close()
        self._before = row[0] - 1 if row and row[0] is not None else self._last

    def __len__(self) -> int:
        """About how many records there are to read: some may have been pruned."""
        return max(0, self._last - self._before)

    def __iter__(self) -> Iterator[Record]:
        link = self._link()
        try:
            with link.use(seconds=ALL_SECONDS) as connection:
                yield from self._each(connection)
        finally:
            link.close()

    def _each(self, connection: Connection) -> Iterator[Record]:
        seen = self._before
        while page := records(connection, "read", self._hub, seen, self._last + 1, HISTORY_PAGE):
            seen = page[-1].seq
            yield from (record for record in page if record.at >= self._since)

    def _link(self) -> Link:
        return Link(self._address, name="assent learns", patience=HISTORY_PATIENCE, statement=HISTORY_SECONDS)
