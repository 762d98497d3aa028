"""Background thread that fills the index, in small steps, when the hub has little to do."""

import logging
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from assent.journal import index as files
from assent.journal.index import Index, State
from assent.journal.schema import QUERY, each, head_of, open_for_reading
from assent.journal.tokens import tokens
from assent.protocol.record import Record

log = logging.getLogger("assent.journal")

# Fewer records than these are read as fast as they are looked up.
FEWEST = 2_000
# Not worth a step, and worth one even while the hub is busy.
ENOUGH, MUCH = 500, 20_000
BATCH = 1_000
# After so long without a record the hub is idle.
IDLE_SECONDS = 1.0
POLL_SECONDS = 2.0
# The hub's own start goes first.
START_SECONDS = 0.5
AFTER_TROUBLE_SECONDS = 60.0
CHECK_SECONDS = 3_600.0
# How long to rest after a step, in lengths of that step.
RESTS_IDLE, RESTS_BUSY = 1.0, 9.0


class Indexer:
    """A thread of its own with connections of its own. The journal is only read, and never for long."""

    def __init__(self, journal: Path, hub: str, index: Index) -> None:
        self._journal = journal
        self._hub = hub
        self._index = index
        self._reading: sqlite3.Connection | None = None
        self._writing: sqlite3.Connection | None = None
        self._boot = files.boot()
        self._head = 0
        self._grew = self._checked = time.monotonic()
        self._stopping = threading.Event()
        # A daemon thread: a process that did not close its journal must not wait for the index when it ends.
        self._thread = threading.Thread(target=self._run, name="journal-indexer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        """Blocks for the rest of one step."""
        self._stopping.set()
        if self.is_running:
            self._thread.join()
        if self._writing is not None:
            with suppress(sqlite3.Error):  # then the next hub makes it anew
                files.settle(self._writing)
        self._drop()

    def _run(self) -> None:
        rest, logged = START_SECONDS, ""
        while not self._stopping.wait(rest):
            try:
                rest = self.turn()
            except Exception as error:
                # Derived, so nothing is lost, and nothing here may end the thread: people search more slowly meanwhile.
                if str(error) != logged:
                    logged = str(error)
                    log.warning(
                        "the search index %s is not up to date, searches read instead: %s", self._index.path, logged
                    )
                if not isinstance(error, sqlite3.OperationalError | OSError):
                    self._index.distrust()
                self._drop()
                rest = AFTER_TROUBLE_SECONDS

    def turn(self) -> float:
        """One step if it is time for one; how long to rest after it."""
        if self._reading is None:
            self._reading = open_for_reading(self._journal)
        seq = head_of(self._reading, self._hub).seq
        now = time.monotonic()
        if seq != self._head:
            self._head, self._grew = seq, now
        behind = seq - self._index.through
        is_idle = now - self._grew >= IDLE_SECONDS
        if self._writing is None:
            if seq < FEWEST and not self._index.path.exists():
                return POLL_SECONDS
            self._begin(self._reading)
            return 0.0
        if self._index.is_broken or not self._index.path.exists():
            self._index.distrust()
            self._drop()
            return 0.0
        if is_idle and now - self._checked >= CHECK_SECONDS:
            self._check(self._reading)
            return 0.0
        if behind < ENOUGH or not (is_idle or behind >= MUCH):
            return POLL_SECONDS
        self._step(self._reading, self._writing)
        return (time.monotonic() - now) * (RESTS_IDLE if is_idle else RESTS_BUSY)

    def _begin(self, reading: sqlite3.Connection) -> None:
        """Go on with the index that is there, or make one."""
        self._writing = None if self._index.is_broken else files.reopen(self._index.path)
        state = self._state() if self._writing is not None else None
        if state is None or not self._is_of(state, reading):
            self._close_writing()
            self._writing = files.make(self._index.path)
            state = State(self._hub, 0, "", 0)
            self._writing.execute("INSERT INTO state VALUES (?, 0, '', 0, '')", (self._hub,))
        assert self._writing is not None
        self._writing.execute("UPDATE state SET boot = ?", (self._boot,))
        self._index.life += 1
        self._index.is_broken = False
        self._index.through = state.through
        self._checked = time.monotonic()

    def _check(self, reading: sqlite3.Connection) -> None:
        """Now and then, for records are pruned while the hub runs."""
        self._checked = time.monotonic()
        state = self._state()
        if state is None or not self._is_of(state, reading):
            self._index.distrust()

    def _state(self) -> State | None:
        assert self._writing is not None
        try:
            return files.state(self._writing)
        except sqlite3.Error:
            return None

    def _is_of(self, state: State, reading: sqlite3.Connection) -> bool:
        """Whether it is an index of this journal: numbers are given again where a journal was replaced or cut."""
        if state.hub != self._hub or state.boot not in ("", self._boot):
            return False
        (kept,) = reading.execute(QUERY["count"]).fetchone()
        # What was pruned cannot be taken out. It costs little until it is most of the index.
        if state.count > 2 * kept + FEWEST:
            return False
        newest = next(each(reading, QUERY["read"], self._hub, state.through - 1, state.through + 1, 1), None)
        return state.through == 0 or (newest is not None and newest.hash == state.hash)

    def _step(self, reading: sqlite3.Connection, writing: sqlite3.Connection) -> None:
        through = self._index.through
        records = list(each(reading, QUERY["read"], self._hub, through, self._head + 1, BATCH))
        if not records:
            return
        rows = [(record.seq, tokens(record)) for record in records]
        writing.execute("BEGIN IMMEDIATE")
        try:
            writing.executemany("INSERT INTO words (rowid, tokens) VALUES (?, ?)", rows)
            writing.execute("INSERT INTO runs VALUES (?, ?, ?, ?)", _run_of(records, after=through))
            newest = records[-1]
            writing.execute(
                "UPDATE state SET through = ?, hash = ?, count = count + ?", (newest.seq, newest.hash, len(records))
            )
            writing.execute("COMMIT")
        finally:
            writing.rollback()  # does nothing after COMMIT
        if not self._index.is_broken:
            self._index.through = newest.seq

    def _drop(self) -> None:
        self._close_writing()
        if self._reading is not None:
            self._reading.close()
            self._reading = None

    def _close_writing(self) -> None:
        if self._writing is not None:
            self._writing.close()
            self._writing = None


def _run_of(records: Sequence[Record], *, after: int) -> tuple[int, int, int, int]:
    times = [record.at for record in records]
    return after + 1, records[-1].seq, min(times), max(times)
