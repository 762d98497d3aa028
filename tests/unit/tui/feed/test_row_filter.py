"""The shared words of a filter, for rows of the feed."""

import pytest

from assent.errors import UsageError
from assent.protocol.session import Session
from assent.tui.feed import row as row_
from assent.views.feed import Said
from tests.unit.tui.heard_rows import row

SESSIONS = {"5c9f-1": Session(id="5c9f-1", harness="claude-code", project="/home/dev/webshop", title="Fix flaky Login")}
DENIED = row(
    5,
    id="toolu_9",
    session="5c9f-1",
    agent="a77",
    agent_type="explorer",
    what="git clean -fdx",
    risk="danger",
    state="denied",
    ask="kptwm",
    note="Not before Friday",
    said=Said("deny", by="person:phone", why="keeps uploads"),
)
RULED = row(6, session="5c9f-1", name="Edit", said=Said("allow", by="rule:/home/dev/rules.toml#7"))
OF_HUB = row(7, kind="hub", session=None, name="", what="the hub started")


@pytest.mark.parametrize(
    ("text", "denied", "ruled"),
    [
        ("session:5c9f", True, True),
        ("session:webshop", True, True),
        ("session:login", True, True),
        ("project:webshop", True, True),
        ("project:/home/dev", True, True),
        ("project:shop", False, False),
        ("agent:a7", True, False),
        ("agent:explorer", True, False),
        ("harness:claude-code", True, True),
        ("tool:bash", True, False),
        ("tool:Bash,Edit", True, True),
        ("-tool:Edit", True, False),
        ("risk:>=care", True, False),
        ("-risk:danger", False, True),
        ("decision:deny", True, False),
        ("by:person", True, False),
        ("by:phone", True, False),
        ("by:rule", False, True),
        ("rule:/home/dev/rules.toml", False, True),
        ("rule:/home/dev/rules.toml#7", False, True),
        ("ask:kptwm", True, False),
        ("call:toolu_9", True, False),
        ("since:1970-01-01T00:00:05.500+00:00", False, True),
        ("until:1970-01-01T00:00:05.500+00:00", True, False),
        ('"GIT clean"', True, False),
        ("friday", True, False),
        ("uploads", True, False),
        ("tool:Bash decision:allow", False, False),
    ],
)
def test_key_means_the_same_as_on_the_page(text: str, denied: bool, ruled: bool) -> None:
    """Each key looks at what a row knows of itself and of its session."""
    wanted = row_.parse_filter(text, SESSIONS.get, now=100.0)
    assert wanted is not None
    assert (wanted(DENIED), wanted(RULED)) == (denied, ruled)


def test_rows_of_the_hub_have_words_but_no_session() -> None:
    """What the hub says about itself is found by its words, and by no key of a session."""
    for text, expected in (("started", True), ("project:webshop", False), ("session:5c9f", False)):
        wanted = row_.parse_filter(text, SESSIONS.get, now=100.0)
        assert wanted is not None
        assert wanted(OF_HUB) is expected


def test_what_rows_do_not_know_is_refused_in_words() -> None:
    """A key that only the record has is not silently met by nothing; no filter at all is none."""
    with pytest.raises(UsageError, match="cannot be filtered by event:"):
        row_.parse_filter("event:Stop", SESSIONS.get, now=100.0)
    with pytest.raises(UsageError):
        row_.parse_filter("risk:much", SESSIONS.get, now=100.0)
    assert row_.parse_filter("  ", SESSIONS.get, now=100.0) is None
