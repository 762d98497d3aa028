"""A filter as far as SQLite can apply it.

It may let too much through, never too little: the filter itself has the last word. So negated terms are left to it."""

import re

from assent.filter import TEXT, Filter, Term, risks
from assent.searchable import folded

# Text that stands in JSON as it is.
_PLAIN = re.compile(r"[ !#-\[\]-~]+")

_BEGINS = {"session": "session", "agent": "agent", "call": "call", "by": '"by"'}
_SAME = {
    "decision": ("decision",),
    "ask": ("ask",),
    "harness": ("json_extract(body, '$.harness')",),
    "event": ("json_extract(body, '$.event')",),
    "tool": ("json_extract(body, '$.tool')", "json_extract(body, '$.payload.tool_name')"),
}

# Characters beyond ASCII stand in JSON as they are, and are longer in bytes.
_HAS_FOREIGN = "length(body) <> length(CAST(body AS BLOB))"

Condition = tuple[str, list[str | int]]


def where(wanted: Filter) -> Condition:
    """A condition that every wanted record meets, and its values."""
    met = [condition for term in wanted.terms if not term.negated and (condition := _condition(term))]
    return " AND ".join(f"({sql})" for sql, _ in met) or "TRUE", [value for _, values in met for value in values]


def _condition(term: Term) -> Condition | None:
    key, values = term.key, term.values
    if key == "since":
        return "at >= ?", [int(values[0])]
    if key == "until":
        return "at < ?", [int(values[0])]
    if key == "risk":
        met = sorted(risk.word for risk in risks(values))
        return f"lower(risk) IN ({', '.join('?' * len(met))})", list(met)
    if key == TEXT and _is_foreign(values[0]):
        return _HAS_FOREIGN, []
    if not all(map(_PLAIN.fullmatch, values)):
        return None
    if column := _BEGINS.get(key):
        begin = [bound for value in values for bound in (len(value), value)]
        return _either(f"substr({column}, 1, ?) = ?", len(values)), begin
    if key in _SAME:
        either = " OR ".join(_either(f"{column} = ? COLLATE NOCASE", len(values)) for column in _SAME[key])
        # A body that somebody damaged would make json_extract fail for all records.
        guard = "NOT json_valid(body) OR " if "body" in either else ""
        return guard + either, [*values] * len(_SAME[key])
    if key == "rule":
        rules = [f"rule:{value}" for value in values for _ in range(2)]
        return _either('instr("by", ?) OR instr(body, ?)', len(values)), [*rules]
    if key == TEXT:
        # LIKE folds the case of ASCII alone, and what is not ASCII may fold into it.
        sought = re.sub("[%_~]", r"~\g<0>", values[0])
        return f"body LIKE ? ESCAPE '~' OR {_HAS_FOREIGN}", [f"%{sought}%"]
    return None


def _either(sql: str, count: int) -> str:
    return " OR ".join([f"({sql})"] * count)


def _is_foreign(text: str) -> bool:
    """Whether only a text beyond ASCII can contain it."""
    sought = folded(text)
    # A zero character is folded to one beyond ASCII, but stands in JSON as an escape.
    return not sought.isascii() and "\ufffd" not in sought
