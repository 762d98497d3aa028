"""Schemas by name."""

import json

from assent.harnesses import schema
from tests.unit.cli.conftest import Run


def test_schema_without_a_name_lists_the_names(assent: Run) -> None:
    """Every name that can be asked for, one a line."""
    result = assent("schema")
    assert result.code == 0
    assert result.out.splitlines() == schema.names()


def test_schema_prints_json_schema(assent: Run) -> None:
    """What is printed is what the module makes."""
    assert json.loads(assent("schema", "PreToolUse").out) == schema.schema("PreToolUse")


def test_schema_of_an_unknown_name_suggests(assent: Run) -> None:
    """A misspelt name exits 2 with the nearest one."""
    result = assent("schema", "PreTolUse")
    assert result.code == 2
    assert "hint: did you mean PreToolUse?" in result.err
