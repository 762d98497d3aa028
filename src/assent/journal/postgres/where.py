"""A filter as far as PostgreSQL can apply it.

It may let too much through, never too little: the filter itself has the last word. So negated terms are left to it."""

import re
from typing import Any

from assent.filter import TEXT, Filter, Term, risks
from assent.journal.postgres.rows import written
from assent.searchable import folded

# Text that stands in JSON as it is.
_PLAIN = re.compile(r"[ !#-\[\]-~]+")

_BEGINS = ("session", "agent", "call", "by")
_SAME = ("decision", "ask", "event", "tool")

Condition = tuple[str, list[Any]]


def where(wanted: Filter) -> Condition:
    """A condition that every wanted record meets, and its values."""
    met = [condition for term in wanted.terms if not term.negated and (condition := _condition(term))]
    return " AND ".join(f"({sql})" for sql, _ in met) or "TRUE", [value for _, values in met for value in values]


def _condition(term: Term) -> Condition | None:
    key, values = term.key, [written(value) for value in term.values]
    if key == "since":
        return "at >= %s", [int(values[0])]
    if key == "until":
        return "at < %s", [int(values[0])]
    if key == "risk":
        return "lower(risk) = ANY(%s)", [sorted(risk.word for risk in risks(term.values))]
    if key in _BEGINS:
        return _either(f"{key} ^@ %s", values)
    if key in _SAME:
        # Text that is not ASCII must be equal, and equal text is equal in lower case, too.
        return f"lower({key}) = ANY(%s)", [[_lower(value) for value in values]]
    if key == "project":
        return _either("strpos(project, %s) > 0", [value.rstrip("/") for value in values])
    if key == "harness" and all(map(_PLAIN.fullmatch, values)):
        return _either("strpos(lower(body), %s) > 0", [f'"harness":"{_lower(value)}"' for value in values])
    if key == "rule" and all(map(_PLAIN.fullmatch, values)):
        spoken = [f"rule:{value}" for value in values for _ in range(2)]
        return " OR ".join(["by ^@ %s OR strpos(body, %s) > 0"] * len(values)), spoken
    if key == TEXT:
        pattern = re.sub(r"[%_\\]", r"\\\g<0>", written(folded(term.values[0])))
        return "words LIKE %s", [f"%{pattern}%"]
    return None


def _either(sql: str, values: list[str]) -> Condition:
    return " OR ".join([f"({sql})"] * len(values)), list(values)


def _lower(text: str) -> str:
    """As the server lowers text that compares byte by byte: ASCII alone."""
    return "".join(chr(ord(character) + 32) if "A" <= character <= "Z" else character for character in text)
