"""``assent doctor --live`` with each real client: a look runs, a danger is stopped, and both are on record."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assent.harnesses import registry
from scripts import get_claude_code, get_clients
from tests.e2e.lab import fetched, slots
from tests.e2e.lab.waiting import HANG

CLAUDE = Path(os.environ.get("ASSENT_E2E_CLAUDE") or get_claude_code.cached(os.environ))
TRIED = [name for name, harness in registry.HARNESSES.items() if harness.TRIAL]


def live(tmp_path: Path, program: Path, name: str) -> "subprocess.CompletedProcess[str]":
    """The user's command, with nothing but this client on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / registry.HARNESSES[name].PROGRAM).symlink_to(program)
    environ = {"HOME": str(tmp_path / "home"), "PATH": f"{folder}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
    (tmp_path / "home").mkdir()
    with slots.one_slot():
        return subprocess.run(
            [sys.executable, "-m", "assent", "doctor", "--live", name, "--json"],
            env=environ,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=2 * HANG,
        )


@pytest.mark.parametrize("name", TRIED)
def test_client_is_gated_in_the_short_way(tmp_path: Path, name: str) -> None:
    """Nothing is left in the user's home."""
    program = fetched.program(name) if name in get_clients.CLIENTS else CLAUDE
    if not os.access(program, os.X_OK):
        pytest.skip("Claude Code is not in the cache; scripts/test-needs fetches it")
    done = live(tmp_path, program, name)
    told = json.loads(done.stdout)
    assert [finding["level"] for finding in told["findings"]] == ["ok", "ok", "ok"], told
    assert (done.returncode, told["summary"]) == (0, "working")
    assert [path for path in (tmp_path / "home").rglob("*") if path.is_file()] == []


def test_program_that_never_asks_its_model_is_a_problem(tmp_path: Path) -> None:
    """What it said is told."""
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\necho no licence\n")
    program.chmod(0o755)
    done = live(tmp_path, program, "copilot")
    assert done.returncode == 1
    assert "it never asked its model. It said: no licence" in json.loads(done.stdout)["findings"][0]["text"]
