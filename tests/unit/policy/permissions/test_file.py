"""Which lasting permissions hold: for this project and repository, this kind of agent, and this long."""

from pathlib import Path

import pytest

from assent.policy import world
from assent.policy.permissions import file as permission_file
from assent.policy.permissions.file import holding
from assent.protocol.lasting import Permission, Shape
from tests.unit.policy import repository


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "shop")


def permission(project: Path, **fields: object) -> Permission:
    real = str(project.resolve())
    known = {"id": "a", "kind": "shape", "project": real, "repository": world.repository_id(real)}
    return Permission(**{**known, **fields})  # type: ignore[arg-type]


def test_it_holds_in_its_project_and_below(project: Path) -> None:
    """A session that is started in a folder of the repository works in the same repository."""
    given = permission(project)
    assert holding([given], str(project), "claude-code", 0) == (given,)
    assert holding([given], str(project / "src"), "claude-code", 0) == (given,)
    assert holding([given], str(project.parent), "claude-code", 0) == ()
    assert holding([given], f"{project}-other", "claude-code", 0) == ()


def test_link_to_the_project_is_the_project(project: Path, tmp_path: Path) -> None:
    """The real path counts."""
    (tmp_path / "link").symlink_to(project)
    given = permission(project)
    assert holding([given], str(tmp_path / "link"), "claude-code", 0) == (given,)


def test_another_repository_at_the_same_path_is_another_project(project: Path) -> None:
    """Moved away and cloned anew, or given another origin."""
    given = permission(project)
    repository.git(project, "remote", "set-url", "origin", "https://git.example.com/other.git")
    assert holding([given], str(project), "claude-code", 0) == ()
    repository.git(project, "remote", "set-url", "origin", "https://git.example.com/shop.git")
    assert holding([given], str(project), "claude-code", 0) == (given,)


def test_repository_inside_the_project_is_its_own(project: Path) -> None:
    """A permission does not reach into a repository that was put there."""
    inner = repository.make(project / "vendor" / "inner", {"a.py": ""})
    assert holding([permission(project)], str(inner), "claude-code", 0) == ()


def test_it_ends(project: Path) -> None:
    """With its hour."""
    given = permission(project, until=1_000)
    assert holding([given], str(project), "claude-code", 999) == (given,)
    assert holding([given], str(project), "claude-code", 1_000) == ()


def test_it_is_for_one_kind_of_agent(project: Path) -> None:
    """Unless it was given to all."""
    given = permission(project, harness="claude-code")
    assert holding([given], str(project), "codex", 0) == ()
    assert holding([permission(project)], str(project), "codex", 0) != ()


def test_taught_programs_hold_everywhere(project: Path, tmp_path: Path) -> None:
    """They belong to no project."""
    given = Permission("a", "reads", shape=Shape("acme list", ("unknown",)))
    assert holding([given], str(project), "codex", 0) == holding([given], str(tmp_path), "codex", 0) == (given,)


def test_file_is_read_as_it_was_written(tmp_path: Path, project: Path) -> None:
    """And nothing is there before anything was given."""
    file = tmp_path / "permissions.json"
    assert permission_file.read(file) == ()
    given = permission(project, shape=Shape("git push", ("publish origin feature",)), words="x", until=5)
    file.write_bytes(permission_file.written([given]))
    assert permission_file.read(file) == (given,)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"permissions": [{"id": 1}]}', '{"permissions": [{"id":"a","kind":"all"}]}']
)
def test_file_that_cannot_be_read_permits_nothing(tmp_path: Path, text: str) -> None:
    """The error names it."""
    file = tmp_path / "permissions.json"
    file.write_text(text)
    with pytest.raises(ValueError, match="cannot be read"):
        permission_file.read(file)
