"""Do decisions reach the collector that the settings name?"""

from dataclasses import replace

from msgspec import structs

from assent.config import CollectorUrl, Export
from assent.harnesses.site import Situation
from assent.install.doctor.record import export as check
from tests.unit.install.doctor.situations import texts, with_hub, wrong

SENT = {"otlp": "http://127.0.0.1:4318", "trouble": "", "refused": 0, "behind": 0}


def test_nothing_is_said_where_nothing_is_exported(healthy: Situation) -> None:
    """Most hubs."""
    assert list(check(healthy)) == []
    assert list(check(replace(healthy, hub=None))) == []


def test_export_that_works_is_fine(healthy: Situation) -> None:
    """By the hub's word."""
    assert wrong(check, with_hub(healthy, export=SENT)) == []
    assert "http://127.0.0.1:4318" in texts(check(with_hub(healthy, export=SENT)))


def test_collector_that_takes_nothing_is_a_warning(healthy: Situation) -> None:
    """With the reason, and how much waits."""
    troubled = with_hub(healthy, export={**SENT, "trouble": "it cannot be reached", "behind": 7})
    assert wrong(check, troubled) == [("export-trouble", "warning")]
    assert "it cannot be reached. 7 records wait." in texts(check(troubled))


def test_export_that_lags_is_a_note(healthy: Situation) -> None:
    """After an outage, it catches up."""
    assert wrong(check, with_hub(healthy, export={**SENT, "behind": 12_000})) == [("export-behind", "note")]


def test_refused_records_are_a_warning(healthy: Situation) -> None:
    """They are only in the journal."""
    assert wrong(check, with_hub(healthy, export={**SENT, "refused": 2})) == [("export-refused", "warning")]


def test_hub_that_does_not_know_of_the_collector_is_a_warning(healthy: Situation) -> None:
    """Its settings may be broken, and the last good ones in force."""
    config = structs.replace(healthy.config, export=Export(otlp=CollectorUrl("http://127.0.0.1:4318")))
    assert wrong(check, with_hub(replace(healthy, config=config), export=None)) == [("export-off", "warning")]
