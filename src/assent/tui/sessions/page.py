"""The page of one session: what it is, what it needs, what it is to do next, and what it did."""

import asyncio
from bisect import insort
from collections.abc import Callable, Coroutine
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget

from assent.errors import AssentError
from assent.hub_state import Changes
from assent.protocol.card import ShownAsk
from assent.protocol.queue import Item
from assent.protocol.session import Session
from assent.text.safe import plain_line
from assent.tui import jumping
from assent.tui.drawing.listing import Entry, Listing
from assent.tui.drawing.text import Line, fit, sentence
from assent.tui.sessions import facts as session_facts
from assent.tui.sessions import sections as session_sections
from assent.tui.sessions.queue_actions import QueueHands
from assent.tui.sessions.sections import AGENT, ASK, ITEM, ROW, RULES
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn, Rows, Steady
from assent.views.feed import Row

# From here on the agents stand beside the rest.
WIDE = 120
TREE = 36
READ = 1_000
MOST_FACTS = 3
REDRAW = 0.25


class SessionView(Widget):
    DEFAULT_CSS = """
    SessionView { layout: vertical; display: none; }
    #session-head { height: 4; }
    #session-body { height: 1fr; }
    #session-tree { height: 1fr; display: none; }
    #session-rows { width: 1fr; height: 1fr; }
    """

    def __init__(self, shared: Shared, open_story: Callable[[str], None]) -> None:
        super().__init__(id="session-view")
        self.shared = shared
        self._open_story = open_story
        self.session = ""
        # None for all of them, "" for the main one.
        self._agent: str | None = None
        self._feed: dict[str, tuple[Row, Entry]] = {}
        # By when they began, the oldest first.
        self._order: list[tuple[int, str]] = []
        self._hands = QueueHands(shared, lambda work: self._run("changing", work), self.draw)
        # As the hub's stream tells it, to notice when it changes.
        self._queued: list[Item] | None = None
        self._rules: dict[str, Any] | None = None
        self._are_rules_open = False
        self._trouble = ""
        self._is_due = False
        self._head_lines = Drawn(self._head, shared.look, ground="on:surface", id="session-head")
        self._rows = Steady(Listing(), shared.look, id="session-rows")
        self._tree = Rows(Listing(), shared.look, id="session-tree")
        self._tree.styles.width, self._tree.styles.margin = TREE, (0, 1, 0, 0)

    def compose(self) -> ComposeResult:
        yield self._head_lines
        with Horizontal(id="session-body"):
            yield self._tree
            yield self._rows

    # What is shown

    @property
    def is_open(self) -> bool:
        return bool(self.session)

    @property
    def _known(self) -> Session | None:
        return self.shared.mirror.sessions.get(self.session)

    def open(self, session: str) -> None:
        if session != self.session:
            self.session, self._agent, self._rules = session, None, None
            self._feed, self._order = {}, []
            self._hands.take_up(session)
            self._are_rules_open, self._trouble = False, "Reading the record…"
            self._queued = self.shared.mirror.queues.get(session)
            self._rows.selected = None
            self._rows.to_top()
        self.display = True
        self._load()
        self.call_after_refresh(self.draw)

    def close(self) -> None:
        self.session, self.display = "", False

    def _load(self) -> None:
        self._run("feed", self._load_feed(self.session))
        self._run("queue", self._hands.load())
        self._run("rules", self._load_rules(self.session))

    def _run(self, group: str, work: Coroutine[Any, Any, None]) -> None:
        """Changes are made one and all; of what is read, only the last counts."""
        self.run_worker(work, exclusive=group != "changing", group=group)

    async def _load_feed(self, session: str) -> None:
        try:
            rows = await asyncio.to_thread(self.shared.client.feed, limit=READ, session=session)
        except AssentError as error:
            rows, self._trouble = [], sentence(error)
        else:
            self._trouble = ""
        if session == self.session:
            for row in reversed(rows):
                self._take(row)
            self.draw()

    async def _load_rules(self, session: str) -> None:
        current = self._known
        folder = (current.project or current.cwd) if current else ""
        try:
            rules = await asyncio.to_thread(self.shared.client.rules, folder)
        except AssentError:
            return  # the tab of rules says what is wrong with them
        if session == self.session:
            self._rules = rules
            self.draw()

    def changed(self, changes: Changes) -> None:
        if not self.is_open:
            return
        mine = [row for row in changes.rows if row.session == self.session]
        for row in mine:
            self._take(row)
        queued = self.shared.mirror.queues.get(self.session)
        if changes.is_fresh:
            self._load()
        elif queued != self._queued or any(row.kind == "turn" for row in mine):
            # Every end of a turn is counted, and an instruction may have been told with it.
            self._queued = queued
            self._run("queue", self._hands.load())
        is_mine = mine or changes.asks or self.session in changes.sessions
        if is_mine and not self._is_due and self.is_on_screen:
            self._is_due = True
            self.set_timer(REDRAW, self.draw)

    def _take(self, row: Row) -> None:
        shown = self._feed.get(row.id)
        if shown is not None and shown[0].rev >= row.rev:
            return
        if shown is None:
            insort(self._order, (row.seq, row.id))
        self._feed[row.id] = (row, session_sections.row_of_feed(row))
        while len(self._order) > READ:
            del self._feed[self._order.pop(0)[1]]

    def draw(self) -> None:
        self._is_due = False
        if not self.is_open or not self.is_mounted:
            return
        self._rows.put(Listing(self._entries(self._rows.cells)))
        is_wide = self.size.width >= WIDE and bool(self._known and self._known.agents)
        self._tree.display = is_wide
        if is_wide and self._known:
            self._tree.source = Listing(session_sections.tree(self._known, self._agent, TREE))
            self._tree.reload()
        head = self._head_lines
        head.styles.height = max(1, len(self._head(self.size.width)))
        head.refresh()

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self.draw)

    @property
    def _asks(self) -> list[ShownAsk]:
        return [ask for ask in self.shared.mirror.asks.values() if ask.subject.session == self.session]

    def _entries(self, width: int) -> list[Entry]:
        session, mirror = self._known, self.shared.mirror
        waiting = [ask for ask in mirror.waiting if ask.subject.session == self.session]
        made = session_sections.needs([(ask, self.shared.state(ask.id)) for ask in waiting], mirror.now())
        if session is not None:
            made += session_sections.to_do(session)
            made += session_sections.queue(self._hands.queue, self._hands.doomed)
            made += [] if self.size.width >= WIDE else session_sections.tree(session, self._agent)
        made += session_sections.rules(self._rules, is_open=self._are_rules_open, width=width)
        rows = [self._feed[name] for _, name in reversed(self._order)]
        title = "Feed"
        if self._agent is not None:
            rows = [(row, entry) for row, entry in rows if (row.agent or "") == self._agent]
            title = f"Feed of {self._agent_name()}; Tab shows the next agent's"
        return [*made, *session_sections.feed([entry for _, entry in rows], title, self._trouble)]

    def _agent_name(self) -> str:
        agent = next((a for a in (self._known.agents if self._known else ()) if a.id == self._agent), None)
        return plain_line(agent.type or agent.id[:8], 40) if agent else "the main agent"

    def _head(self, width: int) -> list[Line]:
        session = self._known
        if session is None:
            return [
                [(" ‹ ", "focus strong"), ("This session is not known", "strong")],
                fit([("   It ended long ago, or its id is mistyped.", "text-2")], width),
            ]
        asks = self._asks
        first: Line = [(" ‹ ", "focus strong"), *session_facts.state(session), ("  ", ""), *session_facts.name(session)]
        branch = next((ask.subject.branch for ask in reversed(asks) if ask.subject.branch), "")
        lines = session_facts.packed(session_facts.facts(session, branch), width - 4)
        folder = session_facts.short(session.cwd or session.project, str(self.shared.mirror.hub.get("home") or ""))
        return [
            session_facts.joined(first, session_facts.chips(session, asks), width),
            *([("   ", ""), *line] for line in lines[:MOST_FACTS]),
            fit([(f"   {folder}", "text-3")], width),
        ]

    # What is done

    def commands(self) -> dict[str, Callable[[], None]]:
        commands: dict[str, Callable[[], None]] = {
            "list.next": lambda: self._step(1),
            "list.previous": lambda: self._step(-1),
            "ask.open": self._open,
            "view.peek": lambda: self._rows.page(1),
            "ask.end": self._rows.to_end,
        }
        if self._known is not None:
            commands["ask.queue"] = self._hands.add
        if go := self._way():
            commands["ask.jump"] = go
        return commands

    def _way(self) -> Callable[[], None] | None:
        return jumping.way(self.shared, self.session, lambda work: self._run("jump", work))

    def key(self, key: str) -> bool:
        if self._hands.doomed and key == "Enter":
            self._hands.delete()
            return True
        acts: dict[str, Callable[[], None]] = {
            "Tab": lambda: self._pick_next(1),
            "BackTab": lambda: self._pick_next(-1),
            "PageDown": lambda: self._rows.page(1),
            "PageUp": lambda: self._rows.page(-1),
            "Home": self._home,
        }
        if (item := self._item()) is not None:
            acts |= {
                "e": lambda: self._hands.edit(item),
                "d": lambda: self._doom(item.id),
                "J": lambda: self._hands.move(item, 1),
                "K": lambda: self._hands.move(item, -1),
            }
        if self._known is not None:
            acts["t"] = self._hands.tell
        if self._hands.can_undo:
            acts["u"] = self._hands.undo
        if key not in acts:
            return False
        acts[key]()
        return True

    def keys(self) -> list[tuple[str, str]]:
        if self._hands.doomed:
            return [("Enter", "delete it"), ("Esc", "keep it")]
        keys = [("q", "back"), ("j k", "move"), ("c", "queue…"), ("t", "tell…")]
        if self._item() is not None:
            keys += [("e", "edit"), ("d", "delete"), ("J K", "down, up")]
        elif self._rows.selected:
            keys.append(("Enter", "open"))
        if self._way():
            keys.append(("T", "terminal"))
        if self._hands.can_undo:
            keys.append(("u", "undo"))
        return [*keys, ("Tab", "agent")] if self._known and self._known.agents else keys

    def back(self) -> bool:
        if self._hands.doom(""):
            self.draw()
            return True
        if self._agent is not None:
            self._pick(None)
            return True
        return False

    def _home(self) -> None:
        self._rows.selected = None
        self._rows.to_top()
        self._rows.refresh()

    def _step(self, by: int) -> None:
        self._hands.doom("")
        self._rows.step(by)
        self.draw()

    def select(self, key: str) -> None:
        self._hands.doom("")
        self._rows.select(key)
        self.draw()

    def _open(self) -> None:
        selected = self._rows.selected or ""
        if selected.startswith(ASK):
            self.shared.go("inbox", selected.removeprefix(ASK))
        elif selected.startswith(AGENT):
            agent = selected.removeprefix(AGENT)
            self._pick(None if agent == self._agent else agent)
        elif selected == RULES:
            self._are_rules_open = not self._are_rules_open
            self.draw()
        elif (item := self._item()) is not None:
            self._hands.edit(item)
        elif entry := self._feed.get(selected.removeprefix(ROW)):
            row = entry[0]
            is_known = row.ask in self.shared.mirror.asks
            self.shared.go("inbox", row.ask) if is_known else self._open_story(row.numbers)

    def _pick(self, agent: str | None) -> None:
        self._agent = agent
        self.draw()

    def _pick_next(self, by: int) -> None:
        agents = self._known.agents if self._known else ()
        names: list[str | None] = [None, *(("", *(agent.id for agent in agents)) if agents else ())]
        at = names.index(self._agent) if self._agent in names else 0
        self._pick(names[(at + by) % len(names)])

    def _item(self) -> Item | None:
        selected = self._rows.selected or ""
        return self._hands.item(selected.removeprefix(ITEM)) if selected.startswith(ITEM) else None

    def _doom(self, item: str) -> None:
        self._hands.doom(item)
        self.draw()
