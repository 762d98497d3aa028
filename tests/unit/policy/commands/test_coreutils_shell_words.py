"""Lines with the shell's own words, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "history",
        "true && false || :",
        "shopt -s globstar; ls **/*.py",
        "set -o pipefail; ls | head",
        "jobs -l",
        "help cd",
        "compgen -c | head",
    ],
)
def test_looking_is_look(line: str) -> None:
    """The shell's own words that only show are Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "history -w",
    ],
)
def test_forgetting_is_danger(line: str) -> None:
    """What was typed must not be made to go."""
    assert risk(line) == Risk.DANGER
