"""Any sequence of appends, to every journal."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.journal.base import ONE_PER, DuplicateError
from assent.protocol.record import Draft
from tests.component.journal.backends import BACKENDS

ids = st.none() | st.sampled_from("abc")
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
drafts = st.builds(
    Draft,
    at=st.integers(0, 2**53),
    kind=st.sampled_from(["event", "decision", "answer"]),
    session=st.none() | text,
    ask=ids,
    request=ids,
    body=st.dictionaries(text, json, max_size=3),
)
appends = st.lists(st.lists(drafts, max_size=4), max_size=8)


def expected(sequence: list[list[Draft]]) -> list[bool]:
    """Which appends are kept, by the rule alone: one answer per ask, one decision per request."""
    taken: set[tuple[str, Any]] = set()
    kept = []
    for drafts in sequence:
        keys = [(d.kind, getattr(d, ONE_PER[d.kind])) for d in drafts if d.kind in ONE_PER]
        keys = [key for key in keys if key[1] is not None]
        kept.append(len(set(keys)) == len(keys) and not taken & set(keys))
        if kept[-1]:
            taken |= set(keys)
    return kept


@pytest.mark.parametrize("name", BACKENDS)
@given(sequence=appends)
def test_appends_give_gap_free_numbers_and_an_intact_chain(name: str, sequence: list[list[Draft]]) -> None:
    """Whatever is appended, all or none of each append is kept, in order, without a gap, in a chain that holds."""

    async def run(folder: Path) -> None:
        journal = BACKENDS[name](folder).journal
        outcomes = await asyncio.gather(*map(journal.append, sequence), return_exceptions=True)
        kept = expected(sequence)
        assert [not isinstance(outcome, DuplicateError) for outcome in outcomes] == kept
        records = [record for outcome in outcomes if not isinstance(outcome, BaseException) for record in outcome]
        wanted = [draft for drafts, is_kept in zip(sequence, kept, strict=True) if is_kept for draft in drafts]
        assert [(record.at, record.kind, record.body) for record in records] == [(d.at, d.kind, d.body) for d in wanted]
        assert [record.seq for record in records] == list(range(1, len(wanted) + 1))
        assert await journal.read() == records
        assert (await journal.verify()).broken is None
        await journal.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
