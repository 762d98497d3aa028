"""Figures as people read them: money, tokens, and how many hook runs a gap stands for."""

from typing import Protocol

from assent.protocol.context import Context
from assent.protocol.record import Record
from assent.protocol.summary import Summary

_UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def dollars(usd: float) -> str:
    """``$12.40``, ``$0.0023``: never nothing for what cost something."""
    if usd >= 0.995 or usd == 0:
        return f"${usd:,.2f}"
    return f"${usd:.2f}" if usd >= 0.095 else f"${usd:.2g}" if usd >= 0.0001 else "under $0.0001"


def many(count: float) -> str:
    """``840``, ``12 k``, ``3.4 M``."""
    for size, unit in _UNITS:
        # What would be rounded up to the next unit belongs to it.
        if count >= 0.9995 * size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f}"


class Tokens(Protocol):
    """A usage, or a session."""

    @property
    def tokens_in(self) -> int: ...
    @property
    def tokens_out(self) -> int: ...
    @property
    def tokens_cached(self) -> int: ...


def tokens(used: Tokens) -> str:
    """``1.2 M tokens: 40 k in, 12 k out, 1.1 M from the cache``."""
    kinds = kinds_of_tokens(used)
    return f"{many(used.tokens_in + used.tokens_out + used.tokens_cached)} tokens" + (f": {kinds}" if kinds else "")


def kinds_of_tokens(used: Tokens) -> str:
    kinds = ((used.tokens_in, "in"), (used.tokens_out, "out"), (used.tokens_cached, "from the cache"))
    return ", ".join(f"{many(count)} {kind}" for count, kind in kinds if count)


def context(filled: Context) -> str:
    """``context 62 % of 200 k``, or ``context 124 k tokens`` where the window is not known."""
    percent = filled.percent
    return (
        f"context {many(filled.tokens)} tokens" if percent is None else f"context {percent} % of {many(filled.window)}"
    )


def summary(did: Summary) -> str:
    """``3 turns, 41 calls, 5 files changed, 1.2 M tokens``."""
    counts = ((did.turns, "turn"), (did.calls, "call"), (did.changed, "file"))
    parts = [f"{count:,} {what}{'' if count == 1 else 's'}" for count, what in counts if count]
    parts = [f"{part} changed" if " file" in part else part for part in parts]
    used = did.tokens_in + did.tokens_out + did.tokens_cached
    return ", ".join([*parts, *([f"{many(used)} tokens"] if used else [])])


def missed_hooks(record: Record) -> int:
    """How many hook runs a record stands for: of very many at once only their number is kept."""
    value = record.body.get("count", 1)
    return value if isinstance(value, int) and value > 0 else 1
