"""Small things the hub looks after while nobody asks: vanished sessions and the gaps shims left behind."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import msgspec

from assent.hub import processes
from assent.hub.pipeline import Pipeline, now_ms
from assent.journal.base import JournalError
from assent.paths import Paths
from assent.protocol.record import Draft

log = logging.getLogger("assent.hub")

INTERVAL = 3.0
MOST_GAPS = 20_000
# Records that may have come in between.
LATELY = 2_000


class Gap(msgspec.Struct, frozen=True):
    """One hook run that reached no hub. Never its payload."""

    at: int
    event: str = "?"
    session: str = ""
    size: int = 0
    request_id: str = ""


@dataclass(slots=True)
class Chores:
    paths: Paths
    pipeline: Pipeline
    # Called each round: reloads what changed on disk.
    refresh: Callable[[], Awaitable[None]]
    # When the process of a session was born, as first seen: ids are used again.
    _births: dict[tuple[str, int], str | None] = field(default_factory=dict)

    async def run_forever(self) -> None:
        while True:
            for chore in (self.collect_gaps, self.notice_vanished, self.refresh):
                try:
                    await chore()
                except (OSError, JournalError) as error:
                    log.warning("a chore failed: %s", error)
            await asyncio.sleep(INTERVAL)

    async def notice_vanished(self) -> None:
        """A session whose process is gone ended without saying so."""
        for session in list(self.pipeline.live.sessions.values()):
            if not session.is_live or session.pid is None or self._is_running(session.id, session.pid):
                continue
            body = {"what": "session_vanished", "pid": session.pid}
            await self.pipeline.record([Draft(at=now_ms(), kind="hub", session=session.id, by="hub:pid", body=body)])

    def _is_running(self, session: str, pid: int) -> bool:
        birth = processes.birth(pid)
        first = self._births.setdefault((session, pid), birth)
        return processes.is_alive(pid) and birth == first

    async def collect_gaps(self) -> None:
        """Turn the spool into records; it is removed only once they are durable."""
        spool = self.paths.spool / "gaps.ndjson"
        taken = spool.with_suffix(".taken")
        is_left_over = taken.exists()
        if not is_left_over:
            try:
                spool.rename(taken)
            except FileNotFoundError:
                return
        lines = taken.read_bytes().splitlines()[:MOST_GAPS]
        known = await self._known_gaps(len(lines)) if is_left_over else frozenset()
        drafts = [
            Draft(
                at=gap.at,
                kind="gap",
                session=gap.session or None,
                request=gap.request_id or None,
                body={"event": gap.event, "size": gap.size},
            )
            for gap in map(_gap, lines)
            if gap is not None and gap.request_id not in known
        ]
        if drafts:
            await self.pipeline.record(drafts)
        taken.unlink()

    async def _known_gaps(self, most: int) -> frozenset[str]:
        """What a hub that was killed before it could remove the file has recorded of it: the last thing it did."""
        newest = await self.pipeline.journal.tail(most + LATELY)
        return frozenset(record.request for record in newest if record.kind == "gap" and record.request)


def _gap(line: bytes) -> Gap | None:
    try:
        return msgspec.json.decode(line, type=Gap)
    except (msgspec.DecodeError, RecursionError):
        return None
