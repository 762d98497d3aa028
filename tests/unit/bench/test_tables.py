"""What the measurements print: numbers, verdicts and tables."""

import pytest

from bench.stats import Spread, paired, percentile, short
from bench.table import Check, Report, Table, summary


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, 1.0), (0.01, 1.0), (0.5, 50.0), (0.51, 51.0), (0.99, 99.0), (1.0, 100.0)]
)
def test_percentile_is_a_measured_value_by_nearest_rank(share: float, expected: float) -> None:
    """Of a hundred values 1 to 100, the share is the value itself."""
    assert percentile([float(number) for number in range(1, 101)], share) == expected


def test_percentile_of_nothing_is_refused() -> None:
    """A measurement that measured nothing must not look like a fast one."""
    with pytest.raises(ValueError, match="nothing was measured"):
        percentile([], 0.5)


def test_spread_does_not_depend_on_the_order() -> None:
    """The values are sorted first, and one value is its own every percentile."""
    assert Spread.of([3.0, 1.0, 2.0]) == Spread(count=3, low=1.0, p50=2.0, p99=3.0, top=3.0)
    assert Spread.of([0.002]).cells(1e3) == ("2.00", "2.00", "2.00", "1")


def test_paired_ratio_is_of_values_of_the_same_round() -> None:
    """A machine that becomes half as fast in between does not show."""
    assert paired([2.0, 4.0, 40.0], [1.0, 2.0, 20.0]) == 2.0


def test_pairs_that_are_not_whole_are_refused() -> None:
    """A round that one of both did not have compares nothing."""
    with pytest.raises(ValueError, match="longer"):
        paired([1.0], [1.0, 2.0])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "0"),
        (0.00923, "0.00923"),
        (1.0, "1.00"),
        (9.999, "10.0"),
        (43.21, "43.2"),
        (1234.5, "1,230"),
        (-2.5, "-2.50"),
    ],
)
def test_short_keeps_three_digits_and_no_exponent(value: float, expected: str) -> None:
    """A table's numbers can be compared at a glance."""
    assert short(value) == expected


@pytest.mark.parametrize(
    ("measured", "at_least", "is_met"),
    [(1.25, False, True), (1.26, False, False), (1.25, True, True), (1.24, True, False)],
)
def test_check_is_met_at_its_bound_and_not_beyond(measured: float, at_least: bool, is_met: bool) -> None:
    """A budget is a bound from above, or from below where more is better."""
    check = Check("x", measured, 1.25, at_least=at_least)
    assert check.is_met is is_met
    assert check.cells()[-1] == ("yes" if is_met else "**no**")


def test_check_names_unit_bound_and_goal() -> None:
    """The row can be read without the code."""
    assert Check("events", 2_500.0, 3_000.0, "1/s", at_least=True).cells() == (
        "events",
        "2,500 1/s",
        "≥ 3,000 1/s",
        "**no**",
    )
    assert Check("ratio", 1.2, 1.25, is_goal=True).cells()[2] == "≤ 1.25 (goal)"


def test_table_is_markdown_with_its_note() -> None:
    """Title, header, rule, rows, note."""
    table = Table("Title", ("what", "ms"), (("a", "1.00"), ("b", "2.00")), "A note.")
    assert table.markdown().splitlines() == [
        "### Title",
        "",
        "| what | ms |",
        "| --- | ---: |",
        "| a | 1.00 |",
        "| b | 2.00 |",
        "",
        "A note.",
    ]


def test_summary_lists_every_budget_and_what_was_not_measured() -> None:
    """A measurement that could not be made is named, not left out."""
    reports = [Report("a", checks=(Check("x", 1, 2),)), Report("b", not_measured="y: it needs Linux.")]
    text = summary(reports)
    assert "| x | 1.00 | ≤ 2 | yes |" in text
    assert text.endswith("Not measured: y: it needs Linux.")


def test_report_data_carries_numbers_and_not_their_text() -> None:
    """What --json prints can be calculated with."""
    check = Report("a", checks=(Check("x", 1.23456, 2),)).data()["checks"][0]
    assert (check["measured"], check["is_met"]) == (1.23456, True)
