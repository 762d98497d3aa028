"""The newest rows of the feed, and which of them may still change."""

from assent.views.feed import Feed, Row


def call(number: int, *, session: str = "s1", state: str = "running") -> Row:
    return Row(id=f"c{number}", rev=number, seq=number, at=0, kind="call", session=session, state=state)  # type: ignore[arg-type]


def test_feed_keeps_the_newest_rows_only() -> None:
    """Old rows go, open or not, and nothing else of them stays."""
    feed = Feed(most=5)
    for number in range(50):
        feed.put(call(number))
    assert list(feed.rows) == [f"c{number}" for number in range(45, 50)]
    assert sum(1 for _ in feed.open_rows("s1")) == 5
    assert [row.id for row in feed.newest(2)] == ["c49", "c48"]
    assert [row.id for row in feed.newest(2, before=47)] == ["c46", "c45"]


def test_feed_of_a_session_has_its_rows_only() -> None:
    """Newest first, as many as are wanted of that session, whatever others did meanwhile."""
    feed = Feed()
    for number in range(6):
        feed.put(call(number, session=f"s{number % 2}"))
    assert [row.id for row in feed.newest(2, session="s1")] == ["c5", "c3"]
    assert feed.newest(2, session="nobody") == []


def test_nearest_row_is_the_newest_of_its_session_that_is_wanted() -> None:
    """Rows of other sessions, and those that are not wanted, are passed over."""
    feed = Feed()
    for row in (call(1), call(2, state="done"), call(3, session="s2")):
        feed.put(row)
    near = feed.nearest("s1"), feed.nearest("s1", lambda row: row.state == "running"), feed.nearest("s3")
    assert [row and row.id for row in near] == ["c2", "c1", None]


def test_what_has_no_call_is_remembered_by_a_key_for_a_while() -> None:
    """A thousand keys at most, the oldest go first; a row that is gone is not found."""
    feed = Feed(most=2)
    for number in range(1_002):
        feed.remember(f"q{number}", feed.put(call(number)))
    found = [feed.remembered(key) for key in ("q0", "q999", "q1001", None)]
    assert [row and row.id for row in found] == [None, None, "c1001", None]
    assert len(feed._about) == 1_000
