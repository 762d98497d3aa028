"""An index changes how fast records are found, never which."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from assent.filter import KEYS, TEXT, Filter, Term
from assent.journal.memory import MemoryJournal
from assent.journal.sqlite import open_sqlite
from assent.protocol.record import Draft
from tests.component.journal.indexed import fill, small_steps
from tests.component.journal.test_search import drafts, terms, words

# Beside the short ones of the other journals: what is cut into threes, and what could be taken for a mark of ours.
texts = words | st.sampled_from(
    [
        "abc",
        "abcd",
        "bcd ab",
        "ABCD",
        "žab",
        "ßab",
        "ssab",
        "İab",
        "\x1f",
        "a\x1fb",
        "a b",
        "\x02a",
        "\nab",
        'a"bc',
        "'ab",
    ]
)
long = st.sampled_from(["x" * 150, "x" * 151, "x" * 99 + "žluť", "x" * 100])
richer = st.builds(
    lambda draft, text, name: replace(
        draft, session=name or draft.session, body={**draft.body, "message": text, "harness": name or "Claude"}
    ),
    drafts,
    texts | st.text(max_size=6),
    st.none() | long,
)
sought = st.builds(
    Term, st.just(TEXT), st.tuples(texts | st.text(min_size=1, max_size=4)).filter(lambda t: t[0]), st.booleans()
)
named = st.builds(
    Term,
    st.sampled_from(["session", "harness"]),
    st.lists(long | st.sampled_from(["claude", "xxx", "xxxxx", "xxxxxx"]), min_size=1).map(tuple),
    st.booleans(),
)
folders = st.builds(Term, st.just("project"), st.tuples(st.sampled_from(["/", "/a/", "b", "/a/b"])), st.booleans())
several = st.lists(st.sampled_from([*KEYS, TEXT]).flatmap(terms) | sought | named | folders, max_size=3).map(tuple)


@pytest.fixture(autouse=True, scope="module")
def steps() -> Iterable[None]:
    with pytest.MonkeyPatch.context() as patch:
        small_steps(patch)
        yield


@given(
    kept=st.lists(richer, min_size=1, max_size=14),
    wanted=st.lists(st.builds(Filter, several), min_size=1, max_size=8),
    share=st.sampled_from([0.0, 0.5, 1.0]),
    holes=st.sets(st.integers(1, 14)),
    before=st.none() | st.integers(1, 15),
    limit=st.sampled_from([1, 3, 100]),
)
def test_indexed_journal_finds_what_the_filter_means(
    kept: list[Draft], wanted: list[Filter], share: float, holes: set[int], before: int | None, limit: int
) -> None:
    """Wholly, half or not at all indexed, with records pruned since: it finds what the memory journal finds."""

    async def run(path: Path) -> None:
        real, twin = open_sqlite(path), MemoryJournal()
        await real.append(kept)
        await twin.append(kept)
        if share:
            await fill(real, through=max(1, int(len(kept) * share)))
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.executemany("DELETE FROM entries WHERE seq = ?", [(seq,) for seq in holes])
        for each in wanted:
            records = (await real.search(each, before=before, limit=limit)).records
            everything = (await twin.search(each, before=before)).records
            expected = [record.seq for record in everything if record.seq not in holes][-limit:]
            assert [record.seq for record in records] == expected, str(each)
        await real.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder) / "journal.db"))
