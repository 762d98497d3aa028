"""Sends decisions and answers to a collector: a cursor over the hub's own journal, moved when they were taken.

The journal is the buffer, so an outage loses nothing and needs no memory. What is sent again after a lost reply has the
same ``log.record.uid``."""

import asyncio
import logging
import random
import socket
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from assent.config import Export
from assent.hub import state_file
from assent.hub.bus import now_ms
from assent.hub.export import otlp
from assent.hub.export.collector import Collector, NotSentError
from assent.hub.export.otlp import Subject
from assent.hub.pipeline.policy_in_force import SettingsInForce
from assent.hub.recorder import Live
from assent.journal.base import Chain, Journal, JournalError
from assent.protocol.record import GENESIS, Record

log = logging.getLogger("assent.hub")

# Another number on disk: the file is of another version, and is left alone.
VERSION = 1
# Records that are read at a time, and so the most that are held.
PAGE = 200
# Between two looks for new records, and between two pages while there are more.
INTERVAL = 2.0
SHORTEST_PAUSE = 0.02
FIRST_DELAY = 1.0
LONGEST_DELAY = 60.0
SAVE_EVERY = 1.0
# Events whose decision may still come: people take their time.
REMEMBERED = 1_000
# Records that are refused one by one before a collector counts as one that takes nothing.
MOST_SUSPECTS = 10
MOST_MARKS = 32


class Mark(Struct, frozen=True, array_like=True):
    """A place in the chain."""

    seq: int = 0
    hash: str = GENESIS


class Kept(Struct, omit_defaults=True):
    """Places up to which all was taken, the newest last. A chain may go on from an older one: from a backup, or from a
    copy of its database that lagged behind."""

    hub: str
    version: int = VERSION
    marks: list[Mark] = []

    @property
    def newest(self) -> Mark:
        return self.marks[-1] if self.marks else Mark()

    def add(self, record: Record) -> None:
        self.marks.append(Mark(record.seq, record.hash))
        if len(self.marks) > MOST_MARKS:
            # The older they are, the wider apart.
            self.marks = [*self.marks[: MOST_MARKS // 2 : 2], *self.marks[MOST_MARKS // 2 :]]


Item = tuple[Record, Subject]


@dataclass(slots=True)
class Exporter:
    journal: Journal
    live: Live
    policy: SettingsInForce
    path: Path
    host: str = field(default_factory=socket.gethostname)
    # Why nothing is taken, in a sentence; "" while it is.
    trouble: str = ""
    # Since the hub started: how many were taken, and how many were refused for good.
    sent: int = 0
    refused: int = 0
    last_sent_at: int | None = None
    _kept: Kept | None = None
    _saved: Mark | None = None
    _saved_at: float = 0.0
    _delay: float = FIRST_DELAY
    _collector: Collector | None = None
    _subjects: "OrderedDict[str, Subject]" = field(default_factory=OrderedDict)
    _suspects: list[Item] = field(default_factory=list)
    # Whether something of the present page was taken.
    _takes: bool = False
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def on_settings(self) -> None:
        current = self._collector.settings if self._collector else Export()
        if self.policy.config.export != current:
            self._woken.set()

    async def run_forever(self) -> None:
        while True:
            self._woken.clear()
            collector = await self._chosen()
            if collector is None:
                await self._woken.wait()
            else:
                await self._rest(await self._step(collector))

    async def close(self) -> None:
        """After ``run_forever`` was cancelled."""
        try:
            await self._save()
        except OSError as error:
            log.warning("how far the record was exported was not kept: %s", error)
        if self._collector is not None:
            await self._collector.close()

    def told(self) -> dict[str, Any] | None:
        """For status and doctor; None where nothing is exported."""
        if self._collector is None:
            return None
        through = self._kept.newest.seq if self._kept else None
        return {
            "otlp": self._collector.place,
            "trouble": self.trouble,
            "sent": self.sent,
            "refused": self.refused,
            "last_sent_at": self.last_sent_at,
            "through": through,
            "behind": max(0, self.live.seq - through) if through is not None else 0,
        }

    async def _chosen(self) -> Collector | None:
        settings: Export = self.policy.config.export
        current = self._collector
        if current is not None and current.settings == settings:
            return current
        if current is not None:
            await current.close()
        self.trouble, self._delay = "", FIRST_DELAY
        self._collector = Collector(settings) if settings.otlp else None
        return self._collector

    async def _step(self, collector: Collector) -> float:
        """Send one page; how long to rest after it."""
        try:
            records = await self._next()
            if not records:
                await self._save()
                return INTERVAL
            await self._page(collector, records)
        except NotSentError as error:
            return self._later(error.why, error.retry_after)
        except (JournalError, OSError) as error:
            return self._later(f"the journal cannot be read: {error}", None)
        except Exception as error:
            # A hub that goes on and exports nothing must say so.
            log.exception("the export failed")
            return self._later(f"it failed ({type(error).__name__}); the hub's log says more", None)
        self._worked()
        return SHORTEST_PAUSE if len(records) == PAGE else INTERVAL

    async def _next(self) -> list[Record]:
        """The records after those that were taken."""
        if self.journal.trouble:
            raise JournalError(self.journal.trouble)
        if self._kept is None:
            await self._load()
        assert self._kept is not None
        after = self._kept.newest
        if self.live.seq == after.seq:
            return []
        records = await self.journal.read(after=after.seq, limit=PAGE)
        if self.live.seq < after.seq or (records and records[0].seq == after.seq + 1 and records[0].prev != after.hash):
            # The chain is not the one it was.
            await self._go_back(self._kept)
            return await self.journal.read(after=self._kept.newest.seq, limit=PAGE)
        if records and records[0].seq > after.seq + 1:
            log.warning("records after %d were pruned before they were exported", after.seq)
        return records

    async def _page(self, collector: Collector, records: list[Record]) -> None:
        items = [(record, await self._subject(record)) for record in records if self._is_wanted(record)]
        self._suspects.clear()
        self._takes = False
        await self._send(collector, items)
        if self._suspects:
            if not self._takes:
                raise NotSentError("it refuses every record it is sent")
            # Once more, now that others were taken: a collector may have refused everything a moment ago.
            suspects, self._suspects = self._suspects, []
            for item in suspects:
                await self._send(collector, [item])
            self.refused += len(self._suspects)
            if numbers := ", ".join(str(record.seq) for record, _ in self._suspects):
                log.warning("%s refused the records %s; the others were taken", collector.place, numbers)
        self._move(records[-1])
        if time.monotonic() - self._saved_at > SAVE_EVERY:
            await self._save()

    def _is_wanted(self, record: Record) -> bool:
        if record.kind == "event" and record.request:
            self._subjects[record.request] = otlp.subject(record)
            if len(self._subjects) > REMEMBERED:
                self._subjects.popitem(last=False)
        return record.kind in otlp.KINDS

    async def _subject(self, record: Record) -> Subject:
        about = self._subjects.get(record.request or "")
        if record.kind == "decision":
            # The last of its request; an answer comes before it.
            self._subjects.pop(record.request or "", None)
        if about is None and record.call:
            story = await self.journal.story(record.call)
            event = next((each for each in story if each.kind == "event" and each.request == record.request), None)
            about = otlp.subject(event) if event else None
        return about or Subject()

    async def _send(self, collector: Collector, items: list[Item]) -> None:
        """All at once; where that is refused for what is in it, in halves, down to single records."""
        if not items:
            return
        message = await asyncio.to_thread(otlp.request, items, host=self.host, now_ns=time.time_ns())
        try:
            taken = await collector.send(message)
        except NotSentError as error:
            if not error.about_content or (not self._takes and len(self._suspects) >= MOST_SUSPECTS):
                raise
            if len(items) == 1:
                self._suspects.append(items[0])
                return
            middle = len(items) // 2
            await self._send(collector, items[:middle])
            await self._send(collector, items[middle:])
            return
        if taken.rejected:
            self.refused += taken.rejected
            log.warning(
                "%s took %d of %d records: %s", collector.place, len(items) - taken.rejected, len(items), taken.words
            )
        self._takes = True
        self.sent += len(items) - taken.rejected
        self.last_sent_at = now_ms()
        if not self._suspects:
            self._move(items[-1][0])

    def _move(self, through: Record) -> None:
        assert self._kept is not None
        if through.seq > self._kept.newest.seq:
            self._kept.add(through)

    def _worked(self) -> None:
        if self.trouble:
            log.info("the export goes on")
        self.trouble, self._delay = "", FIRST_DELAY

    def _later(self, why: str, after: float | None) -> float:
        if why != self.trouble:
            log.warning("decisions and answers are not exported for now: %s", why)
        self.trouble = why
        # Hubs that lost the same collector do not come back to it in the same moment.
        pause = self._delay * random.uniform(0.5, 1.0)  # noqa: S311 - nothing secret
        self._delay = min(2 * self._delay, LONGEST_DELAY)
        return max(pause, after or 0.0)

    async def _rest(self, pause: float) -> None:
        try:
            async with asyncio.timeout(pause):
                await self._woken.wait()
        except TimeoutError:
            pass

    async def _load(self) -> None:
        content = await asyncio.to_thread(state_file.read, self.path)
        if content is None:
            # Exported from now on; what was before is in the journal.
            head = await self.journal.head()
            self._kept = Kept(self.journal.hub, marks=[Mark(head.seq, head.hash)])
            await self._save()
            return
        kept = _read(content)
        if kept is None or kept.hub != self.journal.hub or kept.version != VERSION:
            log.warning("how far this record was exported is not known: it is sent from its beginning")
            kept = Kept(self.journal.hub)
        await self._go_back(kept)
        self._kept = kept

    async def _go_back(self, kept: Kept) -> None:
        """To the newest place that is in the chain as it is now."""
        newest = kept.newest.seq
        while kept.marks and not await _is_in(self.journal, kept.newest):
            kept.marks.pop()
        if kept.newest.seq != newest:
            log.warning(
                "the chain no longer holds record %d as it was: exported again from %d", newest, kept.newest.seq
            )

    async def _save(self) -> None:
        kept = self._kept
        if kept is None or kept.newest == self._saved:
            return
        await asyncio.to_thread(state_file.write, self.path, msgspec.json.encode(kept))
        self._saved, self._saved_at = kept.newest, time.monotonic()


async def _is_in(chain: Chain, mark: Mark) -> bool:
    """The record itself may have been pruned since."""
    records = await chain.read(after=mark.seq - 1, limit=1)
    return bool(records) and (records[0].seq > mark.seq or records[0].hash == mark.hash)


def _read(content: bytes | None) -> Kept | None:
    try:
        return msgspec.json.decode(content, type=Kept) if content else None
    except (msgspec.DecodeError, RecursionError):
        return None
