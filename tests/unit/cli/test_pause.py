"""Pausing and resuming, and what a pause never touches."""

from collections.abc import Callable

import pytest

from assent.client import ApiError, Client
from tests.unit.cli.conftest import Run, status

Answers = Callable[..., None]


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    asked: list[float] = []

    def pause(_: Client, seconds: float) -> float:
        asked.append(seconds)
        return seconds

    monkeypatch.setattr(Client, "pause", pause)
    return asked


@pytest.mark.parametrize(("argv", "seconds", "shown"), [((), 900, "15m"), (("--for", "1h30m"), 5400, "1h30m")])
def test_pause_lasts_as_long_as_asked(
    assent: Run, paused: list[float], argv: tuple[str, ...], seconds: float, shown: str
) -> None:
    """A quarter of an hour unless told otherwise; the floor and Danger are named as what stays."""
    result = assent("pause", *argv)
    assert result.code == 0
    assert paused == [seconds]
    assert result.out == (
        f"Paused for {shown}. Rules and stance are silent; the floor and Danger stay.\n`assent resume` ends it.\n"
    )


@pytest.mark.parametrize(
    ("time", "why"),
    [("a while", "a duration is written like"), ("", "a duration is written like"), ("0s", "a pause lasts a second")],
)
def test_pause_of_nonsense_is_usage(assent: Run, paused: list[float], time: str, why: str) -> None:
    """An unreadable time, and no time at all, pause nothing."""
    result = assent("pause", "--for", time)
    assert result.code == 2
    assert f"Invalid value for '--for': {why}" in result.err
    assert paused == []


def test_pause_refused_by_the_hub_exits_1(assent: Run, answers: Answers) -> None:
    """The hub's own sentence is what people read."""
    answers(pause=ApiError(422, "bad-pause", "A pause lasts from 0 (resume) to 8 hours."))
    result = assent("pause", "--for", "2d")
    assert (result.code, result.err) == (1, "assent: A pause lasts from 0 (resume) to 8 hours.\n")


def test_resume_ends_a_pause(assent: Run, answers: Answers, paused: list[float]) -> None:
    """Resuming is pausing for no time at all."""
    answers(status=status(paused_for=10.0))
    assert assent("resume").out == (
        "Resumed. Rules and stance are judged again; the floor and Danger were never paused.\n"
    )
    assert paused == [0]


def test_resume_without_a_pause_says_so(assent: Run, answers: Answers, paused: list[float]) -> None:
    """It is no error."""
    answers(status=status())
    result = assent("resume")
    assert (result.code, result.out) == (0, "Nothing was paused.\n")
