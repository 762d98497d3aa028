"""The feed: what happens, as it happens. Rows change in place as things go on; the scroll position stays."""

import asyncio
import time
from collections.abc import Callable

from textual import events
from textual.app import ComposeResult

from assent.errors import AssentError, UsageError
from assent.hub_state import Changes
from assent.protocol.session import Session
from assent.text.who import project_of
from assent.tui import filter_line
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.text import Line, ends
from assent.tui.feed.list import LEAST_WIDTH, FeedList, FeedTrack, Lanes, story_lines
from assent.tui.feed.pulse import BARS, Pulse
from assent.tui.feed.row import parse_filter
from assent.tui.feed.rows import FeedRows, View
from assent.tui.pane import Pane
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn, Rows
from assent.views.feed import Row

PAGE = 1_000
# As often as can be read; more would only cost, and fill a slow line.
PICTURES = 0.12
# The times below the pulse are left out where rows need the line.
LEAST_FOR_AXIS = 16
# Looked at between two pictures when a filter is new.
SLICE = 4_000


class FeedPane(Pane):
    TITLE = "Feed"
    HELP = (
        "What all agents do, newest at the bottom; a call is one row that changes as it goes on. Scrolling up stops "
        "the list, End goes on with what is new. Enter opens the ask of a row, or what is on record of it."
    )
    DEFAULT_CSS = """
    FeedPane { layout: vertical; }
    FeedPane #feed-pulse { height: 2; }
    FeedPane #feed-rows, FeedPane #feed-lanes { height: 1fr; }
    FeedPane #feed-status { height: 1; }
    """

    def __init__(self, shared: Shared, pulse: Pulse, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(shared, id=id)
        self._pulse = pulse
        pulse.name_of = self._project_of
        self.rows = FeedRows()
        self.view = View(self.rows)
        self.list = FeedList(self.rows, self.view, self._name_of)
        self.list.empty = "Events appear here as they happen."
        self._lanes = Lanes(self.rows)
        self._pulse_lines = Drawn(self._strip, shared.look, id="feed-pulse")
        self.track = FeedTrack(self.list, shared.look, self._scrolled, id="feed-rows")
        self._lanes_drawn = Drawn(self._lane_lines, shared.look, id="feed-lanes")
        self._status_line = Drawn(self._status, shared.look, ground="on:surface", id="feed-status")
        self.is_lanes = False
        self._without_lane = 0
        self._filter = ""
        self._is_oldest = False
        self._is_loading = False
        # What is heard while the first rows are on their way.
        self._meanwhile: list[Row] | None = None
        self._is_due = False
        self._drawn_at = 0.0
        self._names: dict[str, tuple[Session, str]] = {}

    def compose(self) -> ComposeResult:
        yield self._pulse_lines
        yield self.track
        yield self._lanes_drawn
        yield self._status_line

    def on_mount(self) -> None:
        self._lanes_drawn.display = False

    # What is shown

    def changed(self, changes: Changes) -> None:
        if changes.is_fresh and (changes.is_far or not len(self.rows)):
            self.run_worker(self._load(), exclusive=True, group="feed")
        if self._meanwhile is not None:
            self._meanwhile += changes.rows
        for row in changes.rows:
            is_new = self.rows.place(row.id) is None
            self.rows.put(row)
            if is_new and self.is_lanes:
                self._lanes.added(row)
        if changes.rows or changes.sessions:
            self._draw_soon()

    def ticked(self) -> None:
        if self.is_lanes:
            self._keep_lanes()
        self._pulse_lines.refresh()

    def opened(self, text: str) -> None:
        if text:
            self._narrow(text)
        self.call_after_refresh(self._draw)

    def _draw_soon(self) -> None:
        """At once where nothing was drawn for a while; a burst of news is drawn together."""
        if self._is_due or not self.is_on_screen:
            return
        wait = self._drawn_at + PICTURES - time.monotonic()
        if wait > 0:
            self._is_due = True
            self.set_timer(wait, self._draw)
        else:
            self._draw()

    def _draw(self) -> None:
        self._is_due = False
        if not self.is_on_screen:
            return
        self._drawn_at = time.monotonic()
        if self.is_lanes:
            self._lanes_drawn.refresh()
        else:
            self.track.redraw()
        self._status_line.refresh()

    @property
    def is_on_screen(self) -> bool:
        return self.is_mounted and self.display and self.size.height > 0

    def _session(self, name: str) -> Session | None:
        return self.shared.mirror.sessions.get(name)

    def _name_of(self, row: Row) -> str:
        return self._project_of(row.session) if row.session else "hub"

    def _project_of(self, name: str) -> str:
        session = self._session(name)
        if session is None:
            return name[:8]
        cached = self._names.get(name)
        if cached is None or cached[0] is not session:
            cached = self._names[name] = (session, project_of(session))
        return cached[1]

    def _strip(self, width: int) -> list[Line]:
        bars = min(BARS, max(0, width - 2))
        label = self._pulse.label() if width >= bars + len("9999 events, 99 refused in 5 min") + 3 else ""
        return [
            [(" ", ""), *self._pulse.line(bars), ("  ", ""), (label, "text-2")],
            [(" ", ""), *self._pulse.marks(bars)],
            [(" ", ""), *self._pulse.axis(bars)],
        ]

    def _status(self, width: int) -> list[Line]:
        left: Line = []
        if self.is_lanes:
            more = f" {self._without_lane} more live sessions have no room." if self._without_lane else ""
            return [ends([(f" One lane a session.{more}", "text-2")], [("L back to the list ", "text-2")], width)]
        if self._filter:
            text = f" {len(self.view.places):,} of {len(self.rows):,} rows match {self._filter}"
            left = [(text + ("" if self.view.is_whole else " so far"), "text-2")]
        elif len(self.rows):
            left = [(f" {len(self.rows):,} rows", "text-3")]
        track = self.track
        if track.is_following:
            right: Line = [("● live ", "ok")] if self.shared.is_live else [("▲ not live ", "care")]
        else:
            below = f"▾ {track.lines_below:,} below · " if track.lines_below else ""
            right = [(f"{below}End jumps to live ", "focus strong")]
        return [ends(left, right, width)]

    def _lane_lines(self, width: int) -> list[Line]:
        height = self._lanes_drawn.size.height
        return self._lanes.lines(width, height, self.shared.mirror.sessions)

    # Where rows come from

    async def _load(self) -> None:
        """What was heard before may have gaps now, or be of another hub."""
        heard = self._meanwhile = []
        try:
            rows = await asyncio.to_thread(self.shared.client.feed, limit=PAGE)
        except AssentError:
            self._meanwhile = None
            return  # the next snapshot brings us here again
        self._pulse.seed(rows)
        self.shared.was_read(rows)
        self.rows.clear()
        self.list.close()
        self._is_oldest = len(rows) < PAGE
        self.rows.put_older(rows)
        for row in heard:
            self.rows.put(row)
        self._meanwhile = None
        if self.is_lanes:
            self._lanes = Lanes(self.rows)
            self._keep_lanes()
        self._look_back()
        self.track.follow()
        self._draw()

    def _scrolled(self) -> None:
        self._status_line.refresh()
        if self.track.scroll_offset.y <= 1 and not self.track.is_following and not self._is_oldest:
            self.run_worker(self._load_older(), group="older")

    async def _load_older(self) -> None:
        if self._is_loading or not len(self.rows) or not self.view.is_whole:
            return
        self._is_loading = True
        try:
            before = self.rows.at(self.rows.first).seq
            rows = await asyncio.to_thread(self.shared.client.feed, limit=PAGE, before=before)
            if self.rows.put_older(rows) == 0:
                self._is_oldest = True
                self.shared.say("That is the oldest row of the feed; the log has all: press 4.")
            self._draw()
        except AssentError as error:
            self.shared.warn(error.message)
        finally:
            self._is_loading = False

    # What is done

    def _narrow(self, text: str) -> str | None:
        """Why it was not taken."""
        try:
            wanted = parse_filter(text, self._session, time.time())
        except UsageError as error:
            return filter_line.problem(error)
        self._filter = text.strip()
        self.view.begin(wanted)
        self.list.empty = (
            "No row matches. Escape clears the filter." if wanted else "Events appear here as they happen."
        )
        self.list.close()
        self._look_back()
        self.track.follow()
        self._draw()
        return None

    def _look_back(self) -> None:
        """In slices, so that keys and news are heard in between."""
        if not self.view.is_whole:
            self.view.look_back(SLICE)
            self._draw()
            self.set_timer(0.01, self._look_back)

    def _ask_filter(self) -> None:
        values = filter_line.of_sessions(self.shared.mirror)
        self.shared.prompt(
            Typing("filter:", self._narrow, self._filter, complete=lambda text: filter_line.completed(text, values))
        )

    def _toggle_lanes(self) -> None:
        # The terminal's width: this screen may be about to be shown, and have none yet.
        wide = self.app.size.width
        if not self.is_lanes and wide < LEAST_WIDTH:
            self.shared.warn(f"Lanes need {LEAST_WIDTH} columns; here are {wide}.")
            return
        self.is_lanes = not self.is_lanes
        if self.is_lanes:
            self._lanes = Lanes(self.rows)
            self._keep_lanes()
        self._lanes_drawn.display = self.is_lanes
        self.track.display = not self.is_lanes
        self.shared.refresh_bars()
        self.call_after_refresh(self._draw)

    def _keep_lanes(self) -> None:
        self._without_lane = self._lanes.keep(self.shared.mirror.sessions.values(), self.app.size.width)
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        self._pulse_lines.styles.height = 3 if event.size.height >= LEAST_FOR_AXIS else 2
        if self.is_lanes and event.size.width < LEAST_WIDTH:
            self._toggle_lanes()
        elif self.is_lanes:
            self._keep_lanes()

    def _step(self, by: int) -> None:
        track = self.track
        if self.is_lanes:
            return None
        if track.step(by if track.selected else -1) is None and by > 0:
            return self._live()
        track.stay()
        return self._draw()

    def _live(self) -> None:
        self.track.select(None)
        self.track.follow()
        self._draw()

    def _open(self) -> None:
        if self.is_lanes:
            self.shared.go("sessions", self._lanes.chosen)
            return
        row = self.rows.get(self.track.selected or "")
        if row is None:
            return
        if row.ask and row.ask in self.shared.mirror.asks:
            self.shared.go("inbox", row.ask)
        elif self.list.opened == row.id:
            self.list.close()
            self._draw()
        else:
            self.list.open(row.id, ["Asking for its record…"])
            self._draw()
            self.run_worker(self._tell(row), exclusive=True, group="story")

    async def _tell(self, row: Row) -> None:
        try:
            records = await asyncio.to_thread(self.shared.client.story, row.numbers)
            story = story_lines(records) or ["Nothing is on record of it."]
        except AssentError as error:
            story = [error.message]
        if self.list.opened == row.id:
            self.list.open(row.id, story)
            self.track.reload()
            self.track.show_row(row.id)
            self._draw()

    def on_rows_selected(self, event: Rows.Selected) -> None:
        event.stop()
        self.track.select(event.key)
        self.track.stay()
        self._draw()

    def commands(self) -> dict[str, Callable[[], None]]:
        return {
            "list.next": lambda: self._step(1),
            "list.previous": lambda: self._step(-1),
            "list.filter": self._ask_filter,
            "ask.open": self._open,
            "ask.end": self._live,
            "view.peek": lambda: self.track.page(1),
            "feed.lanes": self._toggle_lanes,
        }

    def key(self, key: str) -> bool:
        if self.is_lanes and key in ("Left", "Right"):
            self._lanes.move(1 if key == "Right" else -1)
        elif key in ("PageDown", "PageUp"):
            self.track.page(1 if key == "PageDown" else -1)
        elif key == "Home":
            self.track.to_top()
        elif key == "End":
            self._live()
        else:
            return False
        self._draw()
        return True

    def keys(self) -> list[tuple[str, str]]:
        if self.is_lanes:
            return [("← →", "lane"), ("Enter", "open the session"), ("L", "list")]
        row = self.rows.get(self.track.selected or "")
        enter = [("Enter", "open the ask" if row.ask else "its record")] if row else []
        return [*enter, ("j k", "move"), ("End", "live"), ("/", "filter"), ("L", "lanes")]

    def back(self) -> bool:
        if self.list.close():
            self._draw()
        elif self.track.selected is not None:
            self._live()
        elif self.is_lanes:
            self._toggle_lanes()
        elif self._filter:
            self._narrow("")
        else:
            return False
        return True
