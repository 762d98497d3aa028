"""The journal in PostgreSQL: a thread that writes and one that reads, each with a connection, and one that listens."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from psycopg import Connection, errors

from assent.journal.base import DuplicateError, Head, JournalError, News, Removal, duplicate, outdated
from assent.journal.chain import follow
from assent.journal.postgres.chain import PostgresChain, Reader, head, heads, machines, records
from assent.journal.postgres.link import QUERY, Address, Link, LostError
from assent.journal.postgres.news import RETRY, Listener
from assent.journal.postgres.schema import bring_up_to_date, row, written
from assent.journal.writer import Outcome, Writer
from assent.protocol.record import Draft, Record

# A gate has two seconds in all, and may have to wait for a connection and for a statement.
PATIENCE = 0.8
STATEMENT_SECONDS = 1.0
READING_SECONDS = 15.0
# A hub that was killed a moment ago lets go of its chain as soon as the server notices.
LOCK_SECONDS = 0.5
MOST_WAITING = 50_000
# So many rows a statement: each has its own second, and a backlog needs several.
ROWS = 200
# What the server tells us about a second answer or decision.
UNIQUE = {"assent_one_answer": "answer", "assent_one_decision": "decision"}


def open_postgres(
    url: str,
    hub: str,
    *,
    on_failure: Callable[[JournalError], None] | None = None,
    patience: float = PATIENCE,
    most_waiting: int = MOST_WAITING,
) -> "PostgresJournal":
    """The journal of this hub in the database at ``url``. Blocks for ``patience`` seconds at most.

    A server that is away, or a database that is not ours, is no error here: the journal says so in ``trouble``, fails
    every append, and tries again. Raises JournalError if the address cannot be read."""
    return PostgresJournal(Address.read(url), hub, on_failure, patience, most_waiting)


class _OneFailedError(Exception):
    """One append of a batch cannot be kept."""


class _Planned(msgspec.Struct):
    """What a transaction will have recorded when it is committed."""

    outcomes: list[Outcome]
    start: Head
    end: Head


class PostgresJournal(PostgresChain):
    """Made by ``open_postgres``."""

    comes_back = True

    def __init__(
        self,
        address: Address,
        hub: str,
        on_failure: Callable[[JournalError], None] | None,
        patience: float,
        most_waiting: int,
    ) -> None:
        # Random, so that a connection under this name is one that we lost.
        token = secrets.token_hex(6)
        self._writing_name = f"assent {hub} {token} writes"
        reading = Link(
            address,
            name=f"assent {hub} reads",
            patience=patience,
            statement=READING_SECONDS,
            is_away=lambda: not self._link.is_connected,
        )
        super().__init__(Reader(reading), hub)
        self.place = f"PostgreSQL at {address.name}"
        self.commits = 0
        self._address = address
        self._link = Link(
            address, name=self._writing_name, prepare=self._prepare, patience=patience, statement=STATEMENT_SECONDS
        )
        # Where the chain ends, as far as this process wrote it.
        self._tip: Head | None = None
        self._planned: _Planned | None = None
        self._listener: Listener | None = None
        self._is_closed = False
        self._writer = Writer(self._commit, on_failure=on_failure, most_waiting=most_waiting)
        try:
            with self._link.use():
                pass
        except JournalError as error:
            self._writer.trouble = str(error)

    @property
    def trouble(self) -> str | None:
        return self._writer.trouble

    @property
    def lost(self) -> int:
        return self._writer.lost

    def append(self, drafts: Sequence[Draft]) -> asyncio.Future[tuple[Record, ...]]:
        return self._writer.put(drafts)

    async def decision_for(self, request: str) -> Record | None:
        return next(iter(await self._reader.ask(lambda each: records(each, "decision_for", request))), None)

    async def heads(self) -> list[Head]:
        every = await self._reader.ask(heads)
        own = [each for each in every if each.hub == self.hub]
        return (own or [await self.head()]) + [each for each in every if each.hub != self.hub]

    async def machines(self) -> dict[str, str]:
        return await self._reader.ask(machines)

    def of(self, hub: str) -> PostgresChain:
        return PostgresChain(self._reader, hub)

    def hear(self, callback: Callable[[News], None]) -> None:
        loop = asyncio.get_running_loop()

        def is_there(yes: bool) -> None:
            # An append of nothing finds out whether the server takes records, and what people are told of it changes.
            if yes == (self.trouble is not None) and not self._is_closed:
                self.append([])
                if yes:
                    # It may come while the server still starts, or in the pause after the last try: look again.
                    loop.call_later(RETRY, is_there, True)

        self._listener = Listener(self._reader, self.hub, loop, callback, is_there)

    async def remove(self, removal: Removal) -> Record:
        return await self._writer.run(lambda: self._remove(removal))

    async def close(self) -> None:
        """Commit what waits."""
        if self._is_closed:
            return
        self._is_closed = True
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writer.close()
        if self._listener:
            self._listener.close()
        self._reader.close()
        self._link.close()

    # --- the writing thread

    def _prepare(self, connection: Connection) -> None:
        bring_up_to_date(connection, self._address.name)
        # One of ours that we lost may still be at work. Only when it is gone it is certain what it did.
        connection.execute(QUERY["end_stale"], [self._writing_name])
        until = time.monotonic() + LOCK_SECONDS
        while not _is_true(connection, QUERY["lock"], self.hub):
            if time.monotonic() > until:
                raise JournalError(
                    f"Another process records as hub {self.hub} in PostgreSQL at {self._address.name}, "
                    "and two would break the chain.",
                    hint="Stop the other hub. If its files are a copy of this one's, remove <state>/hub-id here.",
                )
            time.sleep(0.02)

    def _commit(self, batch: Sequence[Sequence[Draft]]) -> list[Outcome]:
        try:
            try:
                outcomes = self._transaction(batch)
            except _OneFailedError:
                # Seldom, so the usual way need not pay for it: once more, each append in a savepoint of its own.
                outcomes = self._transaction(batch, one_by_one=True)
        except LostError as error:
            outcomes = self._after_a_loss(batch, error)
        self.commits += 1
        return outcomes

    def _transaction(self, batch: Sequence[Sequence[Draft]], *, one_by_one: bool = False) -> list[Outcome]:
        # Asked again after whatever went wrong: the chain goes on from what is stored.
        tip, self._tip, self._planned = self._tip, None, None
        size = sum(map(len, batch))
        with self._link.use(seconds=STATEMENT_SECONDS * (1 + size / ROWS)) as connection:
            start = tip or head(connection, self.hub)
            if one_by_one:
                planned = self._place_each(connection, batch, start)
            else:
                planned = self._place_all(connection, batch, start)
        self._tip = planned.end
        return planned.outcomes

    def _after_a_loss(self, batch: Sequence[Sequence[Draft]], error: LostError) -> list[Outcome]:
        """Whether it was committed is known as soon as there is a connection again: there is none before the old one's
        end, and with it the fate of what it did, is certain."""
        planned = self._planned
        try:
            with self._link.use() as connection:
                stored = head(connection, self.hub)
        except JournalError as still:
            if planned is None:
                raise
            raise JournalError(
                f"It is not known whether the last {planned.end.seq - planned.start.seq} records were kept, so they "
                f"count as lost. {still.message}",
                hint=still.hint,
            ) from error
        if planned is not None and stored == planned.end:
            self._tip = stored
            return planned.outcomes
        return self._transaction(batch, one_by_one=True)

    def _place_all(self, connection: Connection, batch: Sequence[Sequence[Draft]], start: Head) -> _Planned:
        outcomes: list[Outcome] = []
        rows: list[dict[str, Any]] = []
        end = start
        for drafts in batch:
            try:
                grown = follow(end, drafts)
            except JournalError as error:
                raise _OneFailedError from error
            end = grown.head
            outcomes.append(grown.records)
            rows += map(row, grown.records, grown.bodies)
        planned = self._planned = _Planned(outcomes, start, end)
        try:
            # All of it in one go, without waiting for the server in between: what a pipeline holds is one transaction.
            with connection.pipeline():
                _take_turns(connection, batch)
                _insert(connection, rows)
        except errors.UniqueViolation as error:
            self._refused(error)
            raise _OneFailedError from error
        except errors.DataError as error:
            raise _OneFailedError from error
        return planned

    def _place_each(self, connection: Connection, batch: Sequence[Sequence[Draft]], start: Head) -> _Planned:
        outcomes: list[Outcome] = []
        end = start
        with connection.transaction():
            _take_turns(connection, batch)
            for drafts in batch:
                outcome, end = self._place(connection, drafts, end)
                outcomes.append(outcome)
            planned = self._planned = _Planned(outcomes, start, end)
        return planned

    def _place(self, connection: Connection, drafts: Sequence[Draft], start: Head) -> tuple[Outcome, Head]:
        """One append in a savepoint of its own, so that it harms no other one of the transaction."""
        try:
            grown = follow(start, drafts)
            with connection.transaction():
                _insert(connection, list(map(row, grown.records, grown.bodies)))
        except JournalError as error:
            return error, start
        except errors.UniqueViolation as error:
            return self._refused(error), start
        except errors.DataError as error:
            return JournalError(f"Not recorded: the database cannot hold a draft ({type(error).__name__})."), start
        return grown.records, grown.head

    def _refused(self, error: errors.UniqueViolation) -> DuplicateError:
        """Raises if it is not the race for an answer or decision that was lost, but a place in the chain."""
        kind = UNIQUE.get(error.diag.constraint_name or "")
        if kind is None:
            raise JournalError(
                f"Not recorded: another process records as hub {self.hub} in {self.place}.",
                hint="Stop the other hub. If its files are a copy of this one's, remove <state>/hub-id here.",
            ) from error
        return duplicate(kind)

    def _remove(self, removal: Removal) -> Record:
        self._tip = self._planned = None
        try:
            with self._link.use() as connection, connection.transaction():
                newest = next(iter(records(connection, "checkpoint", self.hub)), None)
                if (newest.seq if newest else 0) != removal.since:
                    raise outdated()
                gone = connection.execute(QUERY["remove"], (self.hub, list(removal.seqs)))
                if gone.rowcount != len(removal.seqs):
                    raise outdated()
                start = head(connection, self.hub)
                grown = follow(start, [removal.checkpoint])
                _insert(connection, list(map(row, grown.records, grown.bodies)))
        except LostError as error:
            # Pruning begins with what is stored, so it need not know what became of this step.
            raise JournalError(f"It is not known whether records were removed. {error.message}") from error
        return grown.records[0]


def _insert(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    for begin in range(0, len(rows), ROWS):
        connection.execute(QUERY["insert"], [msgspec.json.encode(rows[begin : begin + ROWS]).decode()])


def _take_turns(connection: Connection, batch: Sequence[Sequence[Draft]]) -> None:
    """Two hubs that give the same answers in another order would wait for each other: so both begin with the same."""
    asks = {draft.ask for drafts in batch for draft in drafts if draft.kind == "answer" and draft.ask is not None}
    if len(asks) > 1:
        connection.execute(QUERY["take_turns"], [sorted(map(written, asks))])


def _is_true(connection: Connection, query: str, *values: str) -> bool:
    return connection.execute(query, values).fetchone() == (True,)
