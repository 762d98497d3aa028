"""The log: what was decided, by whom, after how long, and what came of it. A row opens its story."""

import asyncio
from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import ComposeResult

from assent.actions import Action
from assent.errors import AssentError
from assent.hub_state import Changes
from assent.tui.asks.ask_view import Typing
from assent.tui.drawing.listing import heading
from assent.tui.drawing.text import Line, counted, ends, fit, sentence
from assent.tui.filter_line import FilterLine, of_sessions
from assent.tui.log import rows as log_rows
from assent.tui.log.export import export
from assent.tui.log.rows import OFFER, Decisions
from assent.tui.log.story import Story
from assent.tui.pane import Pane
from assent.tui.shared import Shared
from assent.tui.widgets.rows import Drawn, Steady
from assent.views.decisions import DecisionRow
from assent.views.report import Counted

PAGE = 100
# So many are asked for when something happened: mostly it is a few.
NEW = 20
# A page may come back short; so often we go on by ourselves.
MOST_TRIES = 4
# Of what the stance decides by itself there is too much.
FIRST_FILTER = "-by:stance,judge"
# Figures are counted anew not more often than this, in ticks of a second.
FIGURES_EVERY = 30


class Log(Pane):
    TITLE = "Log"
    HELP = (
        "What was decided, the newest on top; what the stance decided by itself is left out until you change the "
        "filter. Enter opens the story of a decision with the card as it was shown. w writes what the filter lets "
        "through to a file. R goes through the record for the rules that would have saved the most asks."
    )
    DEFAULT_CSS = """
    Log { layout: vertical; }
    #log-head { height: 3; }
    #log-rows { height: 1fr; }
    """

    def __init__(self, shared: Shared, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(shared, id=id)
        self._decisions = Decisions(shared.mirror)
        self._head_lines = Drawn(self._head, shared.look, id="log-head")
        self._rows = Steady(self._decisions.snapshot(""), shared.look, near_end=self._load_more, id="log-rows")
        self._story = Story(shared)
        self._filter = FilterLine(FIRST_FILTER, of_sessions(shared.mirror))
        # Where to look on; 0 before the first look, None at the end.
        self._before: int | None = 0
        self._is_loading = False
        self._is_stale = True
        self._was_opened = False
        self._trouble = ""
        self._counted: Counted | None = None
        self._ticks = 0
        # What the head says instead of figures: how far something is that takes a while.
        self._said = ""

    def compose(self) -> ComposeResult:
        yield self._head_lines
        yield self._rows
        yield self._story

    # What is shown

    def opened(self, text: str) -> None:
        """``what``: the number of a record, or a filter."""
        starts_over = is_first = not self._was_opened
        self._was_opened = True
        if text.isdigit():
            self._story.open(text)
        elif text:
            self._story.close()
            if trouble := self._filter.take(text):
                self.shared.warn(trouble)
            else:
                starts_over = True
        if starts_over:
            self._start_over()
        if is_first:
            self._count()
            self.run_worker(self._name_devices(), group="devices")
        self._draw()

    def changed(self, changes: Changes) -> None:
        self._is_stale |= bool(changes.rows or changes.asks or changes.is_fresh)
        if changes.is_fresh and self._was_opened:
            self._count()
        if changes.is_far and self._was_opened:
            self._start_over()

    def ticked(self) -> None:
        """What is new is fetched at most once a second, and only while the pane is shown."""
        self._ticks += 1
        if self._ticks % FIGURES_EVERY == 0:
            self._count()
        if self._is_stale and not self._is_loading and not self._story.is_open:
            self._is_stale = False
            self._run(self._load_new()) if self._decisions.rows else self._start_over()

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        is_list = not self._story.is_open
        self._rows.display = self._head_lines.display = is_list
        if is_list:
            self._rows.put(self._decisions.snapshot(self._empty()))
            # After it: the list may have got a scroll bar, and the headings stand over its columns.
            self.call_after_refresh(self._head_lines.refresh)

    def _empty(self) -> str:
        if self._trouble:
            return self._trouble
        if self._is_loading or self._before == 0:
            return "Reading the record…"
        if self._before is not None:
            return "Nothing so far. End looks further back."
        return "No decision matches. Press / to change the filter." if self._filter.text else "Nothing was decided yet."

    def _head(self, width: int) -> list[Line]:
        newer = self._newer()
        right: Line = [(f"{newer} newer above: Home ", "focus strong")] if newer else []
        shown = self._filter.shown() or [("everything", "text-3")]
        first = [(f" {self._said}", "text-2")] if self._said else log_rows.figures(self._counted, width)
        return [fit(first, width), ends([(" ", ""), *shown], right, width), log_rows.headings(self._rows.cells)]

    def _newer(self) -> int:
        return min(self._rows.scroll_offset.y, self._decisions.fresh) if self._rows.selected else 0

    # Reading

    def _run(self, work: Any) -> None:
        self.run_worker(work, exclusive=True, group="reading")

    def _start_over(self) -> None:
        self._decisions.clear()
        self._before, self._trouble = 0, ""
        self._rows.selected = None
        self._rows.to_top()
        self._is_loading = True
        self._run(self._load())

    def _load_more(self) -> None:
        if self._before and not self._is_loading:
            self._is_loading = True
            self._run(self._load())

    async def _load(self) -> None:
        try:
            for _ in range(MOST_TRIES):
                rows, self._before = await self._page(self._before)
                self._decisions.add(rows)
                if len(rows) >= PAGE // 2 or self._before is None:
                    break
            self._trouble = ""
        except AssentError as error:
            self._trouble = sentence(error)
        finally:
            self._is_loading = False
        self._draw()
        # A screen that is not filled yet cannot be scrolled to its end.
        self.call_after_refresh(self._rows.tell_near_end)

    async def _load_new(self) -> None:
        """Until they meet those that are known; farther behind than a few pages, everything is read anew."""
        self._is_loading = True
        fresh: list[DecisionRow] = []
        before: int | None = 0
        try:
            for tried in range(MOST_TRIES):
                rows, before = await self._page(before, PAGE if tried else NEW)
                fresh += rows
                if before is None or before <= self._decisions.newest:
                    break
        except AssentError as error:
            self._trouble = sentence(error)
            return
        finally:
            self._is_loading = False
        self._trouble = ""
        if before is not None and before > self._decisions.newest:
            self._decisions.clear()
            self._before = before
        self._decisions.add(fresh)
        self._draw()

    async def _page(self, before: int | None, limit: int = PAGE) -> tuple[list[DecisionRow], int | None]:
        return await asyncio.to_thread(self.shared.client.decisions, self._filter.text, limit=limit, before=before)

    def _count(self) -> None:
        async def count() -> None:
            try:
                self._counted = await asyncio.to_thread(self.shared.client.stats, since="1d")
            except AssentError:
                return  # the list says what is wrong
            self._head_lines.refresh()

        self.run_worker(count(), exclusive=True, group="figures")

    async def _name_devices(self) -> None:
        try:
            devices = await asyncio.to_thread(self.shared.client.devices)
        except AssentError:
            return  # their ids stand there
        self._decisions.devices = {str(device["id"]): str(device["name"]) for device in devices}
        self._draw()

    def _review(self) -> None:
        """Reads the whole record, so only for those who want to know."""

        async def review() -> None:
            self._say_in_head("Going through the record for rules that would have saved asks. This can take a minute…")
            try:
                summary, offers = log_rows.offers(await asyncio.to_thread(self.shared.client.review))
            except AssentError as error:
                self._say_in_head("")
                self.shared.warn(sentence(error))
                return
            self._say_in_head(summary)
            title = heading("Rules that would have saved the most asks; Enter takes one to Rules")
            self._decisions.top = [title, *offers, heading("Decisions")] if offers else []
            self._rows.selected = None
            self._draw()
            self._rows.to_top()

        self.run_worker(review(), exclusive=True, group="review")

    def _say_in_head(self, text: str) -> None:
        self._said = text
        self._head_lines.refresh()

    # What is done

    def _open(self) -> None:
        selected = self._rows.selected or ""
        if selected.startswith(OFFER):
            self.shared.go("rules", selected.removeprefix(OFFER))
        elif selected:
            self._story.open(selected)
            self._draw()
        else:
            self._step(1)

    def _step(self, by: int) -> None:
        self._rows.step(by)
        self._head_lines.refresh()

    def _home(self) -> None:
        self._rows.selected = None
        self._decisions.fresh = 0
        self._rows.to_top()
        self._draw()

    def _export(self) -> None:
        text = self._filter.text

        def take(file: str) -> str | None:
            if not file.strip():
                return "No file was named. Esc closes this."
            self.run_worker(self._write(text, file.strip()), exclusive=True, group="export")
            return None

        self.shared.prompt(Typing("write to (.jsonl or .csv):", take, "assent-log.jsonl"))

    async def _write(self, text: str, file: str) -> None:
        loop = asyncio.get_running_loop()

        def told(count: int) -> None:
            loop.call_soon_threadsafe(self.shared.say, f"{counted(count, 'row')} so far…")

        try:
            count, is_cut = await asyncio.to_thread(export, self.shared.client, text, file, told)
        except AssentError as error:
            self.shared.warn(sentence(error))
            return
        rest = ", the newest; assent log has all" if is_cut else ""
        self.shared.say(f"Wrote {counted(count, 'row')}{rest} to {file}.")

    def commands(self) -> dict[str, Callable[[], None]]:
        if self._story.is_open:
            return self._story.commands()
        return {
            "list.next": lambda: self._step(1),
            "list.previous": lambda: self._step(-1),
            "list.filter": lambda: self.shared.prompt(self._filter.typing(self._start_over)),
            "ask.open": self._open,
            "view.peek": lambda: self._rows.page(1),
            "ask.end": self._end,
        }

    def _end(self) -> None:
        self._rows.to_end()
        self._load_more()

    def palette(self) -> list[tuple[Action, Callable[[], None]]]:
        return [
            (Action("log.write", "w", "write what the filter lets through to a file"), self._export),
            (Action("log.review", "R", "rules that would have saved the most asks"), self._review),
        ]

    def key(self, key: str) -> bool:
        if self._story.is_open:
            return self._story.key(key)
        acts: dict[str, Callable[[], None]] = {
            "w": self._export,
            "R": self._review,
            "Home": self._home,
            "PageDown": lambda: self._rows.page(1),
            "PageUp": lambda: self._rows.page(-1),
        }
        if key not in acts:
            return False
        acts[key]()
        return True

    def keys(self) -> list[tuple[str, str]]:
        if self._story.is_open:
            return self._story.keys()
        return [
            ("j k", "move"),
            ("Enter", "story"),
            ("/", "filter"),
            ("w", "write to a file"),
            ("R", "rules to save asks"),
        ]

    def back(self) -> bool:
        if self._story.is_open:
            self._story.close()
        elif self._decisions.top or self._said:
            # Also while it is still gone through: then it is not needed any more.
            self.workers.cancel_group(self, "review")
            self._decisions.top, self._said = [], ""
        elif self._filter.text != FIRST_FILTER:
            self._filter.take(FIRST_FILTER)
            self._start_over()
        else:
            return False
        self._draw()
        return True

    def on_rows_selected(self, event: Steady.Selected) -> None:
        """A click chooses; it opens nothing."""
        event.stop()
        self._rows.select(event.key, into_view=False)
