"""What became of calls in auto mode?"""

from assent.harnesses.site import Situation
from assent.install.doctor.record import auto_mode as check
from tests.unit.install.doctor.situations import texts, with_hub, wrong


def test_nothing_is_said_without_auto_mode(healthy: Situation) -> None:
    """Most sessions do not use it."""
    assert list(check(healthy)) == []
    assert list(check(with_hub(healthy, auto_mode={"words": ""}))) == []


def test_counts_are_told_as_a_sentence(healthy: Situation) -> None:
    """It is no problem."""
    words = "auto mode: 2 calls answered before the classifier, 1 refused, 0 appealed"
    told = with_hub(healthy, auto_mode={"words": words})
    assert wrong(check, told) == []
    assert texts(check(told)).strip() == "Auto mode: 2 calls answered before the classifier, 1 refused, 0 appealed."
