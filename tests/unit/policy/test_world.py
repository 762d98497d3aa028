"""The policy's look at the disk."""

import os
from pathlib import Path

import pytest

from assent.policy import world


def repository(folder: Path, head: str = "ref: refs/heads/main\n") -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(head)
    return folder


def test_branch_is_read_from_the_head(tmp_path: Path) -> None:
    """In the folder itself and from any folder below."""
    project = repository(tmp_path / "p", "ref: refs/heads/feature/x\n")
    assert world.branch(str(project)) == "feature/x"
    assert world.branch(str(project / "src" / "deep")) == "feature/x"


def test_branch_follows_the_pointer_of_a_worktree(tmp_path: Path) -> None:
    """Its .git is a file; the path in it may be relative."""
    repository(tmp_path / "p")
    (tmp_path / "p/.git/worktrees/w").mkdir(parents=True)
    (tmp_path / "p/.git/worktrees/w/HEAD").write_text("ref: refs/heads/other\n")
    (tmp_path / "w").mkdir()
    (tmp_path / "w/.git").write_text("gitdir: ../p/.git/worktrees/w\n")
    assert world.branch(str(tmp_path / "w")) == "other"


@pytest.mark.parametrize("head", ["5c2e0f1\n", "ref: refs/tags/v1\n"])
def test_branch_is_empty_where_none_is_checked_out(tmp_path: Path, head: str) -> None:
    """A detached head is on no branch, and that is known."""
    assert world.branch(str(repository(tmp_path, head))) == ""


def test_branch_is_empty_outside_a_repository(tmp_path: Path) -> None:
    """Known, too."""
    assert world.branch(str(tmp_path)) == ""


def test_branch_is_unknown_where_something_odd_stands_in_its_place(tmp_path: Path) -> None:
    """Links, pipes, large files, broken pointers: nothing is guessed, nothing blocks."""
    odd = []
    linked = repository(tmp_path / "linked-head")
    (linked / ".git/HEAD").unlink()
    (linked / ".git/HEAD").symlink_to("/etc/hostname")
    odd.append(linked)
    (tmp_path / "linked-git").mkdir()
    (tmp_path / "linked-git/.git").symlink_to(linked / ".git")
    odd.append(tmp_path / "linked-git")
    piped = repository(tmp_path / "piped")
    (piped / ".git/HEAD").unlink()
    os.mkfifo(piped / ".git/HEAD")
    odd.append(piped)
    odd.append(repository(tmp_path / "large", "ref: refs/heads/" + "x" * 5000))
    odd.append(repository(tmp_path / "empty", ""))
    (tmp_path / "pointer").mkdir()
    (tmp_path / "pointer/.git").write_text("nonsense")
    odd.append(tmp_path / "pointer")
    assert [world.branch(str(folder)) for folder in odd] == [None] * len(odd)


def test_read_small_gives_text_or_nothing(tmp_path: Path) -> None:
    """Binary content is nothing, a folder is nothing, a NUL in the path is nothing."""
    (tmp_path / "text").write_text("é")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    assert world.read_small(str(tmp_path / "text")) == "é"
    for path in (tmp_path / "binary", tmp_path, tmp_path / "none", "a\0b"):
        assert world.read_small(str(path)) is None


def test_repository_is_the_top_of_it(tmp_path: Path) -> None:
    """From any folder below, whether it is there or not; elsewhere the folder itself."""
    shop = repository(tmp_path / "shop")
    assert world.repository(str(shop / "src" / "deep")) == str(shop)
    assert world.repository(str(tmp_path / "other")) == str(tmp_path / "other")
    assert world.repository("/nowhere/at/all") == "/nowhere/at/all"


def test_repository_is_never_the_whole_home(home: Path) -> None:
    """Who keeps a home under git does not work on all of it."""
    repository(home)
    assert world.repository(str(home / "notes")) == str(home / "notes")


def test_search_path_of_another_process_holds_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one is none."""
    monkeypatch.setenv("PATH", "/usr/bin")
    with world.searching("/opt/bin"):
        assert world.search_path() == "/opt/bin"
        with world.searching(""):
            assert world.search_path() == ""
    assert world.search_path() == "/usr/bin"
