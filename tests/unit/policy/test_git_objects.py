"""The small reader of git's objects, beside git itself."""

import subprocess
from pathlib import Path

import pytest

from assent.policy.git_objects import Repository, blob_id


def git(folder: Path, *args: str) -> bytes:
    env = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    return subprocess.run(["git", *who, *args], cwd=folder, env=env, check=True, capture_output=True).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A few commits that change a long file a little, so that packs hold differences."""
    git(tmp_path, "init", "-q", "-b", "main")
    for number in range(8):
        lines = [f"line {each} {'x' * each}" for each in range(200)]
        lines[number] = f"changed {number}"
        (tmp_path / "long.txt").write_text("\n".join(lines))
        (tmp_path / "sub").mkdir(exist_ok=True)
        (tmp_path / f"sub/{number}").write_text(str(number))
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", str(number))
    return tmp_path


@pytest.mark.parametrize("packed", [False, True])
def test_every_object_reads_as_git_reads_it(folder: Path, packed: bool) -> None:
    """Commits, trees and blobs, loose, whole in a pack and as differences."""
    if packed:
        git(folder, "gc", "-q", "--aggressive")
        assert b"chain length = " in git(folder, "verify-pack", "-v", *map(str, folder.glob(".git/objects/pack/*.idx")))
    repository = Repository(str(folder / ".git"))
    for line in git(folder, "rev-list", "--objects", "--all").decode().splitlines():
        sha = line.split()[0]
        kind = git(folder, "cat-file", "-t", sha).decode().strip()
        assert repository.object(sha) == (kind, git(folder, "cat-file", kind, sha))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["HEAD", "main", "HEAD~3", "HEAD^", "main~2^", "@", "old", "refs/heads/main"])
def test_names_stand_for_what_they_stand_for_in_git(folder: Path, name: str, packed: bool) -> None:
    """Branches, tags and steps back, also where git has packed its references."""
    git(folder, "tag", "-a", "old", "-m", "x", "HEAD~5")
    if packed:
        git(folder, "gc", "-q")
    wanted = git(folder, "rev-parse", f"{name}^{{commit}}").decode().strip()
    repository = Repository(str(folder / ".git"))
    assert repository.commit(name) == wanted
    assert repository.commit(wanted[:9]) == wanted


def test_worktree_shares_the_objects_of_its_repository(folder: Path) -> None:
    """Its own HEAD, the branches of all."""
    git(folder, "worktree", "add", "-q", "-b", "other", "w", "HEAD~2")
    repository = Repository(str(folder / ".git/worktrees/w"))
    assert repository.commit("HEAD") == git(folder, "rev-parse", "other").decode().strip()
    assert repository.commit("main") == git(folder, "rev-parse", "main").decode().strip()


def test_what_is_not_there_is_not_known(folder: Path) -> None:
    """Names of nothing, of what is outside, and damaged objects."""
    repository = Repository(str(folder / ".git"))
    for name in ("", "nothing", "../../etc/passwd", "0" * 40, "HEAD~999", "stash@{3}", "@{u}", "-"):
        assert repository.commit(name) is None or name == ""
    sha = blob_id(b"x")
    (folder / ".git/objects" / sha[:2]).mkdir(exist_ok=True)
    (folder / ".git/objects" / sha[:2] / sha[2:]).write_bytes(b"nonsense")
    assert repository.object(sha) is None


def test_object_that_comes_later_is_found(folder: Path) -> None:
    """That there was none is not remembered."""
    repository = Repository(str(folder / ".git"))
    sha = blob_id(b"later")
    assert repository.blob(sha) is None
    (folder / "later").write_text("later")
    git(folder, "add", "later")
    assert repository.blob(sha) == b"later"
