"""docs/architecture.md names files and functions that exist."""

import ast
import re
from pathlib import Path

import pytest

import assent

ROOT = Path(__file__).parents[3]
SOURCE = Path(assent.__file__).parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
# The last table names files as they were once, in its first column.
NOW, MOVED = PAGE.split("## Where files went")
FILE = re.compile(r"`([\w/-]+\.(?:py|js|md))`")
FUNCTION = re.compile(r"`([\w/]+\.py)` `([\w.]+)`")


def place(name: str) -> Path:
    return ROOT / name if name.startswith(("tests/", "docs/", "scripts/")) else SOURCE / name


def defined(path: Path) -> set[str]:
    """Names a module defines at its top, and the methods of its classes as ``Class.method``."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {
                f"{node.name}.{one.name}"
                for one in node.body
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
            }
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize("name", sorted(set(FILE.findall(NOW))))
def test_named_file_exists(name: str) -> None:
    """Whoever follows the page finds the file."""
    assert place(name).is_file()


@pytest.mark.parametrize(("file", "function"), sorted(set(FUNCTION.findall(NOW))))
def test_named_function_exists(file: str, function: str) -> None:
    """And what it names in it."""
    assert function in defined(place(file))


def test_every_folder_is_in_the_tree() -> None:
    """A new package is drawn."""
    tree = PAGE.split("```")[1]
    folders = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file()}
    assert sorted(name for name in folders if f"{name}/" not in tree) == []


def test_files_that_moved_are_where_the_table_says() -> None:
    """Its second column is the tree of today."""
    rows = re.findall(r"^\| `([\w/.]+)` \| (.+) \|$", MOVED, re.MULTILINE)
    assert len(rows) > 200
    gone = [new for _, column in rows for new in FILE.findall(column) if not place(new).is_file()]
    assert gone == []
