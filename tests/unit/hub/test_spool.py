"""Gaps: read where they are plain, counted where they are many."""

from pathlib import Path

import pytest

from assent.hub import spool
from assent.hub.spool import Gap, collapsed


def test_few_gaps_stay_as_they_are() -> None:
    """Each is a record of its own."""
    gaps = [Gap(at=number, event="Stop") for number in range(spool.MOST_ALONE)]
    assert collapsed(gaps) == (gaps, [])


def test_more_are_counted_by_event() -> None:
    """Of those beyond the limit their number and size are kept."""
    first = [Gap(at=0)] * spool.MOST_ALONE
    alone, counted = collapsed([*first, Gap(at=7, event="Stop", size=2), Gap(at=8, event="Stop", size=3)])
    assert alone == first
    assert [(gap.at, gap.event, gap.size, gap.count) for gap in counted] == [(7, "Stop", 5, 2)]


def test_names_without_end_are_counted_together() -> None:
    """Made-up events do not make as many records."""
    _, counted = collapsed(Gap(at=0, event=str(number)) for number in range(5_000))
    assert len(counted) <= spool.MOST_EVENTS + 1
    assert sum(gap.count for gap in counted) == 5_000 - spool.MOST_ALONE


@pytest.mark.parametrize(
    "line", ['{"at":-1}', '{"at":99999999999999999999}', '{"at":1,"count":9}', '{"at":1,"event":"%s"}' % ("x" * 999)]
)
def test_gap_that_no_shim_wrote_is_left_out(tmp_path: Path, line: str) -> None:
    """Numbers that no record can hold, and names without end."""
    (tmp_path / "gaps.ndjson").write_text(f'{line}\n{{"at":1}}\n')
    found = spool.take(tmp_path)
    assert found is not None
    assert found[1] == [Gap(at=1)]
