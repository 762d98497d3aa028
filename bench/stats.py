"""What many measured times come to."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all values does not exceed (nearest rank)."""
    if not ordered:
        raise ValueError("nothing was measured")
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True, slots=True)
class Spread:
    count: int
    low: float
    p50: float
    p99: float
    top: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        ordered = sorted(values)
        return cls(len(ordered), ordered[0], percentile(ordered, 0.5), percentile(ordered, 0.99), ordered[-1])

    def cells(self, scale: float = 1.0) -> tuple[str, ...]:
        """Minimum, p50, p99 and how many, for a table."""
        return (*(short(value * scale) for value in (self.low, self.p50, self.p99)), str(self.count))


def paired(values: Sequence[float], others: Sequence[float]) -> float:
    """The p50 of the ratios of each round: what came over the machine in one round was in both of its values."""
    return Spread.of([value / other for value, other in zip(values, others, strict=True)]).p50


def short(value: float) -> str:
    """Three digits that mean something, and no exponent."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    decimals = max(0, 2 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:,.{decimals}f}"
