"""Regular expressions that are compiled at their first use."""

import re

import pytest

from assent.expressions import later


def test_it_finds_what_a_compiled_one_finds() -> None:
    """By each of its methods, the first time and again."""
    sooner, slower = re.compile(r"(a)(b)?", re.IGNORECASE), later(r"(a)(b)?", re.IGNORECASE)
    for _ in range(2):
        assert slower.sub("-", "xAb a") == sooner.sub("-", "xAb a")
        assert [found.groups() for found in slower.finditer("ab A")] == [("a", "b"), ("A", None)]
        assert slower.fullmatch("AB") is not None
        assert slower.search("x") is None


def test_it_has_what_a_compiled_one_has() -> None:
    """Its text without being compiled, the rest by being so."""
    pattern = later(r"(?P<one>x)")
    assert pattern.pattern == r"(?P<one>x)"
    assert "search" not in vars(pattern)
    assert (pattern.groups, dict(pattern.groupindex)) == (1, {"one": 1})
    assert "search" in vars(pattern)


def test_what_cannot_be_compiled_is_told_at_the_first_use() -> None:
    """As by ``re`` itself."""
    with pytest.raises(re.error):
        later("(").search("")
