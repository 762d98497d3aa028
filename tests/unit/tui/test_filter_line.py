"""A filter, typed in one line."""

import pytest

from assent.hub_state import Mirror
from assent.protocol.session import Session
from assent.tui.filter_line import FilterLine, completed, of_session, of_sessions

SESSIONS = [Session(id="5c9f2d1e-0000", project="/src/webshop", title="Fix flaky login", last=1_000)]


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("se", "session:"),
        ("-de", "-decision:"),
        ("tool:Bash ri", "tool:Bash risk:"),
        ("risk:>=c", "risk:>=change"),
        ("decision:allow,de", "decision:allow,deny"),
        ("project:we", "project:webshop"),
        ("session:5", "session:5c9f2d1e"),
        ("risk:care", ""),
        ("zebra", ""),
        ('"se', ""),
        ("", ""),
    ],
)
def test_completed_finishes_the_last_word(typed: str, whole: str) -> None:
    """Keys, and the values that are known; never what needs quotation marks."""
    assert completed(typed, of_sessions(Mirror(sessions={session.id: session for session in SESSIONS}))) == whole


def test_filter_line_keeps_the_last_filter_that_could_be_read() -> None:
    """What is wrong is said in words, and nothing changes."""
    told: list[str] = []
    line = FilterLine()
    typing = line.typing(lambda: told.append(line.text))
    assert typing.take("project:webshop") is None
    trouble = line.typing(lambda: told.append("again")).take("projekt:webshop")
    hint = 'Did you mean project:? To look for the text, quote it: "…"'
    assert trouble == f"There is no key projekt: to filter by. {hint}"
    assert line.text == "project:webshop"
    assert told == ["project:webshop"]


def test_filter_line_matches_sessions_by_key_and_by_word() -> None:
    """By project, by the beginning of the id, and by what stands in the title."""
    record = of_session(SESSIONS[0])
    for text, is_met in {"project:webshop": True, "session:5c9f": True, "flaky": True, "-flaky": False}.items():
        line = FilterLine()
        assert line.take(text) is None
        assert line.matches(record) is is_met
