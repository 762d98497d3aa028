"""Is the record kept?"""

from dataclasses import replace

from assent.harnesses.site import Situation
from assent.install.doctor.record import journal as check
from tests.unit.install.doctor.situations import texts, with_hub, wrong


def test_written_journal_is_fine(healthy: Situation) -> None:
    """By the hub's word."""
    assert wrong(check, healthy) == []


def test_trouble_is_a_problem(healthy: Situation) -> None:
    """Without a record nothing is allowed."""
    troubled = with_hub(healthy, journal={"trouble": "disk full", "lost": 0})
    assert wrong(check, troubled) == [("journal-trouble", "problem")]
    assert "disk full" in texts(check(troubled))


def test_lost_records_are_a_warning(healthy: Situation) -> None:
    """Also after the journal is well again."""
    assert wrong(check, with_hub(healthy, journal={"trouble": None, "lost": 2})) == [("journal-lost", "warning")]


def test_without_a_hub_nothing_is_claimed(healthy: Situation) -> None:
    """Its state is unknown."""
    assert list(check(replace(healthy, hub=None))) == []
