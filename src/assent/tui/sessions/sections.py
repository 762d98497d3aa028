"""The page of one session, drawn in sections: what needs you, its queue, its agents, the rules that hold, its feed."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from assent.protocol import todos
from assent.protocol.card import ShownAsk
from assent.protocol.queue import Goal, Item, Queue
from assent.protocol.session import Session
from assent.protocol.todos import Todo
from assent.text import times, who, wording
from assent.text.ask_state import Told
from assent.text.safe import plain_line
from assent.tui.drawing import listing
from assent.tui.drawing.listing import Column, Entry, heading, note
from assent.tui.drawing.text import Line, counted, ends, fit, wrap
from assent.tui.feed import row as feed_row
from assent.tui.inbox import rows as inbox_rows
from assent.tui.rules import rows as rule_rows
from assent.tui.sessions.facts import agents, chips, ended, is_bypass, joined, name, needs_you, state
from assent.views import figures
from assent.views.feed import Row

# From here on there are columns.
WIDE = 116
LONGEST_ROW = 200
WIDEST_MACHINE = 24
COLUMNS = (
    Column("State", 2 + max(len(words.word) for words in wording.SESSIONS.values())),
    Column("Session", 31, share=9),
    Column("Needs you", 9),
    Column("Mode, model", len(wording.FLAGS["bypass"])),
    Column("Now", 20, rank=1, share=11),
    Column("Calls", 7, rank=4, is_right=True),
    Column("Tokens", 8, rank=3, is_right=True),
    Column("Cost", 8, rank=2, is_right=True),
    Column("Age", 6, is_right=True),
)
_EDGE = 1


def is_wide(cells: int) -> bool:
    return cells >= WIDE


def headings(cells: int) -> list[Line]:
    return [[(" " * _EDGE, ""), *listing.headings(listing.laid_out(COLUMNS, cells - _EDGE))]]


def entry(session: Session, needs: int, doing: Row | None, now: float, cells: int) -> Entry:
    draw = _wide if is_wide(cells) else _narrow

    def drawn(width: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        return [[*edge, *line] for line in draw(session, needs, doing, now)(width - _EDGE)]

    return Entry(session.id, drawn, 1 if is_wide(cells) else 2)


def other(session: Session, now: float, cells: int) -> Entry:
    """One of another hub: with its machine, and nothing to choose."""
    machine = plain_line(session.machine or session.hub, WIDEST_MACHINE)
    named = msgspec.structs.replace(session, title=f"{machine} · {session.title}" if session.title else machine)
    drawn = entry(named, session.needs, None, now, cells)
    return Entry(None, drawn.draw, drawn.height)


def now_doing(session: Session, doing: Row | None, now: float) -> str:
    """What it is at, and since when."""
    if not session.is_live:
        return ended(session)
    running = sum(agent.state == "working" for agent in session.agents)
    below = f"↳ {running} working" if running else ""
    text = f"{plain_line(f'{doing.title} {doing.what}', LONGEST_ROW)}  {times.age(now - doing.at)}" if doing else ""
    return " · ".join(filter(None, (below, text, plain_line(todos.summary(session.todos), LONGEST_ROW))))


Drawing = Callable[[int], list[Line]]


def _wide(session: Session, needs: int, doing: Row | None, now: float) -> Drawing:
    known = (who.other_client(session.harness), session.mode, session.model)
    mode = " · ".join(plain_line(part, 40) for part in known if part)
    tokens = session.tokens_in + session.tokens_out + session.tokens_cached
    cells: Mapping[str, Line] = {
        "State": state(session),
        "Session": name(session),
        "Needs you": [(str(needs) if needs else "", "focus strong")],
        "Mode, model": [(wording.FLAGS["bypass"], "danger-block")] if is_bypass(session) else [(mode, "text-2")],
        "Now": [(now_doing(session, doing, now), "text-2")],
        "Calls": [(f"{session.calls:,}", "text-2")],
        "Tokens": [(figures.many(tokens) if tokens else "", "text-2")],
        "Cost": [("" if session.cost_usd is None else figures.dollars(session.cost_usd), "text-2")],
        "Age": [(times.age(now - session.last), "text-3")],
    }
    return lambda width: [listing.row(listing.laid_out(COLUMNS, width), cells)]


def _narrow(session: Session, needs: int, doing: Row | None, now: float) -> Drawing:
    loud = [(f" {needs_you(needs)}", "focus strong")] if needs else []
    age: Line = [*loud, (f" {times.age(now - session.last):>6}", "text-3")]
    cost = "" if session.cost_usd is None else figures.dollars(session.cost_usd)
    client = who.other_client(session.harness)
    parts = (client, session.mode if not is_bypass(session) else "", session.model, cost)
    rest = " · ".join(filter(None, (*(plain_line(part, 40) for part in parts), now_doing(session, doing, now))))

    def draw(width: int) -> list[Line]:
        first = ends(name(session), age, width)
        second: Line = [("  ", ""), *state(session)]
        if rest:
            second.append((f" · {rest}", "text-2"))
        return [first, joined(second, chips(session, is_short=True), width)]

    return draw


ITEM = "item:"
GOALS: dict[Goal, str] = {
    "stop": "delivered at next stop",
    "tool": "delivered with next tool result",
    "subagent": "delivered when a sub-agent stops",
    "teammate": "delivered when a teammate idles",
    "task": "delivered when a task is called done",
}
DELIVERED_SHOWN = 3
LONGEST = 300
SURE = "Delete it? Enter deletes, Esc keeps"


def entries(queue: Queue, doomed: str = "") -> list[Entry]:
    """``doomed``: the item that Enter would delete."""
    made = [_told(item) for item in queue.delivered[-DELIVERED_SHOWN:]]
    made += [_waiting(place, item, is_doomed=item.id == doomed) for place, item in enumerate(queue.items, 1)]
    if queue.note:
        return [*made, note(queue.note)]
    if not queue.items:
        made.append(note("Nothing is queued. c queues for its next stop, t for its next tool result."))
    made += [note(queue.no_tool)] if queue.no_tool else []
    if queue.used:
        made.append(note(f"{queue.used} of {queue.most} continuations used", "text-3"))
    return made


def _told(item: Item) -> Entry:
    line: Line = [("  ✓ ", "ok"), (plain_line(item.text, LONGEST), "text-3")]
    return Entry(
        None,
        lambda width, _: [
            ends(line, [(f"told {times.clock(item.delivered)} " if item.delivered else "told ", "text-3")], width)
        ],
    )


def _waiting(place: int, item: Item, *, is_doomed: bool) -> Entry:
    def draw(width: int, is_selected: bool) -> list[Line]:
        line: Line = [
            ("▌" if is_selected else " ", "focus strong"),
            (f" {place} ", "text-3"),
            (plain_line(item.text, LONGEST), ""),
        ]
        text = (f"{SURE} ", "care strong") if is_doomed else (f"{GOALS.get(item.to, item.to)} ", "text-3")
        return [ends(line, [text], width)]

    return Entry(f"{ITEM}{item.id}", draw)


INDENT = 7
MOST_LINES = 3
ASK, AGENT, ROW, RULES = "ask:", "agent:", "row:", "rules"


def needs(asks: Sequence[tuple[ShownAsk, Told]], now: float) -> list[Entry]:
    if not asks:
        return []
    rows = [inbox_rows.waiting(ask, state, "", now) for ask, state in asks]
    return [heading(f"Needs you ({len(asks)})"), *(Entry(f"{ASK}{row.key}", row.draw, row.height) for row in rows)]


def queue(items: Queue | None, doomed: str) -> list[Entry]:
    return [heading("Queue"), *(entries(items, doomed) if items else [note("Asking the hub…")])]


def to_do(session: Session) -> list[Entry]:
    """What the agent's to-do tool said last."""
    items = session.todos
    return [heading(f"To-do ({todos.done(items)} of {len(items)} done)"), *map(_todo, items)] if items else []


def _todo(item: Todo) -> Entry:
    _, sign, style = wording.TODOS[item.state or "open"]
    weight = "strong" if item.state == "doing" else "text-3" if item.state == "done" else ""
    line: Line = [("  ", ""), (f"{sign} ", style), (plain_line(item.text, LONGEST), weight)]
    return Entry(None, lambda width, _: [fit(line, width)])


def tree(session: Session, picked: str | None, width: int = 0) -> list[Entry]:
    """Where it stands beside the rest, in a column of this width, tasks have lines of their own."""
    shown = agents(session, picked)
    return [heading("Agents"), *(_agent(name, line, task, width) for name, line, task in shown)] if shown else []


def _agent(name: str, line: Line, task: str, width: int) -> Entry:
    below = wrap([(task, "text-2")], width - INDENT)[:MOST_LINES] if task and width else []
    beside: Line = [(f"  {task}", "text-2")] if task and not width else []

    def draw(cells: int, is_selected: bool) -> list[Line]:
        edge: Line = [("▌" if is_selected else " ", "focus strong")]
        first = fit([*edge, *line, *beside], cells)
        return [first, *(fit([*edge, (" " * INDENT, ""), *rest], cells) for rest in below)]

    return Entry(f"{AGENT}{name}", draw, 1 + len(below))


def rules(in_force: Mapping[str, Any] | None, *, is_open: bool, width: int) -> list[Entry]:
    """One line that unfolds: most look at something else."""
    if in_force is None:
        return []
    whose = Counter(rule_rows.owner(rule["level"]) for rule in in_force["rules"])
    text = f"{counted(len(in_force['rules']), 'rule')} in force in its folder"
    parts = ", ".join(f"{number} {name}" for name, number in whose.items())

    def draw(cells: int, is_selected: bool) -> list[Line]:
        line: Line = [
            ("▌" if is_selected else " ", "focus strong"),
            ("▾ " if is_open else "▸ ", "focus"),
            (text, "text-2 strong"),
        ]
        return [fit([*line, (f": {parts}" if parts else "", "text-2")], cells)]

    shown = rule_rows.plain(in_force["rules"], width) if is_open else []
    return [Entry(RULES, draw), *shown]


def feed(rows: Sequence[Entry], title: str, trouble: str) -> list[Entry]:
    return [heading(title), *(rows or [note(trouble or "Nothing was recorded of it lately.")])]


def row_of_feed(row: Row) -> Entry:
    """Drawn once for a width: in a busy session rows move many times before anything about them changes."""
    cached: tuple[int, Line] = (0, [])

    def draw(width: int, is_selected: bool) -> list[Line]:
        nonlocal cached
        if cached[0] != width:
            cached = (width, feed_row.line(row, width - 1))
        return [[("▌" if is_selected else " ", "focus strong"), *cached[1]]]

    return Entry(f"{ROW}{row.id}", draw)
