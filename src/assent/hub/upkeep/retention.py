"""Retention and backups of the journal: pruning by age and size, once an hour or on request."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from assent.hub.bus import now_ms
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.journal import backup, prune
from assent.journal.backup import Copied
from assent.journal.base import Journal, JournalError
from assent.journal.prune import Pruned, Pruning, Report
from assent.journal.sqlite import SqliteJournal
from assent.protocol.record import Record

log = logging.getLogger("assent.hub")

# A hub that just started has other things to do.
FIRST = 120.0
INTERVAL = 3600.0
# Pruned to somewhat less than may be, so that it need not be done every hour.
SPARE = 0.9
EVIDENCE_SPARED = timedelta(days=30)
# What a hub reads when it starts stays, however large it is.
NEWEST = 5_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What may stay."""

    keep: timedelta | None = None
    max_size: int | None = None


class Publishes(Protocol):
    def publish(self, records: tuple[Record, ...]) -> None:
        """Tell the listeners, after what was written before."""


class Progress(Protocol):
    def __call__(self, done: int, of: int) -> None: ...


@dataclass(slots=True)
class Retention:
    journal: Journal
    policy: SettingsInForce
    recorder: Publishes
    # Where backups go that were given no place.
    backups: Path
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)
    _working: set[asyncio.Task[Any]] = field(default_factory=set)

    async def run_forever(self) -> None:
        await asyncio.sleep(FIRST)
        while True:
            try:
                await self.keep_to_settings()
            except JournalError as error:
                log.warning("%s", error.message)
            await asyncio.sleep(INTERVAL)

    def stop(self) -> None:
        """End whatever is going on: what was done until then holds."""
        for task in self._working:
            task.cancel()

    async def keep_to_settings(self) -> None:
        result = await self.prune(self.limits(), by="hub:prune")
        if result.removed:
            log.info(
                "pruned %d records, %d older ones are left as evidence, %d MiB in use",
                result.removed,
                result.left,
                result.size_after >> 20,
            )

    def limits(self) -> Limits:
        settings = self.policy.config.journal
        return Limits(settings.keep, settings.max_size)

    async def plan(self, limits: Limits, report: Report | None = None) -> Pruned:
        """What ``prune`` would remove."""
        async with self._turn():
            wanted = await self._wanted(limits)
            return await prune.plan(self.journal, wanted, report=report) if wanted else await self._nothing()

    async def prune(self, limits: Limits, *, by: str, report: Report | None = None) -> Pruned:
        """Remove what is older than may be, and the oldest of what is more than may be."""
        async with self._turn():
            wanted = await self._wanted(limits, by)
            if wanted is None:
                return await self._nothing()
            return await prune.prune(self.journal, wanted, now=now_ms, on_removed=self._publish, report=report)

    async def back_up(self, to: Path | None, report: Progress) -> Copied:
        journal = self.journal
        if journal.trouble:
            raise JournalError(f"Not backed up: {journal.trouble}")
        if not isinstance(journal, SqliteJournal):
            raise JournalError(
                "Not backed up: this journal is not kept in a file of the hub.",
                hint="A journal in PostgreSQL is backed up with PostgreSQL's own tools, such as pg_dump.",
            )
        target = to or self._dated()
        loop = asyncio.get_running_loop()
        stopped = threading.Event()

        def tell(done: int, of: int) -> None:
            loop.call_soon_threadsafe(report, done, of)

        async with self._turn():
            try:
                return await asyncio.to_thread(
                    backup.back_up, journal.path, target, report=tell, is_stopped=stopped.is_set
                )
            finally:
                # Reached before the thread has ended only if the caller is gone.
                stopped.set()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        task = asyncio.current_task()
        assert task is not None
        self._working.add(task)
        try:
            async with self._one_at_a_time:
                yield
        finally:
            self._working.discard(task)

    async def _wanted(self, limits: Limits, by: str = "") -> Pruning | None:
        """None if nothing is too old and all of it fits: then two short questions are all it costs."""
        now = now_ms()
        before = None if limits.keep is None else now - _ms(limits.keep)
        oldest = await self.journal.read(limit=1)
        is_old = before is not None and bool(oldest) and oldest[0].at < before
        too_large = limits.max_size if limits.max_size and await self.journal.size() > limits.max_size else None
        if not is_old and too_large is None:
            return None
        return Pruning(
            before=before,
            down_to=None if too_large is None else int(too_large * SPARE),
            spare_since=now - _ms(EVIDENCE_SPARED),
            newest=NEWEST,
            why=" and ".join(["age"] * is_old + ["size"] * (too_large is not None)),
            by=by,
        )

    def _dated(self) -> Path:
        self.backups.mkdir(mode=0o700, exist_ok=True)
        return self.backups / datetime.now().strftime("journal-%Y-%m-%d-%H%M%S.db")

    async def _nothing(self) -> Pruned:
        size = await self.journal.size()
        return Pruned(size_before=size, size_after=size)

    def _publish(self, record: Record) -> None:
        self.recorder.publish((record,))


def _ms(span: timedelta) -> int:
    return int(span.total_seconds() * 1000)
