"""Rows of the feed and the container that keeps the newest of them. What changes them is in ``feed``."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from msgspec import Struct

from assent.protocol.record import Record
from assent.text.safe import plain_line

Kind = Literal["call", "turn", "agent", "session", "notice", "event", "unknown", "ask", "gap", "hub"]
# "unfinished": the turn, the sub-agent or the session ended, and what became of this was never reported.
State = Literal["", "running", "prompted", "done", "failed", "denied", "unfinished"]

MOST_ROWS = 2_000
LONGEST = 300
# Of one row; the log has the rest.
MOST_PARTS = 100
# So many events without a call are remembered for what comes later about them.
_MOST_REMEMBERED = 1_000

OPEN = frozenset({"running", "prompted"})


class Said(Struct, frozen=True, omit_defaults=True, gc=False):
    """What was decided, by whom, and why."""

    decision: str
    by: str = ""
    why: str = ""


# A terminal holds a hundred thousand of them, and none can be part of a cycle.
class Row(Struct, frozen=True, omit_defaults=True, gc=False):
    # Stable: the call's id, or ``r`` and the seq of the record that opened the row.
    id: str
    # The seq of the record that changed it last: a higher one is newer.
    rev: int
    seq: int
    at: int
    kind: Kind
    session: str | None = None
    agent: str | None = None
    agent_type: str = ""
    # The tool, or the event's name where there is none, as the record has it.
    name: str = ""
    # The same for people, where that is another word.
    label: str = ""
    what: str = ""
    state: State = ""
    took_ms: float | None = None
    risk: str | None = None
    said: Said | None = None
    # The same for people; "" where nothing is worth a word.
    told: str = ""
    # The error of a failure, the last message of a turn, how people were reached.
    note: str = ""
    # Its beginning was not recorded.
    partial: bool = False
    # What a person was asked about it.
    ask: str = ""
    # Further records that belong to it and do not have its call's id.
    parts: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        return self.label or self.name

    @property
    def numbers(self) -> str:
        """What the log is asked for to tell everything about it."""
        return ",".join(str(seq) for seq in (self.seq, *self.parts))


@dataclass(slots=True)
class Feed:
    """The newest rows by id, oldest first, and which of them may still change."""

    most: int = MOST_ROWS
    rows: dict[str, Row] = field(default_factory=dict)
    _open: dict[str, dict[str, None]] = field(default_factory=dict)
    # Rows of what has no call: by the request of an event, and by the item of a queue.
    _about: dict[str, str] = field(default_factory=dict)

    def newest(self, limit: int, before: int | None = None, session: str | None = None) -> list[Row]:
        rows: list[Row] = []
        for row in reversed(self.rows.values()):
            if len(rows) >= limit:
                break
            if (before is None or row.seq < before) and session in (None, row.session):
                rows.append(row)
        return rows

    def changed_after(self, seq: int) -> dict[int, list[Row]]:
        """Rows by the record that changed them last."""
        changed: dict[int, list[Row]] = {}
        for row in self.rows.values():
            if row.rev > seq:
                changed.setdefault(row.rev, []).append(row)
        return changed

    def put(self, row: Row) -> Row:
        self.rows[row.id] = row
        if row.session is not None:
            if row.state in OPEN:
                self._open.setdefault(row.session, {})[row.id] = None
            else:
                self._close(row)
        if len(self.rows) > self.most:
            self._close(self.rows.pop(next(iter(self.rows))))
        return row

    def change(self, row: Row, record: Record, **changes: Any) -> Row:
        """Fold a record into a row that was there before."""
        if record.call != row.id:
            changes["parts"] = (*row.parts, record.seq)[-MOST_PARTS:]
        return self.put(msgspec.structs.replace(row, rev=record.seq, **changes))

    def open_rows(self, session: str | None) -> Iterator[Row]:
        """Oldest first."""
        for row_id in tuple(self._open.get(session or "", ())):
            yield self.rows[row_id]

    def nearest(self, session: str | None, wanted: Callable[[Row], bool] = lambda _: True) -> Row | None:
        """The newest row of a session that is wanted. For what comes seldom: all rows are looked at."""
        rows = reversed(self.rows.values())
        return next((row for row in rows if row.session == session and wanted(row)), None)

    def remember(self, key: str | None, row: Row) -> None:
        if key is not None:
            self._about.pop(key, None)
            self._about[key] = row.id
            if len(self._about) > _MOST_REMEMBERED:
                del self._about[next(iter(self._about))]

    def remembered(self, key: str | None) -> Row | None:
        return self.rows.get(self._about.get(key, "")) if key is not None else None

    def about(self, record: Record) -> Row | None:
        """The row of the event with the same call or request."""
        if record.call is not None and record.call in self.rows:
            return self.rows[record.call]
        return self.remembered(record.request)

    def _close(self, row: Row) -> None:
        open_rows = self._open.get(row.session or "")
        if open_rows is not None:
            open_rows.pop(row.id, None)
            if not open_rows:
                del self._open[row.session or ""]


def opened(record: Record, kind: Kind, **fields: Any) -> Row:
    payload = record.body.get("payload") or {}
    return Row(
        **{
            "id": f"r{record.seq}",
            "rev": record.seq,
            "seq": record.seq,
            "at": record.at,
            "kind": kind,
            "session": record.session,
            "agent": record.agent,
            "agent_type": plain_line(str(payload.get("agent_type") or "")) if record.agent else "",
            **fields,
        }
    )


def text(value: object) -> str:
    return plain_line(str(value), LONGEST) if value else ""
