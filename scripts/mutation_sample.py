"""Change the source in small ways, one at a time, and count how many changes the near tests notice.

python -m scripts.mutation_sample [--seed N] [--count N] [--at PLACE]

The sample takes packages and kinds of changes in turn, so that each is present. Every change is made in a temporary
copy of the tree, run by an interpreter that imports from there; the working tree stays as it is. The near tests of a
module are those that ``scripts/pairing.py`` names. A change is killed where a test fails that passes without it.
"""

import argparse
import ast
import functools
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from scripts import pairing

PACKAGES = ("policy", "asks", "hub", "journal", "install", "shim")
WORKERS = 2
SECONDS = 120
PYTEST = ("-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", "--timeout=60")
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", "build")
# Modules of types and errors only.
TYPES = pairing.EXCEPTIONS[0]
FLIPPED = ("Eq NotEq", "Lt LtE", "Gt GtE", "In NotIn", "Is IsNot")


class Mutant(NamedTuple):
    """One expression of one module, and what is put in its place."""

    module: str
    kind: str
    node: ast.expr
    changed: ast.expr

    @property
    def path(self) -> str:
        return f"src/assent/{self.module}.py"

    @property
    def text(self) -> str:
        return f"{self.path}:{self.node.lineno}  {ast.unparse(self.node)}  ->  {ast.unparse(self.changed)}"

    def applied(self, source: bytes) -> bytes:
        """The source with the change. Positions of the tree count bytes."""
        starts = [0, *itertools.accumulate(map(len, source.splitlines(keepends=True)))]
        start = starts[self.node.lineno - 1] + self.node.col_offset
        end = starts[(self.node.end_lineno or 0) - 1] + (self.node.end_col_offset or 0)
        return source[:start] + b"(" + ast.unparse(self.changed).encode() + b")" + source[end:]


def changes(node: ast.AST, returns_bool: bool) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """What can be changed at one node, without what is below it."""
    if isinstance(node, ast.Compare):
        pair = next(pair.split() for pair in FLIPPED if type(node.ops[0]).__name__ in pair.split())
        pair.remove(type(node.ops[0]).__name__)
        yield "comparison", node, ast.Compare(node.left, [getattr(ast, pair[0])(), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield "and/or", node, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not", node, node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        yield "number", node, ast.Constant(node.value + 1)
    elif isinstance(node, ast.Return) and node.value is not None and returns_bool:
        yield "return", node.value, ast.UnaryOp(ast.Not(), node.value)
    elif isinstance(node, ast.If | ast.IfExp):
        yield "if", node.test, ast.UnaryOp(ast.Not(), node.test)


def skipped(node: ast.AST) -> bool:
    """Texts, log lines, assertions and ``__repr__``; expressions within texts have no exact position."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return isinstance(node.func.value, ast.Name) and node.func.value.id in ("log", "logger", "logging")
    return isinstance(node, ast.JoinedStr | ast.Assert) or getattr(node, "name", "") == "__repr__"


def within(node: ast.AST, in_function: bool, returns_bool: bool) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    if skipped(node):
        return
    if in_function:
        yield from changes(node, returns_bool)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        in_function, returns_bool = True, isinstance(node.returns, ast.Name) and node.returns.id == "bool"
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from within(child, in_function, returns_bool)


@functools.cache
def _found() -> dict[str, dict[str, list[Mutant]]]:
    """Every change that can be made, by package and kind."""
    listed = pairing.excepted()
    stock: dict[str, dict[str, list[Mutant]]] = {package: defaultdict(list) for package in PACKAGES}
    for module in pairing.sources():
        package = module.partition("/")[0]
        if package in PACKAGES and listed.get(module) is not TYPES:
            tree = ast.parse((pairing.SOURCE / f"{module}.py").read_bytes())
            for kind, node, changed in within(tree, False, False):
                stock[package][kind].append(Mutant(module, kind, node, changed))
    return stock


def sample(seed: int, count: int) -> list[Mutant]:
    """Packages in turn, the kinds of changes of each in turn, and a module once until all of a kind were there."""
    choose = random.Random(seed)
    stock = {package: {kind: list(mutants) for kind, mutants in kinds.items()} for package, kinds in _found().items()}
    taken: list[Mutant] = []
    while len(taken) < count and any(stock[package] for package in PACKAGES):
        for package in (name for name in PACKAGES if stock[name]):
            kinds = stock[package]
            used = Counter(mutant.kind for mutant in taken if mutant.module.startswith(f"{package}/"))
            kind = min(kinds, key=lambda name: (used[name], name))
            modules = {mutant.module for mutant in taken}
            mutant = choose.choice([m for m in kinds[kind] if m.module not in modules] or kinds[kind])
            taken.append(mutant)
            kinds[kind].remove(mutant)
            if not kinds[kind]:
                del kinds[kind]
    return taken[:count]


def near_tests(module: str) -> list[str]:
    """The tests of the module's name; else those its group names; else the unit tests of the nearest folder."""
    if files := pairing.tests_of(module):
        suites = [suite for suite, modules in pairing.SUITES.items() if module in modules]
        return [*(str(path.relative_to(pairing.ROOT)) for path in files), *suites]
    if group := pairing.excepted().get(module):
        return list(group.tests)
    folders = (pairing.ROOT / "tests/unit" / module).parents
    return [str(next(filter(Path.is_dir, folders)).relative_to(pairing.ROOT))]


class Copy:
    """A copy of the tree, and an interpreter of its own that imports from it, as do the processes it starts."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        shutil.copytree(pairing.ROOT, self.tree, ignore=NOT_COPIED)
        venv.create(folder / "venv", symlinks=True)
        self.python = folder / "venv/bin/python"
        (packages,) = folder.glob("venv/lib/python*/site-packages")
        (packages / "copy.pth").write_text(f"{self.tree / 'src'}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")

    def failing(self, tests: list[str]) -> str | None:
        """The first test that fails, without its parameters."""
        argv = [str(self.python), *PYTEST, *tests]
        process = subprocess.Popen(argv, cwd=self.tree, stdout=subprocess.PIPE, text=True, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            print(f"No result in {SECONDS} s: {' '.join(tests)}", file=sys.stderr)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None
        test = re.search(r"^(?:FAILED|ERROR) ([^\s\[]+)", output, re.MULTILINE)
        return None if process.returncode == 0 else test[1] if test else " ".join(tests)

    def killed_by(self, mutant: Mutant) -> str | None:
        path = self.tree / mutant.path
        path.write_bytes(mutant.applied(path.read_bytes()))
        test = self.failing(near_tests(mutant.module))
        shutil.copy2(pairing.ROOT / mutant.path, path)
        if test is not None and self.failing([test]) is not None:
            print(f"Fails without a change too: {test}", file=sys.stderr)
            return None
        return test


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--at", default="", help="only those of the sample whose FILE:LINE and change contain this")
    options = parser.parse_args()
    mutants = [mutant for mutant in sample(options.seed, options.count) if options.at in mutant.text]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as pool:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(WORKERS):
            copies.put(Copy(Path(folder) / str(number)))

        def run(mutant: Mutant) -> bool:
            test = (tree := copies.get()).killed_by(mutant)
            copies.put(tree)
            print(f"{'survived' if test is None else 'killed'}  {mutant.text}  {test or ''}".rstrip(), flush=True)
            return test is not None

        killed = sum(pool.map(run, mutants))
    print(f"{killed} of {len(mutants)} killed, {killed / max(len(mutants), 1):.0%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
