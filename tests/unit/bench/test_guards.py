"""Which public guards are measured, and what is said of the others."""

import stat
from pathlib import Path

import pytest

from bench import guards
from bench.guards import CannotBeHadError, Guard, argv, hooks

DENIES = '{"hookSpecificOutput": {"permissionDecision": "deny"}}'


def program(folder: Path, name: str, says: str) -> Guard:
    """A guard that answers every call alike, found on PATH."""
    path = folder / name
    path.write_text(f"#!/bin/sh\ncat >/dev/null\nprintf '%s' '{says}'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Guard(name, "", "", name)


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def test_guard_that_stops_what_it_must_is_measured(bin_folder: Path) -> None:
    """By the command of its hook."""
    assert argv(program(bin_folder, "stops", DENIES)) == (str(bin_folder / "stops"),)


@pytest.mark.parametrize("says", ["", DENIES.replace("deny", "allow")])
def test_guard_that_lets_everything_pass_is_not_measured(bin_folder: Path, says: str) -> None:
    """A guard that is not at work would be a fast one."""
    found = argv(program(bin_folder, f"passes-{bool(says)}", says))
    assert isinstance(found, CannotBeHadError)
    assert "lets" in str(found)


def test_guard_that_cannot_be_had_is_named_with_its_reason(bin_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside those that can."""
    there = program(bin_folder, "is-there", DENIES)
    monkeypatch.setattr(guards, "GUARDS", (there, Guard("gone", "1", "", "gone")))
    found, missing = hooks("a test")
    assert found == {"is-there, a public guard": (str(bin_folder / "is-there"),)}
    assert missing == f"Not measured: gone 1 ({guards.NO_REGISTRY})."
