"""Sessions as rows: one line each where there is room for columns, two where there is not. Pure."""

from collections.abc import Callable, Mapping

from assent.tui.drawing import columns
from assent.tui.drawing.columns import Column
from assent.tui.drawing.listing import Entry
from assent.tui.drawing.text import Line, ends
from assent.tui.sessions.facts import BYPASS, chips, ended, is_bypass, joined, name, needs_you, state
from assent.views import figures
from assent.views.feed import Row
from assent.views.line import inert
from assent.views.sessions import Session
from assent.words import times

# From here on there are columns.
WIDE = 116
LONGEST = 200
COLUMNS = (
    Column("State", 11),
    Column("Session", 28, share=9),
    Column("Needs you", 11),
    Column("Mode, model", len(BYPASS)),
    Column("Now", 20, rank=1, share=11),
    Column("Calls", 7, rank=4, is_right=True),
    Column("Tokens", 8, rank=3, is_right=True),
    Column("Cost", 8, rank=2, is_right=True),
    Column("Age", 4, is_right=True),
)
_EDGE = 1


def is_wide(cells: int) -> bool:
    return cells >= WIDE


def headings(cells: int) -> list[Line]:
    return [[(" " * _EDGE, ""), *columns.headings(columns.laid_out(COLUMNS, cells - _EDGE))]]


def entry(session: Session, needs: int, doing: Row | None, now: float, cells: int) -> Entry:
    draw = _wide if is_wide(cells) else _narrow

    def drawn(width: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        return [[*edge, *line] for line in draw(session, needs, doing, now)(width - _EDGE)]

    return Entry(session.id, drawn, 1 if is_wide(cells) else 2)


def now_doing(session: Session, doing: Row | None, now: float) -> str:
    """What it is at, and since when."""
    if not session.is_live:
        return ended(session)
    running = sum(agent.state == "working" for agent in session.agents)
    below = f"⑂ {running} working" if running else ""
    what = f"{inert(f'{doing.name} {doing.what}', LONGEST)}  {times.span(now - doing.at)}" if doing else ""
    return " · ".join(filter(None, (below, what)))


Drawing = Callable[[int], list[Line]]


def _wide(session: Session, needs: int, doing: Row | None, now: float) -> Drawing:
    mode = " · ".join(inert(part, 40) for part in (session.mode, session.model) if part)
    tokens = session.tokens_in + session.tokens_out + session.tokens_cached
    cells: Mapping[str, Line] = {
        "State": state(session),
        "Session": name(session),
        "Needs you": [(needs_you(needs), "care strong")],
        "Mode, model": [(BYPASS, "danger-block")] if is_bypass(session) else [(mode, "text-2")],
        "Now": [(now_doing(session, doing, now), "text-2")],
        "Calls": [(f"{session.calls:,}", "text-2")],
        "Tokens": [(figures.many(tokens) if tokens else "", "text-2")],
        "Cost": [("" if session.cost_usd is None else figures.dollars(session.cost_usd), "text-2")],
        "Age": [(times.span(now - session.last), "text-3")],
    }
    return lambda width: [columns.row(columns.laid_out(COLUMNS, width), cells)]


def _narrow(session: Session, needs: int, doing: Row | None, now: float) -> Drawing:
    loud = [(f" {needs_you(needs)}", "care strong")] if needs else []
    age: Line = [*loud, (f" {times.span(now - session.last):>4}", "text-3")]
    cost = "" if session.cost_usd is None else figures.dollars(session.cost_usd)
    parts = (session.mode if not is_bypass(session) else "", session.model, cost)
    rest = " · ".join(inert(part, 40) for part in (*parts, now_doing(session, doing, now)) if part)

    def draw(width: int) -> list[Line]:
        first = ends(name(session), age, width)
        second: Line = [("  ", ""), *state(session)]
        if rest:
            second.append((f" · {rest}", "text-2"))
        return [first, joined(second, chips(session, is_short=True), width)]

    return draw
