"""What encoders of all harnesses share."""

import pytest

from assent.harnesses import encoding
from assent.harnesses.base import NotHonouredError
from assent.protocol.decision import Allow, Decision, Deny
from assent.protocol.envelope import SILENT, Output
from assent.protocol.events import Event, Stop

STOP = Stop(session_id="s")
SAID = Output(action="json_output", stdout_json={"no": True})


def only_deny(_event: Event, decision: Decision) -> Output:
    if not isinstance(decision, Deny):
        raise NotHonouredError(f"It does not honour {decision.word}")
    return SAID


def test_first_that_is_honoured_is_said() -> None:
    """With a sentence about each before it."""
    encoded = encoding.first_honoured(only_deny, STOP, (Allow(), None, Deny("no")), ["A note was dropped."])
    assert encoded.output == SAID
    assert encoded.dropped == ("A note was dropped.", "It does not honour allow.")


def test_nothing_honoured_is_silence() -> None:
    assert encoding.first_honoured(only_deny, STOP, (Allow(),), []).output == SILENT


@pytest.mark.parametrize(
    ("value", "can"), [({"a": [1, "b"]}, True), (None, True), ({"a": object()}, False), ({"a": "\ud800"}, False)]
)
def test_what_cannot_be_sent_is_known(value: object, can: bool) -> None:
    assert encoding.is_json(value) is can


@pytest.mark.parametrize(
    ("words", "expected"),
    [("no", "no"), (" ", encoding.NO_REASON), ("x" * 200, "\n[cut by Assent: 200 characters in all]")],
)
def test_text_is_sendable(words: str, expected: str) -> None:
    assert encoding.sendable(words, 100).endswith(expected)
    assert len(encoding.sendable(words, 100)) <= 100
