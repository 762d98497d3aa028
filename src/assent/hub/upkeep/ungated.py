"""Alarms about agents that work past the gate: hooks gone or off, others who decide, sessions without events, calls
that were not judged or ran differently.

They make tampering visible. Nothing here changes a setting."""

import asyncio
import logging
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from assent.harnesses import registry
from assent.harnesses.base import Transcripts
from assent.hub.bus import Seconds
from assent.hub.recorder import Live, Recording
from assent.hub.upkeep.client_settings import A_DAY, ClientSettings, Fault
from assent.protocol.events import Event, ToolEvent
from assent.redact import Redactor

log = logging.getLogger("assent.hub")

MOST_FOLDERS = 300
MOST_TRANSCRIPTS = 3_000
MOST_ALARMS = 20
# Between two looks at the settings, and at folders in which a transcript appeared, seconds.
EVERY = 1.0
# Between two looks at all transcripts.
TRANSCRIPTS_EVERY = 20.0
# The first event of a session is on the way for so long at most.
GRACE = 2.0
# A transcript written to within this time belongs to a session at work.
AT_WORK = 60.0
# An incident is shown for so long; its record stays.
SHOWN_FOR = 600.0


class OffersRepair(Protocol):
    def offer(self, faults: list[Fault]) -> None:
        """What is wrong now."""


@dataclass(slots=True)
class Ungated:
    settings: ClientSettings
    live: Live
    recorder: Recording
    # Names of tools are the agent's words.
    redactor: Redactor
    # Asks people about files that could be put back.
    put_back: OffersRepair | None = None
    clock: Seconds = time.time
    # Sentences that hold now, and until when where they are about something that happened once.
    _alarms: dict[str, float | None] = field(default_factory=dict)
    # Sessions with a transcript but no events, and since when.
    _unknown: dict[str, float] = field(default_factory=dict)
    _next_transcripts: float = 0.0
    # Folders of transcripts, and when something last appeared in them.
    _folders_seen: dict[Path, int] = field(default_factory=dict)

    @property
    def alarms(self) -> list[str]:
        return list(self._alarms)

    async def run_forever(self) -> None:
        while True:
            try:
                await self.look()
            except OSError as error:
                log.warning("the settings of agents could not be looked at: %s", error)
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """At everything that may have changed since the last time."""
        now = self.clock()
        sessions = sorted(self.live.sessions.values(), key=lambda session: session.last)
        recent = [each.project for each in sessions if each.is_live or each.last > (now - A_DAY) * 1_000]
        faults = self.settings.faults(project for project in recent if project)
        if self.put_back is not None:
            self.put_back.offer(faults)
        standing = [fault.sentence for fault in faults]
        standing += [
            f"The session {session} is at work, but none of its events arrive: nothing it does is judged."
            for session in await self._silent(now)
        ]
        for sentence in standing[:MOST_ALARMS]:
            self._raise(sentence, None)
        for sentence, until in list(self._alarms.items()):
            if (until is None and sentence not in standing) or (until is not None and until < now):
                del self._alarms[sentence]
                if until is None:
                    self._note(f"no longer ungated: {sentence}")

    async def _silent(self, now: float) -> list[str]:
        """Sessions that write a transcript and send no event, after the time their first event may take."""
        is_round = now >= self._next_transcripts
        if is_round:
            self._next_transcripts = now + TRANSCRIPTS_EVERY
        folders = await asyncio.to_thread(lambda: list(self._folders() if is_round else self._stirred()))
        at_work = await asyncio.to_thread(lambda: set(_at_work(iter(folders), now))) if folders else set()
        sessions = self.live.sessions
        if is_round:
            self._unknown = {session: since for session, since in self._unknown.items() if session in at_work}
            self._folders_seen = {folder: _changed_at(folder) for folder in folders}
        for session in at_work:
            self._unknown.setdefault(session, now)
        self._unknown = {session: since for session, since in self._unknown.items() if session not in sessions}
        return sorted(session for session, since in self._unknown.items() if now - since >= GRACE)

    def _stirred(self) -> Iterator[Path]:
        """Folders in which a transcript appeared since the last look; new folders among them."""
        for place in self._transcripts():
            folders = [place.folder]
            for _ in range(place.depth):
                # Nothing can have appeared below a folder that is as it was, but in those that are known.
                folders = [below for folder in folders if self._has_changed(folder) for below in _newest(folder)]
                for folder in folders:
                    self._folders_seen.setdefault(folder, 0)
        for folder in list(self._folders_seen):
            if self._has_changed(folder):
                yield folder

    def _has_changed(self, folder: Path) -> bool:
        seen, self._folders_seen[folder] = self._folders_seen.get(folder), _changed_at(folder)
        return seen != self._folders_seen[folder]

    def unmatched(self, event: Event) -> None:
        """A call has a result, but the hub was not asked before it ran."""
        if isinstance(event, ToolEvent) and event.tool_use_id is not None and len(self._alarms) < MOST_ALARMS:
            session, tool = event.session_id[:60], self.redactor.text(event.tool_name)[:60]
            self._raise(f"The session {session} ran {tool} without asking: no event came before the call.", SHOWN_FOR)

    def ran_differently(self, event: ToolEvent) -> None:
        """A call was judged with another input than it ran with."""
        if len(self._alarms) < MOST_ALARMS:
            session, tool = event.session_id[:60], self.redactor.text(event.tool_name)[:60]
            why = "another hook may have changed it"
            self._raise(f"ran differently: {tool} of the session {session} was not called as judged; {why}.", SHOWN_FOR)

    def _raise(self, sentence: str, shown_for: float | None) -> None:
        until = None if shown_for is None else self.clock() + shown_for
        if sentence not in self._alarms:
            log.error("ungated: %s", sentence)
            self._note(f"ungated: {sentence}")
        self._alarms[sentence] = until

    def _note(self, text: str) -> None:
        self.recorder.note(text, "hub:ungated")

    def _folders(self) -> Iterator[Path]:
        """Where sessions that our hooks should hear of keep their transcripts."""
        for place in self._transcripts():
            folders = [place.folder]
            for _ in range(place.depth):
                folders = [below for folder in folders for below in _newest(folder)][:MOST_FOLDERS]
            yield from folders

    def _transcripts(self) -> Iterator[Transcripts]:
        for file, install in self.settings.installed().items():
            harness = registry.of(install.harness)
            if harness is not None and (place := harness.transcripts(file, install.scope)) is not None:
                yield place


def _changed_at(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _newest(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            dated = [(entry.stat().st_mtime, entry.path) for entry in entries if entry.is_dir()]
    except OSError:
        return []
    return [Path(path) for _, path in sorted(dated, reverse=True)[:MOST_FOLDERS]]


def _session(file: str) -> str | None:
    """The session whose transcript this is, whatever the harness."""
    return next(filter(None, (harness.session_of(file) for harness in registry.HARNESSES.values())), None)


def _at_work(folders: Iterator[Path], now: float) -> Iterator[str]:
    left = MOST_TRANSCRIPTS
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    session = _session(entry.path)
                    if session is None:
                        continue
                    left -= 1
                    if left < 0:
                        return
                    if entry.stat().st_mtime > now - AT_WORK:
                        yield session
        except OSError:
            continue
