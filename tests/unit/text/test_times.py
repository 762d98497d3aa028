"""Times as people say them."""

from collections.abc import Callable

import pytest

from assent.text import times


@pytest.mark.parametrize(
    ("say", "ms", "words"),
    [
        (times.age, 42_900, "42 s"),
        (times.age, 3_727_000, "1 h"),
        (times.age, 200_000_000, "2 d"),
        (times.age, -5, "0 s"),
        (times.duration, 300, "300 ms"),
        (times.duration, 999.7, "1.0 s"),
        (times.duration, 1_240, "1.2 s"),
        (times.duration, 59_970, "1 min 0 s"),
        (times.duration, 119_600, "2 min 0 s"),
        (times.duration, 125_000, "2 min 5 s"),
        (times.ago, 300, "0.3 s ago"),
        (times.ago, 12_000, "12 s ago"),
        (times.ago, 61_000, "1 min ago"),
        (times.ago, -10, "0.0 s ago"),
        (times.span, 3_000, "3s"),
        (times.span, 59_999, "59s"),
        (times.span, 60_000, "1m"),
        (times.span, 720_000, "12m"),
        (times.span, 7_199_000, "1h"),
        (times.span, 3 * 3_600_000, "3h"),
        (times.span, 50 * 3_600_000, "2d"),
        (times.span, -1, "0s"),
    ],
)
def test_spans_are_said_shortly(say: Callable[[float], str], ms: float, words: str) -> None:
    """As exactly as one wants to know them; a clock that runs behind makes none negative."""
    assert say(ms) == words


def test_clock_has_seconds_and_two_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until when is said without them."""
    monkeypatch.setenv("TZ", "UTC")
    import time

    time.tzset()
    assert times.clock(1_768_470_067_000) == "09:41:07"
    assert times.hour_minute(1_768_471_080_000) == "9:58"
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("waited", "left", "text"),
    [
        (120_000, 480_000, "2 min, 8 left"),
        (150_000, 450_000, "2 min, 8 left"),
        (42_000, 558_000, "42 s, 10 min left"),
        (560_000, 40_000, "9 min, 40 s left"),
        (300_000, 14_100_000, "5 min, 4 h left"),
        (7_200_000, 7_200_000, "2 h, 2 left"),
        (39_000, 3_561_000, "39 s, 1 h left"),
        (60_000, 59_999, "1 min, 1 left"),
        (1_000, -4, "1 s, 0 left"),
        (42_000, None, "42 s"),
    ],
)
def test_waiting_is_told_with_what_is_left(waited: float, left: float | None, text: str) -> None:
    """Both as spans: nobody has to subtract a clock."""
    assert times.waited(waited, left) == text
