"""The made-up history that searching, statistics and learning are measured on."""

import asyncio
import random
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from assent.journal.sqlite import open_sqlite
from assent.policy.rules import file
from assent.protocol.bodies import (
    AnswerBody,
    AskBody,
    ConfigBody,
    OutcomeBody,
    PushBody,
    RefusedBody,
    RulesBody,
    ToldBody,
)
from assent.protocol.record import Draft, Kind
from assent.views import feed, sessions
from bench import events, history

RECORDS = 8_000
# Where it does not matter what is in them.
FEW = 1_000
UNTIL = 1_790_000_000_000
BODIES: dict[str, type[msgspec.Struct]] = {
    "ask": AskBody,
    "answer": AnswerBody,
    "refused": RefusedBody,
    "told": ToldBody,
    "outcome": OutcomeBody,
    "push": PushBody,
    "rules": RulesBody,
    "config": ConfigBody,
}


def drafts(folder: Path, seed: int, records: int = RECORDS) -> list[Draft]:
    path = folder / "rules.toml"
    path.write_text(events.rules())
    rules = file.load_user(path).rules
    return list(history.drafts(random.Random(seed), rules, records=records, until=UNTIL))


def test_history_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    """Two runs can be compared, and another seed is another history."""
    made = drafts(tmp_path, 1, FEW)
    assert len(made) == FEW
    assert drafts(tmp_path, 1, FEW) == made != drafts(tmp_path, 2, FEW)


def test_history_has_every_kind_in_the_order_of_time(tmp_path: Path) -> None:
    """All that a hub records but the marks of a pruning, which did not happen here."""
    made = drafts(tmp_path, 1)
    assert len(made) == RECORDS
    assert {draft.kind for draft in made} == set(get_args(Kind)) - {"checkpoint"}
    assert [draft.at for draft in made] == sorted(draft.at for draft in made)
    decided = Counter(draft.decision for draft in made if draft.kind == "decision")
    assert set(decided) == {"allow", "deny", "prompt", "no_opinion"}


@pytest.mark.anyio
async def test_written_history_is_a_journal_like_any_other(tmp_path: Path) -> None:
    """Its chain holds, its bodies read as what they are, and sessions and feed fold over it."""
    paths = await _written(tmp_path)
    journal = open_sqlite(paths)
    assert (await journal.verify()).broken is None
    records = await journal.read(limit=RECORDS)
    assert len(records) == RECORDS
    for record in records:
        if record.kind in BODIES:
            msgspec.convert(record.body, BODIES[record.kind])
    assert len(sessions.rebuilt(records)) > 5
    rows = feed.rebuilt(records).rows.values()
    assert {row.state for row in rows} >= {"done", "failed", "denied"}
    assert not any(row.partial for row in rows if row.kind == "call" and row.seq > 1)
    await journal.close()


@pytest.mark.anyio
async def test_history_is_not_written_over_another(tmp_path: Path) -> None:
    """A journal that is there stays as it is."""
    path = await _written(tmp_path, FEW)
    with pytest.raises(FileExistsError, match="exists already"):
        await _written(tmp_path, FEW)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM records").fetchone() == (FEW,)


async def _written(folder: Path, records: int = RECORDS) -> Path:
    paths = await asyncio.to_thread(history.write, folder, records=records, seed=1, until=UNTIL)
    return paths.journal
