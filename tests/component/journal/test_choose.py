"""Which journal the settings mean, and under which name a hub records."""

import os
import stat
import sys
from pathlib import Path

import pytest

from assent.journal.base import JournalError
from assent.journal.choose import hub_id, open_journal
from assent.journal.sqlite import open_sqlite
from tests.component import postgres


@pytest.mark.anyio
async def test_settings_choose_the_journal(tmp_path: Path) -> None:
    """A file for this hub alone, or the database that is named."""
    for url, kind in (("sqlite", "SqliteJournal"), (postgres.emptied(), "PostgresJournal")):
        journal = open_journal(url, file=tmp_path / "journal.db", hub_file=tmp_path / "hub-id")
        assert type(journal).__name__ == kind
        await journal.close()


def test_name_is_minted_once_and_private(tmp_path: Path) -> None:
    """Two looks find one name, in a file of ours alone."""
    file = tmp_path / "state" / "hub-id"
    name = hub_id(file, tmp_path / "journal.db")
    assert hub_id(file, tmp_path / "journal.db") == name
    assert len(name) == 8
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(file.parent) == ["hub-id"]


@pytest.mark.anyio
async def test_name_of_the_file_before_is_kept(tmp_path: Path) -> None:
    """A hub that moves from SQLite to a database stays the same hub; a damaged file has no name to give."""
    journal = open_sqlite(tmp_path / "journal.db")
    await journal.close()
    assert hub_id(tmp_path / "one", tmp_path / "journal.db") == journal.hub
    assert sorted(os.listdir(tmp_path)) == ["journal.db", "one"]
    (tmp_path / "broken.db").write_bytes(b"no database" * 1000)
    assert len(hub_id(tmp_path / "other", tmp_path / "broken.db")) == 8


def test_file_that_names_no_hub_is_not_written_over(tmp_path: Path) -> None:
    """Another name would be another chain: a person has to decide."""
    file = tmp_path / "hub-id"
    file.write_text("half")
    with pytest.raises(JournalError, match="does not name a hub"):
        hub_id(file, tmp_path / "journal.db")
    assert file.read_text() == "half"


def test_missing_driver_is_named_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without psycopg the message says what to install."""
    for name in [name for name in sys.modules if name.startswith("assent.journal.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(JournalError, match="its driver is not there") as refused:
        open_journal("postgresql://x", file=tmp_path / "journal.db", hub_file=tmp_path / "hub-id")
    assert "assent[postgres]" in str(refused.value.hint)
