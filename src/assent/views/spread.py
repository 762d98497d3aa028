"""Histogram with growing buckets: days can be added up and quantiles still be estimated."""

import math
from collections.abc import Iterable

# A bucket is 19 % wider than the one before: a quantile is told within 9 %.
PER_DOUBLING = 4

# Bucket number to count. Plain, because it is written down.
Spread = dict[int, int]


def add(spread: Spread, value: float) -> None:
    # The smallest bucket takes everything up to 1, whatever the unit.
    bucket = round(math.log2(value) * PER_DOUBLING) if value > 1 else 0
    spread[bucket] = spread.get(bucket, 0) + 1


def merge(into: Spread, other: Spread) -> None:
    for bucket, count in other.items():
        into[bucket] = into.get(bucket, 0) + count


def quantile(spread: Spread, share: float) -> float | None:
    """The value that this share of all is not above; None where nothing was measured."""
    wanted = share * count(spread)
    seen = 0
    for bucket in sorted(spread):
        seen += spread[bucket]
        if seen >= wanted:
            return float(2 ** (bucket / PER_DOUBLING))
    return None


def count(spread: Spread) -> int:
    return sum(spread.values())


def of(values: Iterable[float]) -> Spread:
    spread: Spread = {}
    for value in values:
        add(spread, value)
    return spread
