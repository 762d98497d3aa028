"""The page's copy of the table of words."""

import json
import re

import pytest

from assent.text import wording
from scripts import wording as script


@pytest.mark.parametrize("name", script.TABLES)
def test_the_pages_words_are_current(name: str) -> None:
    """What the page says is what the table says."""
    assert (script.WEB / name).read_text(encoding="utf-8") == script.render(name)


def test_every_table_is_written() -> None:
    """A table that is added has to reach the page."""
    tables = {name for name, value in vars(wording).items() if name.isupper() and isinstance(value, dict | tuple)}
    written = {table for tables in script.TABLES.values() for table in tables}
    assert {name for name in tables if not name.startswith("_")} == written - {
        "ACTIONS",
        "KEYS",
        "LOGGED",
        "PICKED",
        "TYPED",
    } | {
        "REFUSALS",
        "MINUTES",
        "EVENTS",
    }


def test_words_are_text_and_nothing_else() -> None:
    """A quote in a word ends no string of the page's code."""
    row = re.search(r"^  allow_here:\{offer:(.+?),past:", script.render("wording.js"), re.MULTILINE)
    assert row is not None
    assert json.loads(row[1]) == "Stop asking here"
