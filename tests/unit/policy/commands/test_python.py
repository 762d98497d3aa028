"""Python: its options, its modules, its files."""

import pytest

from assent.protocol.risk import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "python3 --version",
        "python3 -V",
        "python --help",
    ],
)
def test_python_lines_that_only_look_are_look(line: str) -> None:
    """What only looks and prints is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "python3 script.py",
        "python script.py --foo",
        "python3 -m pytest -q",
        "python3 -m mypkg",
        "python3 -m venv .venv",
        "python3 -m http.server",
        "python3 -m compileall src",
        ".venv/bin/python -V",
        "python3",
    ],
)
def test_python_lines_with_more_than_a_look_are_left_to_the_client(line: str) -> None:
    """It is neither waved through nor stopped."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "python3 -Ic 'import os; os.system(\"rm -rf /\")'",
        "python3 -Bc 'import os; os.system(\"rm -rf /\")'",
        "python3 -m timeit 'import os; os.system(\"rm -rf /\")'",
        "python3 -m http.server -d ~",
    ],
)
def test_python_lines_with_danger_inside_are_danger(line: str) -> None:
    """Danger is seen behind it, however it is spelled."""
    assert risk(line) == Risk.DANGER
