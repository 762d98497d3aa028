"""Removing the oldest records: by age all of them, by size first those that are no evidence.

Step by step, each one transaction with the checkpoint that vouches for what it left: a crash between two steps leaves a
whole journal, and an append waits for one small step at most. Only what holds is removed, so pruning never
covers up a break."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec import Struct

from assent.journal.base import Break, Head, Journal, JournalError, Removal
from assent.journal.chain import Left, Place, first_break, pruned
from assent.journal.reading import Evidence
from assent.protocol.bodies import CheckpointBody, body
from assent.protocol.record import Draft, Record, is_intact

# About 5 ms of the thread that writes: an append waits no longer than that.
MOST_IN_A_STEP = 500
PAGE = 1_000
# Between two steps, in seconds: pruning is not urgent, and other work may need the processor.
PAUSE = 0.01


class Pruning(Struct, frozen=True, kw_only=True):
    """What is to go."""

    # All records from the oldest up to the first one that is not older than this, evidence too.
    before: int | None = None
    # The oldest, until the journal takes no more bytes than these.
    down_to: int | None = None
    # Evidence that is not older than this goes last.
    spare_since: int = 0
    # This many of the newest stay, however large they are.
    newest: int = 0
    why: str = ""
    by: str = "hub:prune"


class Pruned(Struct, frozen=True, kw_only=True):
    """What went, or would go."""

    # Of how many.
    records: int = 0
    removed: int = 0
    # When the oldest and the newest of them had happened.
    since: int | None = None
    until: int | None = None
    # How many are left among the numbers gone through, now and before: evidence.
    left: int = 0
    size_before: int = 0
    size_after: int = 0


Report = Callable[[Pruned], None]


class Step(Struct, frozen=True):
    seqs: tuple[int, ...]
    since: int
    until: int
    said: CheckpointBody


async def plan(journal: Journal, wanted: Pruning, *, report: Report | None = None) -> Pruned:
    """What ``prune`` would do. The size is an estimate: records are taken to be equally large."""
    pruner = await Pruner.begin(journal, wanted)
    size = await journal.size()
    total = pruner.nothing(size)
    while step := await pruner.next(total.size_after):
        total = _sum(total, step, size * pruner.count // total.records)
        if report:
            report(total)
    return total


async def prune(
    journal: Journal,
    wanted: Pruning,
    *,
    now: Callable[[], int],
    on_removed: Callable[[Record], None] | None = None,
    report: Report | None = None,
) -> Pruned:
    """Remove what is wanted; ``on_removed`` hears of each checkpoint, ``report`` of what went so far."""
    pruner = await Pruner.begin(journal, wanted)
    total = pruner.nothing(await journal.size())
    since = pruner.since
    while step := await pruner.next(total.size_after):
        draft = Draft(at=now(), kind="checkpoint", by=wanted.by, body=body(step.said))
        record = await journal.remove(Removal(step.seqs, draft, since))
        if on_removed:
            on_removed(record)
        since = record.seq
        total = _sum(total, step, await journal.size())
        if report:
            report(total)
        await asyncio.sleep(PAUSE)
    return total


@dataclass(slots=True)
class Pruner:
    """Thinks out one step after the other, from the oldest record on."""

    journal: Journal
    wanted: Pruning
    # The newest checkpoint, 0 for none.
    since: int
    # The last record that was gone through.
    through: Head
    # Where the chain ended when this began.
    end: int
    _left: Left = field(default_factory=Left)
    _ahead: deque[Record] = field(default_factory=deque)
    _evidence: Evidence = field(default_factory=Evidence)

    @classmethod
    async def begin(cls, journal: Journal, wanted: Pruning) -> "Pruner":
        checkpoint = await journal.checkpoint()
        body = pruned(checkpoint)
        if isinstance(body, Break):
            raise _refusal(body)
        end = (await journal.head()).seq
        through = Head(journal.hub, body.through, body.hash)
        pruner = cls(journal, wanted, checkpoint.seq if checkpoint else 0, through, end)
        await pruner._load_left(body)
        return pruner

    @property
    def count(self) -> int:
        """How many records are there."""
        return len(self._left) + self.end - self.through.seq

    def nothing(self, size: int) -> Pruned:
        """What went before the first step."""
        return Pruned(records=self.count, left=len(self._left), size_before=size, size_after=size)

    async def next(self, size: int) -> Step | None:
        """What goes next, for a journal of this size; None if nothing more does."""
        self._evidence.add(await self.journal.marks(after=self._evidence.seen))
        is_large = self.wanted.down_to is not None and size > self.wanted.down_to
        gone: list[Place] = []
        while len(gone) < MOST_IN_A_STEP and (place := await self._pick(is_large=is_large)):
            gone.append(place)
        if is_large and not gone:
            # Nothing else can go, and evidence may not fill the disk either.
            while len(gone) < MOST_IN_A_STEP and (place := self._left.pop()):
                gone.append(place)
        if not gone:
            return None
        times = [place.at for place in gone]
        digest = await asyncio.to_thread(self._left.digest)
        body = CheckpointBody(
            through=self.through.seq,
            hash=self.through.hash,
            kept=len(self._left),
            digest=digest,
            removed=len(gone),
            why=self.wanted.why,
            until=max(times),
        )
        return Step(tuple(place.seq for place in gone), min(times), max(times), body)

    async def _pick(self, *, is_large: bool) -> Place | None:
        """The next record to go."""
        oldest = self._left.oldest()
        if oldest and (self._is_old(oldest.at) or (is_large and oldest.at < self.wanted.spare_since)):
            return self._left.pop()
        while record := await self._peek():
            is_old = self._is_old(record.at) and not self._left
            if not is_old and (not is_large or record.seq > self.end - self.wanted.newest):
                return None
            self._ahead.popleft()
            self.through = Head(record.hub, record.seq, record.hash)
            if is_old or record.at < self.wanted.spare_since or not self._evidence.covers(record):
                return Place(record.seq, record.at)
            self._left.add(record)
        return None

    def _is_old(self, at: int) -> bool:
        return self.wanted.before is not None and at < self.wanted.before

    async def _peek(self) -> Record | None:
        """The next record of the unbroken part."""
        if not self._ahead:
            page = await self.journal.read(after=self.through.seq, before=self.end + 1, limit=PAGE)
            reached = CheckpointBody(
                through=self.through.seq, hash=self.through.hash, kept=0, digest=Left().digest(), removed=0
            )
            if broken := await asyncio.to_thread(first_break, page, reached):
                raise _refusal(broken)
            self._ahead.extend(page)
        return self._ahead[0] if self._ahead else None

    async def _load_left(self, body: CheckpointBody) -> None:
        last = 0
        while page := await self.journal.read(after=last, before=body.through + 1, limit=PAGE):
            await asyncio.to_thread(self._add_intact, page)
            last = page[-1].seq
        if len(self._left) != body.kept or self._left.digest() != body.digest:
            raise _refusal(Break(1, f"the records left of the first {body.through} are not what they were"))

    def _add_intact(self, page: list[Record]) -> None:
        for record in page:
            if not is_intact(record):
                raise _refusal(Break(record.seq, f"record {record.seq} was changed"))
            self._left.add(record)


def _refusal(broken: Break) -> JournalError:
    return JournalError(
        f"Not pruned: {broken.why}, and what is broken is not removed.",
        hint="`assent log verify` says more. To begin anew, stop the hub and move the journal away.",
    )


def _sum(total: Pruned, step: Step, size: int) -> Pruned:
    return Pruned(
        records=total.records,
        removed=total.removed + len(step.seqs),
        since=step.since if total.since is None else min(total.since, step.since),
        until=step.until if total.until is None else max(total.until, step.until),
        left=step.said.kept,
        size_before=total.size_before,
        size_after=size,
    )
