"""Interface of journals."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assent.journal.base import Break, DuplicateError, Head, JournalError
from assent.protocol.record import GENESIS, Draft, is_intact
from tests.component.journal.backends import BACKENDS, Backend

pytestmark = pytest.mark.anyio


@pytest.fixture(params=BACKENDS)
async def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    backend = BACKENDS[request.param](tmp_path)
    yield backend
    await backend.journal.close()


def event(n: int) -> Draft:
    return Draft(at=n, kind="event", session="s", body={"n": n})


async def fill(backend: Backend, length: int) -> None:
    await backend.journal.append([event(n) for n in range(1, length + 1)])


async def test_empty_journal_has_a_head_and_no_break(backend: Backend) -> None:
    """A new journal ends at its beginning."""
    journal = backend.journal
    assert await journal.head() == Head(journal.hub, 0, GENESIS)
    assert (await journal.verify()).broken is None
    assert await journal.read() == await journal.tail(10) == []
    assert (journal.trouble, journal.lost) == (None, 0)


async def test_append_gives_every_draft_its_place(backend: Backend) -> None:
    """What is appended comes back numbered and chained, and is read back equal, field for field."""
    journal = backend.journal
    whole = Draft(
        at=1700000000000, kind="decision", session="s", agent="a", call="c", ask="abcde", request="r", risk="look",
        decision="allow", by="rule:user#4", body={"text": "žluťoučký\x00\x1b[31m", "n": [1, 2.5, None, True, 2**70]},
    )  # fmt: skip
    records = await journal.append([event(1), whole])
    assert [record.seq for record in records] == [1, 2]
    assert {record.hub for record in records} == {journal.hub}
    assert [record.prev for record in records] == [GENESIS, records[0].hash]
    assert all(is_intact(record) for record in records)
    assert await journal.read() == list(records)
    assert await journal.head() == Head(journal.hub, 2, records[1].hash)


async def test_append_of_nothing_keeps_nothing(backend: Backend) -> None:
    """An append without drafts succeeds and leaves the head where it was."""
    assert await backend.journal.append([]) == ()
    assert (await backend.journal.head()).seq == 0


async def test_append_keeps_the_order_of_calls(backend: Backend) -> None:
    """Numbers follow the order in which append was called, not the order of awaiting."""
    appends = [backend.journal.append([event(n), event(n)]) for n in range(50)]
    for n, each in reversed(list(enumerate(appends))):
        assert [record.seq for record in await each] == [2 * n + 1, 2 * n + 2]


async def test_body_changed_after_the_append_changes_no_record(backend: Backend) -> None:
    """Changing a body after it was recorded changes neither journal nor chain."""
    body = {"list": [1]}
    await backend.journal.append([Draft(at=1, kind="event", body=body)])
    body["list"].append(2)
    assert [record.body for record in await backend.journal.read()] == [{"list": [1]}]
    assert (await backend.journal.verify()).broken is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Draft(at=1, kind="answer", ask="abcde", by="person:phone"), Draft(at=2, kind="answer", ask="abcde", by="x")),
        (Draft(at=1, kind="decision", request="r", decision="deny"), Draft(at=2, kind="decision", request="r")),
    ],
)
async def test_duplicate_is_refused_and_the_first_stands(backend: Backend, first: Draft, second: Draft) -> None:
    """One answer per ask, one decision per request: all of the losing append is dropped, its neighbours are kept."""
    journal = backend.journal
    appends = [journal.append(drafts) for drafts in ([first], [event(1), second, event(2)], [event(3)])]
    (kept,) = await appends[0]
    with pytest.raises(DuplicateError, match=f"already has its {first.kind}, and the first one stands"):
        await appends[1]
    (after,) = await appends[2]
    assert after.prev == kept.hash
    assert await journal.read() == [kept, after]
    assert (await journal.verify()).broken is None
    assert (journal.trouble, journal.lost) == (None, 0)


async def test_duplicate_inside_one_append_is_refused(backend: Backend) -> None:
    """An append that contradicts itself keeps nothing."""
    answer = Draft(at=1, kind="answer", ask="abcde")
    with pytest.raises(DuplicateError):
        await backend.journal.append([answer, answer])
    assert await backend.journal.read() == []
    assert len(await backend.journal.append([answer])) == 1


async def test_one_answer_wins_of_many(backend: Backend) -> None:
    """Of many answers at once exactly the one that was appended first is kept."""
    appends = [backend.journal.append([Draft(at=n, kind="answer", ask="abcde", by=f"person:{n}")]) for n in range(20)]
    outcomes = await asyncio.gather(*appends, return_exceptions=True)
    assert [isinstance(outcome, DuplicateError) for outcome in outcomes] == [False] + [True] * 19
    assert [record.by for record in await backend.journal.read()] == ["person:0"]


async def test_other_kinds_may_share_ask_and_request(backend: Backend) -> None:
    """Only answers and decisions are unique: an ask, its event and what was told carry the same ids."""
    drafts = [Draft(at=1, kind=kind, ask="abcde", request="r") for kind in ("event", "event", "ask", "told", "told")]
    anonymous = [Draft(at=1, kind="decision"), Draft(at=1, kind="decision"), Draft(at=1, kind="answer")]
    assert len(await backend.journal.append(drafts + anonymous)) == 8


async def test_draft_that_is_not_json_harms_no_other(backend: Backend) -> None:
    """What cannot be written down is an error of its own append alone."""
    bad = Draft(at=1, kind="event", body={"no": object()})
    appends = [backend.journal.append(drafts) for drafts in ([event(1)], [event(2), bad], [event(3)])]
    outcomes = await asyncio.gather(*appends, return_exceptions=True)
    assert isinstance(outcomes[1], JournalError)
    assert [record.body["n"] for record in await backend.journal.read()] == [1, 3]
    assert (backend.journal.lost, backend.journal.trouble) == (2, None)
    assert (await backend.journal.verify()).broken is None


async def test_decision_for_finds_the_decision_alone(backend: Backend) -> None:
    """A request id leads to its decision, not to its event; an unknown one to nothing."""
    decision = Draft(at=1, kind="decision", request="r", decision="deny", body={"reason": "no"})
    _, kept = await backend.journal.append([Draft(at=1, kind="event", request="r"), decision])
    assert await backend.journal.decision_for("r") == kept
    assert await backend.journal.decision_for("other") is None


async def test_read_and_tail_give_windows_oldest_first(backend: Backend) -> None:
    """Bounds are exclusive, limits are kept, order is always that of the numbers."""
    await fill(backend, 10)
    journal = backend.journal

    async def seqs(after: int = 0, before: int | None = None, limit: int = 1000) -> list[int]:
        return [record.seq for record in await journal.read(after=after, before=before, limit=limit)]

    assert await seqs() == list(range(1, 11))
    assert await seqs(after=3, before=7) == [4, 5, 6]
    assert await seqs(after=3, limit=2) == [4, 5]
    assert await seqs(limit=0) == await seqs(after=10) == []
    assert [record.seq for record in await journal.tail(3)] == [8, 9, 10]
    assert len(await journal.tail(99)) == 10
    assert await journal.tail(0) == []


async def test_verify_names_a_changed_body(backend: Backend) -> None:
    """Other contents under the old hash are found."""
    await fill(backend, 20)
    backend.change(17)
    assert (await backend.journal.verify()).broken == Break(17, "record 17 was changed")


async def test_verify_names_removed_records(backend: Backend) -> None:
    """A hole in the middle is found."""
    await fill(backend, 20)
    backend.remove(12, 13, 14)
    assert (await backend.journal.verify()).broken == Break(12, "records 12 to 14 are missing")


async def test_verify_names_swapped_records(backend: Backend) -> None:
    """Two records that changed places are found: a record's number is part of its hash."""
    await fill(backend, 20)
    backend.swap(8, 9)
    assert (await backend.journal.verify()).broken == Break(8, "record 8 was changed")


async def test_verify_cannot_see_a_removed_tail_but_a_kept_head_can(backend: Backend) -> None:
    """A chain cut off at its end still holds; only a head kept elsewhere shows what is gone."""
    await fill(backend, 20)
    kept = await backend.journal.head()
    backend.remove(19, 20)
    assert (await backend.journal.verify()).broken is None
    assert (await backend.journal.head()).seq == 18
    assert await backend.journal.read(after=kept.seq - 1) == []


async def test_closed_journal_takes_nothing_and_says_so(backend: Backend) -> None:
    """Closing twice is fine, and an append after it fails instead of vanishing."""
    await fill(backend, 1)
    await backend.journal.close()
    await backend.journal.close()
    with pytest.raises(JournalError, match="closed"):
        await backend.journal.append([event(2)])
    assert backend.journal.lost == 1
