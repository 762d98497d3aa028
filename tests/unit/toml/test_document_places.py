"""Where keys and values stand in a TOML text."""

import tomllib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assent.toml import document as document_
from assent.toml.document import KeyPath

TEXT = """\
top = 1
"quo ted".inner = "x"   # a comment = with signs [and] {braces}

[hub]
port = 8717
hosts = [ "a", # one
  'b', ["c"] ]

[[rule]]
match = "one"
[[rule.test]]
command = \"\"\"
[not.a.table] = 3
\"\"\"
[[rule]]
when = { branch = ["main"], risk = ">=care" }
[[rule.test]]
expect = "ask"
[[rule.test]]
expect = 'deny'

[project."~/src/web.shop"]
stance = "strict"
"""


@pytest.mark.parametrize(
    ("path", "begins"),
    [
        (("top",), "1\n"),
        (("quo ted", "inner"), '"x"'),
        (("hub", "port"), "8717"),
        (("hub", "hosts", 0), '"a"'),
        (("hub", "hosts", 1), "'b'"),
        (("hub", "hosts", 2, 0), '"c"'),
        (("rule", 0, "match"), '"one"'),
        (("rule", 0, "test", 0, "command"), '"""'),
        (("rule", 1, "when"), "{"),
        (("rule", 1, "when", "branch", 0), '"main"'),
        (("rule", 1, "when", "risk"), '">=care"'),
        (("rule", 1, "test", 0, "expect"), '"ask"'),
        (("rule", 1, "test", 1, "expect"), "'deny'"),
        (("project", "~/src/web.shop", "stance"), '"strict"'),
    ],
)
def test_value_stands_where_it_is_written(path: KeyPath, begins: str) -> None:
    """Tables, dotted and quoted keys, arrays of tables and inline tables are all followed."""
    at = document_.find(TEXT).value(path)
    assert at is not None
    assert TEXT[at:].startswith(begins)


@pytest.mark.parametrize(
    ("path", "begins"),
    [
        (("quo ted",), '"quo ted"'),
        (("hub",), "[hub]"),
        (("rule", 1), "[[rule]]\nwhen"),
        (("rule", 1, "when", "risk"), "risk"),
        (("project", "~/src/web.shop"), "[project"),
        (("hub", "nothing", "here"), "[hub]"),
    ],
)
def test_key_stands_where_it_is_written_or_in_the_table_around_it(path: KeyPath, begins: str) -> None:
    """A key that does not exist leads to the nearest table that does."""
    at = document_.find(TEXT).key(path)
    assert at is not None
    assert TEXT[at:].startswith(begins)


def test_find_knows_no_place_for_what_is_not_there() -> None:
    """No place is better than a wrong one."""
    assert document_.find("a = 1").key(("b",)) is None


scalars = st.one_of(st.integers(), st.booleans(), st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"])))
tables = st.dictionaries(st.text(alphabet="abc-_ .\"'#=[]", min_size=1), scalars | st.lists(scalars), max_size=5)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(_written(inner) for inner in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


@given(st.dictionaries(st.sampled_from(["one", "two", "three"]), tables))
def test_find_agrees_with_the_parser(document: dict[str, dict[str, Any]]) -> None:
    """Every value tomllib reads has a place, and the text at that place is the value."""
    text = "".join(
        f"[{name}]\n" + "".join(f"{_written(key)} = {_written(value)}\n" for key, value in table.items())
        for name, table in document.items()
    )
    assert tomllib.loads(text) == document
    offsets = document_.find(text)
    for name, table in document.items():
        for key, value in table.items():
            at = offsets.value((name, key))
            assert at is not None
            assert text.startswith(_written(value), at)


@given(st.text(alphabet="[]{}=.,\"'#\n ab\\"))
@example("a=[}")
@example("a={b=}")
def test_find_never_raises_and_always_ends(text: str) -> None:
    """It only serves messages, so it must not add an error of its own."""
    document_.find(text)
