"""A lane for each session that is live."""

from hypothesis import given
from hypothesis import strategies as st

from assent.protocol.session import Session
from assent.tui.drawing.text import Line, width
from assent.tui.feed.list import Lanes
from assent.tui.feed.rows import FeedRows
from tests.unit.tui.heard_rows import row

SESSIONS = {
    name: Session(id=name, project=f"/src/{name}", title=f"Work on {name}", last=last)
    for name, last in (("webshop", 3), ("api", 9), ("docs", 5))
}


def text(line: Line) -> str:
    return "".join(part for part, _ in line)


def test_lanes_show_what_each_session_did_newest_at_the_bottom() -> None:
    """Each row stands in its session's lane; rows that come later appear in it."""
    rows = FeedRows()
    for seq, name in enumerate(["webshop", "api", "webshop", "gone"], 1):
        rows.put(row(seq, session=name, what=f"step {seq}"))
    lanes = Lanes(rows)
    assert lanes.keep(SESSIONS.values(), 120) == 0
    rows.put(row(9, session="api", what="step 9"))
    lanes.added(row(9, session="api"))
    lines = [text(line) for line in lanes.lines(120, 6, SESSIONS)]
    assert len(lines) == 6
    assert lines[0].index("api") < lines[0].index("docs") < lines[0].index("webshop")
    assert "step 9" in lines[-1]
    assert "step 3" in lines[-1]
    assert "step 2" in lines[-2]
    assert not any("step 4" in line for line in lines)


def test_lane_stays_where_it_is_while_its_session_is_live() -> None:
    """Who does something first does not change places; who is gone makes room; who has none is counted."""
    lanes = Lanes(FeedRows())
    assert lanes.keep(SESSIONS.values(), 80) == 1
    busy = {**SESSIONS, "docs": Session(id="docs", last=99), "webshop": Session(id="webshop", last=100)}
    lanes.keep(busy.values(), 80)
    assert lanes.chosen == "api"
    lanes.move(1)
    assert lanes.chosen == "docs"
    lanes.move(1)
    assert lanes.chosen == "docs"
    lanes.keep((Session(id="docs", state="ended"), Session(id="webshop")), 80)
    assert lanes.chosen == "webshop"
    assert "No session is live" in text(Lanes(FeedRows()).lines(120, 5, {})[0])


@given(title=st.text(max_size=80), what=st.text(max_size=80), cells=st.integers(120, 240), height=st.integers(1, 9))
def test_lanes_keep_within_their_width_and_height(title: str, what: str, cells: int, height: int) -> None:
    """Whatever sessions are called and do, no line is wider or more than there is room."""
    sessions = {name: Session(id=name, title=title) for name in ("one", "two")}
    rows = FeedRows()
    for seq in range(12):
        rows.put(row(seq, session="one", what=what))
    lanes = Lanes(rows)
    lanes.keep(sessions.values(), cells)
    lines = lanes.lines(cells, height, sessions)
    assert len(lines) == height
    assert all(width(line) <= cells for line in lines)
