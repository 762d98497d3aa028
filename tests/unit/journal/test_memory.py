"""What the in-memory journal has beyond the contract of all journals."""

import pytest

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
    told = journal.append([Draft(at=1, kind="event")])
    assert not told.done()
    assert [record.hub for record in await told] == ["memory"]
