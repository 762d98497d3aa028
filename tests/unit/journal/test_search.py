"""The part of a filter that SQLite applies."""

import pytest

from assent.filter import KEYS, parse
from assent.journal.search import where


@pytest.mark.parametrize("key", [*(f"{key}:" for key in KEYS if key not in ("risk", "decision", "since", "until")), ""])
def test_what_people_typed_is_never_sql(key: str) -> None:
    """Values are bound, whatever stands in them."""
    sql, values = where(parse(f'{key}"x\') OR 1 --"', now=0))
    assert "OR 1" not in sql
    assert sql.count("?") == len(values)


def test_negated_terms_are_left_to_the_filter() -> None:
    """The opposite of a condition that lets too much through would let too little through."""
    assert where(parse("-tool:Bash -push -risk:care", now=0)) == ("TRUE", [])


def test_terms_are_joined() -> None:
    """All conditions must hold; a risk becomes the risks it stands for."""
    assert where(parse("risk:>=care since:0s until:0s 50%", now=1)) == (
        "(lower(risk) IN (?, ?)) AND (at >= ?) AND (at < ?) "
        "AND (body LIKE ? ESCAPE '~' OR length(body) <> length(CAST(body AS BLOB)))",
        ["care", "danger", 1000, 1000, "%50~%%"],
    )


@pytest.mark.parametrize(
    ("text", "is_narrowed"), [("prüfe", True), ("Ž", True), ("\u212a", False), ("a\0", False), ("\ufffd", False)]
)
def test_word_beyond_ascii_is_looked_for_where_such_characters_are(text: str, is_narrowed: bool) -> None:
    """Unless it may be written without them: the Kelvin sign is a k, and a zero character is an escape."""
    assert (where(parse(f'"{text}"', now=0)) != ("TRUE", [])) is is_narrowed
