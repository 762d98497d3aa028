"""The page of one session, drawn in sections: what needs you, its queue, its agents, the rules that hold, its feed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assent.protocol.card import ShownAsk
from assent.protocol.queue import Queue
from assent.tui.drawing.listing import Entry, heading, note
from assent.tui.drawing.parts import counted
from assent.tui.drawing.text import Line, fit, wrap
from assent.tui.feed import row as feed_row
from assent.tui.inbox import rows as inbox_rows
from assent.tui.rules import rows as rule_rows
from assent.tui.sessions import queue_rows
from assent.tui.sessions.facts import agents
from assent.views.feed import Row
from assent.views.sessions import Session
from assent.words.state import Told

INDENT = 7
MOST_LINES = 3
ASK, AGENT, ROW, RULES = "ask:", "agent:", "row:", "rules"


def needs(asks: Sequence[tuple[ShownAsk, Told]], now: float) -> list[Entry]:
    if not asks:
        return []
    rows = [inbox_rows.waiting(ask, told, "", now) for ask, told in asks]
    return [heading(f"Needs you ({len(asks)})"), *(Entry(f"{ASK}{row.key}", row.draw, row.height) for row in rows)]


def queue(found: Queue | None, doomed: str) -> list[Entry]:
    return [heading("Queue"), *(queue_rows.entries(found, doomed) if found else [note("Asking the hub…")])]


def tree(session: Session, picked: str | None, width: int = 0) -> list[Entry]:
    """Where it stands beside the rest, in a column of this width, tasks have lines of their own."""
    found = agents(session, picked)
    return [heading("Agents"), *(_agent(name, line, task, width) for name, line, task in found)] if found else []


def _agent(name: str, line: Line, task: str, width: int) -> Entry:
    below = wrap([(task, "text-2")], width - INDENT)[:MOST_LINES] if task and width else []
    beside: Line = [(f"  {task}", "text-2")] if task and not width else []

    def draw(cells: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        first = fit([*edge, *line, *beside], cells)
        return [first, *(fit([*edge, (" " * INDENT, ""), *rest], cells) for rest in below)]

    return Entry(f"{AGENT}{name}", draw, 1 + len(below))


def rules(found: Mapping[str, Any] | None, *, is_open: bool, width: int) -> list[Entry]:
    """One line that unfolds: most look at something else."""
    if found is None:
        return []
    whose = Counter(rule_rows.owner(rule["level"]) for rule in found["rules"])
    told = f"{counted(len(found['rules']), 'rule')} in force in its folder"
    parts = ", ".join(f"{number} {name}" for name, number in whose.items())

    def draw(cells: int, is_selected: bool) -> list[Line]:
        line: Line = [
            ("▌" if is_selected else " ", "focus strong"),
            ("▾ " if is_open else "▸ ", "focus"),
            (told, "text-2 strong"),
        ]
        return [fit([*line, (f": {parts}" if parts else "", "text-2")], cells)]

    shown = rule_rows.plain(found["rules"], width) if is_open else []
    return [Entry(RULES, draw), *shown]


def feed(rows: Sequence[Entry], title: str, trouble: str) -> list[Entry]:
    return [heading(title), *(rows or [note(trouble or "Nothing was recorded of it lately.")])]


def row_of_feed(row: Row) -> Entry:
    """Drawn once for a width: in a busy session rows move many times before anything about them changes."""
    known: tuple[int, Line] = (0, [])

    def draw(width: int, is_selected: bool) -> list[Line]:
        nonlocal known
        if known[0] != width:
            known = (width, feed_row.line(row, width - 1))
        return [[("▌" if is_selected else " ", "focus strong"), *known[1]]]

    return Entry(f"{ROW}{row.id}", draw)
