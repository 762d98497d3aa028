"""Waiting in tests: for evidence, with a bound that only a hang reaches."""

import ast
import asyncio
import functools
import re
from pathlib import Path

import pytest

from tests import waiting

TESTS = Path(__file__).parents[1]
# Those that let time pass for all others; a clock of tests; programs that were released.
WAITING = {TESTS / "waiting.py", TESTS / "fake_time.py", TESTS / "browser" / "checks.py"}
FILES = [each for each in sorted(TESTS.rglob("*.py")) if each not in WAITING and TESTS / "fixtures" not in each.parents]
SLEEPS = {"sleep", "wait_for_timeout"}
# Calls whose time is a bound, and the name or place it is given under.
BOUNDED = {"communicate", "run", "wait", "wait_for", "until", "seen", "acquire", "settimeout", "create_connection"}


@functools.cache
def calls(file: Path) -> list[tuple[str, ast.Call]]:
    """Those that are about time, by their names."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in SLEEPS | BOUNDED:
                found.append((name, node))
    return found


def literal(node: ast.expr) -> float | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else None


def test_no_test_sleeps() -> None:
    """A duration is too long on a quiet machine and too short on a busy one. Giving way, ``sleep(0)``, is none."""
    found = [
        f"{file.relative_to(TESTS)}:{call.lineno}"
        for file in FILES
        for name, call in calls(file)
        if name in SLEEPS and not (call.args and literal(call.args[0]) == 0)
    ]
    assert found == []


def test_no_program_that_a_test_writes_sleeps() -> None:
    """Programs in texts are found by their words; lines that are only judged and never run are not meant."""
    judged = TESTS / "unit" / "policy"
    words = re.compile(r"\btime\.sleep\((?!0\))|\bsleep\([1-9.]")
    match = [
        f"{file.relative_to(TESTS)}:{number}"
        for file in FILES
        if judged not in file.parents and file != Path(__file__)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if words.search(line)
    ]
    assert match == []


def test_bounds_are_those_that_only_a_hang_reaches() -> None:
    """A number beside a wait is a guess of how fast a machine is; ``HANG`` is the only one."""
    found = [
        f"{file.relative_to(TESTS)}:{call.lineno}"
        for file in FILES
        for name, call in calls(file)
        if name in BOUNDED
        for keyword in call.keywords
        if keyword.arg == "timeout" and (literal(keyword.value) or 0) > 0
    ]
    found += [
        f"{file.relative_to(TESTS)}:{call.lineno}"
        for file in FILES
        for name, call in calls(file)
        if name == "settimeout" and (literal(call.args[0]) or 0) > 0
    ]
    assert found == []


def test_what_does_not_come_is_named() -> None:
    """A bound that is reached is a failure, never a silent return."""
    with pytest.raises(AssertionError, match="the moon: not seen within"):
        waiting.until(lambda: False, "the moon", 0)
    with pytest.raises(AssertionError, match="the moon: not seen within"):
        asyncio.run(waiting.seen(lambda: False, "the moon", 0))


def test_what_comes_is_returned() -> None:
    """The first true value, after those that were not."""
    looks = iter([None, "", "here"])
    assert waiting.until(lambda: next(looks), "it") == "here"
    looks = iter([None, "", "here"])
    assert asyncio.run(waiting.seen(lambda: next(looks), "it")) == "here"


def test_looks_are_rarer_the_longer_it_takes() -> None:
    """Never much later than it was there, and never so often that what is waited for gets no processor."""
    assert waiting.pause(0) == waiting.PAUSE
    assert waiting.pause(0.5) == pytest.approx(0.05)
    assert waiting.pause(60) == waiting.LONGEST_PAUSE
