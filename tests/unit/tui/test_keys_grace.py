"""A key that was meant for what stood there before does not answer."""

from dataclasses import dataclass

from assent.tui.keys import GRACE, HELD, Grace


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_key_right_after_a_change_does_not_count() -> None:
    """It was on its way before the change could be read."""
    clock = Clock()
    grace = Grace(clock)
    grace.begin()
    clock.now += 60
    assert not grace.counts("a"), "not painted yet"
    grace.painted()
    clock.now += GRACE - 0.01
    assert not grace.counts("a")


def test_a_key_after_the_moment_counts() -> None:
    """What was painted long enough ago was read."""
    clock = Clock()
    grace = Grace(clock)
    grace.begin()
    grace.painted()
    clock.now += GRACE + 0.01
    assert not grace.is_on
    assert grace.counts("a")


def test_a_key_that_came_too_early_asks_for_silence_again() -> None:
    """Blind typing answers nothing, however long."""
    clock = Clock()
    grace = Grace(clock)
    grace.painted()
    for letter in "allow all of it, and more":
        clock.now += GRACE / 2
        assert not grace.counts(letter)
    clock.now += GRACE + 0.01
    assert grace.counts("x")


def test_a_key_that_is_held_down_answers_once() -> None:
    """A terminal sends it again and again; the second ask must not get the first one's yes."""
    clock = Clock()
    grace = Grace(clock)
    assert grace.counts("a")
    grace.painted()
    clock.now += 0.66
    assert not grace.counts("a"), "the first repeat comes later than the moment after a change"
    for _ in range(100):
        clock.now += 0.03
        assert not grace.counts("a")
    clock.now += HELD + 0.01
    assert grace.counts("a")


def test_another_key_counts_right_after_one_that_counted() -> None:
    """Enter confirms what a letter armed."""
    clock = Clock()
    grace = Grace(clock)
    assert grace.counts("a")
    clock.now += 0.05
    assert grace.counts("Enter")
