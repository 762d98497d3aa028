"""The tokens of a record, and what a filter asks of them."""

from typing import Any

import pytest

from assent.filter import LONGEST, Filter, Term, parse
from assent.journal.tokens import SEPARATOR, query_of, tokens
from assent.protocol.record import Record


def record(**fields: Any) -> Record:
    whole: dict[str, Any] = {"at": 1, "kind": "event", "hub": "h", "seq": 1, "prev": "0", "hash": "1"} | fields
    return Record(**whole)


def has(of: Record) -> set[str]:
    return set(tokens(of).split(SEPARATOR))


def test_text_is_cut_into_threes_that_begin_at_every_character() -> None:
    """The end is filled up, so that a word of two letters is found there, too."""
    threes = {token for token in has(record(body={"message": "Ab c"})) if not token.startswith("\x02")}
    assert threes == {"ab ", "b c", " c\n", "c\n\n"}


def test_text_cannot_pose_as_a_key() -> None:
    """Whatever marks of ours stand in a text, it has no token of a key that is not its own."""
    key = next(token for token in has(record(risk="danger")) if token not in has(record()))
    assert key not in has(record(body={"message": f"{SEPARATOR}{key}{SEPARATOR}"}))


def test_by_and_project_are_found_by_what_is_around_them() -> None:
    """One token for each level, so that none must be looked for by its beginning."""
    assert len(has(record(by="rule:user#4")) - has(record(by="rule:user#5"))) == 2  # as who decided, and as a rule
    inner, outer = record(body={"project": "/a/b"}), record(body={"project": "/a"})
    assert len(has(inner) - has(outer)) == 2  # the folder and its name
    assert len(has(outer) - has(inner)) == 1  # its name alone: the folder is around the other one


@pytest.mark.parametrize("text", ["", "since:1h", "-push", "e", "-e", "session:4", "project:/", "-session:4f1c"])
def test_what_narrows_nothing_down_is_not_asked(text: str) -> None:
    """Times have a table of their own; negated words, single letters and roots are left to the filter."""
    assert query_of(parse(text, now=10_000)) is None


@pytest.mark.parametrize(
    ("text", "is_dear"),
    [("push", False), ("rm", True), ("rm push", False), ("session:4f1c", True), ("session:4f1c88", False), ("ž", True)],
)
def test_few_letters_are_dear_unless_something_else_narrows_it_down(text: str, is_dear: bool) -> None:
    """All that begins with two letters is put together first, and that takes long."""
    asked = query_of(parse(text, now=0))
    assert asked is not None
    assert asked.is_dear is is_dear


def test_risks_that_cannot_be_are_asked_for_all_the_same() -> None:
    """Above danger there is nothing: nothing is to be found, not everything read."""
    assert query_of(parse("risk:>danger", now=0)) is not None


def test_long_filters_ask_a_bounded_number_of_questions() -> None:
    """Whatever fits into a filter is looked up by a handful of tokens for each term."""
    asked = query_of(parse("".join(chr(0x4E00 + n) for n in range(LONGEST)), now=0))
    assert asked is not None
    assert asked.match.count(" AND ") < 20
    assert query_of(Filter((Term("tool", tuple(map(str, range(999)))),))) is None
    many = query_of(Filter(tuple(Term("tool", (str(n),), negated=True) for n in range(300))))
    assert many is not None
    assert many.match.count(" NOT ") < 20
