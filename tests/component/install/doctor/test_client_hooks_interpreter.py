"""Does the interpreter of the hooks run?"""

from pathlib import Path

import pytest

from assent.harnesses.site import Situation
from assent.install.doctor.client import interpreter as check
from tests.unit.install.doctor.situations import wrong


@pytest.fixture
def link(healthy: Situation) -> Path:
    return healthy.paths.shim / "interpreter"


def test_placed_interpreter_is_fine(healthy: Situation) -> None:
    """It starts, isolated, and has what the shim imports."""
    assert wrong(check, healthy) == []


def test_missing_interpreter_is_a_problem(healthy: Situation, link: Path) -> None:
    """No hook can start."""
    link.unlink()
    assert wrong(check, healthy) == [("interpreter-missing", "problem")]


def test_missing_program_of_entries_is_a_problem(healthy: Situation) -> None:
    """It is what entries start, whether it is the native shim or a link to the interpreter."""
    (healthy.paths.shim / "python").unlink()
    assert wrong(check, healthy) == [("interpreter-missing", "problem")]


def test_only_link_of_an_older_version_counts(healthy: Situation, link: Path) -> None:
    """It placed no native shim; its hooks go on working."""
    link.replace(link.with_name("python"))
    assert wrong(check, healthy) == []


def test_dangling_interpreter_is_a_problem(healthy: Situation, link: Path) -> None:
    """For example after a version manager removed it."""
    link.unlink()
    link.symlink_to("/nowhere/python3")
    assert wrong(check, healthy) == [("interpreter-missing", "problem")]


@pytest.mark.parametrize("text", ["#!/bin/sh\nexit 3\n", "not a program"])
def test_broken_interpreter_is_a_problem(healthy: Situation, link: Path, text: str) -> None:
    """It is there, but does not run what we need."""
    link.unlink()
    link.write_text(text)
    link.chmod(0o700)
    assert wrong(check, healthy) == [("interpreter-broken", "problem")]


def test_other_interpreter_is_a_warning(healthy: Situation, link: Path) -> None:
    """It runs, but an upgrade has not reached the shim."""
    target = link.resolve()
    link.unlink()
    link.write_text(f'#!/bin/sh\nexec {target} "$@"\n')
    link.chmod(0o700)
    assert wrong(check, healthy) == [("interpreter-other", "warning")]
