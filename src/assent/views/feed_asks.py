"""What belongs to a row of the feed beside its own events: asks and their answers, notices, queued words, messages."""

from typing import Any

import msgspec

from assent.protocol.bodies import AnswerBody, read
from assent.protocol.queue import QueueBody
from assent.protocol.record import Record
from assent.text import wording
from assent.text.safe import plain_line
from assent.text.who import decider
from assent.views.feed_rows import OPEN, Feed, Row, Said, State, opened, text
from assent.views.line import describe, titled
from assent.views.sentences import queue_change, span

_ENDINGS: dict[str, State] = {
    "ran": "done",
    "failed": "failed",
    "denied": "denied",
    "withdrawn": "unfinished",
    "unknown": "unfinished",
}
_CHOSEN = {"allow": "allow", "deny": "deny", "decline": "deny"}
# Notices about what waits for a person. The client says them seconds after its dialog opened.
_ASKING = frozenset({"permission_prompt", "agent_needs_input", "elicitation_dialog", "elicitation_url_dialog"})
_ANSWERED = frozenset({"elicitation_response", "elicitation_complete"})
_IDLE = "idle_prompt"
LONGEST_QUEUED = 80
# A row that takes in no end of notices would cost more with each of them.
MOST_NOTICES = 50


def after_ask(feed: Feed, record: Record) -> Row | None:
    """What people were asked and said belongs to the row it is about; None if there is no such row."""
    if record.ask is None and record.kind != "told":
        return None
    row = _asked_about(feed, record)
    if record.kind == "ask":
        return _asked(feed, record, row)
    if row is None:
        return None
    changes: dict[str, Any] = {}
    match record.kind:
        case "answer":
            changes = _answered(row, record)
        case "outcome":
            ending = str(record.body.get("ending", ""))
            if row.state in OPEN and record.body.get("certainty", "certain") == "certain":
                changes["state"] = _ended(row, ending)
            if ending not in ("ran", "failed", "denied"):
                changes["note"] = _note(record)
        case "told" if record.body.get("delivered"):
            pass
        # What was sent about it is no news once it is answered.
        case "push" if row.state != "prompted":
            pass
        case _:
            changes["note"] = _note(record)
    return feed.change(row, record, **changes)


def _asked(feed: Feed, record: Record, row: Row | None) -> Row:
    kind = plain_line(str(record.body.get("what", "ask")))
    if row is None:
        words = wording.KINDS[kind].word if kind in wording.KINDS else ""
        row = opened(record, "ask", name=kind, label=words, what=text(record.body.get("line")), state="prompted")
        row = feed.put(msgspec.structs.replace(row, ask=record.ask))
        feed.remember(record.request, row)
        return row
    # A call that is denied already stays so while people are asked once more; a turn waits for them.
    is_held = row.state in OPEN or not row.state or row.kind in ("turn", "agent")
    return feed.change(row, record, ask=record.ask, state="prompted" if is_held else row.state)


def _answered(row: Row, record: Record) -> dict[str, Any]:
    choice = str(record.body.get("choice", "?"))
    word = _CHOSEN.get(choice.partition("_")[0], choice)
    changes: dict[str, Any] = {"note": "", "said": Said(plain_line(word), by=plain_line(record.by or ""))}
    changes["told"] = _told(record)
    if row.kind == "ask":
        changes["state"] = "denied" if word == "deny" else "done"
    elif row.kind in ("turn", "agent"):
        changes["state"] = "running" if choice == "keep_going" else "done"
    elif record.call is None and row.state == "prompted":
        # It was about a form of the call, which goes on.
        changes["state"] = "running"
    return changes


def _told(record: Record) -> str:
    """``allowed once by Chrome on Linux, after 0.8 s``"""
    who = decider(record.by or "")
    body = read(record, AnswerBody)
    if body is None:
        return f"answered by {who}"
    waited = "" if body.waited_ms is None else f", after {span(body.waited_ms)}"
    together = f", {wording.together(body.together)}" if body.together else ""
    words = f": {body.message}" if body.message else ""
    return text(f"{wording.did(body.choice)} by {who}{waited}{together}{words}")


def _ended(row: Row, ending: str) -> State:
    if row.kind in ("turn", "agent"):
        return "done" if row.state == "prompted" else row.state
    return _ENDINGS.get(ending, row.state if row.kind == "call" else "unfinished")


def _note(record: Record) -> str:
    """Without the ask's name: the row has it."""
    words = describe(record)
    if record.ask:
        words = words.removeprefix(f"ask {record.ask} ").replace(f" about {record.ask}", "", 1)
    return words.removeprefix("ended: ")


def _asked_about(feed: Feed, record: Record) -> Row | None:
    row = feed.about(record)
    if row is not None or not record.ask:
        return row
    # Seldom, and at the speed of people.
    return next((row for row in reversed(feed.rows.values()) if row.ask == record.ask), None)


def after_notice(feed: Feed, record: Record, payload: dict[str, Any]) -> Row:
    """A notice belongs to what it is about: the call or form that waits, the turn that ended."""
    row = _noticed(feed, record, str(payload.get("notification_type") or ""))
    if row is not None and len(row.parts) < MOST_NOTICES:
        return feed.change(row, record)
    what = text(titled(str(payload.get("message") or ""), payload))
    return feed.put(opened(record, "notice", name="notice", what=what))


def _noticed(feed: Feed, record: Record, kind: str) -> Row | None:
    if kind == _IDLE:
        return feed.nearest(record.session, lambda row: row.kind == "turn")
    if kind in _ANSWERED:
        return feed.nearest(record.session, lambda row: bool(row.ask) or row.kind == "ask")
    if kind and kind not in _ASKING:
        return None
    waiting = [row for row in feed.open_rows(record.session) if row.state == "prompted"]
    if waiting or not kind:
        return waiting[-1] if waiting else None
    running = [row for row in feed.open_rows(record.session) if row.kind == "call"]
    return running[-1] if running else feed.nearest(record.session, lambda row: bool(row.ask))


def after_queue(feed: Feed, record: Record) -> Row | None:
    """One row for each queued instruction, from its coming to its being told; None if the record is none of a queue."""
    if record.body.get("what") != "queue":
        return None
    try:
        body = msgspec.convert(record.body, QueueBody)
    except msgspec.ValidationError:
        return None
    key = f"queue {record.session} {body.item}"
    words = plain_line(body.text, LONGEST_QUEUED)
    row = feed.remembered(key)
    note = "" if body.did == "added" else queue_change(body)
    if row is None:
        row = feed.put(opened(record, "hub", name="queued", what=words, note=note, partial=body.did != "added"))
        feed.remember(key, row)
        return row
    return feed.change(row, record, what=words, note=note, state="done" if body.did == "delivered" else "")


def after_push(feed: Feed, record: Record) -> Row | None:
    """What was sent about a turn that ended belongs to the turn."""
    row = feed.nearest(record.session, lambda row: row.kind == "turn") if record.session else None
    return None if row is None else feed.change(row, record)
