"""The journal a hub starts with, and what the hub remembers from it."""

import asyncio
import logging
import socket
from dataclasses import dataclass

from assent.config import LONGEST_MACHINE, Team
from assent.hub.asking.queues import Queues
from assent.hub.pipeline.pipeline import Pipeline
from assent.hub.recorder import Recorder
from assent.journal.base import Journal, JournalError
from assent.journal.choose import open_journal
from assent.journal.memory import AbsentJournal
from assent.paths import Paths

log = logging.getLogger("assent.hub")

# Enough to know every session that people might still look at, little enough to start at once.
REMEMBERED_RECORDS = 5_000
POLL = 1.0


def opened(url: str, paths: Paths) -> Journal:
    """The one the settings name, or one that keeps nothing and says why."""
    try:
        journal = open_journal(url, file=paths.journal, hub_file=paths.hub_id)
    except JournalError as error:
        return _absent(str(error))
    if journal.trouble:
        log.error("nothing will be allowed until the journal can be used: %s", journal.trouble)
    return journal


def _absent(why: str) -> AbsentJournal:
    log.error("no journal, so nothing will be allowed: %s", why)
    return AbsentJournal(f"{why}\nWhen that is done: assent restart")


def machine_name(settings: Team) -> str:
    """What people call this machine."""
    host = "".join(filter(str.isprintable, socket.gethostname().partition(".")[0])).strip()
    return settings.machine or host[:LONGEST_MACHINE] or "machine"


@dataclass(slots=True)
class Recall:
    """Knows again what the last life knew."""

    recorder: Recorder
    pipeline: Pipeline
    queues: Queues
    _later: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """At once where the journal can be read, later where its server is away, else the hub goes on without it."""
        try:
            await self._recall()
        except Exception as error:
            if self.recorder.journal.comes_back and isinstance(error, JournalError):
                self._later = asyncio.create_task(self._recall_later())
                return
            # Not a JournalError alone: in a damaged file anything may stand, and a hub that dies of it guards nothing.
            log.exception("the journal cannot be read")
            why = error if isinstance(error, JournalError) else "The journal is damaged: a record cannot be read."
            await self.recorder.go_on_with(_absent(str(why)))

    def stop(self) -> None:
        if self._later is not None:
            self._later.cancel()

    async def _recall(self) -> None:
        journal, live = self.recorder.journal, self.recorder.live
        records = await journal.tail(REMEMBERED_RECORDS)
        while records and records[-1].seq < live.seq:
            # Something was recorded meanwhile. Never at the start.
            records = await journal.tail(REMEMBERED_RECORDS)
        live.recall(records, await journal.head())
        self.pipeline.recall(records)
        self.queues.recall(records)

    async def _recall_later(self) -> None:
        """The journal's server is away: once it is back, know again what is in it."""
        while True:
            await asyncio.sleep(POLL)
            try:
                return await self._recall()
            except JournalError:
                pass  # Its trouble is told wherever people look.
