"""What transcripts tell: how full the context of a session is, at results of tools and ends of turns, and at its end
what it did in all.

The file is named by the client and can be written by its agent: what it says is shown, and decides nothing."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from assent.harnesses import registry
from assent.hub.bus import now_ms
from assent.hub.recorder import Recorder
from assent.journal.base import JournalError
from assent.policy import world
from assent.protocol import context as contexts
from assent.protocol import summary as summaries
from assent.protocol.context import Context
from assent.protocol.record import Draft, Record
from assent.protocol.session import Session
from assent.redact import Redactor

# The transcript is written while the event is on its way.
SETTLING = 0.3
# Between two looks at a session that works.
INTERVAL = 5.0
# A change of fewer tokens is not recorded while it works.
LEAST = 1_000
_RESULTS = frozenset({"PostToolUse", "PostToolUseFailure", "PostToolBatch"})
_ENDS = frozenset({"Stop", "StopFailure"})


@dataclass(slots=True)
class TranscriptReader:
    recorder: Recorder
    redactor: Redactor
    # Sessions to look at: their transcript, and whether their turn is over.
    _due: dict[str, tuple[str, bool]] = field(default_factory=dict)
    # When each was looked at last, on the clock that never jumps.
    _looked: dict[str, float] = field(default_factory=dict)
    # Sessions that ended, with their transcripts.
    _ended: dict[str, str] = field(default_factory=dict)
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    def on_record(self, record: Record) -> None:
        if record.kind != "event" or record.agent is not None or record.session is None:
            return
        name, payload = record.body.get("event"), record.body.get("payload")
        is_end = name in _ENDS
        file = payload.get("transcript_path") if isinstance(payload, dict) else None
        if name == "SessionEnd":
            # What is due stays so: a run without a person ends right after its turn.
            self._looked.pop(record.session, None)
            if isinstance(file, str) and file:
                self._ended[record.session] = file
                self._came.set()
            return
        if (
            not isinstance(file, str)
            or not file
            or not (is_end or (name in _RESULTS and self._is_time(record.session)))
        ):
            return
        self._due[record.session] = (file, is_end)
        self._came.set()

    def _is_time(self, session: str) -> bool:
        last = self._looked.get(session)
        return last is None or time.monotonic() - last >= INTERVAL

    async def run_forever(self) -> None:
        while True:
            await self._came.wait()
            await asyncio.sleep(SETTLING)
            self._came.clear()
            await self.look()
            await self.sum_up()

    async def look(self) -> None:
        """At all that are due."""
        due, self._due = self._due, {}
        for session, (file, is_end) in due.items():
            self._looked[session] = time.monotonic()
            known = self.recorder.live.sessions.get(session)
            harness = registry.of(known.harness) if known else None
            if known is None or harness is None:
                continue
            found = await asyncio.to_thread(harness.context, file, known.model, _read_ends)
            if found is None or not _is_news(known.context, found, is_end=is_end):
                continue
            if not await self._told(known, contexts.body(found)):
                return

    async def sum_up(self) -> None:
        """All that ended."""
        ended, self._ended = self._ended, {}
        for session, file in ended.items():
            known = self.recorder.live.sessions.get(session)
            harness = registry.of(known.harness) if known else None
            if known is None or harness is None or known.practice:
                continue
            found = await asyncio.to_thread(harness.summary, file, _read_ends)
            if found is not None and not await self._told(known, summaries.body(found)):
                return

    async def _told(self, session: Session, said: dict[str, Any]) -> bool:
        body = self.redactor.storable({**said, "project": session.project, "harness": session.harness})
        draft = Draft(at=now_ms(), kind="hub", session=session.id, by="hub:transcript", body=body)
        try:
            await self.recorder.record([draft])
        except JournalError:
            # The journal says itself what is wrong with it; the next look tells the same.
            return False
        return True


def _is_news(before: Context | None, found: Context, *, is_end: bool) -> bool:
    if before is None or (before.window, before.model) != (found.window, found.model):
        return True
    return before.tokens != found.tokens if is_end else abs(found.tokens - before.tokens) >= LEAST


def _read_ends(path: str, most: int, is_end: bool) -> bytes | None:
    return world.read_part(path, most, -most if is_end else 0)
