"""Background tasks of the hub: vanished sessions and the gaps shims left behind."""

import asyncio
import logging
from dataclasses import dataclass, field

from assent.hub import processes
from assent.hub.bus import now_ms
from assent.hub.ingress import spool
from assent.hub.pipeline.policy_in_force import PolicyInForce, SettingsInForce
from assent.hub.recorder import Recorder
from assent.hub.upkeep.changes import Changes
from assent.journal.base import JournalError
from assent.paths import Paths
from assent.protocol.record import Draft
from assent.shim import place

log = logging.getLogger("assent.hub")

INTERVAL = 3.0
# Records that may have come in between.
LATELY = 2_000


@dataclass(slots=True)
class Background:
    paths: Paths
    recorder: Recorder
    policy: PolicyInForce
    changes: Changes
    # When the process of a session was born, as first seen: ids are used again.
    _births: dict[tuple[str, int], int | None] = field(default_factory=dict)

    async def run_forever(self) -> None:
        while True:
            for chore in (self.collect_gaps, self.notice_vanished, self.refresh):
                try:
                    await chore()
                except (OSError, JournalError) as error:
                    log.warning("a chore failed: %s", error)
            await asyncio.sleep(INTERVAL)

    async def refresh(self) -> None:
        """Reload what changed on disk, and put it on record."""
        self.policy.reload()
        if self.recorder.journal.trouble is None:
            await self.changes.record(self.recorder)

    async def notice_vanished(self) -> None:
        """A session whose process is gone ended without saying so."""
        for session in list(self.recorder.live.sessions.values()):
            if not session.is_live or session.pid is None or self._is_running(session.id, session.pid):
                continue
            body = {"what": "session_vanished", "pid": session.pid}
            await self.recorder.record([Draft(at=now_ms(), kind="hub", session=session.id, by="hub:pid", body=body)])

    def _is_running(self, session: str, pid: int) -> bool:
        birth = processes.birth(pid)
        first = self._births.setdefault((session, pid), birth)
        return processes.is_alive(pid) and birth == first

    async def collect_gaps(self) -> None:
        """Turn the spool into records; it is removed only once they are durable."""
        # Not on the loop: what lies there may be on a disk that is slow, or be no file at all.
        spooled = await asyncio.to_thread(spool.take, self.paths.spool)
        if spooled is None:
            return
        taken, gaps, is_left_over = spooled
        alone, counted = spool.collapsed(gaps)
        if is_left_over:
            recorded = await self._known_gaps(len(alone))
            alone = [gap for gap in alone if gap.request_id not in recorded]
            # They were recorded together with the others.
            counted = counted if alone else []
        drafts = [
            Draft(
                at=gap.at,
                kind="gap",
                session=gap.session or None,
                request=gap.request_id or None,
                body={"event": gap.event, "size": gap.size} | ({"count": gap.count} if gap.count > 1 else {}),
            )
            for gap in (*alone, *counted)
        ]
        if drafts:
            await self.recorder.record(drafts)
        taken.unlink()

    async def _known_gaps(self, most: int) -> frozenset[str]:
        """What a hub that was killed before it could remove the file has recorded of it: the last thing it did."""
        newest = await self.recorder.journal.tail(most + LATELY)
        return frozenset(record.request for record in newest if record.kind == "gap" and record.request)


@dataclass(frozen=True, slots=True)
class ShimPlacer:
    paths: Paths
    policy: SettingsInForce

    def on_settings(self) -> None:
        self.place()

    def place(self) -> None:
        try:
            place.place(self.paths, unreachable=self.policy.config.hub.unreachable)
        except OSError as error:
            log.error("the shim could not be refreshed: %s", error)
