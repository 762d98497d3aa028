"""Rows of the feed, oldest first: many of them, of which each change costs the same however many there are. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

import msgspec

from assent.views.feed import Row, Said

MOST = 100_000
# So many are forgotten at once, so that forgetting costs little.
AT_ONCE = 5_000
_MOST_SHARED = 10_000

Wanted = Callable[[Row], bool]


class FeedRows:
    """A row keeps its place, a number that grows by one, until it is forgotten; older rows get lower places."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._rows: list[Row] = []
        self._places: dict[str, int] = {}
        self.first = 0
        self.views: list[View] = []
        self._shared: dict[str | Said, str | Said] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def end(self) -> int:
        """The place after the newest."""
        return self.first + len(self._rows)

    def at(self, place: int) -> Row:
        return self._rows[place - self.first]

    def get(self, key: str) -> Row | None:
        place = self._places.get(key)
        return None if place is None else self.at(place)

    def place(self, key: str) -> int | None:
        return self._places.get(key)

    def newest(self, most: int) -> Sequence[Row]:
        """Newest first."""
        return self._rows[: -most - 1 : -1]

    def put(self, row: Row) -> None:
        """New, or newer than the one of the same id."""
        place = self._places.get(row.id)
        if place is None:
            return self._add(self._slim(row))
        if self.at(place).rev <= row.rev:
            row = self._rows[place - self.first] = self._slim(row)
            for view in self.views:
                view.changed(place, row)
        return None

    def put_older(self, rows: Iterable[Row]) -> int:
        """Newest first, as the hub tells them; how many were not known."""
        before = self._rows[0].seq if self._rows else None
        older = [row for row in rows if row.id not in self._places and (before is None or row.seq < before)]
        older = older[: max(0, self._most - len(self._rows))][::-1]
        self.first -= len(older)
        self._rows[:0] = [self._slim(row) for row in older]
        self._places.update((row.id, self.first + at) for at, row in enumerate(older))
        for view in self.views:
            view.look_back(len(older))
        return len(older)

    def clear(self) -> None:
        self._rows, self._places, self.first = [], {}, 0
        for view in self.views:
            view.begin(view.wanted)

    def _add(self, row: Row) -> None:
        if self._rows and row.seq < self._rows[-1].seq:
            return self._insert(row)
        place = self._places[row.id] = self.end
        self._rows.append(row)
        for view in self.views:
            view.added(place, row)
        if len(self._rows) > self._most + AT_ONCE:
            self._forget()
        return None

    def _insert(self, row: Row) -> None:
        """Seldom: what was missed comes in the order in which it changed, not in which it began."""
        at = bisect_right(self._rows, row.seq, key=lambda other: other.seq)
        self._rows.insert(at, row)
        for place in range(self.first + at, self.end):
            self._places[self.at(place).id] = place
        for view in self.views:
            view.inserted(self.first + at, row)

    def _forget(self) -> None:
        for row in self._rows[:AT_ONCE]:
            del self._places[row.id]
        del self._rows[:AT_ONCE]
        self.first += AT_ONCE
        for view in self.views:
            view.forgotten()

    def _slim(self, row: Row) -> Row:
        """The same words are kept once, whatever number of rows says them."""
        shared = self._shared
        if len(shared) > _MOST_SHARED:
            shared.clear()
        changes = {}
        for name in ("session", "agent", "agent_type", "name", "risk", "said"):
            value = getattr(row, name)
            if value and (kept := shared.setdefault(value, value)) is not value:
                changes[name] = kept
        return msgspec.structs.replace(row, **changes) if changes else row


class View:
    """The rows that are wanted, by their places. Old ones are looked at in slices, the newest first."""

    def __init__(self, rows: FeedRows, wanted: Wanted | None = None) -> None:
        self._rows = rows
        self.places: list[int] = []
        self.begin(wanted)
        rows.views.append(self)

    def begin(self, wanted: Wanted | None) -> None:
        self.wanted = wanted
        # Rows before this place are still to be looked at.
        self.seen_from = self._rows.end
        self.places = []
        if wanted is None:
            self.seen_from = self._rows.first
            self.places = list(range(self._rows.first, self._rows.end))

    @property
    def is_whole(self) -> bool:
        return self.seen_from <= self._rows.first

    def look_back(self, most: int) -> int:
        """At so many older rows; how many are wanted."""
        start = max(self._rows.first, self.seen_from - most)
        slice_ = range(start, self.seen_from)
        places = list(slice_) if self.wanted is None else [at for at in slice_ if self.wanted(self._rows.at(at))]
        self.places[:0] = places
        self.seen_from = start
        return len(places)

    def added(self, place: int, row: Row) -> None:
        if self.wanted is None or self.wanted(row):
            self.places.append(place)

    def changed(self, place: int, row: Row) -> None:
        if self.wanted is None or place < self.seen_from:
            return
        at = bisect_left(self.places, place)
        is_in = at < len(self.places) and self.places[at] == place
        is_wanted = self.wanted(row)
        if is_wanted and not is_in:
            self.places.insert(at, place)
        elif is_in and not is_wanted:
            del self.places[at]

    def inserted(self, place: int, row: Row) -> None:
        at = bisect_left(self.places, place)
        self.places[at:] = [later + 1 for later in self.places[at:]]
        if place < self.seen_from:
            self.seen_from += 1
        elif self.wanted is None or self.wanted(row):
            self.places.insert(at, place)

    def forgotten(self) -> None:
        del self.places[: bisect_left(self.places, self._rows.first)]
        self.seen_from = max(self.seen_from, self._rows.first)
