"""What a search sees of the index."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from assent.journal.index import Index, IndexUnusableError, Span


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path / "journal.db")


def test_new_index_is_sound_and_holds_nothing(index: Index) -> None:
    """Beside the journal, under its name."""
    assert index.path.name == "journal.db.index"
    assert (index.through, index.is_broken, index.life) == (0, False, 0)


def test_distrusted_index_holds_nothing(index: Index) -> None:
    """Until it has been made anew."""
    index.through = 7
    index.distrust()
    assert (index.through, index.is_broken) == (0, True)


@pytest.mark.parametrize(
    ("rows", "span", "expected"),
    [
        ([], (1, 100), []),
        ([(1, 10)], (1, 100), [(1, 11)]),
        # Newest first; those that touch or overlap are one.
        ([(11, 20), (1, 10)], (1, 100), [(1, 21)]),
        ([(10, 20), (1, 10)], (1, 100), [(1, 21)]),
        ([(12, 20), (1, 10)], (1, 100), [(12, 21), (1, 11)]),
        # Cut to what is asked for.
        ([(12, 20), (1, 10)], (5, 15), [(12, 15), (5, 11)]),
    ],
)
def test_runs_of_records_are_joined_and_cut(
    index: Index, monkeypatch: pytest.MonkeyPatch, rows: list[Span], span: Span, expected: list[Span]
) -> None:
    """Each is read once."""
    monkeypatch.setattr(Index, "_rows", lambda *_: rows)
    assert index.spans(0, (0, 1), span) == expected


def test_answer_of_an_earlier_life_is_none(index: Index) -> None:
    """The file was made anew meanwhile."""
    index.life = 2
    with pytest.raises(IndexUnusableError, match="anew"):
        index.seqs(1, "x", (1, 2), 3)


@pytest.mark.parametrize(("error", "is_broken"), [(sqlite3.OperationalError, False), (sqlite3.DatabaseError, True)])
def test_damaged_file_is_distrusted_and_a_busy_one_is_not(
    index: Index, monkeypatch: pytest.MonkeyPatch, error: type[sqlite3.Error], is_broken: bool
) -> None:
    """Searches read the journal in both cases."""

    class Connection:
        def execute(self, *_: Any) -> Any:
            raise error("oops")

    monkeypatch.setattr(Index, "_connection", lambda _: Connection())
    with pytest.raises(IndexUnusableError, match="oops"):
        index.seqs(0, "x", (1, 2), 3)
    assert index.is_broken is is_broken


def test_connection_is_kept_for_one_life(index: Index) -> None:
    """A file that was made anew is opened anew, and the old handle closed."""
    sqlite3.connect(index.path).close()
    first = index._connection()
    assert index._connection() is first
    index.life += 1
    second = index._connection()
    assert second is not first
    with pytest.raises(sqlite3.ProgrammingError):
        first.execute("SELECT 1")
    index.close()
    index.close()
    with pytest.raises(sqlite3.ProgrammingError):
        second.execute("SELECT 1")
