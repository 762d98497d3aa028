"""One entry of the journal, and the hash that chains it to the one before."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

Kind = Literal[
    "event",
    "decision",
    "ask",
    "answer",
    "approved",
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
# How ids of sessions begin that an agent runs on another machine of the team: only what is asked there is known here.
ELSEWHERE = "team-"


def is_practice(session: str | None) -> bool:
    """Whether a session is a demo or a test ask. It is recorded and shown like any other, and counted nowhere."""
    return session is not None and session.startswith((DEMO, TEST))


def is_counted(session: str | None) -> bool:
    """Whether what is recorded of a session is this hub's to count: not practice, and not another hub's."""
    return session is None or not session.startswith((DEMO, TEST, ELSEWHERE))


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


class _Hashed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a record's hash is of, as it is encoded: in the order of the names, without what is absent, so that a later
    field does not change the hash of older records."""

    agent: str | None = None
    ask: str | None = None
    at: int
    # Encoded on its own, because its names are sorted, too.
    body: msgspec.Raw
    by: str | None = None
    call: str | None = None
    decision: str | None = None
    hub: str
    kind: Kind
    request: str | None = None
    risk: str | None = None
    seq: int
    session: str | None = None


_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="sorted").encode


def chained(draft: Draft, *, hub: str, seq: int, prev: str, body: dict[str, Any] | None = None) -> Record:
    """Give a draft its place after ``prev``, perhaps with a body of the record's own in place of the draft's."""
    own = draft.body if body is None else body
    return Record(
        at=draft.at,
        kind=draft.kind,
        session=draft.session,
        agent=draft.agent,
        call=draft.call,
        ask=draft.ask,
        request=draft.request,
        risk=draft.risk,
        decision=draft.decision,
        by=draft.by,
        body=own,
        hub=hub,
        seq=seq,
        prev=prev,
        hash=_digest(draft, own, hub, seq, prev),
    )


def is_intact(record: Record) -> bool:
    """Whether the record still hashes to what it says."""
    return record.hash == _digest(record, record.body, record.hub, record.seq, record.prev)


def _digest(draft: Draft, body: dict[str, Any], hub: str, seq: int, prev: str) -> str:
    # Here, because screens and verbs read records without ever making one.
    import hashlib

    hashed = _Hashed(
        agent=draft.agent,
        ask=draft.ask,
        at=draft.at,
        body=msgspec.Raw(_encode_sorted(body)),
        by=draft.by,
        call=draft.call,
        decision=draft.decision,
        hub=hub,
        kind=draft.kind,
        request=draft.request,
        risk=draft.risk,
        seq=seq,
        session=draft.session,
    )
    return hashlib.sha256(prev.encode() + _encode(hashed)).hexdigest()
