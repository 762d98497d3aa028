"""Usage of an agent: cost and tokens, as the agent reports them. Usages add up: to a session, to a day."""

from typing import Any

import msgspec
from msgspec import Struct

from assent.protocol.record import Record

# The ``what`` of a record of kind ``hub`` that holds a usage.
WHAT = "usage"
# Names come from agents, and every one costs memory for as long as statistics are kept.
MOST_MODELS = 20
OTHER = "(other)"


class OfModel(Struct, omit_defaults=True):
    cost_usd: float = 0.0
    tokens: int = 0


class Usage(Struct, omit_defaults=True):
    cost_usd: float = 0.0
    requests: int = 0
    # Read afresh (and perhaps put into the cache), written, and read from the cache.
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    # How long the agent worked and its user typed, without the waiting in between.
    active_s: float = 0.0
    lines_added: int = 0
    lines_removed: int = 0
    models: dict[str, OfModel] = {}

    def add(self, other: "Usage", times: int = 1) -> None:
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + times * getattr(other, name))
        for model, theirs in other.models.items():
            mine = self.models.setdefault(model if len(self.models) < MOST_MODELS else OTHER, OfModel())
            mine.cost_usd += times * theirs.cost_usd
            mine.tokens += times * theirs.tokens

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out + self.tokens_cached

    @property
    def is_nothing(self) -> bool:
        return self == Usage()

    @property
    def is_negative(self) -> bool:
        return any(getattr(self, name) < 0 for name in _SUMS)


_SUMS = tuple(name for name in Usage.__struct_fields__ if name != "models")


def body(usage: Usage) -> dict[str, Any]:
    """As a draft takes it: what was used since the record before."""
    built: dict[str, Any] = msgspec.to_builtins(usage)
    return {"what": WHAT, **_rounded(built)}


def _rounded(built: dict[str, Any]) -> dict[str, Any]:
    """Sums of fractions end in noise; a millionth is exact enough for bills."""
    tidy = {name: round(value, 6) if isinstance(value, float) else value for name, value in built.items()}
    if "models" in tidy:
        tidy["models"] = {model: _rounded(of_model) for model, of_model in built["models"].items()}
    return tidy


def read(record: Record) -> Usage | None:
    """None where the record tells of something else."""
    if record.kind != "hub" or record.body.get("what") != WHAT:
        return None
    try:
        return msgspec.convert(record.body, Usage)
    except msgspec.ValidationError:
        return None
