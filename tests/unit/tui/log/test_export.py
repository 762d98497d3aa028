"""The log as a file."""

import csv
import json
from pathlib import Path
from typing import cast

import pytest

from assent.client import Client
from assent.errors import AssentError
from assent.tui.log.export import export
from assent.views.decisions import DecisionRow

ROWS = [DecisionRow(seq=seq, at=seq, hash="h", decision="deny", what="=cmd()", waited_ms=5) for seq in (3, 2, 1)]


class Pages:
    """Two pages, or one and an error."""

    def __init__(self, *, breaks: bool = False) -> None:
        self.breaks = breaks

    def decisions(self, _: str, *, limit: int, before: int | None) -> tuple[list[DecisionRow], int | None]:
        assert limit
        if before is None:
            return ROWS[:2], 2
        if self.breaks:
            raise AssentError("No hub.")
        return ROWS[2:], None


def written(file: Path, *, breaks: bool = False) -> tuple[int, bool]:
    return export(cast("Client", Pages(breaks=breaks)), "", str(file), lambda _: None)


def test_export_writes_json_lines_for_their_owner_alone(tmp_path: Path) -> None:
    """Page by page, with readable times."""
    file = tmp_path / "log.jsonl"
    assert written(file) == (3, False)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["seq"] for row in rows] == [3, 2, 1]
    assert rows[0]["at"] == "1970-01-01T00:00:00.003+00:00"
    assert file.stat().st_mode & 0o777 == 0o600


def test_export_writes_no_formula_into_a_table(tmp_path: Path) -> None:
    """A table program must not take what an agent wrote for a formula."""
    written(tmp_path / "log.csv")
    rows = list(csv.DictReader((tmp_path / "log.csv").read_text().splitlines()))
    assert (rows[0]["what"], rows[0]["waited_ms"], len(rows)) == ("'=cmd()", "5", 3)


def test_export_overwrites_nothing_and_leaves_no_half(tmp_path: Path) -> None:
    """A file that is there stays as it is; one that cannot be finished is taken away."""
    there = tmp_path / "log.jsonl"
    there.write_text("mine")
    with pytest.raises(AssentError, match="it exists already"):
        written(there)
    assert there.read_text() == "mine"
    with pytest.raises(AssentError, match=r"\.jsonl or \.csv"):
        written(tmp_path / "log.txt")
    with pytest.raises(AssentError, match="No hub"):
        written(tmp_path / "other.csv", breaks=True)
    assert not (tmp_path / "other.csv").exists()
