"""What the journal is asked for, to find decisions by words and keys."""

from typing import Any, cast

import msgspec
import pytest
from starlette.requests import Request

from assent.filter import DECISIONS, Term, parse
from assent.hub.api import log
from assent.hub.api.log import DecisionsApi, _Search
from assent.journal.memory import MemoryJournal
from assent.protocol.record import Draft


def keys(text: str) -> list[tuple[str, bool]]:
    found = _Search(cast("Any", None), parse(text, now=0))._candidates()
    return [(term.key, term.negated) for term in found.terms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A word stands in the event, the decision elsewhere: only what both have is asked for.
        ("word session:s1 decision:deny by:person", [("text", False), ("session", False)]),
        ("word -tool:Bash -other", [("text", False), ("tool", True)]),
        ("-word decision:deny", [("decision", False), ("decision", False)]),
        ("tool:Bash", [("tool", False), ("decision", False)]),
        ("", [("decision", False)]),
    ],
)
def test_candidates_hold_what_event_and_decision_share(text: str, expected: list[tuple[str, bool]]) -> None:
    """Without a word to look for, decisions themselves are asked for."""
    assert keys(text) == expected


def test_decisions_alone_are_asked_for_without_words() -> None:
    """Of every kind."""
    found = _Search(cast("Any", None), parse("", now=0))._candidates()
    assert found.terms == (Term("decision", DECISIONS),)


async def asked(count: int, **query: str) -> dict[str, Any]:
    journal = MemoryJournal()
    await journal.append(
        [Draft(at=n, kind="decision", call=f"c{n}", decision="allow", by="x") for n in range(1, count + 1)]
    )
    text = "&".join(f"{name}={value}" for name, value in query.items())
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": text.encode()}
    response = await DecisionsApi(journal).decisions(Request(scope))
    told: dict[str, Any] = msgspec.json.decode(bytes(response.body))
    return told


@pytest.mark.anyio
async def test_page_that_is_full_says_where_to_go_on() -> None:
    """Newest first; a page with all of them says that there is no more."""
    page = await asked(3, limit="2")
    assert ([row["seq"] for row in page["rows"]], page["before"]) == ([3, 2], 2)
    page = await asked(3, limit="2", before="2")
    assert ([row["seq"] for row in page["rows"]], page["before"]) == ([1], None)


@pytest.mark.anyio
@pytest.mark.parametrize(("limit", "count"), [("0", 1), ("1", 1), ("3", 2), ("99", 2)])
async def test_page_has_at_least_one_row_and_no_more_than_the_most(
    monkeypatch: pytest.MonkeyPatch, limit: str, count: int
) -> None:
    """Whatever is asked for."""
    monkeypatch.setattr(log, "LARGEST_ROWS", 2)
    assert len((await asked(3, limit=limit))["rows"]) == count
