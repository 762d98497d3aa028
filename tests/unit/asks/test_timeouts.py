"""Timeouts: how long an agent waits for a person."""

from datetime import timedelta

import pytest

from assent.asks.timeouts import HOOK_MARGIN, MARGIN, Attention, Way, hold, longest
from assent.config import Asks

UNREACHABLE, LOOKING, AWAY = Attention(), Attention(reachable=True), Attention(away=True)
MINUTES = timedelta(minutes=10)
SHORT = timedelta(seconds=20)
NOTHING = timedelta(0)
USUAL = longest(630, None)


@pytest.mark.parametrize("attention", [UNREACHABLE, LOOKING, AWAY])
def test_dialog_that_is_open_beside_us_is_always_held(attention: Attention) -> None:
    """The terminal can answer all the while, so we wait as long as we are told."""
    assert hold("beside", Asks(), attention, USUAL) == MINUTES


@pytest.mark.parametrize(("attention", "wait"), [(UNREACHABLE, NOTHING), (LOOKING, SHORT), (AWAY, MINUTES)])
def test_dialog_that_waits_for_us_is_held_only_briefly_while_the_user_is_there(
    attention: Attention, wait: timedelta
) -> None:
    """A person at the terminal is not locked out for long."""
    assert hold("before", Asks(), attention, USUAL) == wait


@pytest.mark.parametrize(
    ("unattended", "attention", "wait"),
    [
        ("reachable", UNREACHABLE, NOTHING),
        ("reachable", LOOKING, MINUTES),
        ("always", UNREACHABLE, MINUTES),
        ("never", LOOKING, NOTHING),
    ],
)
def test_run_without_a_terminal_waits_where_a_person_can_be_reached(
    unattended: str, attention: Attention, wait: timedelta
) -> None:
    """An unwatched pipeline does not stand still."""
    assert hold("instead", Asks(unattended=unattended), attention, USUAL) == wait  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("stops", "attention", "is_held"),
    [
        ("never", AWAY, False),
        ("away", AWAY, True),
        ("away", LOOKING, False),
        ("always", LOOKING, True),
    ],
)
def test_finished_turn_is_held_as_the_settings_say(stops: str, attention: Attention, is_held: bool) -> None:
    """By default only while the person is away."""
    wait = hold("after", Asks(hold_stops=stops), attention, longest(3630, None))  # type: ignore[arg-type]
    assert wait == (timedelta(hours=1) if is_held else NOTHING)


@pytest.mark.parametrize("way", ["beside", "before", "instead", "after"])
def test_wait_ends_before_the_harness_loses_patience(way: Way) -> None:
    """A timeout of the harness looks like a failure; ours hands back in order."""
    settings = Asks(wait=timedelta(hours=5), hold_stops="always", unattended="always")
    assert (
        hold(way, settings, Attention(away=True, reachable=True), longest(100, None)) == timedelta(seconds=100) - MARGIN
    )


def test_hook_that_must_answer_at_once_never_waits() -> None:
    """An event without room for a wait is not held."""
    assert hold("beside", Asks(), AWAY, longest(10, None)) <= NOTHING
    assert hold("beside", Asks(), AWAY, longest(10, 8)) <= NOTHING


def test_hook_that_listens_for_hours_is_held_for_hours() -> None:
    """What it says counts, not the timeout that is usually written; it gives up after us."""
    settings = Asks(wait=timedelta(hours=4))
    assert hold("beside", settings, LOOKING, longest(630, 14_410)) == timedelta(hours=4)
    assert hold("beside", settings, LOOKING, longest(630, 600)) == timedelta(seconds=600) - HOOK_MARGIN
    assert hold("beside", settings, LOOKING, longest(0, 14_410)) <= NOTHING
