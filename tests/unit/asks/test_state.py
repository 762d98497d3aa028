"""The life of an ask, played through."""

import itertools

import pytest

from assent.asks import state
from assent.asks.state import Life

OPEN = Life()
DOUBTFUL = Life("doubtful", "terminal", "probable")
ANSWERED = Life("answered")
TOLD = Life("told")
CLOSED = Life("closed", "ran")
REPORTED = Life("closed", "terminal", "reported")


@pytest.mark.parametrize("life", [OPEN, DOUBTFUL])
def test_answer_is_taken_while_it_is_open_or_doubtful(life: Life) -> None:
    """A guess that it was answered elsewhere does not refuse an answer."""
    assert state.answered(life) == ANSWERED


@pytest.mark.parametrize("life", [ANSWERED, TOLD, CLOSED, REPORTED])
def test_second_answer_is_never_taken(life: Life) -> None:
    """One answer wins, whatever happened to it since."""
    assert state.answered(life) is None


def test_agent_is_told_only_what_was_answered() -> None:
    """There is no way from open to told."""
    assert state.told(ANSWERED) == TOLD
    assert [state.told(life) for life in (OPEN, DOUBTFUL, TOLD, CLOSED)] == [None] * 4


@pytest.mark.parametrize("life", [OPEN, DOUBTFUL, ANSWERED, TOLD, REPORTED])
def test_certain_ending_closes_whatever_is_not_closed_for_certain(life: Life) -> None:
    """What is known for sure ends all guesses."""
    assert state.ended(life, "ran", "certain") == CLOSED


def test_nothing_ends_twice() -> None:
    """The first certain ending stands."""
    assert state.ended(CLOSED, "denied", "certain") is None


def test_report_closes_and_guess_only_casts_doubt() -> None:
    """The harness's own report is believed, the absence of a sign is not."""
    assert state.ended(OPEN, "terminal", "reported") == REPORTED
    assert state.ended(OPEN, "terminal", "probable") == DOUBTFUL


@pytest.mark.parametrize("certainty", ["reported", "probable"])
def test_hearsay_never_overrides_a_persons_answer(certainty: str) -> None:
    """An answer given here is better evidence than a report about the terminal."""
    assert state.ended(ANSWERED, "terminal", certainty) is None  # type: ignore[arg-type]


def test_sign_of_life_ends_the_doubt() -> None:
    """The agent says that it waits, so it waits."""
    assert state.seen_waiting(DOUBTFUL) == OPEN
    assert state.seen_waiting(OPEN) is None
    assert state.seen_waiting(CLOSED) is None


def test_revision_opens_again_what_can_be_answered_and_nothing_else() -> None:
    """A change of what is shown is for those who can still answer."""
    assert state.revised(DOUBTFUL) == OPEN
    assert [state.revised(life) for life in (ANSWERED, TOLD, CLOSED)] == [None] * 3


def test_names_are_five_letters_without_l() -> None:
    """Names are read aloud and typed."""
    for number in range(2_000):
        name = state.name(number)
        assert len(name) == 5
        assert name.isascii()
        assert name.islower()
        assert "l" not in name


def test_no_name_comes_twice() -> None:
    """Different numbers have different names."""
    seen = {state.name(number) for number in itertools.chain(range(50_000), range(9_700_000, 9_765_625))}
    assert len(seen) == 50_000 + 65_625
