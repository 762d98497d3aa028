"""One search over the journal: by the index as far as it goes, by reading where it does not, newest first.

Both may bring up too much; the filter itself has the last word. Work is done in short steps, so that others can read in
between, and ends after a bounded number of them."""

import re
import sqlite3
from collections.abc import Iterator
from itertools import islice

from assent.filter import TEXT, Filter, Term, risks
from assent.journal.base import Found
from assent.journal.index import Index, IndexUnusableError, Span
from assent.journal.schema import QUERY, each, head_of
from assent.journal.tokens import Query, query_of
from assent.protocol.record import Record
from assent.record_text import folded

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
        # A damaged body would make json_extract fail for all records.
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


PAGE = 1_000
# So many of the newest are read before something dear is looked up: if it is common, it is found there at once.
FIRST = 1_000
CANDIDATES = 250
# What one search may cost, in records that the database passes over; one that the filter must look at costs more.
MOST_EFFORT = 200_000
EFFORT_OF_A_LOOK = 40
EFFORT_OF_SOMETHING_DEAR = 40_000

FIRST_TIME, LAST_TIME = -(2**63), 2**63 - 1


class Search:
    """``step`` until it is over, then look at ``found``. Belongs to the thread that reads the journal."""

    def __init__(
        self,
        reading: sqlite3.Connection,
        hub: str,
        index: Index,
        wanted: Filter,
        *,
        before: int | None = None,
        limit: int = 100,
    ) -> None:
        self._reading, self._hub, self._index = reading, hub, index
        self._wanted, self._before, self._limit = wanted, before, limit
        self._condition, self._query = where(wanted), query_of(wanted)
        self._records: list[Record] = []
        self._effort = 0
        self._unseen_before: int | None = None
        self._steps = self._all_steps()
        self._life = 0
        self._begin = 0

    @property
    def found(self) -> Found:
        return Found(self._records[::-1], unseen_before=self._unseen_before)

    def step(self) -> bool:
        """Look a little further; whether there is more to look at."""
        if self._is_full():
            return False
        unseen_before = next(self._steps, None)
        if unseen_before is None or self._is_full():
            return False
        if self._effort >= MOST_EFFORT and unseen_before > self._begin:
            self._unseen_before = unseen_before
            return False
        return True

    def _is_full(self) -> bool:
        return len(self._records) >= self._limit

    def _all_steps(self) -> Iterator[int]:
        """After each step, before which number nothing was looked at yet."""
        # Before how far it goes: if it is made anew in between, this is noticed.
        self._life = self._index.life
        through = self._index.through
        end = head_of(self._reading, self._hub).seq + 1
        end = end if self._before is None else min(end, self._before)
        (oldest,) = self._reading.execute(QUERY["first"]).fetchone()
        begin = self._begin = end if oldest is None else int(oldest)
        first = FIRST if self._query is not None and self._query.is_dear else 0
        indexed = min(through + 1, max(begin, end - first))
        yield from self._read((max(begin, indexed), end))
        if begin < indexed:
            yield from self._look_up((begin, min(indexed, end)))

    def _look_up(self, span: Span) -> Iterator[int]:
        times = _times(self._wanted)
        below = span[1]
        try:
            spans = [span] if times == (FIRST_TIME, LAST_TIME) else self._index.spans(self._life, times, span)
            for part in spans:
                for below in self._read(part) if self._query is None else self._candidates(self._query, part):
                    yield below
        except IndexUnusableError:
            yield from self._read((span[0], below))

    def _read(self, span: Span) -> Iterator[int]:
        begin, end = span
        text, values = self._condition
        window = QUERY["window"].replace("TRUE /* condition */", text)
        while end > begin:
            first = max(begin, end - PAGE)
            self._effort += end - first
            self._keep(each(self._reading, window, self._hub, first, end, *values))
            end = first
            yield end

    def _candidates(self, query: Query, span: Span) -> Iterator[int]:
        begin, end = span
        while end > begin:
            seqs = self._index.seqs(self._life, query.match, (begin, end), CANDIDATES)
            self._effort += len(seqs) + EFFORT_OF_SOMETHING_DEAR * query.is_dear
            marks = ", ".join("?" * len(seqs))
            self._keep(each(self._reading, QUERY["these"].replace("NULL /* seqs */", marks), *seqs))
            end = seqs[-1] if len(seqs) == CANDIDATES else begin
            yield end

    def _keep(self, records: Iterator[Record]) -> None:
        self._records += islice(filter(self._is_wanted, records), self._limit - len(self._records))

    def _is_wanted(self, record: Record) -> bool:
        self._effort += EFFORT_OF_A_LOOK
        return self._wanted.matches(record)


def _times(wanted: Filter) -> Span:
    """The times between which every wanted record lies."""
    since, until = FIRST_TIME, LAST_TIME
    for term in wanted.terms:
        if term.key in ("since", "until"):
            moment = int(term.values[0])
            if (term.key == "since") != term.negated:
                since = max(since, moment)
            else:
                until = min(until, moment)
    return since, until
