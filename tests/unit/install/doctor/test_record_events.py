"""Has it been seen to work?"""

from dataclasses import replace

import pytest

from assent.harnesses.site import Situation
from assent.install.doctor.record import events as check
from tests.unit.install.doctor.situations import texts, with_hub, wrong


def test_seen_event_is_proof(healthy: Situation) -> None:
    """With its age."""
    assert wrong(check, healthy) == []
    assert "5 s ago" in texts(check(healthy))


@pytest.mark.parametrize(("age", "words"), [(0, "0 s"), (61, "1 min"), (7300, "2 h"), (200_000, "2 d"), (-9, "0 s")])
def test_age_is_told_in_words(healthy: Situation, age: int, words: str) -> None:
    """Rounded down to the largest unit; a clock set back is no negative age."""
    assert f"{words} ago" in texts(check(with_hub(healthy, last_event_at=int((healthy.now - age) * 1000))))


def test_no_event_is_a_warning(healthy: Situation) -> None:
    """Right entries alone prove nothing."""
    assert wrong(check, with_hub(healthy, last_event_at=None)) == [("event-none", "warning")]
    assert wrong(check, replace(healthy, hub=None)) == [("event-none", "warning")]
