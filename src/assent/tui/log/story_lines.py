"""The story of a decision: the card as it was shown, all that is on record about it, its place in the chain. Pure."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from assent.protocol.bodies import AnswerBody, Ending, OutcomeBody
from assent.protocol.card import Card, Result, Said, ShownAsk
from assent.tui.drawing.text import Line, inert, wrap
from assent.views import line as one
from assent.words import times

Stored = Mapping[str, Any]
LONGEST = 300
_ENDINGS: dict[str, Ending] = {"terminal": "terminal", "timeout": "expired"}
_REPORTS: dict[str, Ending] = {"PostToolUse": "ran", "PostToolUseFailure": "failed"}
MOST_RAW = 20_000


def frozen(records: Sequence[Stored]) -> ShownAsk | None:
    """The ask as it was shown last; None where nobody was asked, or what was shown is not on record."""
    asked = next((record for record in reversed(records) if record["kind"] == "ask"), None)
    body = asked["body"] if asked else {}
    if asked is None or not body.get("card"):
        return None
    try:
        card = msgspec.convert(body["card"], Card)
    except msgspec.ValidationError:
        return None
    return ShownAsk(
        id=str(asked.get("ask") or ""),
        rev=int(body.get("rev") or 1),
        hash=str(body.get("shown") or ""),
        kind=card.kind,
        state="closed",
        opened_at=asked["at"],
        view=card.view,
        subject=card.subject,
        risk=card.risk,
        says=card.says,
        flags=card.flags,
        answer=_answer(records),
        result=_result(records),
    )


def _answer(records: Sequence[Stored]) -> Said | None:
    """The one that won is the only one on record as an answer."""
    found = next((record for record in reversed(records) if record["kind"] == "answer"), None)
    if found is None:
        return None
    try:
        body = msgspec.convert(found["body"], AnswerBody)
    except msgspec.ValidationError:
        return None
    by = str(found.get("by") or "")
    return Said(found["at"], by, body.choice, body.surface, body.device, body.message, body.grants)


def _result(records: Sequence[Stored]) -> Result:
    found = next((record for record in reversed(records) if record["kind"] == "outcome"), None)
    try:
        body = msgspec.convert(found["body"], OutcomeBody) if found else None
    except msgspec.ValidationError:
        body = None
    if body is None or found is None:
        return Result(_reported(records) or _ENDINGS.get(_decided(records), "unknown"), at=records[-1]["at"])
    return Result(body.ending, body.certainty, found["at"])


def _reported(records: Sequence[Stored]) -> Ending | None:
    """What the agent itself told of the call."""
    events = (record["body"].get("event") for record in reversed(records) if record["kind"] == "event")
    return next((_REPORTS[event] for event in events if event in _REPORTS), None)


def _decided(records: Sequence[Stored]) -> str:
    """Who decided in the end: where no end is on record, that tells it."""
    return next((str(record.get("by") or "") for record in reversed(records) if record["kind"] == "decision"), "")


def title(records: Sequence[Stored]) -> str:
    asked = next((record["ask"] for record in records if record.get("ask")), None)
    when = times.clock(records[0]["at"])
    return f"Ask {one.inert(str(asked), 20)}, {when}" if asked else f"Record {records[0]['seq']}, {when}"


def digest(ask: ShownAsk, width: int) -> list[Line]:
    return wrap(
        [(f"What was shown, revision {ask.rev}, SHA-256 {one.inert(ask.hash, 64) or 'not recorded'}", "text-3")], width
    )


def given(records: Sequence[Stored], width: int) -> list[Line]:
    """The input of a call nobody was asked about."""
    payloads = (record["body"].get("payload") for record in records if record["kind"] == "event")
    payload = next((found for found in payloads if isinstance(found, dict) and "tool_input" in found), None)
    if payload is None:
        return []
    made = [[(one.inert(str(payload.get("tool_name") or "?"), 60), "strong")]]
    return [*made, *raw(payload["tool_input"], width)]


def on_record(records: Sequence[Stored], width: int) -> list[Line]:
    """Each record in a line of its own: when, what, its number and its hash."""
    made: list[Line] = []
    for record in records:
        place: Line = [(f"  #{record['seq']} {str(record['hash'])[:8]}", "text-3")]
        told: Line = [
            (f"{times.clock(record['at'])}  ", "text-3"),
            (one.inert(str(record.get("line") or ""), LONGEST), ""),
        ]
        made += wrap([*told, *place], width, " " * 10)
    return made


def raw(value: object, width: int) -> list[Line]:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    cut = f"\n… {len(text) - MOST_RAW:,} more characters: assent log show has them" if len(text) > MOST_RAW else ""
    lines = (inert(text[:MOST_RAW]) + cut).split("\n")
    return [line for text in lines for line in wrap([(text, "text-2")], width, "  ")]
