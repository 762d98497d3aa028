"""A changed byte is found, wherever it stands, unless no readable value has changed with it.

What is claimed, for a change of one byte in the file of a journal: it is refused when it is opened; or `verify` names
the record; or `verify` says that the file is damaged; or every record, story and decision reads as it did before."""

import asyncio
import os
import sqlite3
import sys
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from assent.journal.base import JournalError
from assent.journal.prune import Pruning, prune
from assent.journal.sqlite import SqliteJournal, open_sqlite
from assent.protocol.record import Draft, Kind, Record
from tests.component.journal.sqlite_pages import places
from tests.waiting import HANG

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
# Of the bytes of one place.
MOST = 1_500 if SOAK else 50
OUTCOMES = ("refused", "named", "damaged", "as before")
COLUMNS = ("at", "kind", "session", "agent", "call", "ask", "request", "risk", "decision", "by", "body", "prev", "hash")


def drafts() -> list[Draft]:
    """One of each kind with every column, and one too long for a page."""
    kinds = [kind for kind in get_args(Kind) if kind != "checkpoint"]
    small = [
        Draft(
            at=1_700_000_000_000 + number,
            kind=kind,
            **{name: f"{kind}-{name}" for name in ("session", "agent", "call", "ask", "request", "decision", "by")},
            risk="danger" if kind == "answer" else "care",
            body={"what": f"{kind} ünïcode", "number": number},
        )
        for number, kind in enumerate(kinds)
    ]
    return [*small, Draft(at=1_700_000_001_000, kind="event", call="long", body={"long": "x" * 20_000})]


async def whole(path: Path) -> None:
    journal = open_sqlite(path)
    for draft in drafts():
        await journal.append([draft])
    await journal.close()


async def pruned(path: Path) -> None:
    """Of the oldest records only evidence is left, and a checkpoint vouches for it."""
    journal = open_sqlite(path)
    await journal.append([Draft(at=n, kind="event", call=f"gone-{n}", body={"pad": "y" * 300}) for n in range(40)])
    await journal.append(drafts())
    await journal.append([Draft(at=n, kind="event", body={"pad": "z" * 300}) for n in range(10)])
    size = await journal.size()
    done = await prune(journal, Pruning(down_to=size * 2 // 3, newest=10), now=lambda: 1_700_000_002_000)
    assert done.removed > 20
    assert done.left > 3
    await journal.close()


Seen = tuple[list[Record], list[list[Record]], list[Record | None]]


async def seen(journal: SqliteJournal) -> Seen:
    """What people are shown of it."""
    records = await journal.read(limit=10**6)
    stories = [await journal.story(record.call) for record in records if record.call]
    return records, stories, [await journal.decision_for(record.request) for record in records if record.request]


async def outcome(path: Path, before: Seen) -> str:
    """One of OUTCOMES, or what went wrong."""
    try:
        journal = open_sqlite(path)
    except JournalError:
        return "refused"
    try:
        if (await journal.verify()).broken is not None:
            return "named"
        return "as before" if await seen(journal) == before else "not found"
    except JournalError:
        return "damaged"
    finally:
        await journal.close()


def place_alone(path: Path, data: bytearray) -> None:
    for file in path.parent.iterdir():
        file.unlink()
    path.write_bytes(data)


def sample(path: Path, rng: Random) -> list[tuple[str, int]]:
    by_place: defaultdict[str, list[int]] = defaultdict(list)
    for at, place in enumerate(places(path)):
        by_place[place].append(at)
    return [(place, at) for place, of in sorted(by_place.items()) for at in rng.sample(of, min(MOST, len(of)))]


def table(counts: "Counter[tuple[str, str]]") -> str:
    names = sorted({place for place, _ in counts})
    lines = [f"| place | {' | '.join(OUTCOMES)} |", f"| --- |{' ---: |' * len(OUTCOMES)}"]
    return "\n".join(
        [*lines, *(f"| {name} | {' | '.join(str(counts[name, o]) for o in OUTCOMES)} |" for name in names)]
    )


@pytest.mark.anyio
@pytest.mark.timeout(HANG * (30 if SOAK else 5))
@pytest.mark.parametrize("make", [whole, pruned])
async def test_changed_byte_is_found_or_changes_nothing(tmp_path: Path, make: Any) -> None:
    """Byte by byte over the file, a sample of each place; the counts are printed."""
    path = tmp_path / "journal.db"
    await make(path)
    data = path.read_bytes()
    journal = open_sqlite(path)
    before = await seen(journal)
    assert (await journal.verify()).broken is None
    await journal.close()
    rng = Random(make.__name__)
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for place, at in sample(path, rng):
        flipped = bytearray(data)
        flipped[at] ^= rng.randrange(1, 256)
        place_alone(path, flipped)
        result = await outcome(path, before)
        counts[place, result] += 1
        if result not in OUTCOMES:
            wrong.append(f"{place}, byte {at}: {data[at]} became {flipped[at]}, and {result}")
        if result == "refused":
            assert path.read_bytes() == flipped, f"byte {at}: refused, but not left as it was"
    sys.stdout.write(f"\n{make.__name__} journal, {len(data)} bytes\n{table(counts)}\n")
    assert wrong == []
    assert counts["entries: rows", "named"] > MOST // 2
    assert counts["entries: rows", "as before"] == 0 or make is pruned


def changed(value: Any) -> Any:
    if isinstance(value, int):
        return value ^ 1
    return bytes([value[0] ^ 1]) + value[1:] if isinstance(value, bytes) else value[:-1] + chr(ord(value[-1]) ^ 1)


@pytest.mark.anyio
@pytest.mark.parametrize("column", COLUMNS)
async def test_change_of_any_column_of_any_kind_is_named(tmp_path: Path, column: str) -> None:
    """Whatever stands in a record is covered by its hash, and the record is named."""
    path = tmp_path / "journal.db"
    await whole(path)
    data = path.read_bytes()
    for seq in range(1, len(drafts())):
        path.write_bytes(data)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DROP TRIGGER entries_never_change")
            (value,) = connection.execute(f'SELECT "{column}" FROM entries WHERE seq = ?', (seq,)).fetchone()
            connection.execute(f'UPDATE entries SET "{column}" = ? WHERE seq = ?', (changed(value), seq))
        journal = open_sqlite(path)
        broken = (await journal.verify()).broken
        await journal.close()
        assert broken is not None
        assert (broken.seq, broken.why) == (seq, f"record {seq} was changed")


def test_every_column_is_tried(tmp_path: Path) -> None:
    """A column added later is covered, too."""
    path = tmp_path / "journal.db"
    asyncio.run(whole(path))
    with closing(sqlite3.connect(path)) as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(entries)")}
    assert columns == {"seq", *COLUMNS}
