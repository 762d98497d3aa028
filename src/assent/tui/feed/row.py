"""One row of the feed as one line: one thing that happened, from its beginning to its end. Pure."""

import re

from assent.tui.drawing.text import Line, fit, pad, width
from assent.views.feed import Row, Said
from assent.words.signs import risk_sign
from assent.words.times import clock, duration
from assent.words.who import hue, letters

# As wide as a line must be for its parts in full; narrower ones leave out what can be missed.
FULL = 100
MIDDLE = 60
NARROW = 48
_OF_FULL = 14
_TOOK = 9
_CHIP = 11

CHIPS = {
    "running": ("◐", "running", "change"),
    "prompted": ("?", "prompted", "care"),
    "done": ("✓", "done", "ok"),
    "failed": ("✕", "failed", "danger"),
    "denied": ("■", "denied", "danger"),
    "unfinished": ("◌", "no result", "text-3"),
}
VERDICTS = {
    "deny": "denied",
    "prompt": "prompted",
    "allow": "allowed",
    "block": "held back",
    "halt": "halted",
    "proceed": "kept going",
}
_REFUSED = frozenset({"deny", "block", "halt"})
_RULE = re.compile(r"^rule:.*#(\d+)$")


def line(row: Row, cells: int, of: str = "") -> Line:
    """Exactly so many cells wide at most. ``of`` is the name of its project; "" where all rows are of one session."""
    style = f"hue-{hue(row.session)}" if row.session else "text-3"
    made: Line = [(f"{_time(row, cells)} ", "text-3")]
    if of:
        made += [*_whose(of, cells, style), (" ", "")]
    end = _end(row, cells)
    room = cells - width(made) - width(end)
    return fit([*made, *pad(_main(row, max(0, room - 1)), room), *end], cells)


def is_verdict(said: Said | None) -> bool:
    return said is not None and said.decision != "no_opinion"


def verdict(said: Said) -> str:
    """``allowed by rule 7: reads only``"""
    word = VERDICTS.get(said.decision, said.decision.replace("_", " "))
    by = _RULE.sub(r"rule \1", said.by)
    by = by.removeprefix("person:").replace("-", " ") if by.startswith("person:") else by.replace(":", " ")
    return f"{word}{f' by {by}' if by else ''}{f': {said.why}' if said.why else ''}"


def is_quiet(said: Said) -> bool:
    """A stance allows what is harmless all day long: told to those who ask for it."""
    return said.decision in ("allow", "prompt") and said.by.startswith("stance:")


def _time(row: Row, cells: int) -> str:
    return clock(row.at) if cells >= NARROW else clock(row.at)[:5]


def _whose(of: str, cells: int, style: str) -> Line:
    return pad(fit([(of, style)], _OF_FULL), _OF_FULL) if cells >= FULL else [(f"[{letters(of)}]", style)]


def _end(row: Row, cells: int) -> Line:
    took = "" if row.took_ms is None else duration(row.took_ms)
    sign, word, style = CHIPS.get(row.state, ("", "", ""))
    if cells >= FULL:
        return [(took.rjust(_TOOK), "text-2"), ("  ", ""), *pad([(f"{sign} {word}", style)], _CHIP)]
    # Of what went well, the sign tells enough.
    chip = sign if row.state == "done" else f"{sign} {word}".strip()
    if cells < MIDDLE or row.state not in ("done", "failed"):
        took = ""
    parts: Line = [(f"{took} ", "text-2"), (chip, style)] if took else [(chip, style)]
    return parts if chip else []


def _main(row: Row, room: int) -> Line:
    """What it was, then what was said about it. Where both do not fit, what was said keeps a third, or its ask."""
    head, said = _what(row), _said(row)
    if width(head) + width(said) > room:
        least = max(room // 3, width(said[:1]) if row.ask else 0)
        head = fit(head, room - min(width(said), max(least, room - width(head))))
    return fit([*head, *said], room)


def _what(row: Row) -> Line:
    made: Line = []
    if row.agent:
        made.append((f"⑂ {row.agent_type or row.agent[:8]} ", "text-2"))
    if row.risk in ("care", "danger"):
        made.append((f"{risk_sign(row.risk)} ", row.risk))
    if row.name:
        made.append((f"{row.name} " if row.what else row.name, "strong" if row.kind == "call" else "text-2"))
    if row.what:
        made.append((row.what, "text") if row.session else (row.what.removeprefix("hub: "), "text-2"))
    return made


def _said(row: Row) -> Line:
    made: Line = []
    if row.ask:
        made.append((f" · ask {row.ask}", "focus"))
    if row.said is not None and is_verdict(row.said) and not is_quiet(row.said):
        made.append((f" · {verdict(row.said)}", "danger" if row.said.decision in _REFUSED else "text-2"))
    # Of an ask the note only repeats what was said, or how people were reached; what went wrong it tells.
    if row.note and (not row.ask or row.state == "failed"):
        made.append((f" · {row.note}", "text-3"))
    if row.partial:
        made.append((" · beginning not recorded", "text-3"))
    return made
