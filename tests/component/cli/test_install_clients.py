"""Installing for the clients that are found on the machine."""

import json
import os
from pathlib import Path

import pytest

from tests.component.cli.conftest import Terminal


@pytest.fixture
def programs(terminal: Terminal, tmp_path: Path) -> Path:
    """A folder on PATH for programs that only say their version; no other client is on it."""
    folder = tmp_path / "programs"
    folder.mkdir()
    terminal.environ["PATH"] = f"{folder}:/usr/bin:/bin"
    return folder


def add(programs: Path, name: str, version: str) -> None:
    (programs / name).write_text(f"#!/bin/sh\necho {version}\n")
    (programs / name).chmod(0o755)


def files(terminal: Terminal) -> set[str]:
    """What stands in the home, without Assent's own."""
    return {str(path.relative_to(terminal.user)) for path in terminal.user.rglob("*") if path.is_file()}


def test_install_writes_for_every_client_on_path(terminal: Terminal, programs: Path) -> None:
    """One summary, one line each; uninstall leaves neither."""
    add(programs, "claude", "2.1.325")
    add(programs, "copilot", "1.0.102")
    shown = terminal.ok("install", "--yes")
    assert "Assent joins 2 agents:" in shown
    assert "Claude Code  " in shown
    assert "Copilot CLI  " in shown
    assert files(terminal) == {".claude/settings.json", ".copilot/hooks/assent.json"}
    assert "Start them as always" in shown
    terminal.ok("uninstall", "--yes")
    assert files(terminal) == set()


def test_install_names_clients_with_commas(terminal: Terminal, programs: Path) -> None:
    """Found or not; an unknown name changes nothing and says which are known."""
    terminal.ok("install", "--harness", "copilot,claude-code", "--yes")
    assert files(terminal) == {".claude/settings.json", ".copilot/hooks/assent.json"}
    done = terminal.run("install", "--harness", "copilot,abacus", "--yes")
    assert done.returncode == 2
    assert "'abacus' is not one of claude-code, copilot" in " ".join(done.stderr.split())


def test_install_without_any_client_is_for_the_default_one(terminal: Terminal, programs: Path) -> None:
    """It may be started by an alias that no program can see."""
    terminal.ok("install", "--yes")
    assert files(terminal) == {".claude/settings.json"}


def test_install_leaves_out_the_default_client_where_only_another_is_here(terminal: Terminal, programs: Path) -> None:
    """Neither its program nor its folder is here."""
    add(programs, "copilot", "1.0.102")
    terminal.ok("install", "--yes")
    assert files(terminal) == {".copilot/hooks/assent.json"}


def test_client_whose_settings_are_broken_is_passed_over(terminal: Terminal, programs: Path) -> None:
    """The others are installed, the exit code says that not all were, and the broken file stays as it is."""
    add(programs, "copilot", "1.0.102")
    broken = terminal.user / ".claude" / "settings.json"
    broken.parent.mkdir()
    broken.write_text("{not JSON")
    done = terminal.run("install", "--yes")
    assert done.returncode == 1
    assert f"passed over: {broken}" in done.stdout
    assert broken.read_text() == "{not JSON"
    assert json.loads((terminal.user / ".copilot/hooks/assent.json").read_text())["hooks"]


def test_dry_run_shows_every_file_and_writes_none(terminal: Terminal, programs: Path) -> None:
    """Both differences, one after the other."""
    add(programs, "claude", "2.1.325")
    add(programs, "copilot", "1.0.102")
    shown = terminal.ok("install", "--dry-run")
    assert shown.count("\n+++ ") == 2
    assert shown.endswith("Nothing was written.\n")
    assert files(terminal) == set()


def test_setup_tells_each_client_with_its_version(terminal: Terminal, programs: Path) -> None:
    """As its own program says it."""
    add(programs, "claude", "2.1.325")
    add(programs, "copilot", "1.0.102")
    shown = terminal.run("setup").stdout
    assert f"found  Claude Code 2.1.325 at {programs / 'claude'}" in shown
    assert f"found  Copilot CLI 1.0.102 at {os.fspath(programs / 'copilot')}" in shown
