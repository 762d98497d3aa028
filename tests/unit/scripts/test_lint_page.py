"""The check of the page's JavaScript."""

import subprocess
import sys
from pathlib import Path

from scripts.lint_page import ROOT, checks


def run(tmp_path: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Where nothing is cached and npm is not on PATH."""
    command = [sys.executable, "-m", "scripts.lint_page", *arguments]
    given = {"PATH": str(tmp_path), "ASSENT_DEV_CACHE": str(tmp_path), **environ}
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True)


def test_missing_npm_skips_the_check_with_the_reason(tmp_path: Path) -> None:
    """On a laptop without npm, lint still runs and names what was left out."""
    done = run(tmp_path)
    assert (done.returncode, "was not checked: npm is needed" in done.stderr) == (0, True)


def test_missing_npm_fails_the_check_where_ci_is_set(tmp_path: Path) -> None:
    """A build job never skips the check in silence."""
    assert run(tmp_path, CI="1").returncode == 1


def test_looking_into_the_cache_fetches_nothing(tmp_path: Path) -> None:
    """scripts/test-needs asks only whether npm is needed."""
    done = run(tmp_path, "--cached")
    assert (done.returncode, "is not in the cache" in done.stderr) == (1, True)


def test_every_check_names_settings_that_exist() -> None:
    """A renamed settings file would otherwise fail only where the programs can be had."""
    projects = [command[-1] for command in checks(Path("tsc"), Path("biome"))]
    assert [name for name in projects if not (ROOT / name).exists()] == []
