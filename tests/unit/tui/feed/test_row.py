"""One row of the feed as one line."""

from datetime import datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.text import wording
from assent.tui.drawing.text import Line, width
from assent.tui.feed import row as feed_row
from assent.views.feed import Row, Said

AT = int(datetime(2026, 1, 15, 9, 41, 7).timestamp() * 1000)
EDIT = Row(
    id="toolu_1",
    rev=4,
    seq=2,
    at=AT,
    kind="call",
    session="5c9f",
    name="Edit",
    what="auth.py",
    state="done",
    took_ms=40,
    said=Said("allow", by="rule:user#7"),
    told="allowed by your rule 7",
)
CLEAN = Row(
    id="toolu_2",
    rev=6,
    seq=5,
    at=AT,
    kind="call",
    session="5c9f",
    agent="a1",
    agent_type="explorer",
    name="Bash",
    what="git clean -fdx",
    state="denied",
    risk="danger",
    ask="kptwm",
    said=Said("deny", by="person:iPhone-of-Ana", why="not here"),
    told="denied by iPhone of Ana, after 4.0 s: not here",
)


def text(line: Line) -> str:
    return "".join(part for part, _ in line)


@pytest.mark.parametrize(
    ("cells", "start", "end"),
    [
        (110, "09:41:07 webshop        Edit auth.py · allowed by your rule 7 ", "    40 ms  ✓ done     "),
        (80, "09:41:07 [WB] Edit auth.py · allowed by your rule 7 ", " 40 ms ✓"),
        (40, "09:41 [WB] Edit auth.py · allowed by", "… ✓"),
    ],
)
def test_line_leaves_out_what_can_be_missed_where_it_is_narrow(cells: int, start: str, end: str) -> None:
    """Wide lines name project and state; narrow ones tell with two letters and a sign."""
    line = feed_row.line(EDIT, cells, "webshop")
    assert width(line) == cells
    assert text(line).startswith(start)
    assert text(line).endswith(end)


def test_line_says_who_refused_and_why() -> None:
    """A refusal names the sub-agent, the risk, the person and the reason; its state is a word at any width."""
    line = text(feed_row.line(CLEAN, 150, "webshop"))
    assert "↳ explorer ■ Bash git clean -fdx · denied by iPhone of Ana, after 4.0 s: not here" in line
    assert all("■ denied" in text(feed_row.line(CLEAN, cells, "webshop")) for cells in (40, 60, 80, 200))


def test_line_of_an_ask_leaves_out_how_people_were_reached() -> None:
    """What was asked has the room; what went wrong is told."""
    row = msgspec.structs.replace(EDIT, ask="kptwm", note="not sent to push", state="prompted", told="")
    assert text(feed_row.line(row, 120)).count("not sent") == 0
    assert "not sent" in text(feed_row.line(msgspec.structs.replace(row, state="failed"), 120))
    assert "not sent" in text(feed_row.line(msgspec.structs.replace(row, ask=""), 120))


def test_line_keeps_room_for_the_verdict_behind_a_long_command() -> None:
    """A command that fills the line leaves a third of it to what was said about it."""
    long = msgspec.structs.replace(CLEAN, what="x" * 300)
    assert "· denied by iPhone" in text(feed_row.line(long, 80))
    assert "· ask kptwm" in text(feed_row.line(msgspec.structs.replace(long, state="prompted"), 80))


def test_line_names_tools_and_events_in_words() -> None:
    """The record's own name is for filters."""
    row = msgspec.structs.replace(EDIT, name="ExitPlanMode", label="Plan", what="Move the guide")
    line = text(feed_row.line(row, 120))
    assert "Plan Move the guide" in line
    assert "ExitPlanMode" not in line


@given(
    cells=st.integers(1, 240),
    what=st.text(max_size=60),
    note=st.text(max_size=60),
    name=st.text(max_size=20),
    agent=st.text(max_size=10),
    of=st.text(max_size=20),
    state=st.sampled_from(("", *wording.FEED)),
)
def test_line_is_never_wider_than_its_room(
    cells: int, what: str, note: str, name: str, agent: str, of: str, state: str
) -> None:
    """Whatever an agent writes, a row stays within its line."""
    row = msgspec.structs.replace(CLEAN, what=what, note=note, name=name, agent=agent, state=state, took_ms=7.0)
    assert width(feed_row.line(row, cells, of)) <= cells
