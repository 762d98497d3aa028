"""What was used adds up, and comes back from a record as it went in."""

import pytest

from assent.protocol import usage
from assent.protocol.record import GENESIS, Draft, Record, chained
from assent.protocol.usage import MOST_MODELS, OTHER, OfModel, Usage


def recorded(body: dict[str, object]) -> Record:
    return chained(Draft(at=1, kind="hub", session="s1", body=body), hub="h", seq=1, prev=GENESIS)


def test_usage_comes_back_from_its_record() -> None:
    """Rounded to a millionth: sums of fractions end in noise."""
    used = Usage(cost_usd=0.1 + 0.2, requests=2, tokens_in=5, active_s=1.5, models={"m": OfModel(0.1 + 0.2, 5)})
    body = usage.body(used)
    assert body["cost_usd"] == 0.3
    assert usage.read(recorded(body)) == Usage(0.3, 2, 5, active_s=1.5, models={"m": OfModel(0.3, 5)})


@pytest.mark.parametrize("body", [{}, {"what": "stopped"}, {"what": "usage", "cost_usd": "much"}])
def test_other_records_hold_no_usage(body: dict[str, object]) -> None:
    """Also one of another form."""
    assert usage.read(recorded(body)) is None


def test_models_are_bounded() -> None:
    """Names come from agents: what is too many is added up under one."""
    whole = Usage()
    for number in range(MOST_MODELS + 5):
        whole.add(Usage(cost_usd=1, models={f"m{number}": OfModel(1.0, 1)}))
    assert len(whole.models) == MOST_MODELS + 1
    assert whole.models[OTHER].cost_usd == 5
    assert whole.cost_usd == MOST_MODELS + 5
