"""The decisions that are read so far, as a source of lines: the newest on top, drawn when they are looked at."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from assent.mirror import Mirror
from assent.tui.drawing.listing import Entry, Listing, note
from assent.tui.drawing.text import Line
from assent.tui.log import rows as log_rows
from assent.views.decisions import DecisionRow


@dataclass(slots=True)
class Decisions:
    mirror: Mirror
    devices: dict[str, str] = field(default_factory=dict)
    # What stands above them.
    top: Sequence[Entry] = ()
    # How many came while somebody was looking at others.
    fresh: int = 0
    rows: list[DecisionRow] = field(default_factory=list)

    @property
    def newest(self) -> int:
        return self.rows[0].seq if self.rows else 0

    def clear(self) -> None:
        self.rows, self.fresh = [], 0

    def add(self, rows: Sequence[DecisionRow]) -> None:
        """A page may tell an earlier decision about the same call with the later one, and one that is known with what
        became of it meanwhile."""
        newest = self.newest
        if newest:
            self.fresh += sum(row.seq > newest for row in rows)
        known = {row.seq: row for row in self.rows} | {row.seq: row for row in rows}
        self.rows = sorted(known.values(), key=lambda row: -row.seq)

    def snapshot(self, empty: str) -> "Shown":
        """As it is now: what a list shows must not change under it."""
        above = Listing([*self.top, *(() if self.rows else (note(empty),))])
        places = {str(row.seq): place for place, row in enumerate(self.rows)}
        return Shown(above, list(self.rows), places, self)


@dataclass(frozen=True, slots=True)
class Shown:
    above: Listing
    rows: list[DecisionRow]
    places: dict[str, int]
    of: Decisions

    def __len__(self) -> int:
        return len(self.above) + len(self.rows)

    def line(self, y: int, width: int, *, is_selected: bool) -> Line:
        if y < len(self.above):
            return self.above.line(y, width, is_selected=is_selected)
        row, mirror = self.rows[y - len(self.above)], self.of.mirror
        session = mirror.sessions.get(row.session or "")
        device = self.of.devices.get(row.device, row.device)
        return log_rows.line(row, session, device, mirror.now(), width, is_selected=is_selected)

    def key(self, y: int) -> str | None:
        return self.above.key(y) if y < len(self.above) else str(self.rows[y - len(self.above)].seq)

    def place(self, key: str) -> tuple[int, int] | None:
        if (above := self.above.place(key)) is not None:
            return above
        return (len(self.above) + self.places[key], 1) if key in self.places else None
