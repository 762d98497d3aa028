"""Filling structs from tables."""

from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec import Struct

from assent.toml import shape
from assent.toml.document import ConfigError, parse


class Inner(Struct, frozen=True):
    count: int
    on: bool = False


class Outer(Struct, frozen=True):
    word: Literal["red", "green"] = "red"
    inner: Inner | None = None
    names: tuple[str, ...] = ()
    either: str | tuple[str, ...] = ""
    many: dict[str, Inner] = {}
    open: dict[str, dict[str, Any]] = {}


def fill(text: str) -> Outer:
    document = parse(Path("a.toml"), text.encode())
    return shape.fill(document, Outer, document.data, (), {})


def test_fill_reads_every_kind_of_field() -> None:
    """Tables, lists, one-or-many, and tables of anything."""
    filled = fill(
        'word = "green"\ninner = {count = 3}\nnames = ["a"]\neither = ["x", "y"]\n'
        "[many.first]\ncount = 1\non = true\n[open.any]\nthing = 1.5\n"
    )
    assert filled == Outer("green", Inner(3), ("a",), ("x", "y"), {"first": Inner(1, True)}, {"any": {"thing": 1.5}})
    assert fill('either = "x"').either == "x"


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ('\nwrd = "red"', 2, 1, '"wrd" is not a known key.\n    wrd = "red"\n    ^\nhint: Did you mean "word"?'),
        ('word = "gren"', 1, 8, '"word" must be "red" | "green", not "gren".'),
        ("word = 3", 1, 8, "not 3."),
        ("inner = 3", 1, 9, '"inner" must be a table, not 3.'),
        ("inner = {}", 1, 1, '"count" is missing in [inner].'),
        ('[inner]\ncount = "three"', 2, 9, '"count" must be a whole number, not "three".'),
        ("[inner]\ncount = true", 2, 9, "must be a whole number, not true."),
        ("[inner]\ncount = 1\nxyz = 1", 3, 1, '"xyz" is not a known key in [inner].'),
        ('names = "a"', 1, 9, '"names" must be a list in brackets, not "a".'),
        ('names = ["a", 2]', 1, 15, '"names" must be text in quotes, not 2.'),
        ("either = [1]", 1, 11, '"either" must be text in quotes, not 1.'),
        ("either = 1", 1, 10, '"either" must be text in quotes, not 1.'),
        ("[open]\nany = 1", 2, 7, '"any" must be a table, not 1.'),
        ("many = []", 1, 8, '"many" must be a table, not a list.'),
    ],
)
def test_fill_points_at_what_is_wrong(text: str, line: int, column: int, says: str) -> None:
    """Each message names the key, what it must be, and what it is."""
    with pytest.raises(ConfigError) as raised:
        fill(text)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert says in str(raised.value)


def test_nearest_lists_what_is_known_even_without_a_guess() -> None:
    """A hint always helps."""
    assert shape.nearest("zzzz", ["port", "bind"]) == "Known here: bind, port."
