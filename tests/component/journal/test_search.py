"""Searching, whatever the journal is kept in."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.filter import KEYS, TEXT, Filter, Term, parse
from assent.journal import search
from assent.journal.base import Break, Head
from assent.journal.memory import MemoryJournal
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import GENESIS, Draft
from tests.component.journal.backends import BACKENDS, Backend, fewer


@pytest.fixture(params=BACKENDS)
async def backend(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backend]:
    backend = BACKENDS[request.param](tmp_path)
    yield backend
    await backend.journal.close()


def call(n: int, tool: str = "Bash", **body: Any) -> Draft:
    return Draft(
        at=n * 1000, kind="event", session=f"s{n % 3}", call=f"c{n}", body={"payload": {"tool_name": tool}, **body}
    )


@pytest.mark.anyio
async def test_search_gives_the_newest_that_match_oldest_first(backend: Backend) -> None:
    """A page of the newest matches below a number, in the order of their numbers."""
    await backend.journal.append([call(n) for n in range(1, 31)])
    wanted = parse("session:s1 tool:bash", now=0)

    async def seqs(before: int | None = None, limit: int = 100) -> list[int]:
        result = await backend.journal.search(wanted, before=before, limit=limit)
        assert result.unseen_before is None
        return [record.seq for record in result.records]

    assert await seqs() == list(range(1, 31, 3))
    assert await seqs(limit=2) == [25, 28]
    assert await seqs(before=25, limit=2) == [19, 22]
    assert await seqs(before=1) == await seqs(limit=0) == []
    assert await seqs(before=999, limit=1) == [28]


@pytest.mark.anyio
async def test_story_is_every_record_of_a_call(backend: Backend) -> None:
    """One id, all its records, nothing of a call whose id only begins the same."""
    await backend.journal.append([call(1), call(12), call(1), call(2)])
    assert [record.seq for record in await backend.journal.story("c1")] == [1, 3]
    assert await backend.journal.story("c") == []


@pytest.mark.anyio
async def test_search_that_ends_early_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One search looks at so many records and no more; asking again from there finds the rest."""
    monkeypatch.setattr(search, "MOST_EFFORT", 20)
    monkeypatch.setattr(search, "PAGE", 7)
    journal = open_sqlite(tmp_path / "journal.db")
    await journal.append([call(n, "Write" if n == 3 else "Bash") for n in range(1, 51)])
    wanted = parse("tool:Write", now=0)
    looks, before = [], None
    while True:
        page = await journal.search(wanted, before=before)
        looks.append(([record.seq for record in page.records], before := page.unseen_before))
        if before is None:
            break
    # Three windows fill the measure; one that the filter must look at fills it alone.
    assert looks == [([], 30), ([], 9), ([3], 2), ([], None)]
    await journal.close()


@pytest.mark.anyio
async def test_search_survives_a_damaged_body(tmp_path: Path) -> None:
    """One record that is no JSON any more hides no other."""
    backend = BACKENDS["sqlite"](tmp_path)
    await backend.journal.append([call(n, event="Stop") for n in range(1, 4)])
    backend._edit("UPDATE entries SET body = '{oops' WHERE seq = 2")  # type: ignore[attr-defined]
    result = await backend.journal.search(parse("event:stop tool:bash", now=0))
    assert [record.seq for record in result.records] == [1, 3]
    result = await backend.journal.search(parse("oops", now=0))
    assert [record.seq for record in result.records] == [2]
    await backend.journal.close()


@pytest.mark.anyio
async def test_verify_says_against_which_head_it_checked(backend: Backend) -> None:
    """A head that was kept and still stands in the chain is named in the result, and so is where the chain ends."""
    await backend.journal.append([call(1), call(2)])
    kept = await backend.journal.head()
    await backend.journal.append([call(3)])
    checked = await backend.journal.verify(kept)
    assert (checked.head, checked.against, checked.broken) == (await backend.journal.head(), kept, None)
    beginning = Head(backend.journal.hub, 0, GENESIS)
    assert (await backend.journal.verify(beginning)).broken is None
    assert (await backend.journal.verify()).against is None


@pytest.mark.anyio
async def test_verify_against_a_kept_head_sees_a_tail_that_is_gone(backend: Backend) -> None:
    """What the chain alone cannot show, the head kept elsewhere does."""
    await backend.journal.append([call(n) for n in range(1, 21)])
    kept = await backend.journal.head()
    backend.remove(19, 20)
    assert (await backend.journal.verify()).broken is None
    assert (await backend.journal.verify(kept)).broken == Break(
        19, "records 19 to 20 are missing, for the head was kept at 20"
    )


@pytest.mark.anyio
async def test_verify_against_a_kept_head_sees_a_chain_made_anew(backend: Backend) -> None:
    """Another history, or another hub's, holds in itself and is not the one whose head was kept."""
    await backend.journal.append([call(1), call(2)])
    hub = backend.journal.hub
    rewritten = (await backend.journal.verify(Head(hub, 1, "f" * 64))).broken
    assert rewritten is not None
    assert (rewritten.seq, "history was rewritten" in rewritten.why) == (1, True)
    other = (await backend.journal.verify(Head("other", 1, "f" * 64))).broken
    assert other is not None
    assert f"journal of hub {hub}" in other.why


words = st.sampled_from(
    ["a", "A", "ab", "b%", "_", "~", 'q"', "\\", "ž", "Ž", "\u212a", "k", "a\0b", "rule:a", "x y", ""]
)
bodies = st.fixed_dictionaries(
    {},
    optional={
        "event": words | st.integers(),
        "harness": words,
        "tool": words | st.none(),
        "project": st.sampled_from(["/a/b", "/a", "b"]),
        "trace": st.lists(st.fixed_dictionaries({"by": st.sampled_from(["rule:a#1", "floor:x"]), "why": words})),
        "payload": st.dictionaries(st.sampled_from(["tool_name", "cwd", "prompt"]), words),
    },
)
drafts = st.builds(
    Draft,
    at=st.integers(0, 5),
    kind=st.just("event"),
    session=st.none() | words,
    agent=st.none() | words,
    call=st.none() | words,
    ask=st.none() | words,
    risk=st.sampled_from([None, "look", "change", "care", "danger"]),
    decision=st.none() | words,
    by=st.none() | st.sampled_from(["person:phone", "person", "rule:a#1", "rule:ab#1"]),
    body=bodies,
)


def terms(key: str) -> st.SearchStrategy[Term]:
    values = {
        "risk": st.tuples(st.sampled_from(["look", ">=care", "<danger", "=change", ">look", "<=care"])),
        "since": st.tuples(st.integers(0, 6).map(str)),
        "until": st.tuples(st.integers(0, 6).map(str)),
        "text": st.tuples(words.filter(bool)),
        "by": st.tuples(st.sampled_from(["person", "rule", "rule:a", "rule:a#1"])),
    }
    several = st.lists(words.filter(bool), min_size=1, max_size=2).map(tuple)
    return st.builds(Term, st.just(key), values.get(key, several), st.booleans())


filters = st.builds(Filter, st.lists(st.sampled_from([*KEYS, TEXT]).flatmap(terms), max_size=2).map(tuple))


@pytest.mark.parametrize("name", ["sqlite", "postgres"])
def test_database_finds_what_the_filter_means(name: str) -> None:
    """The database's shortcuts never lose a record: it finds what the memory journal finds by the filter alone."""

    @fewer(name)
    @given(kept=st.lists(drafts, max_size=12), wanted=st.lists(filters, min_size=1, max_size=8))
    def look(kept: list[Draft], wanted: list[Filter]) -> None:
        search_both(name, kept, wanted)

    look()


def search_both(name: str, kept: list[Draft], wanted: list[Filter]) -> None:
    async def run(folder: Path) -> None:
        real, twin = BACKENDS[name](folder).journal, MemoryJournal()
        await real.append(kept)
        await twin.append(kept)
        for each in wanted:
            results = [(await journal.search(each)).records for journal in (real, twin)]
            assert [record.seq for record in results[0]] == [record.seq for record in results[1]], str(each)
        await real.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
