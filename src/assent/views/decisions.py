"""A decision as a row: what it was about, who said what on which screen, after how long, and what came of it."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from assent.protocol.bodies import Ending
from assent.protocol.record import Record
from assent.text import wording
from assent.text.safe import plain_line
from assent.views import asks
from assent.views.asks import Ask
from assent.views.line import tool_words, what_of

LONGEST = 300
_NO = frozenset({"deny", "block", "halt"})
_RULE = re.compile(r"^rule:.*#(\d+)$")
_RESULTS: dict[str, Ending] = {"PostToolUse": "ran", "PostToolUseFailure": "failed", "PermissionDenied": "denied"}


class DecisionRow(Struct, frozen=True, omit_defaults=True):
    # Of the decision's own record.
    seq: int
    at: int
    hash: str
    decision: str
    by: str = ""
    risk: str | None = None
    session: str | None = None
    agent: str | None = None
    call: str | None = None
    project: str = ""
    event: str = ""
    tool: str = ""
    # The command or file, and what it is in words: of an ask what it would do, of others where the name says nothing.
    what: str = ""
    verb: str = ""
    why: str = ""
    # The rest only where a person was asked.
    ask: str = ""
    choice: str = ""
    surface: str = ""
    device: str = ""
    waited_ms: int | None = None
    ending: str = ""
    certainty: str = "certain"
    # The rules that asked for an approval, and everybody who said yes.
    approval: str = ""
    approved_by: tuple[str, ...] = ()


def rows(story: Sequence[Record]) -> list[DecisionRow]:
    """One for each decision among the records of one call or ask."""
    by_id = asks.rebuilt(story).by_id
    return [_row(record, story, by_id.get(record.ask or "")) for record in story if record.kind == "decision"]


def _row(record: Record, story: Sequence[Record], ask: Ask | None) -> DecisionRow:
    body = record.body
    decision = body.get("decision") or {}
    answer = ask.answer if ask else None
    return DecisionRow(
        seq=record.seq,
        at=record.at,
        hash=record.hash,
        decision=plain_line(record.decision or "?"),
        by=plain_line(record.by or ""),
        risk=record.risk,
        session=record.session,
        agent=record.agent,
        call=record.call,
        project=plain_line(str(body.get("project") or "")),
        event=plain_line(str(body.get("event") or "")),
        tool=plain_line(str(body.get("tool") or "")),
        what=_what(story),
        verb=plain_line(ask.line if ask else _words(body)),
        why=plain_line(str(decision.get("reason") or decision.get("context") or ""), LONGEST),
        ask=record.ask or "",
        choice=answer.choice if answer else "",
        surface=plain_line(answer.surface) if answer else "",
        device=plain_line(answer.device) if answer else "",
        waited_ms=_waited(record, ask),
        ending=(ask.ending if ask else _ending(story)) or "",
        certainty=ask.certainty if ask else "certain",
        **_approval(body),
    )


def _approval(body: dict[str, Any]) -> dict[str, Any]:
    """As the decision names it; a record of another form names nobody."""
    said = body.get("approval")
    if not isinstance(said, dict):
        return {}
    rules, by = (said.get(name) for name in ("rules", "by"))
    return {
        "approval": ", ".join(plain_line(str(rule)) for rule in rules) if isinstance(rules, list) else "",
        "approved_by": tuple(plain_line(str(name)) for name in by) if isinstance(by, list) else (),
    }


def _words(body: dict[str, Any]) -> str:
    """For a tool or an event whose own name says nothing to people."""
    tool = str(body.get("tool") or "")
    words = tool_words(tool, body) if tool else wording.event(str(body.get("event") or ""))
    return "" if words == tool else words


def _what(story: Sequence[Record]) -> str:
    texts = (what_of(record.body.get("payload") or {}) for record in story if record.kind == "event")
    return plain_line(next((text for text in texts if text), ""), LONGEST)


def _waited(record: Record, ask: Ask | None) -> int | None:
    if ask is None:
        return None
    return ask.answer.waited_ms if ask.answer else max(0, record.at - ask.at)


def _ending(story: Sequence[Record]) -> Ending | None:
    """What became of a call that was not asked about."""
    names = (record.body.get("event") for record in story if record.kind == "event")
    return next((_RESULTS[name] for name in names if name in _RESULTS), None)


def is_no(row: DecisionRow) -> bool:
    return row.decision in _NO


def answer(row: DecisionRow) -> str:
    """What was said, in words."""
    if row.choice in wording.CHOICES:
        return wording.CHOICES[row.choice].short
    if row.ask and row.decision == "no_opinion":
        return ""
    if row.decision in wording.DECISIONS:
        return wording.DECISIONS[row.decision].word
    return plain_line(row.decision.replace("_", " "), 20)


def decider(by: str) -> str:
    """``rule:user#4`` as "rule 4", ``person:desk`` as "person"."""
    if match := _RULE.match(by):
        return f"rule {match[1]}"
    return "person" if by.startswith("person:") else plain_line(by.replace(":", " ", 1), 40)


def notice(word: str, by: str, *, is_appeal: bool = False) -> str:
    """What the person at a terminal is told of a decision that was made elsewhere; "" where they know."""
    if is_appeal:
        return "assent: auto mode had refused this call, and you let it run once."
    if word != "deny" or by.startswith("person:"):
        return ""
    kind, _, name = by.partition(":")
    if kind == "rule" and not name.startswith("agent") and (match := _RULE.match(by)):
        return f"assent: denied by your rule {match[1]}; `assent rules explain` tells more."
    names = {"floor": "the floor, which nothing overrules", "stance": f"your stance {name}"}
    return f"assent: denied by {names[kind]}." if kind in names else ""


def result(row: DecisionRow) -> str:
    """What came of it, in words."""
    ending = row.ending or ("denied" if is_no(row) else "")
    sure = " (probably)" if row.certainty != "certain" else ""
    return f"{wording.ENDINGS[ending].text}{sure}" if ending in wording.ENDINGS else ""
