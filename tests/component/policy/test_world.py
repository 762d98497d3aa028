"""What git keeps, as git itself sees it."""

import os
import subprocess
from pathlib import Path

import pytest

from assent.policy import world


@pytest.fixture
def project(tmp_path: Path) -> Path:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", *words],
            cwd=tmp_path,
            check=True,
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        )

    (tmp_path / "src").mkdir()
    for name in ("src/kept.py", "kept.py", "changed.py"):
        (tmp_path / name).write_text("x = 1\n")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "start")
    (tmp_path / "changed.py").write_text("x = 22\n")
    (tmp_path / "new.py").write_text("x = 3\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("kept.py", True),
        ("src/kept.py", True),
        ("changed.py", False),
        ("new.py", False),
        ("src/new.py", True),
        ("pt.py", True),
    ],
)
def test_kept_is_what_git_can_bring_back(project: Path, name: str, kept: bool) -> None:
    """Tracked and unchanged, or not there at all."""
    assert world.is_kept(str(project / name)) is kept


def test_part_of_a_tracked_name_is_another_file(project: Path) -> None:
    """``src/kept.py`` ends in ``kept.py``, but is not that file."""
    (project / "pt.py").write_text("x = 1\n")
    assert world.is_kept(str(project / "pt.py")) is False


def test_outside_a_repository_it_is_unknown(tmp_path: Path) -> None:
    """There is no git to ask."""
    (tmp_path / "a.py").write_text("")
    assert world.is_kept(str(tmp_path / "a.py")) is None
