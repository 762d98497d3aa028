"""Which commands may share a wildcard."""

import pytest

from assent.learn.candidates import family


@pytest.mark.parametrize(
    ("command", "shared"),
    [
        ("git commit -m x", "git commit"),
        ("git add src/a.py", "git add"),
        ("ruff check src", "ruff check"),
        ("mkdocs build", "mkdocs build"),
    ],
)
def test_program_and_subcommand_are_a_family(command: str, shared: str) -> None:
    """More words after these two only say more."""
    assert family(command) == shared


@pytest.mark.parametrize(
    "command",
    [
        *("python script.py", "python3 manage.py", "node app.js", "bash run", "sh -c ls", "make test", "just build"),
        *("npm run build", "npm install x", "npx jest", "ssh host uptime", "sudo apt update", "env FOO=1 make"),
        *("xargs rm", "docker ps -a", "docker compose up", "kubectl get pods", "find src -name x", "awk prog file"),
        *("curl example", "rm build", "mv a b", "chmod x y", "gh pr view", "aws s3 ls", "pip install requests"),
        *("go test ./...", "cargo test x", "terraform plan", "git push origin", "git fetch origin", "git grep x"),
        *(
            "git config x y",
            "git rebase main",
            "git log x",
            "git reset x",
            "git clean x",
            "timeout 5 git",
            "assent log",
        ),
    ],
)
def test_runners_and_the_like_are_no_family(command: str) -> None:
    """Their words can run, fetch, overwrite or reach anything."""
    assert family(command) is None


@pytest.mark.parametrize(
    "command",
    [
        "ls",
        "ls -la",
        "./run test",
        "/usr/bin/git commit",
        "FOO=1 git commit",
        '"git" commit',
        "git 'commit' x",
        "git $x",
    ],
)
def test_commands_that_are_not_two_plain_words_are_no_family(command: str) -> None:
    """Only a bare program with a bare subcommand is understood."""
    assert family(command) is None
