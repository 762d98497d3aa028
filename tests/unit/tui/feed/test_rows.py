"""Many rows, and views of some of them, kept in step."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tui.feed import rows as feed_rows
from assent.tui.feed.rows import FeedRows, View
from assent.views.feed import Row, Said
from tests.unit.tui.heard_rows import row


def is_failed(found: Row) -> bool:
    return found.state == "failed"


def shown(rows: FeedRows, view: View) -> list[int]:
    return [rows.at(place).seq for place in view.places]


def test_row_changes_in_place_and_an_old_one_changes_nothing() -> None:
    """A call is one row from its beginning to its end; what arrives late does not turn it back."""
    rows = FeedRows()
    view = View(rows)
    rows.put(row(1, state="running"))
    rows.put(row(2))
    rows.put(row(1, rev=5, state="done"))
    rows.put(row(1, rev=3, state="running"))
    assert shown(rows, view) == [1, 2]
    assert rows.at(rows.first).state == "done"


def test_view_takes_a_row_in_and_out_as_it_changes() -> None:
    """Rows that begin to match appear where they belong, those that cease to match go."""
    rows = FeedRows()
    view = View(rows, is_failed)
    for seq in (1, 2, 3):
        rows.put(row(seq, state="failed" if seq == 3 else "running"))
    assert shown(rows, view) == [3]
    rows.put(row(1, rev=9, state="failed"))
    assert shown(rows, view) == [1, 3]
    rows.put(row(3, rev=10, state="done"))
    assert shown(rows, view) == [1]


def test_old_rows_are_looked_at_in_slices_and_older_pages_come_first() -> None:
    """A new filter finds the newest at once, the rest little by little; nothing is found twice."""
    rows = FeedRows()
    for seq in range(100, 200):
        rows.put(row(seq, state="failed" if seq % 10 == 0 else "done"))
    view = View(rows, is_failed)
    view.look_back(25)
    assert shown(rows, view) == [180, 190]
    assert not view.is_whole
    rows.put(row(110, rev=300, state="done"))
    assert rows.put_older([row(seq, state="failed") for seq in (101, 100, 99, 98)]) == 2
    while not view.is_whole:
        view.look_back(25)
    assert shown(rows, view) == [98, 99, 100, 120, 130, 140, 150, 160, 170, 180, 190]


def test_oldest_are_forgotten_beyond_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it runs, there are never many more rows than wanted, and views follow."""
    monkeypatch.setattr(feed_rows, "AT_ONCE", 5)
    rows = FeedRows(most=20)
    view, all_of_them = View(rows, is_failed), View(rows)
    for seq in range(1, 101):
        rows.put(row(seq, state="failed" if seq % 7 == 0 else ""))
    kept = shown(rows, all_of_them)
    assert 20 <= len(rows) <= 25
    assert kept == list(range(kept[0], 101))
    assert shown(rows, view) == [seq for seq in kept if seq % 7 == 0]
    assert rows.get("r1") is None
    assert rows.get(f"r{kept[0]}") is not None


def test_same_words_are_kept_once() -> None:
    """A hundred thousand rows of one session do not hold its id a hundred thousand times."""
    rows = FeedRows()
    for seq in (1, 2):
        answer = Said("allow", by="".join(["rule", ":x#1"]))
        rows.put(row(seq, session="".join(["se", "ssion"]), said=answer))
    first, second = rows.at(0), rows.at(1)
    assert first.session is second.session
    assert first.said is second.said


@given(seed=st.integers(0, 10_000))
def test_views_equal_what_a_plain_search_finds(seed: int) -> None:
    """Whatever order news come in, rows stand by when they began, and each view holds exactly what matches."""
    chance = random.Random(seed)
    rows = FeedRows(most=1000)
    view = View(rows, is_failed)
    known: dict[str, Row] = {}
    for rev in range(100, 160):
        seq = chance.randint(50, 80) if chance.random() < 0.6 else rev
        made = row(seq, rev=rev, state=chance.choice(["failed", "done"]))
        known[made.id] = made
        rows.put(made)
        if chance.random() < 0.05:
            view.begin(is_failed)
        view.look_back(chance.randint(0, 9))
    while not view.is_whole:
        view.look_back(7)
    in_order = sorted(known.values(), key=lambda made: made.seq)
    assert [rows.at(place) for place in range(rows.first, rows.end)] == in_order
    assert shown(rows, view) == [made.seq for made in in_order if is_failed(made)]
    assert all(rows.get(name) == made for name, made in known.items())
