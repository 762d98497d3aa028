"""No module can be reached from what it imports."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import assent

SOURCE = Path(assent.__file__).parent


Graph = dict[str, set[str]]


def modules() -> dict[str, Path]:
    """Every module by its name below ``assent``; a package is its ``__init__``."""
    return {_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def _name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def graph() -> Graph:
    """Which module imports which, wherever in the file it does so."""
    there = modules()
    return {name: set(_imported(name, path, there)) - {name} for name, path in there.items()}


def _imported(name: str, path: Path, there: dict[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [f"{_source(name, path, node)}.{alias.name}" for alias in node.names]
        else:
            continue
        for whole in found:
            if whole == "assent" or whole.startswith("assent."):
                yield _module(whole.removeprefix("assent").removeprefix("."), there)


def _source(name: str, path: Path, node: ast.ImportFrom) -> str:
    """What is imported from, with the dots of a relative import resolved."""
    if not node.level:
        return node.module or ""
    package = ["assent", *name.split(".")]
    package = package[: len(package) - node.level + (path.stem == "__init__")]
    return ".".join([*package, *([node.module] if node.module else [])])


def _module(name: str, there: dict[str, Path]) -> str:
    """The module that an imported name is, or stands in."""
    while name and name not in there:
        name = name.rpartition(".")[0]
    return name


def cycles(imports: Graph) -> list[set[str]]:
    """Groups of modules that all import one another, directly or by way of others (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups: list[set[str]] = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for other in sorted(imports[module]):
            if other not in order:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], order[other])
        if lowest[module] == order[module]:
            at = stack.index(module)
            groups.append(set(stack[at:]))
            del stack[at:]

    for module in sorted(imports):
        if module not in order:
            visit(module)
    return sorted((group for group in groups if len(group) > 1), key=sorted)


def test_modules_import_one_another_in_one_direction() -> None:
    """Inside a package, too, a module can be read after what it imports."""
    assert [sorted(cycle) for cycle in cycles(graph())] == []


def test_cycle_by_way_of_others_is_found() -> None:
    """Three modules in a ring are one cycle; what only imports it is no part of it."""
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]


def test_import_inside_a_function_counts() -> None:
    """It starts the program, but it hides the cycle from the reader."""
    assert "hub.daemon" in graph()["cli.up"]
