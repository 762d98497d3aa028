"""Durations, sizes and times of day."""

from datetime import time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent import units


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("0s", timedelta(0)),
        ("20s", timedelta(seconds=20)),
        ("10m", timedelta(minutes=10)),
        ("1h30m", timedelta(minutes=90)),
        ("180d", timedelta(days=180)),
        ("2w", timedelta(days=14)),
        ("250ms", timedelta(milliseconds=250)),
    ],
)
def test_duration_reads_what_people_write(text: str, meaning: timedelta) -> None:
    """Units may be joined, and nothing else may stand between them."""
    assert units.duration(text) == meaning


@pytest.mark.parametrize("text", ["", "10", "10 m", "m", "-5s", "1y", "1.5h", "10m ", "٣s", "999999999w"])
def test_duration_refuses_anything_else(text: str) -> None:
    """A duration without a unit, or beyond any clock, is a mistake and not a guess."""
    with pytest.raises(ValueError, match="duration"):
        units.duration(text)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [("0B", 0), ("500MB", 500_000_000), ("2GiB", 2 * 1024**3), ("1 KiB", 1024), ("3TiB", 3 * 1024**4)],
)
def test_size_tells_powers_of_ten_from_powers_of_two(text: str, meaning: int) -> None:
    """MB and MiB are different sizes."""
    assert units.size(text) == meaning


@pytest.mark.parametrize("text", ["", "2", "2G", "2gib", "-1B", "1.5GiB", "iB", "2iB"])
def test_size_refuses_anything_else(text: str) -> None:
    """A size needs a unit."""
    with pytest.raises(ValueError, match="size"):
        units.size(text)


def test_clock_reads_a_time_of_day() -> None:
    """Two digits, a colon, two digits."""
    assert units.clock("22:30") == time(22, 30)


@pytest.mark.parametrize("text", ["", "24:00", "7:00", "07:60", "07:00:00", "noon"])
def test_clock_refuses_anything_else(text: str) -> None:
    """There is no hour 24."""
    with pytest.raises(ValueError, match="time of day"):
        units.clock(text)


@given(st.text())
def test_units_raise_value_errors_only(text: str) -> None:
    """Whatever stands in a file, the answer is a value or a ValueError."""
    for read in (units.duration, units.size, units.clock):
        try:
            read(text)
        except ValueError:
            pass
