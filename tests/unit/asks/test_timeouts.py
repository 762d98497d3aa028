"""How long an agent waits for a person."""

from datetime import timedelta

import pytest

from assent.asks.patience import MARGIN, Attention, Way, hold
from assent.config import Asks

NOBODY, LOOKING, AWAY = Attention(), Attention(reachable=True), Attention(away=True)
MINUTES = timedelta(minutes=10)
SHORT = timedelta(seconds=20)
NOTHING = timedelta(0)


@pytest.mark.parametrize("attention", [NOBODY, LOOKING, AWAY])
def test_dialog_that_is_open_beside_us_costs_nobody_anything(attention: Attention) -> None:
    """The terminal can answer all the while, so we wait as long as we are told."""
    assert hold("beside", Asks(), attention, 630) == MINUTES


@pytest.mark.parametrize(("attention", "wait"), [(NOBODY, NOTHING), (LOOKING, SHORT), (AWAY, MINUTES)])
def test_dialog_that_waits_for_us_is_held_only_briefly_while_somebody_is_there(
    attention: Attention, wait: timedelta
) -> None:
    """Nobody at the terminal is locked out for long."""
    assert hold("before", Asks(), attention, 630) == wait


@pytest.mark.parametrize(
    ("unattended", "attention", "wait"),
    [
        ("reachable", NOBODY, NOTHING),
        ("reachable", LOOKING, MINUTES),
        ("always", NOBODY, MINUTES),
        ("never", LOOKING, NOTHING),
    ],
)
def test_run_without_a_terminal_waits_where_somebody_can_be_reached(
    unattended: str, attention: Attention, wait: timedelta
) -> None:
    """A pipeline that nobody watches does not stand still."""
    assert hold("instead", Asks(unattended=unattended), attention, 630) == wait  # type: ignore[arg-type]


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
    wait = hold("after", Asks(hold_stops=stops), attention, 3630)  # type: ignore[arg-type]
    assert wait == (timedelta(hours=1) if is_held else NOTHING)


@pytest.mark.parametrize("way", ["beside", "before", "instead", "after"])
def test_wait_ends_before_the_harness_loses_patience(way: Way) -> None:
    """A timeout of the harness looks like a failure; ours hands back in order."""
    settings = Asks(wait=timedelta(hours=5), hold_stops="always", unattended="always")
    assert hold(way, settings, Attention(away=True, reachable=True), 100) == timedelta(seconds=100) - MARGIN


def test_hook_that_must_answer_at_once_never_waits() -> None:
    """An event without room for a wait is not held."""
    assert hold("beside", Asks(), AWAY, 10) <= NOTHING
