"""Background update of the statistics: reads the journal forward, page by page, at low priority."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from assent.hub import state_file
from assent.hub.recorder import Live
from assent.journal.base import Journal, JournalError
from assent.protocol.record import GENESIS, Record
from assent.views import stats as stats_view
from assent.views.report import Counted, report
from assent.views.stats import Stats

log = logging.getLogger("assent.hub")

T = TypeVar("T")

# Of what is counted and how. Another number on disk means: count again from the first record.
VERSION = 3
# Small, so that a hook that arrives meanwhile hardly waits.
PAGE = 250
# Between two looks for new records.
INTERVAL = 2.0
# Between two pages: as long as the page took, that much longer for so many events a second, never longer than this.
CALM_RATE = 5.0
LONGEST_PAUSE = 0.5
SHORTEST_PAUSE = 0.005
AFTER_FAILURE = 10.0
SAVE_EVERY = 60.0
# How long a reader waits for the newest records to be counted.
PATIENCE = 1.0


class Kept(msgspec.Struct, omit_defaults=True):
    """Statistics, and the record up to which they count."""

    hub: str
    version: int = VERSION
    seq: int = 0
    hash: str = GENESIS
    stats: Stats = msgspec.field(default_factory=Stats)


@dataclass(slots=True)
class Statistics:
    journal: Journal
    live: Live
    path: Path
    _kept: Kept = field(init=False)
    _saved: int = 0
    # When events were counted last, and how many there were.
    _noticed: tuple[float, int] = (0.0, 0)
    _saved_at: float = field(default_factory=time.monotonic)
    # One thread: counting, reporting and saving never meet.
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="statistics"))
    _wanted: asyncio.Event = field(default_factory=asyncio.Event)
    _moved: asyncio.Condition = field(default_factory=asyncio.Condition)

    def __post_init__(self) -> None:
        self._kept = Kept(self.journal.hub)

    @property
    def counted(self) -> int:
        return self._kept.seq

    async def run_forever(self) -> None:
        loaded = False
        while True:
            try:
                loaded = loaded or await self._load()
                await self._rest(await self._count())
            except (JournalError, OSError) as error:
                log.warning("statistics are not up to date: %s", error)
                await asyncio.sleep(AFTER_FAILURE)

    async def report(self, *, since: str, until: str, wanted: Callable[[str], bool]) -> Counted:
        """What is counted by now, after a moment of patience for the newest records."""
        target = self.live.seq
        self._wanted.set()
        try:
            async with asyncio.timeout(PATIENCE), self._moved:
                await self._moved.wait_for(lambda: self.counted >= target)
        except TimeoutError:
            pass  # Then the answer says how far it is.
        finally:
            self._wanted.clear()

        def told() -> Counted:
            counted = report(self._kept.stats.cells, since=since, until=until, wanted=wanted)
            return Counted(complete=self.counted >= target, counted=self.counted, of=target, report=counted)

        return await self._off_the_loop(told)

    async def close(self) -> None:
        """After ``run_forever`` was cancelled."""
        try:
            if self.counted > self._saved:
                await self._save()
        except OSError as error:
            log.warning("statistics were not kept, and are counted again: %s", error)
        self._thread.shutdown()

    async def _load(self) -> bool:
        saved = await self._off_the_loop(lambda: _read(self.path))
        if saved and saved.hub == self.journal.hub and saved.version == VERSION and await self._follows(saved):
            self._kept, self._saved = saved, saved.seq
        elif saved:
            log.info("the statistics on disk do not belong to this journal: counting again")
        return True

    async def _follows(self, saved: Kept) -> bool:
        """Whether the record up to which it counts is still the one it was."""
        if saved.seq == 0:
            return saved.hash == GENESIS
        records = await self.journal.read(after=saved.seq - 1, limit=1)
        return bool(records) and (records[0].seq, records[0].hash) == (saved.seq, saved.hash)

    async def _count(self) -> float:
        """Count one page; how long to rest after it."""
        if self.live.seq <= self.counted:
            if self._saved < self.counted and time.monotonic() - self._saved_at > SAVE_EVERY:
                await self._save()
            return INTERVAL
        began = time.monotonic()
        records = await self.journal.read(after=self.counted, limit=PAGE)
        if not records:
            return INTERVAL
        await self._off_the_loop(lambda: self._fold(records))
        async with self._moved:
            self._moved.notify_all()
        if time.monotonic() - self._saved_at > SAVE_EVERY:
            await self._save()
        return pause_after(time.monotonic() - began, self._rate())

    def _rate(self) -> float:
        """Events a second since this was asked last."""
        then, before = self._noticed
        self._noticed = now, events = time.monotonic(), self.live.events
        return (events - before) / max(now - then, SHORTEST_PAUSE)

    def _fold(self, records: Sequence[Record]) -> None:
        for record in records:
            stats_view.fold(self._kept.stats, record)
        self._kept.seq, self._kept.hash = records[-1].seq, records[-1].hash

    async def _rest(self, pause: float) -> None:
        """Until a summary is wanted, and always for a moment: other tasks run meanwhile."""
        await asyncio.sleep(SHORTEST_PAUSE)
        try:
            async with asyncio.timeout(pause):
                await self._wanted.wait()
        except TimeoutError:
            pass

    async def _save(self) -> None:
        self._saved, self._saved_at = self.counted, time.monotonic()
        await self._off_the_loop(lambda: state_file.write(self.path, msgspec.json.encode(self._kept)))

    async def _off_the_loop(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def pause_after(took: float, rate: float) -> float:
    """How long to rest after a page: half of the time in a quiet hub, nearly all of it in a busy one."""
    return min(took * (1 + rate / CALM_RATE), LONGEST_PAUSE)


def _read(path: Path) -> Kept | None:
    content = state_file.read(path)
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=Kept)
    except (msgspec.DecodeError, RecursionError):
        return None
