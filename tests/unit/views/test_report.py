"""A report is a span of days, whole, in the projects that are wanted."""

import pytest

from assent.views import spread
from assent.views.days import Cells, Day, Tool
from assent.views.report import MOST_DAYS, report

CELLS: Cells = {
    "2026-03-01": {"/src/shop": Day(events=5, calls=2, asks=1, endings={"allowed": 1}, waited_ms=spread.of([4000]))},
    "2026-03-03": {
        "/src/shop": Day(events=1, calls=1, tools={"Bash": Tool(1, 0, 500, spread.of([500]))}),
        "/src/site": Day(events=9, calls=7, tools={"Bash": Tool(2, 1, 100, {}), "Read": Tool(5)}),
    },
}


def test_report_adds_up_days_and_projects() -> None:
    """Totals are the sum of everything in the span."""
    found = report(CELLS, since="2026-01-01", until="2026-03-04")
    assert (found.totals.events, found.totals.calls, found.totals.asks) == (15, 10, 1)
    assert found.totals.endings == {"allowed": 1}
    assert found.totals.waited_ms.p50 == pytest.approx(4000, rel=0.1)
    assert [(it.project, it.figures.calls) for it in found.projects] == [("/src/site", 7), ("/src/shop", 3)]
    assert [(it.name, it.count, it.failed, it.total_ms) for it in found.tools] == [
        ("Read", 5, 0, 0),
        ("Bash", 3, 1, 600),
    ]


def test_days_begin_where_there_is_something_and_have_no_holes() -> None:
    """A chart needs every day, also the quiet ones."""
    found = report(CELLS, since="2026-01-01", until="2026-03-04")
    assert [(it.day, it.figures.calls) for it in found.days] == [
        ("2026-03-01", 2),
        ("2026-03-02", 0),
        ("2026-03-03", 8),
        ("2026-03-04", 0),
    ]
    assert (found.since, found.until) == ("2026-03-01", "2026-03-04")


def test_report_keeps_to_its_span_and_its_projects() -> None:
    """What is outside is not counted."""
    found = report(CELLS, since="2026-03-02", until="2026-03-03", wanted=lambda name: name == "/src/shop")
    assert (found.totals.calls, [it.project for it in found.projects], found.since) == (1, ["/src/shop"], "2026-03-03")


def test_empty_report_is_one_empty_day() -> None:
    """Nothing happened, and nothing is known that did not."""
    found = report({}, since="2026-03-01", until="2026-03-04")
    assert (found.totals.events, len(found.days), found.totals.took_us.p50) == (0, 1, None)
    assert (found.cost_usd, found.tokens) == (None, None)
    backwards = report(CELLS, since="2026-03-04", until="2026-03-01")
    assert (backwards.totals.events, len(backwards.days)) == (0, 1)


def test_report_of_ages_is_cut() -> None:
    """A record with an absurd time does not make a page of a million days."""
    cells = {"1970-01-01": {"": Day(events=1)}, **CELLS}
    assert len(report(cells, since="1970-01-01", until="9998-01-01").days) == MOST_DAYS
