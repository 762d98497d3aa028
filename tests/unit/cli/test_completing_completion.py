"""Completion scripts for the shells people use."""

import subprocess

import pytest

from tests.unit.cli.conftest import Run
from tests.waiting import HANG


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


def test_bash_really_takes_the_script(assent: Run) -> None:
    """Words that end at a colon stay one, as bash itself runs it."""
    script = assent("completion", "bash").out
    asking = """
assent() { printf 'plain,%s\\n' "$COMP_LINE|$COMP_POINT"; }
env() { while [[ $1 == *=* ]]; do local "$1"; shift; done; "$@"; }
COMP_LINE='assent asks risk:da' COMP_POINT=19
_assent_completion assent
printf '<%s>' "${COMPREPLY[@]}"
"""
    done = subprocess.run(["bash", "--norc", "-c", script + asking], capture_output=True, text=True, timeout=HANG)
    assert (done.stdout, done.stderr) == ("<assent asks risk:da|19>", "")
