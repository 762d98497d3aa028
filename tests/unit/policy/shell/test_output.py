"""What git prints, told without starting it."""

from pathlib import Path

import pytest

from assent.policy.shell.output import SOME_COMMIT
from assent.policy.shell.output import printed as printed_by_line
from assent.policy.shell.output import printed_by_git as printed
from assent.policy.shell.words import Arg


@pytest.mark.parametrize(
    "line",
    [
        "rev-parse HEAD",
        "rev-parse --short --verify main^{}",
        "merge-base HEAD origin/main",
        "rev-list -n1 --all",
        "rev-list HEAD~5..HEAD -- src",
        "log -1 --format=%H",
    ],
)
def test_commits_are_printed(line: str) -> None:
    """Nothing but commits comes out of these."""
    assert printed(line.split(), None) == f"{SOME_COMMIT}\n"


@pytest.mark.parametrize(
    "line",
    [
        "rev-parse --foo",
        "rev-parse --abbrev-ref HEAD",
        "rev-parse",
        "rev-parse \0",
        "rev-list --objects HEAD",
        "rev-list --format=%s HEAD",
        "log -1 --format=%s",
        "log -1",
        "log -p --format=%H",
        "branch --show-current",
        "status",
    ],
)
def test_what_may_be_anything_is_not_told(line: str) -> None:
    """Messages, names and options could be any text."""
    assert printed(line.split(), None) is None


def test_the_top_folder_is_where_the_repository_lies(tmp_path: Path) -> None:
    """It is looked up, and not told where there is none."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    assert printed(["rev-parse", "--show-toplevel"], str(tmp_path / "src")) == f"{tmp_path}\n"
    assert printed(["rev-parse", "--show-toplevel"], None) is None


@pytest.mark.parametrize(
    ("line", "stdin", "expected"),
    [
        ("cat", "in", "in"),
        ("cat -", "in", "in"),
        ("cat a", "in", None),
        ("cat - a", "in", None),
        ("cat", None, None),
        ("echo a b", None, "a b\n"),
        ("printf %s a", None, "a"),
        ("printf -- %s a", None, "a"),
        ("printf -v x a", None, None),
        ("printf", None, None),
        ("pwd", None, "/here\n"),
    ],
)
def test_output_of_small_programs_is_told(line: str, stdin: str | None, expected: str | None) -> None:
    """Where it follows from the line and from what comes in."""
    assert printed_by_line(tuple(map(Arg, line.split())), stdin, "/here") == expected


def test_output_that_depends_on_files_is_not_told() -> None:
    """A pattern, or a folder that is not known."""
    assert printed_by_line((Arg("echo"), Arg("*", glob=True)), None, "/here") is None
    assert printed_by_line((Arg("pwd"),), None, None) is None
