"""A lane for each session that is live, side by side: who does what right now. Pure."""

from collections import deque
from collections.abc import Iterable, Sequence

from assent.tui.drawing.text import Line, fit, inert, pad
from assent.tui.feed import row as feed_row
from assent.tui.feed.rows import FeedRows
from assent.views.feed import Row
from assent.views.sessions import Session
from assent.words.who import hue, letters, project_of

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
        known = {session.id for session in live}
        self._keys = {session: keys for session, keys in self._keys.items() if session in known}
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
        return len(known) - len(self._keys)

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
        title = inert(session.title) if session and session.title else ""
        ground = " on:raised" if name == self.chosen else ""
        words: Sequence[tuple[str, str]] = (
            (f"{'▸' if name == self.chosen else ' '}[{letters(project)}] ", f"hue-{hue(name)} strong{ground}"),
            (" · ".join(filter(None, (project, title, session.state if session else ""))), f"text{ground}"),
        )
        return pad(fit(list(words), cells), cells, ground.strip())
