"""Any sequence of appends, to every journal."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.journal import prune
from assent.journal.base import ONE_PER, DuplicateError
from assent.journal.prune import Pruning
from assent.protocol.record import Draft
from tests.component.journal.backends import BACKENDS, fewer

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
def test_appends_give_gap_free_numbers_and_an_intact_chain(name: str) -> None:
    """Whatever is appended, all or none of each append is kept, in order, without a gap, in a chain that holds."""

    @fewer(name)
    @given(sequence=appends)
    def look(sequence: list[list[Draft]]) -> None:
        append_and_look(name, sequence)

    look()


def append_and_look(name: str, sequence: list[list[Draft]]) -> None:
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


history = st.lists(
    st.builds(
        Draft,
        at=st.integers(0, 30),
        kind=st.sampled_from(["event", "event", "decision", "hub"]),
        call=ids,
        decision=st.sampled_from([None, "allow", "deny"]),
    ),
    min_size=1,
    max_size=12,
)
prunings = st.builds(
    Pruning,
    before=st.none() | st.integers(0, 30),
    down_to=st.none() | st.integers(0, 3_000),
    spare_since=st.integers(0, 30),
    newest=st.integers(0, 8),
)
lives = st.lists(history | prunings, min_size=2, max_size=6)


@pytest.mark.parametrize("name", BACKENDS)
def test_whatever_was_pruned_a_tampering_is_found(name: str) -> None:
    """After any appends and removals on purpose the chain holds; after one done otherwise it does not."""

    @fewer(name)
    @given(life=lives, tampering=st.sampled_from(["change", "remove", "move"]), where=st.integers(0, 10**6))
    def look(life: list[list[Draft] | Pruning], tampering: str, where: int) -> None:
        tamper_and_look(name, life, tampering, where)

    look()


def tamper_and_look(name: str, life: list[list[Draft] | Pruning], tampering: str, where: int) -> None:
    async def run(folder: Path) -> None:
        backend = BACKENDS[name](folder)
        journal = backend.journal
        for part in life:
            if isinstance(part, Pruning):
                await prune.prune(journal, part, now=lambda: 99)
            else:
                await journal.append(part)
            checked = await journal.verify(await journal.head())
            assert (checked.broken, checked.unchecked) == (None, None)
        if records := await journal.read():
            head = await journal.head()
            seq = records[where % len(records)].seq
            if tampering == "change":
                backend.change(seq)
            elif tampering == "remove":
                backend.remove(seq)
            else:
                # Into the hole before it if there is one, else into the place of the one before it.
                backend.swap(seq, seq - 1)
            assert (await journal.verify(head)).broken is not None
        await journal.close()

    # Small steps, so that there are several.
    small = mock.patch.multiple(prune, MOST_IN_A_STEP=3, PAGE=4, PAUSE=0)
    with small, tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
