"""Records of hook runs that could not be judged."""

import pytest

from assent.hub.pipeline.arrival import Arrival, payload_of, unjudged
from assent.protocol.decision import NoOpinion
from assent.redact import Redactor

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


def arrival(payload: bytes) -> Arrival:
    return Arrival(harness="abacus", event_name="Bead", payload=payload, transport="http", request_id="r1")


@pytest.mark.parametrize(("payload", "expected"), [(b'{"a": 1}', {"a": 1}), (b"[1]", None), (b"{", None)])
def test_only_an_object_is_kept_of_an_unknown_harness(payload: bytes, expected: object) -> None:
    assert payload_of(arrival(payload)) == expected


def test_event_and_decision_are_recorded() -> None:
    """With the names that came, and why nothing was judged; secrets are hidden as in every record."""
    come = arrival(b"{}")
    payload = {"session_id": "s1", "token": SECRET}
    event, decision = unjudged(
        come,
        Redactor(lambda text: f"{len(text):08x}"),
        NoOpinion("unknown_event"),
        "hub:unknown_harness",
        "why",
        payload,
    )
    assert (event.session, event.request, event.body["harness"], event.body["event"]) == ("s1", "r1", "abacus", "Bead")
    assert event.body["known"] is False
    assert event.body["trouble"] == "why"
    assert SECRET not in str(event.body)
    assert (decision.decision, decision.by) == ("no_opinion", "hub:unknown_harness")


def test_time_it_took_is_in_microseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounded down."""
    come = arrival(b"{}")
    monkeypatch.setattr("time.perf_counter_ns", lambda: come.came + 2_001_999)
    assert come.took_us == 2_001
