"""Which records a flood must not flush away."""

from typing import Any

import pytest

from assent.journal.base import Mark
from assent.journal.reading import ALONE, Evidence, is_mark
from assent.protocol.record import Draft


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"kind": "answer"}, True),
        ({"kind": "refused"}, True),
        ({"kind": "decision", "decision": "deny"}, True),
        ({"kind": "decision", "decision": "block"}, True),
        ({"kind": "decision", "decision": "halt"}, True),
        ({"kind": "decision", "decision": "prompt", "risk": "danger"}, True),
        ({"kind": "decision", "decision": "allow", "risk": "care"}, False),
        ({"kind": "event"}, False),
        ({"kind": "ask"}, False),
    ],
)
def test_mark_is_what_people_said_and_what_was_refused(fields: dict[str, Any], expected: bool) -> None:
    """An answer, a refusal, a danger: nothing else marks its call."""
    assert is_mark(Draft(at=1, **fields)) is expected


@pytest.mark.parametrize("key", ["call", "ask", "request"])
def test_all_records_of_what_was_marked_are_evidence(key: str) -> None:
    """Whichever id they share; a record without ids shares none."""
    evidence = Evidence()
    same: dict[str, Any] = {key: "x"}
    evidence.add([Mark(7, **same), Mark(5)])
    assert evidence.seen == 7
    assert evidence.covers(Draft(at=1, kind="event", **same))
    assert not evidence.covers(Draft(at=1, kind="event", **(same | {key: "y"})))
    assert not evidence.covers(Draft(at=1, kind="event"))


@pytest.mark.parametrize("kind", sorted(ALONE))
def test_notes_of_the_hub_are_evidence_by_themselves(kind: Any) -> None:
    """Settings in force and gaps in recording are always evidence."""
    assert Evidence().covers(Draft(at=1, kind=kind))
