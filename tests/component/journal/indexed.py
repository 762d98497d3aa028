"""Journals whose index goes as far as a test wants."""

import pytest

from assent.journal import indexer, search
from assent.journal.sqlite import SqliteJournal


def small_steps(patch: pytest.MonkeyPatch) -> None:
    """Let a handful of records take many steps, and let none be read that could be looked up."""
    for module, name, value in (
        (indexer, "FEWEST", 0),
        (indexer, "ENOUGH", 1),
        (indexer, "BATCH", 3),
        (indexer, "IDLE_SECONDS", -1.0),
        (search, "FIRST", 0),
        (search, "PAGE", 2),
        (search, "CANDIDATES", 2),
    ):
        patch.setattr(module, name, value)


async def fill(journal: SqliteJournal, *, through: int | None = None) -> int:
    """Index records up to this number or a little further, all without it; how far it got."""
    end = (await journal.head()).seq if through is None else through
    for _ in range(10_000):
        if journal.index.through >= end and not journal.index.is_broken:
            return journal.index.through
        journal.indexer.turn()
    raise AssertionError("the index never got there")
