"""The feed as a list: its wanted rows line by line, and under one of them what is on record of it. Pure."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from assent.tui.drawing.text import Line, fit, inert
from assent.tui.feed import row as feed_row
from assent.tui.feed.rows import FeedRows, View
from assent.views.feed import Row
from assent.words.times import clock

NameOf = Callable[[Row], str]


class FeedList:
    def __init__(self, rows: FeedRows, view: View, name_of: NameOf) -> None:
        self.rows = rows
        self.view = view
        self._name_of = name_of
        # What to say where there is nothing to list.
        self.empty = ""
        self.opened = ""
        self._story: list[str] = []

    def open(self, key: str, story: Sequence[str]) -> None:
        """Under this row, and no other."""
        self.opened, self._story = key, list(story)

    def close(self) -> bool:
        """True if a story was open."""
        was, self.opened, self._story = bool(self.opened), "", []
        return was

    def __len__(self) -> int:
        count = len(self.view.places)
        return count + len(self._story) if count and self._story_at() is not None else max(1, count)

    def line(self, y: int, width: int, *, is_selected: bool) -> Line:
        if not self.view.places:
            return fit([(f" {self.empty}", "text-2")], width)
        at, below = self._split(y)
        if below >= 0:
            return fit([("   │ ", "line"), (self._story[below], "text-2")], width)
        row = self.rows.at(self.view.places[at])
        mark = ("▌", "focus") if is_selected else (" ", "")
        return [mark, *feed_row.line(row, max(0, width - 1), self._name_of(row))]

    def looks(self, y: int) -> tuple[str, int, str] | None:
        """The row of this line and everything its look depends on; None for lines that are no rows."""
        if y >= len(self.view.places):
            return None
        at, below = self._split(y)
        if below >= 0:
            return None
        row = self.rows.at(self.view.places[at])
        return row.id, row.rev, self._name_of(row)

    def key(self, y: int) -> str | None:
        if not self.view.places:
            return None
        return self.rows.at(self.view.places[self._split(y)[0]]).id

    def place(self, key: str) -> tuple[int, int] | None:
        at = self._index(key)
        if at is None:
            return None
        story = self._story_at()
        if story is None or at < story:
            return at, 1
        return (at, 1 + len(self._story)) if at == story else (at + len(self._story), 1)

    def _split(self, y: int) -> tuple[int, int]:
        """The row's number in the view, and the line of its story; -1 for the row itself."""
        story = self._story_at()
        if story is None or y <= story:
            return y, -1
        below = y - story - 1
        return (story, below) if below < len(self._story) else (y - len(self._story), -1)

    def _story_at(self) -> int | None:
        return self._index(self.opened) if self.opened else None

    def _index(self, key: str) -> int | None:
        place = self.rows.place(key)
        if place is None:
            return None
        at = bisect_left(self.view.places, place)
        return at if at < len(self.view.places) and self.view.places[at] == place else None


def story_lines(records: Sequence[dict[str, Any]]) -> list[str]:
    """One line a record: its number, when, and what it says."""
    return [f"#{record['seq']}  {clock(record['at'])}  {inert(str(record.get('line', '')))}" for record in records]
