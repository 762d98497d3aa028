"""Patterns of strangers do not keep us busy."""

import time

import pytest

from assent.forms import LONGEST_TEXT, fits, is_tame


@pytest.mark.parametrize("pattern", [r"^[A-Z]{3}-\d{4}$", "^a*b+$", "", r"\d{2,4}", "colou?r"])
def test_ordinary_patterns_are_tame(pattern: str) -> None:
    """What forms usually ask for can be checked."""
    assert is_tame(pattern)


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*b", "a*a*a*b", r"(.)\1", "(?=x)", "(", "x" * 300, "a{9999999999999}"]
)
def test_patterns_that_could_run_for_ever_are_not(pattern: str) -> None:
    """Nor those that cannot be read."""
    assert not is_tame(pattern)
    assert not fits(pattern, "aaa")


def test_worst_tame_pattern_ends_soon() -> None:
    """Its time can be foreseen."""
    started = time.process_time()
    assert not fits("^.*.*x$", "a" * LONGEST_TEXT)
    assert time.process_time() - started < 2
