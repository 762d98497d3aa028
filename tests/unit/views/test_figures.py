"""Figures that a person can read at a glance."""

import pytest

from assent.protocol.summary import Summary
from assent.protocol.usage import Usage
from assent.views import figures


@pytest.mark.parametrize(
    ("usd", "told"),
    [
        (0.0, "$0.00"),
        (0.00001, "under $0.0001"),
        (0.002252, "$0.0023"),
        (0.42, "$0.42"),
        (0.994, "$0.99"),
        (0.996, "$1.00"),
        (12.4, "$12.40"),
        (1234.5, "$1,234.50"),
    ],
)
def test_dollars_never_hide_what_cost_something(usd: float, told: str) -> None:
    """Small sums keep two digits that count, large ones their cents."""
    assert figures.dollars(usd) == told


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0"), (840, "840"), (999.9, "1 k"), (12_345, "12.3 k"), (999_900, "1 M"), (3_400_000, "3.4 M"), (2e9, "2 G")],
)
def test_many_has_three_digits_at_most(count: float, told: str) -> None:
    """And never a thousand of a unit."""
    assert figures.many(count) == told


def test_tokens_tell_only_the_kinds_there_are() -> None:
    """A session without a cache is not told about one."""
    assert figures.tokens(Usage(tokens_in=90, tokens_out=1_200)) == "1.29 k tokens: 90 in, 1.2 k out"
    assert figures.tokens(Usage(tokens_cached=5)) == "5 tokens: 5 from the cache"
    assert figures.tokens(Usage()) == "0 tokens"


@pytest.mark.parametrize(
    ("did", "told"),
    [
        (Summary(turns=1, tools={"Bash": 1}, files=("/a",), changed=1), "1 turn, 1 call, 1 file changed"),
        (
            Summary(turns=3, tools={"Bash": 40, "Edit": 2}, changed=5, tokens_in=900, tokens_cached=600),
            "3 turns, 42 calls, 5 files changed, 1.5 k tokens",
        ),
        (Summary(), ""),
    ],
)
def test_summary_tells_only_what_there_is(did: Summary, told: str) -> None:
    """A session without a change is not told about files."""
    assert figures.summary(did) == told
