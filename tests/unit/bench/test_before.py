"""An earlier tree of the project."""

from pathlib import Path

import pytest

from bench import before


@pytest.mark.parametrize("revision", ["no-such-revision", "--help", ""])
def test_revision_that_is_not_there_is_an_error(revision: str) -> None:
    """And no option of git's."""
    with pytest.raises(before.NoTreeError, match="git does not know it"):
        before.tree(revision)


def test_tree_is_named_by_its_revision() -> None:
    """In tables, short; and it runs in an environment of its own."""
    tree = before.Tree("0123456789abcdef", Path("/trees/0123"))
    assert tree.name == "before (01234567)"
    assert tree.python == "/trees/0123/.venv/bin/python"
