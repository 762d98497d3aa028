"""The doctor names how telemetry stands."""

from dataclasses import replace

from assent.harnesses.claude_code.checks import telemetry as check
from assent.harnesses.site import Situation
from tests.unit.install.doctor.situations import edit, texts, with_hub, wrong


def test_telemetry_that_came_is_told_with_its_age(healthy: Situation) -> None:
    """As installed, and heard of."""
    heard = with_hub(healthy, telemetry={"messages": 3, "rejected": 0, "last_at": int(healthy.now * 1000) - 7_000})
    assert texts(check(heard)).strip() == "The client's telemetry reaches the hub, the last 7 s ago."
    assert "none came yet" in texts(check(healthy))
    assert wrong(check, healthy) == []


def test_no_telemetry_is_a_note_with_its_price(healthy: Situation) -> None:
    """It is optional."""
    edit(healthy, lambda value: value.pop("env"))
    assert wrong(check, healthy) == [("telemetry-off", "note")]
    assert "noticed a little later" in texts(check(healthy))


def test_other_telemetry_is_a_note(healthy: Situation) -> None:
    """It is never touched, only named."""
    edit(healthy, lambda value: value.update(env={"OTEL_METRICS_EXPORTER": "console"}))
    assert wrong(check, healthy) == [("telemetry-elsewhere", "note")]
    assert "OTEL_METRICS_EXPORTER in" in texts(check(healthy))


def test_telemetry_set_up_twice_is_a_warning(healthy: Situation) -> None:
    """The variables in the settings win over those of the shell."""
    twice = replace(healthy, environ={**healthy.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector.example"})
    assert wrong(check, twice) == [("telemetry-twice", "warning")]


def test_telemetry_for_another_port_is_a_warning(healthy: Situation) -> None:
    """The hub moved, the settings did not."""
    assert wrong(check, with_hub(healthy, port=9999)) == [("telemetry-wrong", "warning")]


def test_unreadable_telemetry_is_counted(healthy: Situation) -> None:
    """A client that changed its language shows here first."""
    assert wrong(check, with_hub(healthy, telemetry={"rejected": 2})) == [("telemetry-unread", "warning")]
