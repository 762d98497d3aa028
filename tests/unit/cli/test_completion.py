"""Completion scripts for the shells people use."""

import pytest

from tests.unit.cli.conftest import Run


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_shells_script(assent: Run, shell: str) -> None:
    """Each script asks our program for its completions."""
    result = assent("completion", shell)
    assert result.code == 0
    assert f"_ASSENT_COMPLETE={shell}_complete" in result.out


def test_completion_for_an_unknown_shell_is_usage(assent: Run) -> None:
    """The choices are named."""
    result = assent("completion", "tcsh")
    assert result.code == 2
    assert "'bash', 'zsh', 'fish'" in result.err
