"""Quantiles of counts in buckets: near enough, and the same however they were added up."""

from hypothesis import given
from hypothesis import strategies as st

from assent.views import spread

VALUES = st.lists(st.floats(1, 1e9), min_size=1, max_size=200)


@given(VALUES, st.sampled_from([0.5, 0.9, 0.99]))
def test_quantile_is_within_a_tenth(values: list[float], share: float) -> None:
    """What is told differs from the exact value by less than a tenth."""
    exact = sorted(values)[max(0, -(-len(values) * round(share * 100) // 100) - 1)]
    told = spread.quantile(spread.of(values), share)
    assert told is not None
    assert abs(told / exact - 1) < 0.1


@given(VALUES, VALUES)
def test_spreads_add_up(one: list[float], other: list[float]) -> None:
    """Two days together are what both would have been as one."""
    merged = spread.of(one)
    spread.merge(merged, spread.of(other))
    assert merged == spread.of(one + other)
    assert spread.count(merged) == len(one) + len(other)


def test_nothing_measured_has_no_quantile() -> None:
    """Zero would be a lie."""
    assert spread.quantile({}, 0.5) is None
    assert spread.quantile(spread.of([0, 0.2]), 0.5) == 1.0
