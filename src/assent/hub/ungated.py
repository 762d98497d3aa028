"""Alarms about agents that work past the gate: hooks gone or off, sessions nobody hears of, calls nobody judged.

They make tampering visible. Nothing here changes a setting."""

import asyncio
import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assent.hub.client_settings import ClientSettings
from assent.hub.live import Live
from assent.protocol.events import Event, ToolEvent
from assent.protocol.record import Draft

log = logging.getLogger("assent.hub")

MOST_PROJECTS = 50
MOST_FOLDERS = 300
MOST_TRANSCRIPTS = 3_000
MOST_ALARMS = 20
# Between two looks at the transcripts, seconds. Whoever is unknown at two looks in a row is ungated.
TRANSCRIPTS_EVERY = 20.0
# A transcript written to within this time belongs to a session at work.
AT_WORK = 60.0
# An incident is shown for so long; its record stays.
SHOWN_FOR = 600.0

_SESSION = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]")


@dataclass(slots=True)
class Ungated:
    settings: ClientSettings
    live: Callable[[], Live]
    # Writes a record and need not be awaited.
    record: Callable[[list[Draft]], object]
    clock: Callable[[], float] = time.time
    # Sentences that hold now, and until when where they are about something that happened once.
    _alarms: dict[str, float | None] = field(default_factory=dict)
    _unknown: set[str] = field(default_factory=set)
    _next_transcripts: float = 0.0
    _silent: list[str] = field(default_factory=list)

    @property
    def alarms(self) -> list[str]:
        return list(self._alarms)

    async def look(self) -> None:
        """One round of the chores."""
        now = self.clock()
        sessions = self.live().sessions.values()
        projects = [session.project for session in sessions if session.is_live and session.project]
        standing = self.settings.faults(list(dict.fromkeys(projects))[-MOST_PROJECTS:])
        if now >= self._next_transcripts:
            self._next_transcripts = now + TRANSCRIPTS_EVERY
            at_work = await asyncio.to_thread(lambda: set(_at_work(self._folders(), now)))
            unknown = {session for session in at_work if session not in self.live().sessions}
            self._silent = sorted(unknown & self._unknown)
            self._unknown = unknown
        standing += [
            f"The session {session} is at work, but none of its events arrive: nothing it does is judged."
            for session in self._silent
        ]
        for sentence in standing[:MOST_ALARMS]:
            self._raise(sentence, None)
        for sentence, until in list(self._alarms.items()):
            if (until is None and sentence not in standing) or (until is not None and until < now):
                del self._alarms[sentence]
                if until is None:
                    self._note(f"no longer ungated: {sentence}")

    def unmatched(self, event: Event) -> None:
        """A call has a result, but nobody was asked before it ran."""
        if isinstance(event, ToolEvent) and event.tool_use_id is not None and len(self._alarms) < MOST_ALARMS:
            session, tool = event.session_id[:60], event.tool_name[:60]
            self._raise(f"The session {session} ran {tool} without asking: no PreToolUse came.", SHOWN_FOR)

    def _raise(self, sentence: str, shown_for: float | None) -> None:
        until = None if shown_for is None else self.clock() + shown_for
        if sentence not in self._alarms:
            log.error("ungated: %s", sentence)
            self._note(f"ungated: {sentence}")
        self._alarms[sentence] = until

    def _note(self, what: str) -> None:
        self.record([Draft(at=int(self.clock() * 1000), kind="hub", by="hub:ungated", body={"what": what})])

    def _folders(self) -> Iterator[Path]:
        """Where sessions that our hooks should hear of keep their transcripts."""
        for file, scope in self.settings.installed().items():
            if scope == "user":
                yield from _newest(Path(file).parent / "projects")
            else:
                project = str(Path(file).parent.parent)
                yield Path.home() / ".claude/projects" / _NOT_IN_NAMES.sub("-", project)


def _newest(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as found:
            dated = [(entry.stat().st_mtime, entry.path) for entry in found if entry.is_dir()]
    except OSError:
        return []
    return [Path(path) for _, path in sorted(dated, reverse=True)[:MOST_FOLDERS]]


def _at_work(folders: Iterator[Path], now: float) -> Iterator[str]:
    left = MOST_TRANSCRIPTS
    for folder in folders:
        try:
            with os.scandir(folder) as found:
                for entry in found:
                    name, _, kind = entry.name.rpartition(".")
                    if kind != "jsonl" or not _SESSION.fullmatch(name):
                        continue
                    left -= 1
                    if left < 0:
                        return
                    if entry.stat().st_mtime > now - AT_WORK:
                        yield name
        except OSError:
            continue
