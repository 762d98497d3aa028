"""Columns that adapt to the room there is."""

import pytest

from assent.tui.drawing.listing import Column, headings, laid_out, row
from assent.tui.drawing.text import width

COLUMNS = (
    Column("Time", 8),
    Column("What", 10, share=1),
    Column("By", 6, rank=2),
    Column("Wait", 5, rank=1, is_right=True),
)


@pytest.mark.parametrize(
    ("cells", "kept"),
    [(4, ["Time"]), (20, ["Time", "What"]), (30, ["Time", "What", "Wait"]), (40, ["Time", "What", "By", "Wait"])],
)
def test_columns_that_matter_least_go_first(cells: int, kept: list[str]) -> None:
    """Those that stay keep their order."""
    assert [column.name for column, _ in laid_out(COLUMNS, cells)] == kept


@pytest.mark.parametrize("cells", [4, 9, 20, 33, 80, 240])
def test_row_is_exactly_as_wide_as_its_headings(cells: int) -> None:
    """The flexible column takes what is left, and what does not fit is cut with a sign."""
    layout = laid_out(COLUMNS, cells)
    line = row(layout, {"Time": [("09:41:07", "")], "What": [("漢字" * 60, "")], "Wait": [("1 s", "")]})
    assert width(line) == width(headings(layout)) <= cells
