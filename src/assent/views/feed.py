"""The feed as a pure fold of records: one row for one thing that happened, from its beginning to its end.

A tool call is one row, whatever number of events and decisions it took; so are a turn and a sub-agent's life."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from msgspec import Struct

from assent.protocol import usage
from assent.protocol.record import Record
from assent.text.safe import plain_line
from assent.views.line import describe, telling, what_of

Kind = Literal["call", "turn", "agent", "session", "notice", "event", "unknown", "ask", "gap", "hub"]
# "unfinished": the turn, the sub-agent or the session ended, and what became of this was never reported.
State = Literal["", "running", "prompted", "done", "failed", "denied", "unfinished"]

MOST_ROWS = 2_000
LONGEST = 300

_OPEN = frozenset({"running", "prompted"})
_AFTER_DECISION: dict[str, State] = {
    "deny": "denied",
    "block": "denied",
    "halt": "denied",
    "prompt": "prompted",
    "defer": "prompted",
}
_RESULTS: dict[str, State] = {"PostToolUse": "done", "PostToolUseFailure": "failed", "PermissionDenied": "denied"}
_ENDINGS: dict[str, State] = {
    "ran": "done",
    "failed": "failed",
    "denied": "denied",
    "withdrawn": "unfinished",
    "unknown": "unfinished",
}
_CHOSEN = {"allow": "allow", "deny": "deny", "decline": "deny"}
# Repeats what the rows of its calls say.
_SILENT = frozenset({"PostToolBatch"})


class Said(Struct, frozen=True, omit_defaults=True, gc=False):
    """What was decided, by whom, and why."""

    decision: str
    by: str = ""
    why: str = ""


# A terminal holds a hundred thousand of them, and none can be part of a cycle.
class Row(Struct, frozen=True, omit_defaults=True, gc=False):
    # Stable: the call's id, or ``r`` and the seq of the record that opened the row.
    id: str
    # The seq of the record that changed it last: a higher one is newer.
    rev: int
    seq: int
    at: int
    kind: Kind
    session: str | None = None
    agent: str | None = None
    agent_type: str = ""
    # The tool, or the event's name where there is none.
    name: str = ""
    what: str = ""
    state: State = ""
    took_ms: float | None = None
    risk: str | None = None
    said: Said | None = None
    # The error of a failure, the last message of a turn.
    note: str = ""
    # Its beginning was not recorded.
    partial: bool = False
    # What a person was asked about it.
    ask: str = ""


@dataclass(slots=True)
class Feed:
    """The newest rows by id, oldest first, and which of them may still change."""

    most: int = MOST_ROWS
    rows: dict[str, Row] = field(default_factory=dict)
    _open: dict[str, dict[str, None]] = field(default_factory=dict)
    # A decision without a call stands right behind the event it is about.
    _last: tuple[str | None, str] = (None, "")

    def newest(self, limit: int, before: int | None = None, session: str | None = None) -> list[Row]:
        rows: list[Row] = []
        for row in reversed(self.rows.values()):
            if len(rows) >= limit:
                break
            if (before is None or row.seq < before) and session in (None, row.session):
                rows.append(row)
        return rows

    def changed_after(self, seq: int) -> dict[int, list[Row]]:
        """Rows by the record that changed them last."""
        changed: dict[int, list[Row]] = {}
        for row in self.rows.values():
            if row.rev > seq:
                changed.setdefault(row.rev, []).append(row)
        return changed

    def put(self, row: Row) -> Row:
        self.rows[row.id] = row
        if row.session is not None:
            if row.state in _OPEN:
                self._open.setdefault(row.session, {})[row.id] = None
            else:
                self._close(row)
        if len(self.rows) > self.most:
            self._close(self.rows.pop(next(iter(self.rows))))
        return row

    def open_rows(self, session: str | None) -> Iterator[Row]:
        for row_id in tuple(self._open.get(session or "", ())):
            yield self.rows[row_id]

    def remember(self, request: str | None, row: Row) -> None:
        self._last = (request, row.id)

    def about(self, record: Record) -> Row | None:
        """The row a decision is about."""
        if record.call is not None:
            return self.rows.get(record.call)
        request, row_id = self._last
        return self.rows.get(row_id) if request is not None and request == record.request else None

    def _close(self, row: Row) -> None:
        open_rows = self._open.get(row.session or "")
        if open_rows is not None:
            open_rows.pop(row.id, None)
            if not open_rows:
                del self._open[row.session or ""]


def fold(feed: Feed, record: Record) -> tuple[Row, ...]:
    """Apply one record in place; the rows it added or changed, its own first."""
    if record.kind == "decision":
        return _after_decision(feed, record)
    if record.kind == "event":
        rows = _after_event(feed, record)
        if rows:
            feed.remember(record.request, rows[0])
        return rows
    if changed := _after_ask(feed, record):
        return (changed,)
    # What was sent about a turn that ended is for the log: the turn's own row tells the rest.
    if usage.read(record) is not None or record.kind == "push":
        return ()
    row = feed.put(_opened(record, "gap" if record.kind == "gap" else "hub", what=describe(record)))
    if record.body.get("what") == "session_vanished":
        return (row, *_unfinished(feed, record, lambda _: True))
    return (row,)


def rebuilt(records: Iterable[Record], most: int = MOST_ROWS) -> Feed:
    feed = Feed(most)
    for record in records:
        fold(feed, record)
    return feed


def _after_event(feed: Feed, record: Record) -> tuple[Row, ...]:
    body = record.body
    name = str(body.get("event", "?"))
    payload: dict[str, Any] = body.get("payload") or {}
    if not body.get("known", True):
        return (feed.put(_opened(record, "unknown", name=plain_line(name), what=describe(record))),)
    if name in _SILENT:
        return ()
    if "tool_name" in payload:
        return (feed.put(_call(feed, record, name, payload)),)
    handle = _OTHERS.get(name)
    if handle is not None:
        return handle(feed, record, payload)
    return (feed.put(_opened(record, "event", name=name, what=_text(telling(name, payload)))),)


def _call(feed: Feed, record: Record, name: str, payload: dict[str, Any]) -> Row:
    earlier = feed.rows.get(record.call) if record.call is not None else None
    row = earlier or _opened(
        record,
        "call",
        id=record.call or f"r{record.seq}",
        name=plain_line(str(payload["tool_name"])),
        what=_text(what_of(payload)),
        partial=name != "PreToolUse",
    )
    changes: dict[str, Any] = {"rev": record.seq}
    if name in _RESULTS:
        changes["state"] = _RESULTS[name]
        taken = payload.get("duration_ms")
        if isinstance(taken, int | float):
            changes["took_ms"] = taken
        elif earlier and name != "PermissionDenied":
            changes["took_ms"] = max(0, record.at - earlier.at)
        if name == "PermissionDenied":
            changes["said"] = Said("deny", by="the agent's own auto mode", why=_text(payload.get("reason")))
        elif name == "PostToolUseFailure":
            changes["note"] = _text(payload.get("error"))
    elif row.state != "denied":
        changes["state"] = "running" if name == "PreToolUse" else "prompted"
    return msgspec.structs.replace(row, **changes)


def _after_decision(feed: Feed, record: Record) -> tuple[Row, ...]:
    row = feed.about(record)
    if row is None:
        return ()
    word = record.decision or "?"
    decision: dict[str, Any] = record.body.get("decision") or {}
    changes: dict[str, Any] = {"rev": record.seq}
    # Silence of one gate does not unsay what another one said about the same call.
    if row.said is None or word != "no_opinion":
        why = decision.get("reason") or decision.get("context") or decision.get("cause") or _why(record.body)
        changes["said"] = Said(word, by=plain_line(record.by or ""), why=_text(why))
    if record.risk is not None:
        changes["risk"] = record.risk
    if word in ("block", "proceed") and record.body.get("event") in ("Stop", "SubagentStop"):
        changes["state"] = "running"
    elif word in _AFTER_DECISION and (row.kind != "call" or row.state in _OPEN):
        changes["state"] = _AFTER_DECISION[word]
    elif word == "allow" and row.state == "prompted":
        changes["state"] = "running"
    return (feed.put(msgspec.structs.replace(row, **changes)),)


def _after_ask(feed: Feed, record: Record) -> Row | None:
    """What people were asked and said belongs to the row it is about; None if there is no such row."""
    if record.ask is None and record.kind != "told":
        return None
    row = _asked_about(feed, record)
    if record.kind == "ask":
        text = _text(record.body.get("line"))
        row = row or _opened(record, "ask", name=plain_line(str(record.body.get("what", "ask"))), what=text)
        state = "prompted" if row.state in _OPEN or not row.state else row.state
        return feed.put(msgspec.structs.replace(row, rev=record.seq, ask=record.ask, state=state))
    if row is None:
        return None
    changes: dict[str, Any] = {"rev": record.seq}
    match record.kind:
        case "answer":
            choice = str(record.body.get("choice", "?"))
            word = _CHOSEN.get(choice.partition("_")[0], choice)
            changes |= {"note": describe(record), "said": Said(plain_line(word), by=plain_line(record.by or ""))}
            if row.kind == "ask":
                changes["state"] = "denied" if word == "deny" else "done"
        case "outcome":
            ending = str(record.body.get("ending", ""))
            if row.state in _OPEN and record.body.get("certainty", "certain") == "certain":
                changes["state"] = _ENDINGS.get(ending, row.state if row.kind == "call" else "unfinished")
            if ending not in ("ran", "failed", "denied"):
                changes["note"] = describe(record)
        case "told" if record.body.get("delivered"):
            pass
        # What was sent about it is no news once it is answered.
        case "push" if row.state != "prompted":
            pass
        case _:
            changes["note"] = describe(record)
    return feed.put(msgspec.structs.replace(row, **changes))


def _asked_about(feed: Feed, record: Record) -> Row | None:
    if record.call is not None and record.call in feed.rows:
        return feed.rows[record.call]
    # Seldom, and at the speed of people.
    rows = reversed(feed.rows.values())
    return next((row for row in rows if row.ask == record.ask), None) if record.ask else None


def _turn_began(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    # An interrupted turn says nothing of its end; the next prompt does.
    left = _unfinished(feed, record, lambda row: row.kind == "turn")
    text = _text(payload.get("prompt"))
    return (feed.put(_opened(record, "turn", name="prompt", what=text, state="running")), *left)


def _turn_ended(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    failed = record.body.get("event") == "StopFailure"
    return _ended(feed, record, payload, "turn", "failed" if failed else "done")


def _agent_began(feed: Feed, record: Record, _: dict[str, Any]) -> tuple[Row, ...]:
    return (feed.put(_opened(record, "agent", name="sub-agent", state="running")),)


def _agent_ended(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    # A compaction ends two helpers of its own that never started and have no type.
    began = any(_is_of(row, record, "agent") for row in feed.open_rows(record.session))
    if not began and not payload.get("agent_type"):
        return ()
    return _ended(feed, record, payload, "agent", "done")


def _ended(feed: Feed, record: Record, payload: dict[str, Any], kind: Kind, state: State) -> tuple[Row, ...]:
    row = next((row for row in feed.open_rows(record.session) if _is_of(row, record, kind)), None)
    took = None if row is None else max(0, record.at - row.at)
    row = row or _opened(record, kind, name="prompt" if kind == "turn" else "sub-agent", partial=True)
    note = _text(payload.get("error") or payload.get("last_assistant_message"))
    row = feed.put(msgspec.structs.replace(row, rev=record.seq, state=state, took_ms=took, note=note))
    return (row, *_unfinished(feed, record, lambda other: _is_of(other, record, "call")))


def _session_event(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    ended = record.body.get("event") == "SessionEnd"
    text = _text(payload.get("reason") if ended else payload.get("source"))
    row = feed.put(_opened(record, "session", name="session ended" if ended else "session started", what=text))
    return (row, *_unfinished(feed, record, lambda _: True)) if ended else (row,)


def _notification(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    return (feed.put(_opened(record, "notice", name="notice", what=_text(payload.get("message")))),)


_OTHERS: dict[str, Callable[[Feed, Record, dict[str, Any]], tuple[Row, ...]]] = {
    "UserPromptSubmit": _turn_began,
    "Stop": _turn_ended,
    "StopFailure": _turn_ended,
    "SubagentStart": _agent_began,
    "SubagentStop": _agent_ended,
    "SessionStart": _session_event,
    "SessionEnd": _session_event,
    "Notification": _notification,
}


def _is_of(row: Row, record: Record, kind: Kind) -> bool:
    return row.kind == kind and row.agent == record.agent


def _unfinished(feed: Feed, record: Record, over: Callable[[Row], bool]) -> tuple[Row, ...]:
    left = [row for row in feed.open_rows(record.session) if over(row)]
    return tuple(feed.put(msgspec.structs.replace(row, rev=record.seq, state="unfinished")) for row in left)


def _opened(record: Record, kind: Kind, **fields: Any) -> Row:
    payload = record.body.get("payload") or {}
    return Row(
        **{
            "id": f"r{record.seq}",
            "rev": record.seq,
            "seq": record.seq,
            "at": record.at,
            "kind": kind,
            "session": record.session,
            "agent": record.agent,
            "agent_type": plain_line(str(payload.get("agent_type") or "")) if record.agent else "",
            **fields,
        }
    )


def _why(body: dict[str, Any]) -> str:
    """An allow has no reason of its own: the voice that gave it has."""
    trace = body.get("trace") or ()
    return next((str(line.get("why", "")) for line in trace if line.get("says") == "allow"), "")


def _text(value: object) -> str:
    return plain_line(str(value), LONGEST) if value else ""
