"""Charts of characters say what the figures say, in the room there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.cli.stats import ASCII, BLOCKS, Ink, bar, column_width, columns, grouped

FIGURES = st.lists(st.integers(0, 10_000), min_size=1, max_size=300)
INKS = st.sampled_from([BLOCKS, ASCII])


@pytest.mark.parametrize(
    ("value", "drawn"), [(8, "████████"), (4, "████"), (4.5, "████▌"), (0.001, "▏"), (0, ""), (-1, "")]
)
def test_bar_is_as_long_as_its_share(value: float, drawn: str) -> None:
    """Half as much is half as long, and something is never nothing."""
    assert bar(value, 8, 8) == drawn


def test_bar_in_ascii_needs_no_blocks() -> None:
    """Terminals of all ages."""
    assert (bar(4, 8, 8, ASCII), bar(0.001, 8, 8, ASCII)) == ("####", "#")


def test_columns_rise_with_their_values() -> None:
    """The top row first; the highest value fills its column."""
    assert list(columns([0, 1, 2, 4], 2, 4)) == ["   █", " ▄██"]
    assert list(columns([0, 1, 4], 2, 4, ASCII)) == ["  #", " :#"]


@given(FIGURES, st.integers(20, 200), INKS)
def test_chart_fits_its_room_and_loses_nothing(values: list[int], width: int, ink: Ink) -> None:
    """Too many days are drawn together, and all of them are counted."""
    size, sums = grouped(values, width)
    assert sum(sums) == sum(values)
    assert len(sums) == -(-len(values) // size) <= width
    rows = list(columns(sums, 5, width, ink))
    assert len(rows) == 5
    assert all(len(row) <= column_width(len(sums), width) * len(sums) <= width for row in rows)
    assert any(row.strip() for row in rows) == any(values)


@given(st.integers(0, 1000), st.integers(1, 1000), st.integers(1, 200), INKS)
def test_bar_fits_its_room(value: int, most: int, width: int, ink: Ink) -> None:
    """No bar is longer than the most."""
    drawn = bar(min(value, most), most, width, ink)
    assert len(drawn) <= width
    assert bool(drawn) == (value > 0)
