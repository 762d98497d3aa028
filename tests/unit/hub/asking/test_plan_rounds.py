"""Which plan is the round before."""

from typing import Any

import pytest

from assent.asks.desk import GONE
from assent.hub.asking.plan_rounds import _is_sent_back
from assent.views.asks import Answer, Ask


def plan(**fields: Any) -> Ask:
    return Ask("ask01", 1, 1, 1, "plan", "PermissionRequest", "toy", **fields)


@pytest.mark.parametrize(
    ("ended", "is_sent_back"),
    [
        pytest.param({"answer": Answer(1, "person:desk", "revise")}, True, id="with notes"),
        pytest.param({"answer": Answer(1, "person:desk", "approve"), "ending": "denied"}, False, id="approved"),
        pytest.param({"answer": Answer(1, "person:desk", "hand_back")}, False, id="left for the terminal"),
        pytest.param({"ending": "denied"}, True, id="denied by the client"),
        pytest.param({"ending": "terminal", "why": "denied at the terminal"}, True, id="reported no"),
        pytest.param({"ending": "terminal", "why": GONE}, True, id="hook ended by a no"),
        pytest.param({"ending": "terminal", "why": "allowed at the terminal"}, False, id="reported yes"),
        pytest.param({"ending": "terminal"}, False, id="ran after a yes at the terminal"),
        pytest.param({"ending": "expired"}, False, id="time was up"),
        pytest.param({}, False, id="still waits"),
    ],
)
def test_only_a_plan_that_was_sent_back_is_the_round_before(ended: dict[str, Any], is_sent_back: bool) -> None:
    """Wherever the no was said; what became of it otherwise is not known to be one."""
    assert _is_sent_back(plan(**ended)) is is_sent_back
