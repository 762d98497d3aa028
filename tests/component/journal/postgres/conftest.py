"""A database that the tests before left empty, and hubs that record into it."""

import os
import time
from collections.abc import AsyncIterator, Callable

import pytest

from assent.journal.base import JournalError
from assent.journal.postgres import PostgresJournal, open_postgres
from assent.protocol.record import Draft, Record
from tests.component import postgres
from tests.waiting import HANG, PAUSE, let_pass_in_loop

# A busy machine takes its time, and only some tests are about that.
PATIENT = HANG
OpenHub = Callable[..., PostgresJournal]


@pytest.fixture
def url() -> str:
    """Of a database without a journal in it."""
    return postgres.emptied()


@pytest.fixture
async def open_hub(url: str) -> AsyncIterator[OpenHub]:
    """Open a journal, of a new hub if none is named; closed after the test."""
    opened: list[PostgresJournal] = []

    def open_one(hub: str | None = None, *, to: str = url, patience: float = PATIENT) -> PostgresJournal:
        opened.append(open_postgres(to, hub or os.urandom(4).hex(), patience=patience))
        return opened[-1]

    yield open_one
    for journal in opened:
        await journal.close()


async def eventually(journal: PostgresJournal, deadline: float = HANG) -> Record:
    """Append until it is taken."""
    end = time.monotonic() + deadline
    while True:
        try:
            (record,) = await journal.append([Draft(at=1, kind="event")])
        except JournalError:
            assert time.monotonic() < end, journal.trouble
            await let_pass_in_loop(PAUSE)
        else:
            return record
