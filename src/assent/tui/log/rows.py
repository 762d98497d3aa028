"""Decisions as rows of columns, and the figures over them. Pure."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from assent.tui.drawing import columns
from assent.tui.drawing.columns import Column
from assent.tui.drawing.listing import Entry
from assent.tui.drawing.parts import counted
from assent.tui.drawing.text import Line, fit, width
from assent.views.decisions import DecisionRow
from assent.views.line import inert
from assent.views.report import Counted, Figures
from assent.views.sessions import Session
from assent.words import decided, signs, times

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


def layout(cells: int) -> columns.Layout:
    # In plain letters a sign takes three cells.
    time, sign, *others = COLUMNS
    shown = (
        time if cells >= ROOMY else Column("Time", 8),
        Column(sign.name, width([(signs.risk_sign("danger"), "")])),
        *others,
    )
    return columns.laid_out(shown, max(1, cells - 1))


def headings(cells: int) -> Line:
    return [(" ", ""), *columns.headings(layout(cells))]


def stamp(at: int, now: float, *, is_short: bool = False) -> str:
    """Of today the time, of other days the day with it."""
    moment, today = datetime.fromtimestamp(at / 1000), datetime.fromtimestamp(now / 1000)
    if moment.date() == today.date():
        return times.clock(at)
    if is_short:
        return moment.strftime("%y-%m-%d")
    return moment.strftime("%m-%d %H:%M" if moment.year == today.year else "%Y-%m-%d")


def line(row: DecisionRow, session: Session | None, device: str, now: float, cells: int, *, is_selected: bool) -> Line:
    is_no = decided.is_no(row)
    risk = row.risk if row.risk in signs.RISKS else ""
    told: Line = [(inert(row.verb or row.tool or row.event, 80), "strong")]
    told += [(f"  {inert(row.what, LONGEST)}", "text-2")] if row.what else []
    told += [(f"  {inert(row.why, LONGEST)}", "text-3")] if row.why and is_no else []
    whose = (session.title if session else "") or PurePosixPath(row.project).name or (row.session or "")[:8]
    made: Mapping[str, Line] = {
        "Time": [(stamp(row.at, now, is_short=cells < ROOMY), "text-3")],
        "": [(signs.risk_sign(risk), risk)] if risk else [],
        "Ask": told,
        "Risk": [(signs.risk_word(risk), risk)] if risk else [],
        "Session": [(inert(whose, 60), "text-2")],
        "Answer": [(decided.answer(row), "danger strong" if is_no else "")],
        "By": [(decided.decider(row.by), "text-2")],
        "Surface": [(inert(row.surface, 20), "text-2")],
        "Device": [(inert(device, 40), "text-2")],
        "Wait": [("" if row.waited_ms is None else times.duration(row.waited_ms), "text-2")],
        "Result": [(decided.result(row), "text-2")],
    }
    return [("▌" if is_selected else " ", "focus strong"), *columns.row(layout(cells), made)]


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
        ("allowed", _share(today.decisions.get("allow", 0), whole)),
        ("by rule", _share(_by_rule(today), whole)),
    )
    made: Line = [(" ", "")]
    for name, value in shown:
        made += [(f"{value} ", "strong"), (f"{name}   ", "text-2")]
    if not counted_days.complete:
        made.append(("still being counted", "text-3"))
    return fit(made, cells)


def _by_rule(today: Figures) -> int:
    return today.deciders.get("rule", 0)


def _share(part: int, whole: int) -> str:
    return f"{round(part / whole * 100)} %" if whole else "–"


def offers(found: Mapping[str, Any]) -> tuple[str, list[Entry]]:
    """What people were asked in all, and the rules that would have saved the most of it."""
    asked, approved = counted(found["asks"], "time"), counted(found["approvals"], "time")
    said = f"In 30 days people were asked {asked} and said yes {approved}."
    if not found["offers"]:
        return f"{said} No rule would have saved enough asks to be worth it.", []
    return said, [_offer(place, offer) for place, offer in enumerate(found["offers"], 1)]


def _offer(place: int, offer: Mapping[str, Any]) -> Entry:
    newly = offer.get("newly_allowed") or 0
    unasked = f"would also have let through {counted(newly, 'call')} nobody was asked about"
    told = f"saves {counted(offer['saved'], 'ask')}; {unasked if newly else 'nothing else on record'}"

    def draw(cells: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        first: Line = [*edge, (f"{place} ", "text-3"), (inert(offer["text"], LONGEST), "strong")]
        return [fit(first, cells), fit([*edge, ("  ", ""), (told, "text-2")], cells)]

    return Entry(f"{OFFER}{offer['text']}", draw, 2)
