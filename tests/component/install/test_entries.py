"""The entry for shared files, run by a real shell."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.harness.claude_code import SUBSCRIPTIONS
from assent.install.entries import shell_entry
from assent.paths import find

SH = shutil.which("sh") or "/bin/sh"
COMMAND = shell_entry(SUBSCRIPTIONS["PreToolUse"])["command"]


def run(env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """As the client runs it: /bin/sh -c, payload on stdin, an environment of its own."""
    return subprocess.run(
        [SH, "-c", COMMAND], env=env, cwd=cwd, input='{"a": 1}', capture_output=True, text=True, timeout=20
    )


def test_shared_entry_is_harmless_without_assent(tmp_path: Path) -> None:
    """On a colleague's machine it ends at once, says nothing and decides nothing."""
    done = run({"HOME": str(tmp_path), "PATH": os.defpath}, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_shared_entry_is_harmless_without_a_home(tmp_path: Path) -> None:
    """Not even HOME has to be set."""
    done = run({"PATH": os.defpath}, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("variable", ["ASSENT_HOME", "XDG_STATE_HOME", "HOME"])
def test_shared_entry_finds_the_shim_where_assent_keeps_it(tmp_path: Path, variable: str) -> None:
    """In each place the rest of Assent would look in, also with a space in its name."""
    env = {"HOME": str(tmp_path / "nobody"), "PATH": os.defpath, variable: str(tmp_path / "a place")}
    program = find(env).shim / "run"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s|" "$@"; cat\n')
    program.chmod(0o700)
    done = run(env, tmp_path)
    assert done.stdout == 'claude-code|PreToolUse|600|2|{"a": 1}'
    assert done.returncode == 0
