"""The feed as a pure fold of records: one row for one thing that happened, from its beginning to its end.

A tool call is one row, whatever number of events and decisions it took; so are a turn, a form and a sub-agent's life.
What people were asked about it, and what the client said about that, belongs to its row. Every record is in one row, or
has its call's id: only figures of usage are in none."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from assent.protocol import context, summary, usage
from assent.protocol.record import Record
from assent.text import wording
from assent.text.safe import plain_line
from assent.text.who import decider
from assent.views import figures
from assent.views.feed_asks import after_ask, after_notice, after_push, after_queue
from assent.views.feed_rows import MOST_ROWS, OPEN, Feed, Kind, Row, Said, State, opened, text
from assent.views.line import describe, telling, tool_words, what_of

__all__ = ["Feed", "Kind", "Row", "Said", "State", "fold", "rebuilt"]

_AFTER_DECISION: dict[str, State] = {
    "deny": "denied",
    "block": "denied",
    "halt": "denied",
    "prompt": "prompted",
    "defer": "prompted",
}
_RESULTS: dict[str, State] = {"PostToolUse": "done", "PostToolUseFailure": "failed", "PermissionDenied": "denied"}
# They only repeat what a row says: what is decided about them is told nowhere else than in its record.
_REPEATING = frozenset({"Notification", "PostToolBatch"})
_EVERY_DAY = frozenset({"allow", "prompt"})


def fold(feed: Feed, record: Record) -> tuple[Row, ...]:
    """Apply one record in place; the rows it added or changed, its own first."""
    if record.kind == "decision":
        return _after_decision(feed, record)
    if record.kind == "event":
        rows = _after_event(feed, record)
        if record.call != rows[0].id:
            feed.remember(record.request, rows[0])
        return rows
    if usage.read(record) is not None or context.read(record) is not None:
        return ()
    if (did := summary.read(record)) is not None:
        row = feed.nearest(record.session, lambda row: row.kind == "session")
        return (feed.change(row, record, note=figures.summary(did)),) if row else ()
    changed = after_ask(feed, record) or after_queue(feed, record)
    if changed is None and record.kind == "push":
        changed = after_push(feed, record)
    if changed is not None:
        return (changed,)
    row = feed.put(
        opened(record, "gap" if record.kind == "gap" else "hub", what=describe(record).removeprefix("hub: "))
    )
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
        label, what = wording.event(plain_line(name)), text(body.get("trouble") or "unknown event")
        return (feed.put(opened(record, "unknown", name=plain_line(name), label=label, what=what)),)
    if "tool_name" in payload:
        return (_call(feed, record, name, payload),)
    handle = _OTHERS.get(name)
    if handle is not None:
        return handle(feed, record, payload)
    return (_event(feed, record, payload),)


def _event(feed: Feed, record: Record, payload: dict[str, Any]) -> Row:
    name = str(record.body.get("event", "?"))
    return feed.put(opened(record, "event", name=name, label=wording.event(name), what=text(telling(name, payload))))


def _call(feed: Feed, record: Record, name: str, payload: dict[str, Any]) -> Row:
    earlier = feed.rows.get(record.call) if record.call is not None else None
    row = earlier or _opened_call(
        record, str(payload["tool_name"]), what=what_of(payload), partial=name != "PreToolUse"
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
            said = Said("deny", by="the agent's own auto mode", why=text(payload.get("reason")))
            changes |= {"said": said, "told": _told(said)}
        elif name == "PostToolUseFailure":
            changes["note"] = text(payload.get("error"))
    elif row.state != "denied":
        changes["state"] = "running" if name == "PreToolUse" else "prompted"
    return feed.put(msgspec.structs.replace(row, **changes))


def _opened_call(record: Record, tool: str, *, what: str, partial: bool) -> Row:
    name, words = plain_line(tool), plain_line(tool_words(tool, record.body))
    label = "" if words == name else words
    row_id = record.call or f"r{record.seq}"
    return opened(record, "call", id=row_id, name=name, label=label, what=text(what), partial=partial)


def _after_decision(feed: Feed, record: Record) -> tuple[Row, ...]:
    row = feed.about(record) or _undecided(feed, record)
    if record.body.get("event") in _REPEATING and row.seq != record.seq:
        return (feed.change(row, record),)
    word = record.decision or "?"
    decision: dict[str, Any] = record.body.get("decision") or {}
    changes: dict[str, Any] = {}
    # Silence of one gate does not unsay what another one said about the same call.
    if row.said is None or word != "no_opinion":
        why = decision.get("reason") or decision.get("context") or decision.get("cause") or _why(record.body)
        said = changes["said"] = Said(word, by=plain_line(record.by or ""), why=text(why))
        # What a person said is told already, with the time it took.
        if not (row.told and row.said is not None and row.said.by == said.by and said.by.startswith("person:")):
            changes["told"] = _told(said)
    if record.risk is not None:
        changes["risk"] = record.risk
    if word in ("block", "proceed") and record.body.get("event") in ("Stop", "SubagentStop"):
        changes["state"] = "running"
    elif word in _AFTER_DECISION and (row.kind != "call" or row.state in OPEN):
        changes["state"] = _AFTER_DECISION[word]
    elif word == "allow" and row.state == "prompted":
        changes["state"] = "running"
    return (feed.change(row, record, **changes),)


def _undecided(feed: Feed, record: Record) -> Row:
    """The row of a decision whose event is no longer known."""
    tool, about = record.body.get("tool"), str(record.body.get("event", "?"))
    if record.call is not None or tool:
        return feed.put(_opened_call(record, str(tool or "?"), what="", partial=True))
    return feed.put(opened(record, "event", name=about, label=wording.event(about), partial=True))


def _told(said: Said) -> str:
    """``denied by your rule 3: why``. A stance allows what is harmless all day long: that is for those who ask."""
    if said.decision == "no_opinion" or (said.decision in _EVERY_DAY and said.by.startswith("stance:")):
        return ""
    words = wording.DECISIONS.get(said.decision)
    word = words.word if words else said.decision.replace("_", " ")
    why = f": {said.why}" if said.why and said.decision != "allow" else ""
    return text(f"{word}{f' by {decider(said.by)}' if said.by else ''}{why}")


def _turn_began(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    # An interrupted turn says nothing of its end; the next prompt does.
    left = _unfinished(feed, record, lambda row: row.kind == "turn")
    what = text(payload.get("prompt"))
    return (feed.put(opened(record, "turn", name="prompt", what=what, state="running")), *left)


def _turn_ended(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    failed = record.body.get("event") == "StopFailure"
    return _ended(feed, record, payload, "turn", "failed" if failed else "done")


def _agent_began(feed: Feed, record: Record, _: dict[str, Any]) -> tuple[Row, ...]:
    return (feed.put(opened(record, "agent", name="sub-agent", state="running")),)


def _agent_ended(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    # A compaction ends two helpers of its own that never started and have no type.
    began = any(_is_of(row, record, "agent") for row in feed.open_rows(record.session))
    if not began and not payload.get("agent_type"):
        row = feed.nearest(record.session)
        return (_event(feed, record, payload) if row is None else feed.change(row, record),)
    return _ended(feed, record, payload, "agent", "done")


def _ended(feed: Feed, record: Record, payload: dict[str, Any], kind: Kind, state: State) -> tuple[Row, ...]:
    row = next((row for row in feed.open_rows(record.session) if _is_of(row, record, kind)), None)
    took = None if row is None else max(0, record.at - row.at)
    changes = {
        "state": state,
        "took_ms": took,
        "note": text(payload.get("error") or payload.get("last_assistant_message")),
    }
    if row is None:
        name = "prompt" if kind == "turn" else "sub-agent"
        row = feed.put(opened(record, kind, name=name, partial=True, **changes))
    else:
        row = feed.change(row, record, **changes)
    over = ("call", "ask")
    return (row, *_unfinished(feed, record, lambda other: other.kind in over and other.agent == record.agent))


def _session_event(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    ended = record.body.get("event") == "SessionEnd"
    what = text(payload.get("reason") if ended else payload.get("source"))
    row = feed.put(opened(record, "session", name="session ended" if ended else "session started", what=what))
    return (row, *_unfinished(feed, record, lambda _: True)) if ended else (row,)


def _notification(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    return (after_notice(feed, record, payload),)


def _batch(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    """Several results at once: each has been told in the row of its call."""
    calls = payload.get("tool_calls")
    ids = [call.get("tool_use_id") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    rows = [feed.rows[call] for call in ids if isinstance(call, str) and call in feed.rows]
    row = rows[-1] if rows else feed.nearest(record.session)
    return (_event(feed, record, payload) if row is None else feed.change(row, record),)


def _form(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    """A server asks for input within one of its calls."""
    server, what = plain_line(str(payload.get("mcp_server_name") or "")), text(payload.get("message"))
    calls = [row for row in feed.open_rows(record.session) if row.kind == "call" and row.agent == record.agent]
    call = next((row for row in reversed(calls) if server and row.label.startswith(f"{server}: ")), None)
    if call is not None:
        return (feed.change(call, record, state="prompted", note=f"form: {what}"),)
    what = f"{server}: {what}" if server and what else what or server
    return (feed.put(opened(record, "ask", name="Elicitation", label="Form", what=what, state="prompted")),)


def _form_answered(feed: Feed, record: Record, payload: dict[str, Any]) -> tuple[Row, ...]:
    """Of the newest form that waits, of the same server where it is named."""
    server = plain_line(str(payload.get("mcp_server_name") or ""))
    row = feed.nearest(record.session, lambda row: _is_form(row, server))
    if row is None:
        return (_event(feed, record, payload),)
    if row.state not in OPEN:
        return (feed.change(row, record),)
    if row.kind == "call":
        return (feed.change(row, record, state="running"),)
    return (feed.change(row, record, state="done" if payload.get("action") == "accept" else "denied"),)


def _is_form(row: Row, server: str) -> bool:
    if row.kind == "call":
        return row.note.startswith("form: ") and row.label.startswith(f"{server}: ")
    return row.kind == "ask" and row.label == "Form"


_OTHERS: dict[str, Callable[[Feed, Record, dict[str, Any]], tuple[Row, ...]]] = {
    "UserPromptSubmit": _turn_began,
    "Stop": _turn_ended,
    "StopFailure": _turn_ended,
    "SubagentStart": _agent_began,
    "SubagentStop": _agent_ended,
    "SessionStart": _session_event,
    "SessionEnd": _session_event,
    "Notification": _notification,
    "PostToolBatch": _batch,
    "Elicitation": _form,
    "ElicitationResult": _form_answered,
}


def _is_of(row: Row, record: Record, kind: Kind) -> bool:
    return row.kind == kind and row.agent == record.agent


def _unfinished(feed: Feed, record: Record, over: Callable[[Row], bool]) -> tuple[Row, ...]:
    left = [row for row in feed.open_rows(record.session) if over(row)]
    return tuple(feed.put(msgspec.structs.replace(row, rev=record.seq, state="unfinished")) for row in left)


def _why(body: dict[str, Any]) -> str:
    """An allow has no reason of its own: the voice that gave it has."""
    trace = body.get("trace") or ()
    return next((str(line.get("why", "")) for line in trace if line.get("says") == "allow"), "")
