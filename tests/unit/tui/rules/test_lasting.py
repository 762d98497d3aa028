"""What was allowed for longer, drawn."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from assent.protocol.lasting import Given
from assent.tui.rules import lasting
from tests.hostile import SAMPLES
from tests.unit.tui.measured import text
from tests.unit.tui.shown_asks import OPENED

HOUR = 3_600_000


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def given(**fields: Any) -> Given:
    known: dict[str, Any] = {
        "id": "3f9a1c20",
        "kind": "shape",
        "words": "`git push` of feature to origin",
        "project": "/home/dev/src/webshop",
        "harness": "claude-code",
        "by": "person:desk",
        "at": OPENED,
    }
    return Given(**(known | fields))


def drawn(*all_given: Given, cells: int = 80, doomed: str = "") -> str:
    entries = lasting.listed(all_given, cells, now=OPENED + HOUR - 1, home="/home/dev", doomed=doomed)
    lines = [entry.draw(cells, False) for entry in entries]
    assert all(len(of) == entry.height for of, entry in zip(lines, entries, strict=True))
    return text([line for of in lines for line in of], cells)


def test_lasting_tells_what_where_since_until_and_what_it_saved() -> None:
    assert drawn(given(saved=12, until=OPENED + 8 * HOUR)).split("\n") == [
        "─ Grants  d takes one back",
        " ✓ allow  `git push` of feature to origin                     let 12 calls pass",
        "          ~/src/webshop, Claude only",
        "          since 9:41 by desk; until 17:41, 7 h left",
        "",
    ]


def test_lasting_without_an_end_or_a_use_says_so() -> None:
    shown = drawn(given())
    assert "not used yet" in shown
    assert "until" not in shown
    assert "let 1 call pass\n" in drawn(given(saved=1)).replace(" \n", "\n")


def test_lasting_that_is_void_says_why() -> None:
    shown = drawn(given(void="another repository lies there now"))
    assert " – void   `git push`" in shown
    assert "Does not hold: another repository lies there now" in shown


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "run", "words": "tests, builds and linters", "harness": ""}, "Run tests, builds and linters"),
        ({"kind": "change", "words": "changes that git can bring back"}, "Make changes that git can bring back"),
        ({"kind": "reads", "words": "`acme list`"}, "`acme list` only reads"),
        ({"project": "", "harness": ""}, "every project, every agent"),
        ({"rule": "WebFetch(domain:docs.example.com)"}, "WebFetch(domain:docs.example.com)"),
    ],
)
def test_lasting_says_what_it_is(fields: dict[str, Any], words: str) -> None:
    assert words in drawn(given(**fields))


def test_lasting_that_is_to_go_says_so_and_stays_whole() -> None:
    """The question beside it hides nothing of what it covers."""
    for cells in (40, 60, 80):
        shown = drawn(given(), cells=cells, doomed=lasting.key(given()))
        assert lasting.SURE in " ".join(shown.split())
        assert "…" not in shown.split("\n", 1)[1]


def test_lasting_is_found_by_all_words() -> None:
    assert lasting.matches(given(), "push webshop")
    assert lasting.matches(given(), "grants")
    assert not lasting.matches(given(), "push billing")


def test_lasting_draws_nothing_where_there_is_none() -> None:
    assert lasting.listed((), 80, now=OPENED, home="") == []


@pytest.mark.parametrize("cells", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("evil", SAMPLES)
def test_lasting_draws_hostile_text_as_letters_within_its_lines(evil: str, cells: int) -> None:
    bad = given(words=evil, project=f"/{evil}", harness=evil, by=evil, void=evil, rule=evil)
    assert drawn(bad, cells=cells).replace("\n", "").isprintable()
