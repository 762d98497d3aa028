"""What a tool call is."""

import pytest

from assent.protocol.operations import Cell, Edit, Replacement


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Edit(path="/a", replacements=(Replacement(old="x", new="y"),)), True),
        (Edit(path="/a", cell=Cell(id="c1", source="x")), True),
        (Edit(path="/a", replacements=(Replacement(old=None, new="y"),)), False),
        (Edit(path=None, replacements=(Replacement(old="x", new="y"),)), False),
        (Edit(path="/a"), False),
    ],
)
def test_an_edit_is_whole_where_everything_it_changes_is_known(edit: Edit, expected: bool) -> None:
    assert edit.is_whole is expected
