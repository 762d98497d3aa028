"""What is said before records go, and after."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from assent.cli import output
from assent.client import Client
from tests.unit.cli.conftest import Run

PLANNED: dict[str, Any] = {
    "records": 100_000,
    "removed": 52_000,
    "since": 86_400_000,
    "until": 172_800_000,
    "left": 7,
    "size_before": 75 << 20,
    "size_after": 36 << 20,
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, clock: Callable[[float], None]) -> list[dict[str, Any]]:
    """What the hub was asked for."""
    clock(10_000_000.0)
    asked: list[dict[str, Any]] = []

    def prune(_: Client, on_progress: Any, **wanted: Any) -> dict[str, Any]:
        asked.append(wanted)
        return PLANNED

    monkeypatch.setattr(Client, "prune", prune)
    return asked


def test_dry_run_shows_what_would_go(assent: Run, asked: list[dict[str, Any]]) -> None:
    """How many, from when to when, what stays as evidence, and how large the rest is."""
    result = assent("log", "prune", "--keep", "90d", "--dry-run")
    assert (result.code, result.out) == (
        0,
        "52,000 of 100,000 records would go: those from 1970-01-02 00:00:00 to 1970-01-03 00:00:00.\n"
        "7 records of that time or before stay as evidence.\n"
        "Of 75.0 MiB about 36.0 MiB would stay in use.\n",
    )
    assert asked == [{"keep": "90d", "max_size": None, "dry_run": True}]
    assert json.loads(assent("log", "prune", "--dry-run", "--json").out) == PLANNED


def test_nothing_goes_without_a_yes(assent: Run, asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal it cannot be confirmed, and a no is a no."""
    assert assent("log", "prune").code == 2
    assert assent("log", "prune", "--json").code == 2
    monkeypatch.setattr(output, "is_interactive", lambda: True)
    monkeypatch.setattr(output, "confirmed", lambda *_: False)
    assert assent("log", "prune").code == 1
    assert all(wanted["dry_run"] for wanted in asked)


def test_yes_removes_what_was_shown(assent: Run, asked: list[dict[str, Any]]) -> None:
    """The same limits, first looked at, then done."""
    result = assent("log", "prune", "--max-size", "40MiB", "--yes")
    assert result.code == 0
    assert result.out.splitlines()[-1] == "Removed 52,000 records; 36.0 MiB are in use now."
    assert [wanted["dry_run"] for wanted in asked] == [True, False]
    assert {wanted["max_size"] for wanted in asked} == {"40MiB"}


def test_nothing_to_remove_is_said(assent: Run, answers: Callable[..., None]) -> None:
    """And no confirmation is asked for."""
    answers(prune=PLANNED | {"removed": 0})
    result = assent("log", "prune")
    assert (result.code, result.out) == (
        0,
        "Nothing to remove: no record is too old, and 75.0 MiB are not too much.\n",
    )


@pytest.mark.parametrize("option", [("--keep", "long"), ("--max-size", "much")])
def test_limit_that_makes_no_sense_is_usage(assent: Run, asked: list[dict[str, Any]], option: tuple[str, str]) -> None:
    """The hub is not even asked."""
    result = assent("log", "prune", *option)
    assert (result.code, result.err.startswith("assent: Nothing was removed: ")) == (2, True)
    assert asked == []
