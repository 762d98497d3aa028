"""Reading the whole record of one hub, without that hub."""

import pytest

from assent.journal.base import JournalError
from assent.journal.postgres.chain import PostgresHistory
from assent.protocol.record import Draft
from tests.component import postgres
from tests.component.journal.postgres.conftest import OpenHub

pytestmark = pytest.mark.anyio


async def test_history_is_what_one_hub_recorded_since_a_moment(url: str, open_hub: OpenHub) -> None:
    """Oldest first, beyond one page, nothing of other hubs, nothing older."""
    one, other = open_hub(), open_hub()
    await one.append([Draft(at=n, kind="event") for n in range(1, 2501)])
    await other.append([Draft(at=2000, kind="event")])
    history = PostgresHistory(url, one.hub, since=1301)
    assert len(history) == 1200
    assert [record.at for record in history] == list(range(1301, 2501))
    assert {record.hub for record in history} == {one.hub}
    assert list(PostgresHistory(url, one.hub, since=9999)) == []
    assert list(PostgresHistory(url, "00000000")) == []


async def test_history_of_no_journal_is_refused(url: str) -> None:
    """Looking makes no tables, and says what is missing."""
    with pytest.raises(JournalError, match="Nothing was read: The journal in PostgreSQL"):
        PostgresHistory(url, "00000000")
    assert postgres.execute("SELECT to_regclass('assent_records')") == [(None,)]
    with pytest.raises(JournalError, match="refused"):
        PostgresHistory("postgresql://127.0.0.1:1/x", "00000000")
