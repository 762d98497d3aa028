"""Parts hear what they have a method for, each of them whatever becomes of the others."""

import pytest

from assent.hub.bus import Bus
from assent.protocol.record import Draft, Record, chained

RECORD = chained(Draft(at=1, kind="event"), hub="ab12", seq=1, prev="0" * 64)


class Hears:
    def __init__(self) -> None:
        self.heard: list[object] = []

    def on_record(self, record: Record) -> None:
        self.heard.append(record)

    def on_presence(self, session: str) -> None:
        self.heard.append(session)


class Fails:
    def on_record(self, record: Record) -> None:
        raise ValueError(record.kind)


class Deaf:
    pass


def test_part_hears_by_having_the_method() -> None:
    """And nothing that it has no method for."""
    bus, part = Bus(), Hears()
    bus.register(part, Deaf())
    bus.record(RECORD)
    bus.signal(RECORD)
    bus.settings()
    bus.presence("s1")
    assert part.heard == [RECORD, "s1"]


def test_part_that_fails_does_not_silence_the_others(caplog: pytest.LogCaptureFixture) -> None:
    """It is named in the log."""
    bus, part = Bus(), Hears()
    bus.register(Fails(), part)
    bus.record(RECORD)
    assert part.heard == [RECORD]
    assert "Fails failed to hear of a record" in caplog.text


def test_parts_hear_in_the_order_in_which_they_were_registered() -> None:
    """The desk knows of an ask before surfaces are told."""
    order: list[str] = []

    class Part:
        def __init__(self, name: str) -> None:
            self.name = name

        def on_settings(self) -> None:
            order.append(self.name)

    bus = Bus()
    bus.register(Part("first"), Part("second"))
    bus.settings()
    assert order == ["first", "second"]
