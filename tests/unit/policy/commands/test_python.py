"""Python: its options, its modules, its files."""

import pytest

from assent.protocol.decision import Risk
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


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m py_compile src/a.py && echo OK",
        "python -m py_compile src/*.py",
        "python3 -m compileall -q src",
        "cd src && python3 -m compileall .",
        "cat a.json | python3 -m json.tool | head -40",
    ],
)
def test_compiling_and_printing_by_modules_of_the_library_is_look(line: str) -> None:
    """Nothing of what is compiled runs, and no file of the folder takes a module's place."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m compileall",
        "python3 -m compileall -i list.txt src",
        "python3 -m py_compile ~/a.py",
        "python3 -m py_compile $X",
    ],
)
def test_compiling_elsewhere_is_not_look(line: str) -> None:
    """Compiled files land beside what is compiled."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "cd /tmp/x && echo 'import os' > helper.py && python3 -c 'import helper'",
        "cd /tmp/x && cp a.txt helper.py; python3 - <<'EOF'\nimport helper\nEOF",
        "cd /tmp/x; python3 -c 'import helper'; cat a > helper.py",
        "cd /tmp/x && python3 -c \"open('helper.py', 'w').write('1'); import helper\"",
        "cd /tmp/x && python3 -c \"open('helper.py', 'w').write('1'); __import__('helper')\"",
        "cd /tmp/x && echo 'import os' > json.py && python3 -m json.tool a.json",
    ],
)
def test_module_that_the_line_writes_is_not_look(line: str) -> None:
    """The program that follows loads it."""
    assert risk(line) >= Risk.CARE
