"""Leaving the desk, and coming back to it."""

from collections.abc import Callable
from typing import Any

import pytest

from assent.client import Client
from tests.unit.cli.conftest import Run, status

Answers = Callable[..., None]
NOON = 1_700_049_600  # 2023-11-15 12:00 UTC


def where(**changes: Any) -> dict[str, Any]:
    return {"away": False, "away_since": None, "away_until": None, "reachable": True} | changes


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    asked: list[float | None] = []

    def go_away(_: Client, seconds: float | None) -> dict[str, Any]:
        asked.append(seconds)
        until = None if seconds is None else int((NOON + seconds) * 1_000)
        return where(away=True, away_since=NOON * 1_000, away_until=until)

    monkeypatch.setattr(Client, "go_away", go_away)
    return asked


def test_away_lasts_until_back(assent: Run, left: list[float | None]) -> None:
    """Without a time it ends when one says so."""
    result = assent("away")
    assert (result.code, left) == (0, [None])
    assert result.out == "You are away until `assent back`. Asks go to your other screens at once.\n"


def test_away_for_a_while_says_until_when(
    assent: Run, left: list[float | None], clock: Callable[[float], None]
) -> None:
    """The end is told as a time of day."""
    clock(NOON)
    assert "until 14:00" in assent("away", "--for", "2h").out
    assert left == [7_200]


@pytest.mark.parametrize(("time", "why"), [("soon", "a duration is written like"), ("0s", "a second at least")])
def test_away_for_nonsense_is_usage(assent: Run, left: list[float | None], time: str, why: str) -> None:
    """An unreadable time changes nothing."""
    result = assent("away", "--for", time)
    assert result.code == 2
    assert why in result.err
    assert left == []


def test_away_without_other_screens_says_so(assent: Run, answers: Answers) -> None:
    """Who leaves expects to be reached."""
    answers(go_away=where(away=True, reachable=False))
    assert "No other screen is connected" in assent("away").out


def test_back_says_what_changes(assent: Run, answers: Answers) -> None:
    """And that nothing does where the user was not away."""
    answers(presence=where(away=True), come_back=where())
    assert assent("back").out == "You are back. Asks wait a little before they reach other screens.\n"
    answers(presence=where())
    assert assent("back").out == "You were not away.\n"


def test_both_print_where_one_is_as_json(assent: Run, answers: Answers) -> None:
    """For status lines and scripts."""
    answers(go_away=where(away=True), presence=where(away=True), come_back=where())
    assert assent("away", "--json").out.startswith('{"away":true')
    assert assent("back", "--json").out.startswith('{"away":false')


def test_status_reminds_of_being_away(assent: Run, answers: Answers, clock: Callable[[float], None]) -> None:
    """A forgotten absence is seen."""
    clock(NOON)
    answers(status=status(port=None, presence=where(away=True, away_since=(NOON - 3_600) * 1_000)))
    assert "away      since 11:00:00; `assent back` ends it" in assent("status").out
    answers(status=status(port=None, presence=where()))
    assert "away" not in assent("status").out
