"""The pages about what a team is safe against, and about running one, name tests that exist."""

import ast
import re

import pytest

from tests.unit.docs.test_docs import ROOT

PAGE = (ROOT / "docs" / "team-threats.md").read_text(encoding="utf-8")
RUNNING = (ROOT / "docs" / "running-a-team.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(test_\w+)`", PAGE + RUNNING)))
# Tables of promises are those whose last column is called so.
ROWS = [
    row
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE)
    if table.partition("\n")[0].endswith("| tests |")
    for row in table.splitlines()[2:]
]


@pytest.fixture(scope="module")
def written() -> set[str]:
    """The names of all tests there are."""
    return {
        node.name
        for file in (ROOT / "tests").rglob("test_*.py")
        if "def test_" in (text := file.read_text(encoding="utf-8")) and any(name in text for name in NAMED)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_every_named_test_exists(written: set[str]) -> None:
    """A promise whose test was renamed or taken out is found here."""
    assert [name for name in NAMED if name not in written] == []


def test_every_promise_names_a_test() -> None:
    """A row of those tables is held by one at least."""
    assert len(ROWS) > 30
    assert [row for row in ROWS if not re.search(r"\| [^|]*`test_\w+`[^|]* \|$", row)] == []
