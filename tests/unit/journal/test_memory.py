"""What the in-memory journal has beyond the contract of all journals."""

from typing import Any

import pytest

from assent.filter import parse
from assent.journal.base import JournalError
from assent.journal.memory import MemoryJournal
from assent.protocol.record import Draft


@pytest.mark.anyio
async def test_trouble_makes_appends_fail_until_it_is_taken_back() -> None:
    """A test can break the journal, see what was lost, and mend it."""
    journal = MemoryJournal()
    journal.trouble = "The disk is full."
    with pytest.raises(JournalError, match=r"^The disk is full\.$"):
        await journal.append([Draft(at=1, kind="event"), Draft(at=1, kind="hub")])
    assert journal.lost == 2
    journal.trouble = None
    (record,) = await journal.append([Draft(at=2, kind="event")])
    assert record.seq == 1


@pytest.mark.anyio
async def test_append_is_not_done_at_once() -> None:
    """As with a real disk, a caller that does not await sees nothing kept yet."""
    journal = MemoryJournal()
    append = journal.append([Draft(at=1, kind="event")])
    assert not append.done()
    assert [record.hub for record in await append] == ["memory"]


@pytest.mark.anyio
async def test_bounds_of_reading() -> None:
    """After and before are left out themselves; a limit keeps the oldest of a read, the newest of a search."""
    journal = MemoryJournal()
    await journal.append([Draft(at=n, kind="event" if n % 2 else "hub", call=f"c{n}") for n in range(1, 6)])

    async def read(**bounds: Any) -> list[int]:
        return [record.seq for record in await journal.read(**bounds)]

    async def found(text: str = "", **bounds: Any) -> list[int]:
        return [record.seq for record in (await journal.search(parse(text, now=0), **bounds)).records]

    assert await read() == [1, 2, 3, 4, 5]
    assert await read(after=2, before=5) == [3, 4]
    assert await read(limit=2) == [1, 2]
    assert await found() == [1, 2, 3, 4, 5]
    assert await found(before=3) == [1, 2]
    assert await found("call:c4") == [4]
    assert await found(limit=2) == [4, 5]
    assert await found(limit=0) == []
    assert [[record.seq for record in await journal.tail(limit)] for limit in (0, 2)] == [[], [4, 5]]
    assert [record.seq for record in await journal.story("c3")] == [3]


@pytest.mark.anyio
async def test_marks_are_those_after_a_number() -> None:
    """Other records are none."""
    journal = MemoryJournal()
    answers = [Draft(at=1, kind="answer", ask=ask) for ask in ("a1", "a2")]
    await journal.append([answers[0], Draft(at=1, kind="event"), answers[1]])
    assert [mark.seq for mark in await journal.marks()] == [1, 3]
    assert [mark.seq for mark in await journal.marks(after=1)] == [3]
