"""An earlier tree of this project to measure beside: its files and its environment, kept by revision."""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from scripts import get_claude_code as fetching

ROOT = Path(__file__).parent.parent
_WAIT = 900.0


class NoTreeError(Exception):
    """There is no such tree, and why."""


@dataclass(frozen=True, slots=True)
class Tree:
    revision: str
    folder: Path

    @property
    def python(self) -> str:
        return str(self.folder / ".venv/bin/python")

    @property
    def name(self) -> str:
        """For a row of a table."""
        return f"before ({self.revision[:8]})"


def tree(revision: str) -> Tree:
    """The tree of this revision, ready to run. The first time takes a minute or two."""
    commit = _git("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    made = Tree(commit, fetching.cache(os.environ) / "bench" / "trees" / commit[:16])
    if not made.folder.exists():
        _unpack(made)
    print(f"  {made.name}: its environment", file=sys.stderr, flush=True)
    # Does nothing where the environment is ready.
    _run(["scripts/python-env", "dev"], made.folder, "its environment was not made")
    return made


def _unpack(made: Tree) -> None:
    """Files alone, without a repository around them: nothing done there reaches ours."""
    made.folder.parent.mkdir(parents=True, exist_ok=True)
    packed = _git("archive", "--format=tar", made.revision)
    with tempfile.TemporaryDirectory(dir=made.folder.parent, prefix=".unpacking-") as name:
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(Path(name, "tree"), filter="data")
        if not made.folder.exists():
            Path(name, "tree").rename(made.folder)


def _git(*arguments: str) -> bytes:
    if shutil.which("git") is None:
        raise NoTreeError("git is not installed")
    return _run(["git", *arguments], ROOT, "git does not know it")


def _run(command: list[str], folder: Path, what: str) -> bytes:
    try:
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=_WAIT).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        said = getattr(problem, "stderr", b"") or b""
        raise NoTreeError(f"{what}: {said.decode(errors='replace').strip() or problem}") from None
