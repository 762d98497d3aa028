"""Decisions as rows, and the figures over them."""

import pytest

from assent.hub_state import Mirror
from assent.protocol.session import Session
from assent.tui.log import rows as log_rows
from assent.tui.log.rows import Decisions
from assent.views.days import Day
from assent.views.decisions import DecisionRow
from assent.views.report import Counted, report
from tests.unit.tui.measured import text

NOW = 1_700_000_060_000
DENIED = DecisionRow(
    seq=7,
    at=NOW - 1_000,
    hash="5" * 64,
    decision="deny",
    by="person:desk",
    risk="danger",
    session="s1",
    project="/src/webshop",
    tool="Bash",
    what="git clean -fdx",
    verb="Delete untracked files",
    choice="deny",
    surface="web",
    device="d1",
    waited_ms=4_200,
    ending="denied",
)


def drawn(row: DecisionRow, cells: int) -> str:
    session = Session("s1", title="Fix flaky login")
    return text([log_rows.line(row, session, "iPhone", NOW, cells, is_selected=True)], cells)


def test_wide_row_has_all_columns() -> None:
    """What was asked, how dangerous, whose, what was said, by whom and where, after how long, and what came of it."""
    columns = ["Time", "Ask", "Risk", "Session", "Answer", "By", "Surface", "Device", "Wait", "Result"]
    assert text([log_rows.headings(200)], 200).split() == columns
    row = drawn(DENIED, 200)
    for part in ("■", "Delete untracked files  git clean -fdx", "Danger", "Fix flaky login", "denied", "person", "web"):
        assert part in row
    assert row.split()[-6:] == ["iPhone", "4.2", "s", "✕", "not", "run"]


def test_row_says_a_title_once() -> None:
    """What a plan is about stands in its heading."""
    row = DecisionRow(
        seq=1, at=NOW, hash="5", decision="deny", by="person:desk", verb="Plan: One page", what="One page"
    )
    assert drawn(row, 200).count("One page") == 1


@pytest.mark.parametrize("cells", [30, 60, 80, 120, 240])
def test_row_keeps_what_matters_at_every_width(cells: int) -> None:
    """When, how dangerous, and what; nothing an agent wrote steers the terminal."""
    evil = "\x1b]0;x\x07\u202e漢字\t" * 30
    row = drawn(
        DecisionRow(seq=1, at=NOW, hash="5", decision=evil, by=evil, risk="care", verb=evil, project=evil), cells
    )
    assert "▲" in row
    assert row.isprintable()
    assert ("Answer" in text([log_rows.headings(cells)], cells)) == (cells >= 60)


def test_figures_say_of_how_many_they_are() -> None:
    """A share alone does not tell ten of twelve from a thousand."""
    day = Day(calls=26, decisions={"allow": 16, "deny": 3}, deciders={"rule": 2})
    found = report({"2026-01-15": {"/src": day}}, since="2026-01-15", until="2026-01-15")
    told = text([log_rows.figures(Counted(True, 1, 1, found), 120)], 120)
    assert "16 of 19 allowed   2 of 26 by rule" in told


def test_figures_tell_today_in_four_numbers() -> None:
    """Nothing decided is no share."""
    empty = Counted(False, 1, 2, report({}, since="2026-01-01", until="2026-01-15"))
    told = text([log_rows.figures(empty, 120)], 120)
    assert told == " 0 asks today   – median wait   – allowed   – by rule   still being counted"


def test_offers_say_what_else_they_would_have_let_through() -> None:
    """A rule is worth what it saves, and costs what it lets through unasked."""
    offer = {"text": "Bash(npm test *)", "saved": 14, "newly_allowed": 1}
    said, entries = log_rows.offers({"asks": 20, "approvals": 18, "offers": [offer]})
    assert said == "In 30 days people were asked 20 times and said yes 18 times."
    for cells in (60, 120):
        assert len(entries[0].draw(cells, False)) <= entries[0].height
    row = text(entries[0].draw(120, False), 120)
    assert row.endswith("saves 14 asks; would also have let through 1 call nobody was asked about")


def test_source_puts_new_ones_on_top_and_replaces_those_it_knows() -> None:
    """What came of a decision is often told later than the decision."""
    decisions = Decisions(Mirror())
    older = [DecisionRow(seq=seq, at=seq, hash="", decision="allow") for seq in (3, 2, 1)]
    decisions.add([older[0], older[2]])
    decisions.add(older[1:])
    decisions.add([DecisionRow(seq=4, at=4, hash="", decision="deny"), DecisionRow(3, 3, "", "allow", ending="ran")])
    shown = decisions.snapshot("nothing")
    assert [row.seq for row in shown.rows] == [4, 3, 2, 1]
    assert shown.rows[1].ending == "ran"
    assert (shown.key(0), shown.place("3"), shown.place("9"), len(shown)) == ("4", (1, 1), None, 4)
    assert decisions.fresh == 1
