"""Many asks of one session within seconds become one row."""

import msgspec

from assent.protocol.card import ShownAsk
from assent.tui.inbox.rows import bursting, identity, words
from tests.unit.tui import shown_asks as asks


def came(*seconds: float) -> list[ShownAsk]:
    return [
        msgspec.structs.replace(asks.permission(), id=f"ask{at}", opened_at=int(second * 1000))
        for at, second in enumerate(seconds)
    ]


def test_six_within_ten_seconds_are_a_burst() -> None:
    """And are told as one."""
    found = bursting(came(0, 1, 2, 3, 4, 8))
    assert [len(of) for of in found.values()] == [6]
    assert words(next(iter(found.values()))) == "Paused: 6 asks in 8 s. Review or stop the session?"


def test_five_are_none() -> None:
    """Nor are six that take their time."""
    assert bursting(came(0, 1, 2, 3, 4)) == {}
    assert bursting(came(0, 3, 6, 9, 12, 15)) == {}


def test_row_of_another_machine_names_it() -> None:
    """A card has it among its marks, a row beside its project."""
    ask = asks.permission()
    subject = msgspec.structs.replace(ask.subject, machine="build-box")
    other = msgspec.structs.replace(ask, subject=subject, flags=("other_machine",))
    assert " · on build-box" in [text for text, _ in identity(other, short=True)]
    assert not any("build-box" in text for text, _ in identity(other))
    assert not any(" on " in text for text, _ in identity(ask, short=True))
