"""Removing the oldest records, from every journal."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assent.journal.base import Break, Head, Journal, JournalError, Mark, Removal
from assent.journal.prune import Pruned, Pruning, plan, prune
from assent.protocol.bodies import CheckpointBody, read
from assent.protocol.record import Draft, Record
from tests.component.journal.backends import BACKENDS, Backend

pytestmark = pytest.mark.anyio
NOW = 1_000_000


@pytest.fixture(params=BACKENDS)
async def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    backend = BACKENDS[request.param](tmp_path)
    yield backend
    await backend.journal.close()


@pytest.fixture
def journal(backend: Backend) -> Journal:
    return backend.journal


def event(n: int, **fields: str) -> Draft:
    return Draft(at=n, kind="event", body={"n": n, "pad": "x" * 200}, **fields)


def denied(n: int, call: str) -> list[Draft]:
    """Three records of one call that was denied, the first of them before the denial."""
    return [
        event(n, call=call),
        Draft(at=n, kind="decision", call=call, decision="deny", request=f"r{n}"),
        event(n, request=f"r{n}"),
    ]


async def seqs(journal: Journal) -> list[int]:
    return [record.seq for record in await journal.read(limit=100_000)]


async def pruned(journal: Journal, wanted: Pruning) -> Pruned:
    return await prune(journal, wanted, now=lambda: NOW)


async def said(journal: Journal) -> CheckpointBody:
    checkpoint = await journal.checkpoint()
    assert checkpoint is not None
    body = read(checkpoint, CheckpointBody)
    assert body is not None
    return body


async def test_by_age_everything_older_goes_and_the_chain_holds(journal: Journal) -> None:
    """All records before the first young one go, evidence too, and a checkpoint says so."""
    await journal.append([event(1), *denied(2, "c"), event(3), event(9), event(4)])
    result = await pruned(journal, Pruning(before=5, why="older than it may be"))
    assert (result.removed, result.since, result.until, result.left) == (5, 1, 3, 0)
    assert await seqs(journal) == [6, 7, 8]
    body = await said(journal)
    assert (body.through, body.removed, body.kept, body.until, body.why) == (5, 5, 0, 3, "older than it may be")
    checked = await journal.verify()
    assert (checked.broken, checked.pruned_through, checked.left, checked.head.seq) == (None, 5, 0, 8)


async def test_by_size_evidence_is_spared(journal: Journal) -> None:
    """A flood of ordinary calls is flushed; what was denied stays, with all records of its call and request."""
    await journal.append([*denied(1, "c"), *(event(n) for n in range(2, 4002)), *denied(5000, "d")])
    goal = await journal.size() // 2
    result = await pruned(journal, Pruning(down_to=goal, newest=3))
    assert result.size_after <= goal < result.size_before
    assert 1900 < result.removed < 4000
    left = await seqs(journal)
    assert left[:3] == [1, 2, 3]
    assert left[3] > 1900
    assert (result.left, (await journal.verify()).broken) == (3, None)


async def test_by_size_old_evidence_goes_first_and_young_evidence_last(journal: Journal) -> None:
    """Evidence is spared for a while only, and alone it may not fill the disk either."""
    await journal.append([*denied(1, "old"), *denied(50, "young"), *(event(60) for _ in range(100))])
    wanted = Pruning(down_to=0, spare_since=40, newest=90)
    step = await plan(journal, wanted)
    assert step.removed == 16
    await journal.append([event(61)])
    await pruned(journal, Pruning(down_to=await journal.size() - 1, spare_since=40, newest=1))
    assert (await seqs(journal))[:3] == [4, 5, 6]
    await pruned(journal, Pruning(down_to=0, spare_since=40))
    assert not {4, 5, 6} & set(await seqs(journal))
    assert (await journal.verify()).broken is None


async def test_answers_refusals_danger_and_notes_of_the_hub_are_evidence(journal: Journal) -> None:
    """What people said, what was dangerous, and what changed in the hub outlive a flood."""
    evidence = [
        Draft(at=1, kind="ask", ask="aaaaa"),
        Draft(at=1, kind="answer", ask="aaaaa"),
        Draft(at=1, kind="refused", ask="bbbbb"),
        Draft(at=1, kind="decision", risk="danger", decision="prompt", call="c"),
        Draft(at=1, kind="rules"),
        Draft(at=1, kind="config"),
        Draft(at=1, kind="hub"),
        Draft(at=1, kind="gap"),
    ]
    await journal.append([*evidence, *(event(n) for n in range(1000)), event(1, call="c"), event(1)])
    assert await journal.marks() == [Mark(2, ask="aaaaa"), Mark(3, ask="bbbbb"), Mark(4, call="c")]
    assert await journal.marks(after=3) == [Mark(4, call="c")]
    goal = await journal.size() // 2
    await pruned(journal, Pruning(down_to=goal, newest=2))
    assert (await seqs(journal))[:8] == list(range(1, 9))


async def test_the_newest_stay_however_large_they_are(journal: Journal) -> None:
    """The hub needs some records to start with, so size does not take those; age takes what is too old."""
    await journal.append([event(n) for n in range(20)])
    await pruned(journal, Pruning(down_to=0, newest=5))
    assert await seqs(journal) == [16, 17, 18, 19, 20, 21]
    await pruned(journal, Pruning(before=17, newest=5))
    assert await seqs(journal) == [18, 19, 20, 21, 22]


async def test_all_may_go_and_the_chain_goes_on(journal: Journal) -> None:
    """With nothing left but the checkpoint, numbers and hashes go on from what was."""
    records = await journal.append([event(n) for n in range(2200)])
    await pruned(journal, Pruning(before=NOW))
    checkpoint = await journal.checkpoint()
    assert checkpoint is not None
    (after,) = await journal.append([event(1)])
    assert after.seq == checkpoint.seq + 1
    assert (await said(journal)).hash == records[-1].hash
    assert (await journal.verify()).broken is None


async def test_plan_says_what_prune_does(journal: Journal) -> None:
    """A plan changes nothing, and by age it is exact."""
    await journal.append([event(n) for n in range(1300)])
    wanted = Pruning(before=1100)
    planned = await plan(journal, wanted)
    assert await journal.checkpoint() is None
    result = await pruned(journal, wanted)
    assert (planned.removed, planned.since, planned.until) == (result.removed, result.since, result.until)
    assert (result.removed, result.since, result.until) == (1100, 0, 1099)
    rest = Pruned(records=203, size_before=result.size_after, size_after=result.size_after)
    assert await plan(journal, wanted) == rest


async def test_what_does_not_hold_is_not_removed(backend: Backend) -> None:
    """Pruning covers up no break: it stops before it, and says where it is."""
    await backend.journal.append([event(n) for n in range(1, 11)])
    backend.change(4)
    with pytest.raises(JournalError, match="record 4 was changed"):
        await pruned(backend.journal, Pruning(before=9))
    assert len(await seqs(backend.journal)) == 10


async def test_evidence_that_does_not_hold_stops_pruning(backend: Backend) -> None:
    """A record that was left and changed since is not covered by the next checkpoint."""
    await backend.journal.append([*denied(1, "c"), *(event(n) for n in range(600))])
    await pruned(backend.journal, Pruning(down_to=await backend.journal.size() - 1, newest=10))
    backend.change(2)
    with pytest.raises(JournalError, match="record 2 was changed"):
        await pruned(backend.journal, Pruning(before=NOW))
    backend.remove(2)
    with pytest.raises(JournalError, match="not what they were"):
        await pruned(backend.journal, Pruning(before=NOW))


@pytest.mark.parametrize("tampering", ["changed", "removed", "checkpoint", "first", "end"])
async def test_verify_finds_what_was_done_to_the_rest(backend: Backend, tampering: str) -> None:
    """A kept record changed or removed, a changed checkpoint, a missing record after the hole: each is named."""
    await backend.journal.append([*denied(1, "c"), *(event(n) for n in range(600))])
    await pruned(backend.journal, Pruning(down_to=await backend.journal.size() - 1, newest=10))
    body = await said(backend.journal)
    checkpoint = (await backend.journal.head()).seq
    (after,) = await backend.journal.append([event(1)])
    why = {
        "changed": Break(2, "record 2 was changed"),
        "removed": Break(
            1, f"of records 1 to {body.through}, 3 were left when the others were removed, and 2 are there"
        ),
        "checkpoint": Break(checkpoint, f"record {checkpoint} was changed"),
        "first": Break(body.through + 1, f"record {body.through + 1} is missing"),
        "end": Break(after.seq, f"record {after.seq} was changed"),
    }
    assert (await backend.journal.verify()).broken is None
    if tampering in ("removed", "first"):
        backend.remove({"removed": 2, "first": body.through + 1}[tampering])
    else:
        backend.change({"changed": 2, "checkpoint": checkpoint, "end": after.seq}[tampering])
    assert (await backend.journal.verify()).broken == why[tampering]


async def test_kept_head_that_was_pruned_is_neither_right_nor_wrong(journal: Journal) -> None:
    """A head whose record was removed on purpose cannot be checked; the last of them and those left still can."""
    records = await journal.append([*denied(1, "c"), *(event(n) for n in range(600))])
    await pruned(journal, Pruning(down_to=await journal.size() - 1, newest=10))
    body = await said(journal)

    async def against(record: Record) -> tuple[bool, bool]:
        checked = await journal.verify(Head(journal.hub, record.seq, record.hash))
        return checked.broken is None, checked.unchecked is None

    assert await against(records[10]) == (True, False)
    assert await against(records[1]) == (True, True)
    assert await against(records[body.through - 1]) == (True, True)
    assert await against(records[-1]) == (True, True)
    rewritten = await journal.verify(Head(journal.hub, body.through, "f" * 64))
    assert rewritten.broken is not None
    assert "rewritten" in rewritten.broken.why
    elsewhere = await journal.verify(Head("other", 10, "f" * 64))
    assert elsewhere.broken is not None


async def test_reading_goes_on_with_holes(journal: Journal) -> None:
    """Search, windows, stories and decisions work over what is left, and one answer still wins."""
    await journal.append([*denied(1, "c"), *(event(n) for n in range(600)), Draft(at=1, kind="answer", ask="aaaaa")])
    await pruned(journal, Pruning(down_to=await journal.size() - 1, newest=10))
    assert [record.seq for record in await journal.story("c")] == [1, 2]
    decision = await journal.decision_for("r1")
    assert decision is not None
    assert decision.seq == 2
    assert [record.seq for record in await journal.read(after=1, limit=2)] == [2, 3]
    assert len(await journal.tail(1000)) == len(await seqs(journal))
    with pytest.raises(JournalError, match="first one stands"):
        await journal.append([Draft(at=1, kind="answer", ask="aaaaa")])


async def test_removal_that_was_planned_before_another_fails_whole(journal: Journal) -> None:
    """Two who prune at once: the second is refused, and nothing of its removal happens."""
    await journal.append([event(n) for n in range(10)])
    checkpoint = Draft(at=1, kind="checkpoint")
    first = await journal.remove(Removal((1, 2), checkpoint, since=0))
    before = await journal.read()
    for late in (Removal((3,), checkpoint, since=0), Removal((2, 3), checkpoint, since=first.seq)):
        with pytest.raises(JournalError, match="by another process"):
            await journal.remove(late)
    assert await journal.read() == before
    assert (await journal.append([event(1)]))[0].prev == first.hash
