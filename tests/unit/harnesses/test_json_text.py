"""Reading JSON with places."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.harnesses.json_text import DEEPEST, JsonTextError, parse

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


@given(VALUES, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_parse_reads_what_json_reads(value: Any, indent: Any, ascii_only: bool) -> None:
    """Every value a JSON writer produces is read back as the same value."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse(text).value == value


@given(VALUES)
def test_parse_knows_the_place_of_every_value(value: Any) -> None:
    """The characters a node covers are, taken alone, the JSON of its value."""
    text = json.dumps(value, indent=2)
    for node in parse(text).walk():
        assert json.loads(text[node.start : node.end]) == node.value


@given(st.text(alphabet='{}[]",:\\ \n01.-+eEtrufalsn/', max_size=30))
def test_parse_accepts_exactly_what_json_accepts(text: str) -> None:
    """A text is refused with a place if and only if the standard parser refuses it."""
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(JsonTextError):
            parse(text)
    else:
        assert parse(text).value == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected a value, but the file ends"),
        ('{"a": 1,\n}', "2:1: expected a name in double quotes, but there is '}'"),
        ('{"a": 1}\n{', "2:1: expected the end of the file, but there is '{'"),
        (
            "{\n  // why\n}",
            "2:3: expected a name in double quotes or '}', but there is a comment, which JSON does not have",
        ),
        ('{"a" 1}', "1:6: expected ':', but there is '1'"),
        ("[1 2]", "1:4: expected ',' or ']', but there is '2'"),
        ("[1,]", "1:4: expected a value, but there is ']'"),
        ('{"a": "b', "1:7: this string is never closed"),
        ('["a\nb"]', "1:4: a line break or control character inside a string"),
        (r'["\x"]', "1:3: an unknown escape inside a string"),
        ("NaN", "1:1: expected a value, but there is 'N'"),
        ("[" + "9" * 5000 + "]", "1:2: a number with too many digits"),
    ],
)
def test_parse_says_where_and_what_was_expected(text: str, message: str) -> None:
    """A refusal names line, column and what should have stood there."""
    with pytest.raises(JsonTextError) as caught:
        parse(text)
    assert str(caught.value) == message


def test_parse_refuses_endless_nesting() -> None:
    """Nesting that would exhaust the stack is refused like any other mistake."""
    assert parse("[" * DEEPEST + "]" * DEEPEST).children
    with pytest.raises(JsonTextError, match="levels deep"):
        parse("[" * 100_000)
