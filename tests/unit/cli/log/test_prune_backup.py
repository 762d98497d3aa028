"""What is said of a backup."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.client import ApiError, Client
from tests.unit.cli.conftest import Run

HEAD = {"hub": "ab12", "seq": 7, "hash": "f" * 64}
COPIED: dict[str, Any] = {"file": "/b/journal.db", "size": 3 << 20, "checked": {"head": HEAD, "broken": None}}


def test_backup_says_where_it_is_and_where_its_chain_ends(assent: Run, answers: Callable[..., None]) -> None:
    """The head can be kept elsewhere, beside the copy."""
    answers(backup=COPIED)
    result = assent("log", "backup")
    assert (result.code, result.out) == (
        0,
        f"Copied 3.0 MiB to /b/journal.db\nThe copy holds, up to ab12:7:{'f' * 64}\n",
    )
    assert json.loads(assent("log", "backup", "--json").out) == COPIED


def test_backup_of_a_broken_chain_fails(assent: Run, answers: Callable[..., None]) -> None:
    """The copy is there, and so is the break."""
    answers(backup=COPIED | {"checked": {"head": HEAD, "broken": {"seq": 8, "why": "record 8 was changed"}}})
    result = assent("log", "backup")
    assert result.code == 1
    assert "Its chain is broken at record 8: record 8 was changed." in result.out


def test_backup_goes_where_the_user_stands(assent: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The hub runs elsewhere, so it is given the whole path."""
    asked: list[str | None] = []

    def backup(_: Client, file: str | None, on_progress: Any) -> dict[str, Any]:
        asked.append(file)
        return COPIED

    monkeypatch.setattr(Client, "backup", backup)
    monkeypatch.chdir(tmp_path)
    assent("log", "backup", "friday.db")
    assent("log", "backup")
    assert asked == [str(tmp_path / "friday.db"), None]


def test_refusal_is_told(assent: Run, answers: Callable[..., None]) -> None:
    """What did not happen, and what to do."""
    answers(backup=ApiError(200, "not-done", "Not backed up: /b exists already.", "Choose another name."))
    result = assent("log", "backup", "/b")
    assert (result.code, result.err) == (1, "assent: Not backed up: /b exists already.\nhint: Choose another name.\n")
