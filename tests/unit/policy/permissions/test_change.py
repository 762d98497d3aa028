"""Change permission: files that git can bring back, and never what it cannot."""

from pathlib import Path

import pytest

from assent.policy.call import Call, Scene
from assent.policy.judges.permissions import Permissions
from assent.policy.risk_of import effects_of
from assent.policy.session_taint import Memory
from assent.protocol.decision import Allow
from assent.protocol.events import PreToolUse
from assent.protocol.lasting import Permission
from tests.unit.policy import repository


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return repository.make(tmp_path / "shop")


def is_allowed(
    project: Path,
    line: str = "",
    *,
    tool: str = "Bash",
    mode: str = "default",
    memory: Memory | None = None,
    **fields: str,
) -> bool:
    given = {"command": line} if line else fields
    event = PreToolUse(session_id="s", cwd=str(project), permission_mode=mode, tool_name=tool, tool_input=dict(given))
    held = () if mode == "accept_edits" else (Permission("c", "change", project=str(project)),)
    opinion = Permissions().speak(event, Scene(project, permissions=held, memory=memory))
    return opinion is not None and isinstance(opinion.decision, Allow)


COVERED = [
    "cat > src/new.py <<'EOF'\nx = 1\nEOF",
    "echo x >> src/app.py",
    "sed -i s/a/b/ src/app.py",
    "mv src/app.py src/main.py",
    "chmod +x scripts/test.sh",
    "rm src/app.py",
    "git add -A && git commit -m 'x: y'",
    "git switch -c other",
    "mkdir -p src/sub && touch src/sub/__init__.py",
    "rm -rf dist build __pycache__",
    "ruff format src && git diff --stat",
    "python -c \"open('src/app.py','w').write('x = 1')\"",
]


@pytest.mark.parametrize("line", COVERED)
def test_covered(project: Path, line: str) -> None:
    """Writes, moves, modes, adds, commits and switches inside the work tree."""
    assert is_allowed(project, line)


@pytest.mark.parametrize("line", COVERED)
def test_accepted_edits_count_as_it(project: Path, line: str) -> None:
    """The mode accept_edits is the person's yes to changes for this session."""
    assert is_allowed(project, line, mode="accept_edits")


@pytest.mark.parametrize(
    "line",
    [
        "echo x > notes.txt",
        "rm notes.txt",
        "mv notes.txt src/",
        "rm -rf src",
        "rm src/*.py",
        "echo x > /srv/other/file",
        "cp src/app.py /srv/app.py",
        "echo x > .git/hooks/pre-commit",
        "echo x >> .claude/settings.json",
        "echo x > conftest.py",
        "echo 'on: push' > .github/workflows/ci.yml",
        "git reset --hard",
        "git checkout -- src/dirty.py",
        "git push",
        "git add -A && npm test",
        "echo x > $FILE",
        "ln -s /etc/passwd src/link && echo x > src/link",
        "python -c \"import os; os.system('rm notes.txt')\"",
    ],
)
def test_not_covered(project: Path, line: str) -> None:
    """What git does not have, what lies outside, what is obeyed or runs by itself, and what is no change of files."""
    (project / "notes.txt").write_text("never committed\n")
    (project / "src/dirty.py").write_text("x = 1\n")
    assert not is_allowed(project, line)


def test_edit_tools_are_covered_alike(project: Path) -> None:
    """A tracked and clean file, a new file; not one that git does not have."""
    (project / "notes.txt").write_text("never committed\n")
    for name, expected in (("src/app.py", True), ("src/new.py", True), ("notes.txt", False), ("conftest.py", False)):
        path = str(project / name)
        assert is_allowed(project, tool="Write", file_path=path, content="x = 1\n") is expected, name


def test_files_that_the_session_made_are_its_own(project: Path) -> None:
    """It may change and remove them again."""
    memory = Memory()
    first = Call("Bash", {"command": "echo x > notes.txt"}, str(project), "default")
    memory.note(effects_of(first, Scene(project)))
    (project / "notes.txt").write_text("made by the session\n")
    assert is_allowed(project, "echo y > notes.txt && rm notes.txt", memory=memory)


def test_call_that_only_asks_does_not_make_a_file_its_own(project: Path) -> None:
    """A call is remembered before a person has answered it; what was there before stays a person's."""
    (project / "notes.txt").write_text("never committed\n")
    memory = Memory()
    first = Call("Bash", {"command": "echo x > notes.txt"}, str(project), "default")
    memory.note(effects_of(first, Scene(project)))
    assert not is_allowed(project, "echo x > notes.txt", memory=memory)


@pytest.mark.parametrize("name", [".husky/pre-commit", "lefthook.yml", ".pre-commit-config.yaml", "package.json"])
def test_commit_is_not_covered_after_the_session_wrote_hooks(project: Path, name: str) -> None:
    """Git would run them by itself."""
    memory = Memory(written={str(project / name): None})
    assert not is_allowed(project, "git add -A && git commit -m x", memory=memory)
    assert is_allowed(project, "echo x >> src/app.py", memory=memory)


def test_folder_without_a_repository_is_never_covered(tmp_path: Path) -> None:
    """Nothing could be brought back there."""
    folder = tmp_path / "plain"
    folder.mkdir()
    assert not is_allowed(folder, "echo x > a.txt")
    assert not is_allowed(folder, "echo x > a.txt", mode="accept_edits")


def test_link_out_of_the_project_is_outside(project: Path, tmp_path: Path) -> None:
    """A name inside is not enough."""
    (tmp_path / "elsewhere").mkdir()
    (project / "out").symlink_to("/srv")
    assert not is_allowed(project, "echo x > out/a.txt")


def test_call_is_kept() -> None:
    """The tool call itself is not changed by being looked at."""
    call = Call("Bash", {"command": "ls"}, "/srv/project", "default")
    assert call.input == {"command": "ls"}
