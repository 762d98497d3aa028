"""Decisions as rows of columns, and the figures over them. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from assent.hub_state import Mirror
from assent.protocol.session import Session
from assent.text import times, wording
from assent.text.safe import plain_line
from assent.tui.drawing import listing
from assent.tui.drawing.listing import Column, Entry, Listing, note
from assent.tui.drawing.text import Line, counted, fit, width
from assent.views import decisions
from assent.views.decisions import DecisionRow
from assent.views.report import Counted

COLUMNS = (
    Column("Time", 11),
    Column("", 1),
    Column("Ask", 25, share=1),
    Column("Risk", 6, rank=5),
    Column("Session", 16, rank=3),
    Column("Answer", 17, rank=1),
    Column("By", 14, rank=4),
    Column("Surface", 9, rank=7),
    Column("Device", 14, rank=8),
    Column("Wait", 12, rank=6, is_right=True),
    Column("Result", 15, rank=2),
)
# Narrower ones tell of other days the day alone.
ROOMY = 96
OFFER = "offer:"
LONGEST = 300
_NO = ("deny", "block", "halt")


def layout(cells: int) -> listing.Layout:
    # In plain letters a sign takes three cells.
    time, sign, *others = COLUMNS
    shown = (
        time if cells >= ROOMY else Column("Time", 8),
        Column(sign.name, width([(wording.risk_sign("danger"), "")])),
        *others,
    )
    return listing.laid_out(shown, max(1, cells - 1))


def headings(cells: int) -> Line:
    return [(" ", ""), *listing.headings(layout(cells))]


def stamp(at: int, now: float, *, is_short: bool = False) -> str:
    """Of today the time, of other days the day with it."""
    moment, today = datetime.fromtimestamp(at / 1000), datetime.fromtimestamp(now / 1000)
    if moment.date() == today.date():
        return times.clock(at)
    if is_short:
        return moment.strftime("%y-%m-%d")
    return moment.strftime("%m-%d %H:%M" if moment.year == today.year else "%Y-%m-%d")


def line(row: DecisionRow, session: Session | None, device: str, now: float, cells: int, *, is_selected: bool) -> Line:
    is_no = decisions.is_no(row)
    risk = row.risk if row.risk in wording.RISKS else ""
    told = row.verb or row.tool or row.event
    text: Line = [(plain_line(told, 80), "strong")]
    # A plan's heading is its title already.
    text += [(f"  {plain_line(row.what, LONGEST)}", "text-2")] if row.what and not told.endswith(row.what) else []
    text += [(f"  {plain_line(row.why, LONGEST)}", "text-3")] if row.why and is_no else []
    whose = (session.title if session else "") or PurePosixPath(row.project).name or (row.session or "")[:8]
    made: Mapping[str, Line] = {
        "Time": [(stamp(row.at, now, is_short=cells < ROOMY), "text-3")],
        "": [(wording.risk_sign(risk), risk)] if risk else [],
        "Ask": text,
        "Risk": [(wording.risk_word(risk), risk)] if risk else [],
        "Session": [(plain_line(whose, 60), "text-2")],
        "Answer": [(decisions.answer(row), "danger strong" if is_no else "")],
        "By": [(decisions.decider(row.by), "text-2")],
        "Surface": [(plain_line(row.surface, 20), "text-2")],
        "Device": [(plain_line(device, 40), "text-2")],
        "Wait": [("" if row.waited_ms is None else times.duration(row.waited_ms), "text-2")],
        "Result": [(decisions.result(row), "text-2")],
    }
    return [("▌" if is_selected else " ", "focus strong"), *listing.row(layout(cells), made)]


# --- the head


def figures(counted_days: Counted | None, cells: int) -> Line:
    """Today in four figures."""
    if counted_days is None:
        return [(" Today: still being counted", "text-3")]
    days = counted_days.report.days
    today = days[-1].figures if days else counted_days.report.totals
    whole = sum(today.decisions.get(name, 0) for name in ("allow", *_NO))
    wait = today.waited_ms.p50
    shown = (
        ("asks today", f"{today.asks:,}"),
        ("median wait", "–" if wait is None else times.duration(wait)),
        ("allowed", _part(today.decisions.get("allow", 0), whole)),
        ("by rule", _part(today.deciders.get("rule", 0), today.calls)),
    )
    made: Line = [(" ", "")]
    for name, value in shown:
        made += [(f"{value} ", "strong"), (f"{name}   ", "text-2")]
    if not counted_days.complete:
        made.append(("still being counted", "text-3"))
    return fit(made, cells)


def _part(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" if whole else "–"


def offers(review: Mapping[str, Any]) -> tuple[str, list[Entry]]:
    """What people were asked in all, and the rules that would have saved the most of it."""
    asked, approved = counted(review["asks"], "time"), counted(review["approvals"], "time")
    summary = f"In 30 days people were asked {asked} and said yes {approved}."
    if not review["offers"]:
        return f"{summary} No rule would have saved enough asks to be worth it.", []
    return summary, [_offer(place, offer) for place, offer in enumerate(review["offers"], 1)]


def _offer(place: int, offer: Mapping[str, Any]) -> Entry:
    newly = offer.get("newly_allowed") or 0
    unasked = f"would also have let through {counted(newly, 'call')} nobody was asked about"
    text = f"saves {counted(offer['saved'], 'ask')}; {unasked if newly else 'nothing else on record'}"

    def draw(cells: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        first: Line = [*edge, (f"{place} ", "text-3"), (plain_line(offer["text"], LONGEST), "strong")]
        return [fit(first, cells), fit([*edge, ("  ", ""), (text, "text-2")], cells)]

    return Entry(f"{OFFER}{offer['text']}", draw, 2)


@dataclass(slots=True)
class Decisions:
    mirror: Mirror
    devices: dict[str, str] = field(default_factory=dict)
    # What stands above them.
    top: Sequence[Entry] = ()
    # How many came while others were looked at.
    fresh: int = 0
    rows: list[DecisionRow] = field(default_factory=list)

    @property
    def newest(self) -> int:
        return self.rows[0].seq if self.rows else 0

    def clear(self) -> None:
        self.rows, self.fresh = [], 0

    def add(self, rows: Sequence[DecisionRow]) -> None:
        """A page may tell an earlier decision about the same call with the later one, and one that is known with what
        became of it meanwhile."""
        newest = self.newest
        if newest:
            self.fresh += sum(row.seq > newest for row in rows)
        by_seq = {row.seq: row for row in self.rows} | {row.seq: row for row in rows}
        self.rows = sorted(by_seq.values(), key=lambda row: -row.seq)

    def snapshot(self, empty: str) -> "Shown":
        """As it is now: what a list shows must not change under it."""
        above = Listing([*self.top, *(() if self.rows else (note(empty),))])
        places = {str(row.seq): place for place, row in enumerate(self.rows)}
        return Shown(above, list(self.rows), places, self)


@dataclass(frozen=True, slots=True)
class Shown:
    above: Listing
    rows: list[DecisionRow]
    places: dict[str, int]
    of: Decisions

    def __len__(self) -> int:
        return len(self.above) + len(self.rows)

    def line(self, y: int, width: int, *, is_selected: bool) -> Line:
        if y < len(self.above):
            return self.above.line(y, width, is_selected=is_selected)
        row, mirror = self.rows[y - len(self.above)], self.of.mirror
        session = mirror.sessions.get(row.session or "")
        device = self.of.devices.get(row.device, row.device)
        return line(row, session, device, mirror.now(), width, is_selected=is_selected)

    def key(self, y: int) -> str | None:
        return self.above.key(y) if y < len(self.above) else str(self.rows[y - len(self.above)].seq)

    def place(self, key: str) -> tuple[int, int] | None:
        if (above := self.above.place(key)) is not None:
            return above
        return (len(self.above) + self.places[key], 1) if key in self.places else None
