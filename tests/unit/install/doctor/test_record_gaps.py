"""Did hooks find no hub?"""

from dataclasses import replace

from assent.harnesses.site import Situation
from assent.install.doctor.record import gaps as check
from tests.unit.install.doctor.situations import texts, with_hub, wrong


def test_no_gap_is_fine(healthy: Situation) -> None:
    """Neither recorded nor spooled."""
    assert wrong(check, healthy) == []


def test_recorded_gaps_are_a_warning(healthy: Situation) -> None:
    """Nothing judged these calls."""
    assert wrong(check, with_hub(healthy, gaps=4)) == [("gaps", "warning")]


def test_spooled_gaps_are_a_warning(healthy: Situation) -> None:
    """Those no hub has picked up yet are counted from the spool."""
    (healthy.paths.spool / "gaps.ndjson").write_text('{"at":1}\n{"at":2}\n')
    alone = replace(healthy, hub=None)
    assert wrong(check, alone) == [("gaps-spooled", "warning")]
    assert texts(check(alone)).startswith("2 hook runs")
