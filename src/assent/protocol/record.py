"""One entry of the journal, and the hash that chains it to the one before."""

import hashlib
from typing import Any, Literal

import msgspec
from msgspec import Struct

Kind = Literal[
    "event",
    "decision",
    "ask",
    "answer",
    "refused",
    "told",
    "outcome",
    "push",
    "gap",
    "rules",
    "config",
    "hub",
    "checkpoint",
]

GENESIS = "0" * 64


class Draft(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is to be recorded, before the journal gives it its place in the chain."""

    at: int
    kind: Kind
    session: str | None = None
    agent: str | None = None
    call: str | None = None
    ask: str | None = None
    request: str | None = None
    risk: str | None = None
    decision: str | None = None
    by: str | None = None
    body: dict[str, Any] = {}


class Record(Draft, frozen=True, kw_only=True):
    """A draft in its place."""

    hub: str
    seq: int
    prev: str
    hash: str


def chained(draft: Draft, *, hub: str, seq: int, prev: str) -> Record:
    """Give a draft its place after ``prev``."""
    fields = {name: getattr(draft, name) for name in Draft.__struct_fields__}
    digest = _digest({"hub": hub, "seq": seq, **fields}, prev)
    return Record(**fields, hub=hub, seq=seq, prev=prev, hash=digest)


def is_intact(record: Record) -> bool:
    """Whether the record still hashes to what it says."""
    fields = {name: getattr(record, name) for name in ("hub", "seq", *Draft.__struct_fields__)}
    return record.hash == _digest(fields, record.prev)


def _digest(fields: dict[str, Any], prev: str) -> str:
    # Absent fields are left out, so that a later field does not change the hash of older records.
    present = {name: value for name, value in fields.items() if value is not None}
    return hashlib.sha256(prev.encode() + msgspec.json.encode(present, order="sorted")).hexdigest()
