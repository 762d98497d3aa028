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
# How ids of sessions begin that no agent runs: those of `assent demo`, and those of test asks.
DEMO, TEST = "demo-", "test-"


def is_practice(session: str | None) -> bool:
    """Whether a session is a demo or a test ask. It is recorded and shown like any other, and counted nowhere."""
    return session is not None and session.startswith((DEMO, TEST))


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


class Client(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of the program that runs an agent, from the environment it gave its hook."""

    # The name of its harness.
    harness: str = ""
    # The project's folder, "" where it is not said.
    project: str = ""
    # Whether a person sits in front of it.
    attended: bool | None = None
    # What it was started as, such as a terminal program or an editor's extension.
    entrypoint: str = ""
    pid: int | None = None
    # It runs on another machine than its user's terminal, such as a vendor's.
    remote: bool = False


def client_of(body: dict[str, Any]) -> Client:
    """What the record of an event says of the client. Version 0.1.0 recorded its variables instead of plain fields."""
    variables = body.get("env")
    env: dict[str, Any] = variables if isinstance(variables, dict) else {}
    attended, pid = body.get("attended"), body.get("pid")
    if attended is None and (variable := env.get("CLAUDE_CODE_SESSION_ATTENDED")) is not None:
        attended = variable != "0"
    if pid is None and str(env.get("CLAUDE_PID", "")).isdigit():
        pid = int(env["CLAUDE_PID"])
    return Client(
        harness=str(body.get("harness") or ""),
        project=str(body.get("project") or env.get("CLAUDE_PROJECT_DIR") or ""),
        attended=attended if isinstance(attended, bool) else None,
        entrypoint=str(body.get("entrypoint") or env.get("CLAUDE_CODE_ENTRYPOINT") or ""),
        pid=pid if isinstance(pid, int) else None,
        remote=body.get("remote") is True,
    )


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
