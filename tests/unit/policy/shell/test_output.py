"""What git prints, told without starting it."""

from pathlib import Path

import pytest

from assent.policy.printed_by_git import SOME_COMMIT, printed


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
