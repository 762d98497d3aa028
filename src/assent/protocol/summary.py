"""What a session did in all, as its transcript tells it at the end."""

from typing import Any

import msgspec
from msgspec import Struct

from assent.protocol.record import Record

# The ``what`` of a record of kind ``hub`` that holds it.
WHAT = "summary"


class Summary(Struct, frozen=True, omit_defaults=True):
    """Sub-agents are counted with the session."""

    # Prompts that a person, or a program in their place, gave.
    turns: int = 0
    # Calls of each tool, by the client's name of it.
    tools: dict[str, int] = {}
    # Files that were written or changed, each once.
    files: tuple[str, ...] = ()
    # How many there were in all; only some are listed.
    changed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0

    @property
    def calls(self) -> int:
        return sum(self.tools.values())


def body(summary: Summary) -> dict[str, Any]:
    return {"what": WHAT, **msgspec.to_builtins(summary)}


def read(record: Record) -> Summary | None:
    """None where the record tells of something else."""
    if record.kind != "hub" or record.body.get("what") != WHAT:
        return None
    try:
        return msgspec.convert(record.body, Summary)
    except msgspec.ValidationError:
        return None
