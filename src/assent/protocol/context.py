"""How full a model's context is: the tokens of its last request, and its window where that is known."""

from typing import Any

import msgspec
from msgspec import Struct

from assent.protocol.record import Record

# The ``what`` of a record of kind ``hub`` that holds it.
WHAT = "context"


class Context(Struct, frozen=True, omit_defaults=True):
    # What the last request read, and what was written to it.
    tokens: int
    # 0 where it is not known.
    window: int = 0
    model: str = ""

    @property
    def percent(self) -> int | None:
        """Of the window; None where that is not known, or cannot be right."""
        return round(100 * self.tokens / self.window) if 0 < self.tokens <= self.window else None


def body(context: Context) -> dict[str, Any]:
    return {"what": WHAT, **msgspec.to_builtins(context)}


def read(record: Record) -> Context | None:
    """None where the record tells of something else."""
    if record.kind != "hub" or record.body.get("what") != WHAT:
        return None
    try:
        return msgspec.convert(record.body, Context)
    except msgspec.ValidationError:
        return None
