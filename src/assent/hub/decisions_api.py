"""The log as people read it: one row for each decision, put together from the records of its call."""

from dataclasses import dataclass, field

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from assent.filter import DECISIONS, TEXT, Filter, Term
from assent.hub.log_api import Endpoint, filter_of, number, unread
from assent.hub.problem import json_response
from assent.journal.base import Journal, JournalError
from assent.protocol.record import Record
from assent.protocol.scope import Scope
from assent.views import decisions
from assent.views.decisions import DecisionRow

LARGEST_PAGE = 200
LONGEST_STORY = 200
# What an event and the decision about it have in common: words stand in one of them, all else in the other.
_SHARED = frozenset({"session", "project", "agent", "harness", "tool", "call", "since", "until", TEXT})


class Decided(Struct):
    rows: list[DecisionRow]
    # Where to look on; None at the beginning of the record.
    before: int | None


@dataclass(frozen=True, slots=True)
class DecisionsApi:
    journal: Journal

    def routes(self) -> list[tuple[str, str, Scope, Endpoint]]:
        return [("GET", "/api/decisions", Scope.WATCH, self.decisions)]

    async def decisions(self, request: Request) -> Response:
        """Decisions, newest first, by the filter ``q``; words are looked for in all records of a call. A page may be
        short or empty: ask again with ``before`` as long as it is given."""
        wanted = filter_of(request)
        limit = max(1, min(number(request, "limit", 100), LARGEST_PAGE))
        before = number(request, "before", 0) or None
        try:
            return json_response(await _Search(self.journal, wanted).page(before, limit))
        except JournalError as error:
            raise unread(error) from None


@dataclass(slots=True)
class _Search:
    journal: Journal
    wanted: Filter
    _stories: dict[str, list[Record]] = field(default_factory=dict)

    async def page(self, before: int | None, limit: int) -> Decided:
        candidates = self._candidates()
        found = await self.journal.search(candidates, before=before, limit=limit)
        rows: dict[int, DecisionRow] = {}
        for record in reversed(found.records):
            story = await self._story(record)
            newest = next((r.seq for r in reversed(story) if candidates.matches(r)), record.seq)
            if self._words() and newest != record.seq:
                # Told already, on this page or on one before it.
                continue
            met = {r.seq for r in story if self._meets(r, story)}
            rows |= {row.seq: row for row in decisions.rows(story) if row.seq in met}
        more = found.records[0].seq if len(found.records) >= limit else found.unseen_before
        return Decided(sorted(rows.values(), key=lambda row: -row.seq), more)

    def _words(self) -> list[Term]:
        return [term for term in self.wanted.terms if term.key == TEXT]

    def _candidates(self) -> Filter:
        """Records that lead to what is wanted, and few others."""
        if any(not term.negated for term in self._words()):
            return Filter(tuple(t for t in self.wanted.terms if t.key in _SHARED and not (t.key == TEXT and t.negated)))
        keyed = tuple(term for term in self.wanted.terms if term.key != TEXT)
        return Filter((*keyed, Term("decision", DECISIONS)))

    def _meets(self, record: Record, story: list[Record]) -> bool:
        if record.kind != "decision":
            return False
        keyed = all(term.matches(record) for term in self.wanted.terms if term.key != TEXT)
        return keyed and all(_has(term, story) for term in self._words())

    async def _story(self, record: Record) -> list[Record]:
        """All records of its call; where there is none, of its ask."""
        key = record.call or record.ask or ""
        if not key:
            return [record]
        if key not in self._stories:
            self._stories[key] = await self._read(record)
        return self._stories[key]

    async def _read(self, record: Record) -> list[Record]:
        if record.call:
            return await self.journal.story(record.call) or [record]
        about = Filter((Term("ask", (record.ask or "",)),))
        return (await self.journal.search(about, limit=LONGEST_STORY)).records or [record]


def _has(term: Term, story: list[Record]) -> bool:
    return all(term.matches(r) for r in story) if term.negated else any(term.matches(r) for r in story)
