"""The feed as a list: its wanted rows line by line, and under one of them what is on record of it. Pure."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from textual.geometry import Size
from textual.strip import Strip

from assent.protocol.session import Session
from assent.text.times import clock
from assent.text.who import hue, letters, project_of
from assent.tui.drawing.look import Look
from assent.tui.drawing.text import Line, fit, pad, safe_text
from assent.tui.feed import row as feed_row
from assent.tui.feed.rows import FeedRows, View
from assent.tui.widgets.rows import Rows
from assent.views.feed import Row

# A terminal of so many columns has room for lanes, each of at least so many.
LEAST_WIDTH = 120
LEAST_LANE = 38
# More than any terminal is high.
_MOST_ROWS = 200
_MOST_DRAWN = 2_000
# As far as is looked back for what a session did.
_LOOK_BACK = 20_000


class Lanes:
    """A lane stays where it is as long as its session is live; new sessions come in at the right."""

    def __init__(self, rows: FeedRows) -> None:
        self._rows = rows
        self._keys: dict[str, deque[str]] = {}
        self.chosen = ""
        # Most rows stand there as they were, only higher: those are not drawn again.
        self._drawn: dict[tuple[str, int, int], Line] = {}

    def keep(self, sessions: Iterable[Session], width: int) -> int:
        """Lanes for these, those that did something last first; how many found no room."""
        live = sorted((session for session in sessions if session.is_live), key=lambda session: -session.last)
        ids = {session.id for session in live}
        self._keys = {session: keys for session, keys in self._keys.items() if session in ids}
        most = max(1, width // LEAST_LANE)
        missing = [session.id for session in live if session.id not in self._keys][: max(0, most - len(self._keys))]
        if missing:
            self._keys |= {session: deque(maxlen=_MOST_ROWS) for session in missing}
            for row in self._rows.newest(_LOOK_BACK):
                if row.session in missing and len(keys := self._keys[row.session]) < _MOST_ROWS:
                    keys.appendleft(row.id)
        while len(self._keys) > most:
            self._keys.popitem()
        if self.chosen not in self._keys:
            self.chosen = next(iter(self._keys), "")
        return len(ids) - len(self._keys)

    def added(self, row: Row) -> None:
        """A row that was not there before."""
        if (keys := self._keys.get(row.session or "")) is not None:
            keys.append(row.id)

    def move(self, by: int) -> None:
        names = list(self._keys)
        if names:
            self.chosen = names[max(0, min(len(names) - 1, names.index(self.chosen) + by))]

    def lines(self, width: int, height: int, sessions: dict[str, Session]) -> list[Line]:
        """Newest at the bottom."""
        if not self._keys:
            return [[(" No session is live. L goes back to the list.", "text-2")]]
        cells = (width - len(self._keys) + 1) // len(self._keys)
        lanes = [self._lane(name, cells, height, sessions.get(name)) for name in self._keys]
        made: list[Line] = []
        for across in zip(*lanes, strict=True):
            line: Line = []
            for at, part in enumerate(across):
                line += [("│", "line"), *part] if at else part
            made.append(line)
        return made

    def _lane(self, name: str, cells: int, height: int, session: Session | None) -> list[Line]:
        room = max(0, height - 1)
        shown = [row for key in self._keys[name] if (row := self._rows.get(key)) is not None][-room or None :]
        blank: Line = [(" " * cells, "")]
        above = [self._head(name, cells, session), *(blank for _ in range(room - len(shown)))]
        return above + [self._row(row, cells) for row in shown[:room]]

    def _row(self, row: Row, cells: int) -> Line:
        key = (row.id, row.rev, cells)
        line = self._drawn.get(key)
        if line is None:
            if len(self._drawn) > _MOST_DRAWN:
                self._drawn.clear()
            line = self._drawn[key] = pad(feed_row.line(row, cells), cells)
        return line

    def _head(self, name: str, cells: int, session: Session | None) -> Line:
        project = project_of(session) if session else name[:8]
        title = safe_text(session.title) if session and session.title else ""
        ground = " on:raised" if name == self.chosen else ""
        words: Sequence[tuple[str, str]] = (
            (f"{'▸' if name == self.chosen else ' '}[{letters(project)}] ", f"hue-{hue(project)} strong{ground}"),
            (" · ".join(filter(None, (project, title, session.state if session else ""))), f"text{ground}"),
        )
        return pad(fit(list(words), cells), cells, ground.strip())


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
    return [f"#{record['seq']}  {clock(record['at'])}  {safe_text(str(record.get('line', '')))}" for record in records]


# Lines that are kept drawn: a few screens full.
_MOST_KEPT = 400


class FeedTrack(Rows):
    source: FeedList

    def __init__(self, source: FeedList, look: Look, scrolled: Callable[[], None], *, id: str) -> None:  # noqa: A002
        super().__init__(source, look, id=id)
        self._scrolled = scrolled
        self.is_following = True
        # How much is below is told in words; a bar would have to be laid out anew with every row.
        self.styles.scrollbar_size_vertical = 0
        # The row at the top while not following, and how many of its lines are above.
        self._top: tuple[str, int] | None = None
        self._kept: dict[tuple[object, ...], Strip] = {}

    def render_line(self, y: int) -> Strip:
        """Most rows stand there as they were, only higher: those are not drawn again."""
        looks = self.source.looks(y + self.scroll_offset.y)
        if looks is None:
            return super().render_line(y).adjust_cell_length(self.size.width, self._base())
        key = (*looks, looks[0] == self.selected, self.size.width)
        strip = self._kept.get(key)
        if strip is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            strip = self._kept[key] = super().render_line(y).adjust_cell_length(self.size.width, self._base())
        return strip

    @property
    def allow_vertical_scroll(self) -> bool:
        """Textual lets scroll only what shows a scroll bar."""
        return self.max_scroll_y > 0

    def reload(self) -> None:
        """Without a scroll bar nothing else on the screen depends on how long it is, so nothing is laid out again."""
        self.set_reactive(Rows.virtual_size, Size(self.size.width, len(self.source)))
        if self.is_following:
            self.scroll_to(y=self.max_scroll_y, animate=False, immediate=True, force=True)
        self.refresh()

    def redraw(self) -> None:
        """Rows came or went: what is being read stays where it is."""
        top = self._top
        self.reload()
        place = self.source.place(top[0]) if top and not self.is_following else None
        if top is not None and place is not None and place[0] + top[1] != self.scroll_offset.y:
            self.scroll_to(y=place[0] + top[1], animate=False, immediate=True)

    def follow(self) -> None:
        self.is_following = True
        self.reload()

    def stay(self) -> None:
        """Stop following: the cursor is on one of the rows."""
        self.is_following = False
        self._remember()

    def to_top(self) -> None:
        self.scroll_to(y=0, animate=False, immediate=True)
        self.stay()
        self._scrolled()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.is_following = self.is_at_end
        self._remember()
        self._scrolled()

    def _remember(self) -> None:
        y = self.scroll_offset.y
        key = self.source.key(y) if y < len(self.source) else None
        place = self.source.place(key) if key is not None else None
        self._top = (key, y - place[0]) if key is not None and place is not None else None
