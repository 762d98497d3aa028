"""Reading the record over HTTP: search, the story of one call, the check of the chain."""

import time
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from assent.errors import UsageError
from assent.filter import DECISIONS, TEXT, Filter, Term, parse
from assent.journal import merged
from assent.journal.base import Chain, Head, Journal, JournalError
from assent.protocol.record import Record
from assent.protocol.surfaces import Scope
from assent.views import decisions
from assent.views.decisions import DecisionRow
from assent.views.line import describe
from assent.webapi.endpoint import ProblemError, Route, json_response

LARGEST_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class LogApi:
    journal: Journal
    # What people call this machine.
    machine: str

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/log", Scope.WATCH, self.log),
            ("GET", "/api/log/heads", Scope.WATCH, self.heads),
            ("GET", "/api/log/verify", Scope.WATCH, self.verify),
            ("GET", "/api/log/all", Scope.WATCH, self.all),
            ("GET", "/api/log/{name}", Scope.WATCH, self.show),
        ]

    async def log(self, request: Request) -> Response:
        """``unseen_before`` is set if the search ended early: ask again with ``before`` set to it."""
        wanted = filter_of(request)
        limit = min(number(request, "limit", 100), LARGEST_PAGE)
        before = number(request, "before", 0) or None
        try:
            result = await (await self._chain(request)).search(wanted, before=before, limit=limit)
        except JournalError as error:
            raise unread(error) from None
        records = [told(record) for record in result.records]
        return json_response({"records": records, "unseen_before": result.unseen_before})

    async def all(self, request: Request) -> Response:
        """The same of all hubs that share the journal, by time, each record with its ``machine``. A page may be short
        or empty: ask again with ``before`` as long as it is given."""
        wanted = filter_of(request)
        limit = max(1, min(number(request, "limit", 100), LARGEST_PAGE))
        places = read_places(request.query_params.get("before") or "")
        try:
            page = await merged.search(self.journal, wanted, before=places, limit=limit)
            machines = await self._machines()
        except JournalError as error:
            raise unread(error) from None
        records = [{**told(record), "machine": machines.get(record.hub, "")} for record in page.records]
        before = ",".join(f"{hub}:{seq}" for hub, seq in sorted(page.before.items())) if page.before else None
        return json_response({"records": records, "before": before})

    async def _machines(self) -> dict[str, str]:
        return {**await self.journal.machines(), self.journal.hub: self.machine}

    async def show(self, request: Request) -> Response:
        """All records of one call, by its id, the beginning of it, or the number of any of its records. Several
        numbers, with commas between them, are several records and what belongs to each."""
        name: str = request.path_params["name"]
        try:
            chain = await self._chain(request)
            records = await self._by_number(chain, name) or await self._by_call(chain, name)
        except JournalError as error:
            raise unread(error) from None
        if not records:
            raise ProblemError(
                404, "no-such-call", "There is no record of that id.", hint="`assent log` shows the number of each."
            )
        return json_response({"records": [told(record) for record in records]})

    async def _chain(self, request: Request) -> Chain:
        """Whose records are asked for: this hub's, or those of another one that shares its database."""
        hub = request.query_params.get("hub") or self.journal.hub
        if hub == self.journal.hub:
            return self.journal
        if all(head.hub != hub for head in await self.journal.heads()):
            raise ProblemError(
                404, "no-such-hub", "No hub of that id records here.", hint="`assent log heads` names those that do."
            )
        return self.journal.of(hub)

    async def _by_number(self, chain: Chain, name: str) -> list[Record]:
        numbers = name.split(",")[:LONGEST_STORY]
        if not all(_is_number(part) for part in numbers):
            return []
        found: dict[int, Record] = {}
        for number_ in sorted(int(part) for part in numbers):
            records = [] if number_ in found else await chain.read(after=number_ - 1, limit=1)
            if records and records[0].seq == number_:
                story = await self.journal.story(records[0].call) if records[0].call else records
                found |= {record.seq: record for record in story}
        return [found[seq] for seq in sorted(found)]

    async def _by_call(self, chain: Chain, name: str) -> list[Record]:
        if records := await self.journal.story(name):
            return records
        result = await chain.search(Filter((Term("call", (name,)),)), limit=LARGEST_PAGE)
        calls = list(dict.fromkeys(record.call for record in result.records if record.call))
        if len(calls) > 1:
            raise ProblemError(
                409,
                "ambiguous",
                f"{len(calls)} calls begin with that id.",
                hint=f"write more of it, for example {calls[-1]}",
            )
        return await self.journal.story(calls[0]) if calls else []

    async def verify(self, request: Request) -> Response:
        """This hub's chain, and ``others``: those that share its database. A kept head is looked for in its own."""
        text = request.query_params.get("against")
        against = read_head(text) if text else None
        try:
            others = [head.hub for head in await self.journal.heads() if head.hub != self.journal.hub]
            is_others = against is not None and against.hub in others
            own = await self.journal.verify(None if is_others else against)
            checked = [
                await self.journal.of(hub).verify(against if against and against.hub == hub else None) for hub in others
            ]
        except JournalError as error:
            raise unread(error) from None
        return json_response({**msgspec.structs.asdict(own), "others": checked})

    async def heads(self, _: Request) -> Response:
        """Where each chain ends, this hub's first, and what the hubs' machines are called."""
        try:
            return json_response({"heads": await self.journal.heads(), "machines": await self._machines()})
        except JournalError as error:
            raise unread(error) from None


def told(record: Record) -> dict[str, Any]:
    """A record with its line of text."""
    fields: dict[str, Any] = msgspec.to_builtins(record)
    return {**fields, "line": describe(record)}


def number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    if not _is_number(text):
        raise ProblemError(400, "bad-number", f"{name} must be a whole number.")
    return int(text)


def read_head(text: str) -> Head:
    """``HUB:SEQ:HASH``, as ``assent log heads`` prints it."""
    hub, _, rest = text.partition(":")
    seq, _, digest = rest.partition(":")
    if not (hub and _is_number(seq) and len(digest) == 64 and set(digest) <= set("0123456789abcdef")):
        raise ProblemError(
            400, "bad-head", "A head is written HUB:SEQ:HASH.", hint="copy a line that `assent log heads` printed."
        )
    return Head(hub, int(seq), digest)


def read_places(text: str) -> dict[str, int] | None:
    """``HUB:SEQ,HUB:SEQ``, as the page before said it; None from the end."""
    if not text:
        return None
    pairs = [pair.rpartition(":") for pair in text.split(",")]
    if len(pairs) > merged.MOST_HUBS or not all(hub and _is_number(seq) for hub, _, seq in pairs):
        raise ProblemError(400, "bad-before", "before is what the page before it said, and nothing else.")
    return {hub: int(seq) for hub, _, seq in pairs}


def filter_of(request: Request) -> Filter:
    try:
        return parse(request.query_params.get("q", ""), now=time.time())
    except UsageError as error:
        raise ProblemError(400, "bad-filter", error.message, hint=error.hint) from None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def unread(error: JournalError) -> ProblemError:
    return ProblemError(503, "no-journal", error.message, hint=error.hint)


LARGEST_ROWS = 200
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

    def routes(self) -> list[Route]:
        return [("GET", "/api/decisions", Scope.WATCH, self.decisions)]

    async def decisions(self, request: Request) -> Response:
        """Decisions, newest first, by the filter ``q``; words are looked for in all records of a call. A page may be
        short or empty: ask again with ``before`` as long as it is given."""
        wanted = filter_of(request)
        limit = max(1, min(number(request, "limit", 100), LARGEST_ROWS))
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
        result = await self.journal.search(candidates, before=before, limit=limit)
        rows: dict[int, DecisionRow] = {}
        for record in reversed(result.records):
            story = await self._story(record)
            newest = next((r.seq for r in reversed(story) if candidates.matches(r)), record.seq)
            if self._words() and newest != record.seq:
                # Told already, on this page or on one before it.
                continue
            met = {r.seq for r in story if self._meets(r, story)}
            rows |= {row.seq: row for row in decisions.rows(story) if row.seq in met}
        more = result.records[0].seq if len(result.records) >= limit else result.unseen_before
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
