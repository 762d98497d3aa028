"""docs/performance.md has a place for every measurement."""

import re

import pytest

from bench import page
from bench.__main__ import MEASUREMENTS

TEXT = page.PAGE.read_text(encoding="utf-8")
LISTED = re.findall(r"^\| `(\w+)` \|", TEXT.split("## What is measured")[1].split("\n## ")[0], re.MULTILINE)


def test_page_has_a_section_for_every_measurement_and_no_other() -> None:
    """A run finds the place of what it measured, and nothing stands there that is measured no more."""
    assert set(page.marked(TEXT)) == {*MEASUREMENTS, page.SUMMARY}


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_measurement_is_explained(name: str) -> None:
    """What it measures and beside what stands in the first table."""
    assert LISTED.count(name) == 1


def test_sections_hold_something() -> None:
    """Numbers, or that there are none yet."""
    assert [name for name, section in page.marked(TEXT).items() if not section] == []


def test_pasting_what_is_there_changes_nothing() -> None:
    """The page is as the program writes it."""
    assert page.pasted(TEXT, page.marked(TEXT)) == TEXT
