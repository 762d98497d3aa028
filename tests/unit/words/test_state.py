"""How an ask stands, in words."""

import pytest

from assent.protocol.card import Result
from assent.words.state import state
from assent.words.times import clock
from tests.unit.tui.asks import OPENED, permission

ENDED = OPENED + 60_000


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("allowed at the terminal", f"Allowed in the terminal, {clock(ENDED)}"),
        ("denied at the terminal", f"Denied in the terminal, {clock(ENDED)}"),
        ("", f"Answered in the terminal, {clock(ENDED)}"),
        ("no prompt seen", f"Answered in the terminal, {clock(ENDED)} (no prompt seen)"),
    ],
)
def test_answered_in_the_terminal_is_said_once(why: str, words: str) -> None:
    """By whom and when, and from what it is concluded where nobody reported it."""
    ask = permission(state="closed", result=Result("terminal", at=ENDED, why=why))
    assert state(ask, ENDED).text == words
