"""The story of one thing on record, over the list it was chosen from."""

import asyncio
from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.widget import Widget

from assent.errors import AssentError
from assent.tui.asks import card, things
from assent.tui.drawing.listing import heading
from assent.tui.drawing.sentence import sentence
from assent.tui.drawing.text import Line, fit
from assent.tui.log import story_lines
from assent.tui.log.story_lines import Stored
from assent.tui.shared import Shared
from assent.tui.widgets.drawn import Drawn
from assent.tui.widgets.text import Lines, Text
from assent.words.state import state


class Story(Widget):
    """Drawn as it was, and dead: nothing of it can be answered."""

    DEFAULT_CSS = """
    Story { layout: vertical; display: none; }
    Story > Drawn { height: 1; }
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__()
        self.shared = shared
        self._records: Sequence[Stored] = ()
        self._is_raw = False
        self._said = ""
        self._title_line = Drawn(self._title, shared.look, ground="on:surface")
        self._text = Text(self._lines, shared.look, lambda: None)

    def compose(self) -> ComposeResult:
        yield self._title_line
        yield self._text

    @property
    def is_open(self) -> bool:
        return bool(self.display)

    def open(self, name: str) -> None:
        """By the number of a record, or the id of a call."""
        self._records, self._said, self._is_raw = (), "Reading the record…", False
        self.display = True
        self._draw()
        self.run_worker(self._load(name), exclusive=True, group="story")

    def close(self) -> None:
        self.display = False
        self.workers.cancel_group(self, "story")

    async def _load(self, name: str) -> None:
        try:
            self._records = await asyncio.to_thread(self.shared.client.story, name)
            self._said = ""
        except AssentError as error:
            self._said = sentence(error)
        self._draw()

    def _draw(self) -> None:
        self._text.source = Lines()
        self.call_after_refresh(self._text.reload)
        self._title_line.refresh()
        self.shared.refresh_bars()

    def _title(self, width: int) -> list[Line]:
        title = story_lines.title(self._records) if self._records else "On record"
        return [
            fit(
                [("‹ ", "focus strong"), (title, "strong"), ("  as it was; nothing here can be answered", "text-3")],
                width,
            )
        ]

    def _lines(self, width: int) -> list[Line]:
        if not self._records:
            return [[], [(f" {self._said}", "text-2")]]
        if self._is_raw:
            return story_lines.raw(self._records, width)
        ask = story_lines.frozen(self._records)
        if ask is None:
            shown = story_lines.given(self._records, width)
        else:
            told = state(ask, self.shared.mirror.now())
            shown = [card.heading(ask, width), *card.lines(ask, things.thing_of(ask, self.shared), width, told)]
            shown += [[], *story_lines.digest(ask, width)]
        head = heading("On record").draw(width, False)
        return [*shown, [], *(fit(line, width, "─") for line in head), *story_lines.on_record(self._records, width)]

    # Keys

    def commands(self) -> dict[str, Callable[[], None]]:
        text = self._text
        return {
            "list.next": lambda: text.scroll_relative(y=1, animate=False, immediate=True),
            "list.previous": lambda: text.scroll_relative(y=-1, animate=False, immediate=True),
            "view.peek": lambda: text.page(1),
            "ask.end": lambda: text.scroll_end(animate=False, immediate=True),
            "ask.raw": self._raw,
        }

    def key(self, key: str) -> bool:
        text = self._text
        if key in ("PageDown", "PageUp"):
            text.page(1 if key == "PageDown" else -1)
        elif key == "Home":
            text.scroll_home(animate=False, immediate=True)
        else:
            return False
        return True

    def keys(self) -> list[tuple[str, str]]:
        return [("q", "back"), ("j k", "scroll"), ("Space", "next page"), ("r", "raw")]

    def _raw(self) -> None:
        self._is_raw = not self._is_raw
        self._draw()
        self._text.scroll_home(animate=False, immediate=True)
