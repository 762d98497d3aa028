"""Sessions: those that run, then those that ended; one of them opens as a page."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from textual import events
from textual.app import ComposeResult

from assent.errors import AssentError
from assent.harnesses import names
from assent.hub_state import Changes
from assent.protocol.session import Session
from assent.tui.drawing.listing import Entry, Listing, heading, note
from assent.tui.drawing.text import Line, fit
from assent.tui.filter_line import FilterLine, of_session, of_sessions
from assent.tui.inbox.rows import doing_now
from assent.tui.log.story import Story
from assent.tui.pane import Pane
from assent.tui.sessions import sections
from assent.tui.sessions.page import SessionView
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn, Steady
from assent.views.feed import Row

# Enough to find what each session is at.
READ = 1_000
REDRAW = 0.25
ENDED_SHOWN = 50
# As often as the hub looks for sessions of other hubs.
LOOK = 10.0


class Sessions(Pane):
    TITLE = "Sessions"
    HELP = (
        "Those that run stand first, the newest on top, then those that ended. Enter opens a session: what it needs, "
        "what it is to do next, its agents, the rules that hold in its folder, and what it did."
    )
    DEFAULT_CSS = """
    Sessions { layout: vertical; }
    #sessions-head { height: 1; }
    #sessions-rows { height: 1fr; }
    """

    def __init__(self, shared: Shared, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(shared, id=id)
        self._head_line = Drawn(self._head, shared.look, id="sessions-head")
        self._rows = Steady(Listing(), shared.look, id="sessions-rows")
        self._story = Story(shared)
        self._page = SessionView(shared, self._open_story)
        self._filter = FilterLine(values=of_sessions(shared.mirror))
        self._doing: dict[str, Row] = {}
        # Of other hubs that share the journal: to look at.
        self._others: list[Session] = []
        self._others_at = 0.0
        self._are_all_shown = False
        # Whether it was read what each session is at.
        self._is_read = False
        self._is_due = False

    def compose(self) -> ComposeResult:
        yield self._head_line
        yield self._rows
        yield self._page
        yield self._story

    async def _load(self) -> None:
        try:
            rows = await asyncio.to_thread(self.shared.client.feed, limit=READ)
        except AssentError:
            return  # what each is at is heard as it happens
        for row in reversed(rows):
            self._follow(row)
        self._draw()

    # What is shown

    def changed(self, changes: Changes) -> None:
        for row in changes.rows:
            self._follow(row)
        if changes.is_far:
            self._is_read = False
        self._page.changed(changes)
        is_mine = changes.is_fresh or changes.sessions or changes.asks or changes.rows
        if is_mine and not self._is_due and self._rows.is_on_screen:
            self._is_due = True
            self.set_timer(REDRAW, self._draw)

    async def _load_others(self) -> None:
        try:
            self._others = await asyncio.to_thread(self.shared.client.sessions, elsewhere=True)
        except AssentError:
            return  # the next look may find them
        self._draw()

    def _look_for_others(self) -> None:
        now = time.monotonic()
        if now - self._others_at >= LOOK and self._rows.is_on_screen:
            self._others_at = now
            self.run_worker(self._load_others(), exclusive=True, group="others")

    def ticked(self) -> None:
        if self._story.is_open:
            return
        self._look_for_others()
        self._page.draw() if self._page.is_open else self._draw()

    def opened(self, session: str) -> None:
        if not self._is_read:
            self._is_read = True
            self.run_worker(self._load(), exclusive=True, group="doing")
        if session:
            self._open_page(session)
        elif self._page.is_open and not self._story.is_open:
            self._page.draw()
        self._draw()
        self.call_after_refresh(self._look_for_others)
        if self._rows.selected is None:
            self._rows.step(1)

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self._draw)

    def count(self) -> int:
        return len(self.shared.mirror.live_sessions)

    def _follow(self, row: Row) -> None:
        if row.session:
            doing = doing_now(self._doing, row)
            if doing is None:
                self._doing.pop(row.session, None)
            else:
                self._doing[row.session] = doing

    def _draw(self) -> None:
        self._is_due = False
        is_list = not self._page.is_open and not self._story.is_open
        self._rows.display = self._head_line.display = is_list
        if is_list:
            self._rows.put(Listing(self._entries()))
            # After it: the list may have got a scroll bar, and the headings stand over its columns.
            self.call_after_refresh(self._head_line.redraw)

    def _entries(self) -> list[Entry]:
        mirror = self.shared.mirror
        matching = [session for session in mirror.sessions.values() if self._is_wanted(session)]
        # By their beginning, which does not change: nothing moves while one looks.
        live = sorted((s for s in matching if s.is_live), key=lambda session: -session.started)
        ended = sorted((s for s in matching if not s.is_live), key=lambda session: -session.last)
        shown = ended if self._are_all_shown else ended[:ENDED_SHOWN]
        needs = Counter(ask.subject.session for ask in mirror.waiting)
        made = [self._entry(session, needs) for session in live] or [
            note(text) for text in self._nothing(bool(matching))
        ]
        if shown:
            made += [heading(f"Ended ({len(ended)})"), *(self._entry(session, needs) for session in shown)]
        if len(shown) < len(ended):
            made.append(_more(len(ended) - len(shown)))
        if others := [session for session in self._others if session.is_live and self._is_wanted(session)]:
            now, cells = mirror.now(), self._rows.cells
            made += [heading(f"On other machines ({len(others)})"), *(sections.other(s, now, cells) for s in others)]
        return made

    def _is_wanted(self, session: Session) -> bool:
        return self._filter.is_empty or self._filter.matches(of_session(session))

    def _entry(self, session: Session, needs: Counter[str]) -> Entry:
        doing, now = self._doing.get(session.id), self.shared.mirror.now()
        return sections.entry(session, needs[session.id], doing, now, self._rows.cells)

    def _nothing(self, has_ended: bool) -> list[str]:
        if not self._filter.is_empty and not has_ended:
            return ["No session matches the filter. Press / to change it, Esc to drop it."]
        if self.shared.mirror.sessions:
            return ["No session is live."]
        if self.shared.link in ("down", "starting"):
            return ["Asking the hub…" if self.shared.link == "starting" else "▲ Hub not running. u starts it."]
        return [f"No sessions seen yet. Start {names.PROGRAM} anywhere."]

    def _head(self, width: int) -> list[Line]:
        if not self._filter.is_empty:
            return [fit([(" ", ""), *self._filter.shown()], width)]
        if sections.is_wide(cells := self._rows.cells):
            return sections.headings(cells)
        live, total = len(self.shared.mirror.live_sessions), len(self.shared.mirror.sessions)
        return [fit([(f" {live:,} live, {total - live:,} ended", "text-3")], width)]

    # What is done

    def _open_page(self, session: str) -> None:
        self._story.close()
        self._page.open(session)
        self._draw()
        self.shared.refresh_bars()

    def _open_story(self, name: str) -> None:
        self._page.display = False
        self._story.open(name)
        self._draw()

    def _open(self) -> None:
        selected = self._rows.selected
        if selected == MORE:
            self._are_all_shown = True
            self._draw()
        elif selected:
            self._open_page(selected)

    def _step(self, by: int) -> None:
        self._rows.step(by)

    def commands(self) -> dict[str, Callable[[], None]]:
        if self._story.is_open:
            return self._story.commands()
        if self._page.is_open:
            return self._page.commands()
        return {
            "list.next": lambda: self._step(1),
            "list.previous": lambda: self._step(-1),
            "list.filter": lambda: self.shared.prompt(self._filter.typing(self._draw)),
            "ask.open": self._open,
            "view.peek": lambda: self._rows.page(1),
            "ask.end": self._rows.to_end,
        }

    def key(self, key: str) -> bool:
        if self._story.is_open:
            return self._story.key(key)
        if self._page.is_open:
            return self._page.key(key)
        if key in ("PageDown", "PageUp"):
            self._rows.page(1 if key == "PageDown" else -1)
        elif key == "Home":
            self._rows.to_top()
        else:
            return False
        return True

    def keys(self) -> list[tuple[str, str]]:
        if self._story.is_open:
            return self._story.keys()
        if self._page.is_open:
            return self._page.keys()
        return [("j k", "move"), ("Enter", "open"), ("/", "filter"), ("n", "next that needs you")]

    def back(self) -> bool:
        if self._story.is_open:
            self._story.close()
            self._page.open(self._page.session)
        elif self._page.is_open:
            if not self._page.back():
                self._page.close()
        elif not self._filter.is_empty:
            self._filter.take("")
        else:
            return False
        self._draw()
        return True

    def on_rows_selected(self, event: Steady.Selected) -> None:
        """A click chooses; it opens nothing."""
        event.stop()
        if event.rows is self._rows:
            self._rows.select(event.key, into_view=False)
        else:
            self._page.select(event.key)
        self.shared.refresh_bars()


MORE = "more"


def _more(number: int) -> Entry:
    def draw(width: int, is_selected: bool) -> list[Line]:
        edge = ("▌" if is_selected else " ", "focus strong")
        return [fit([edge, ("▸ ", "focus"), (f"{number:,} that ended earlier: Enter shows them", "text-2")], width)]

    return Entry(MORE, draw)
