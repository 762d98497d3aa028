"""Limits on reading a line: judging stays fast, and what was not examined is not called harmless."""

import time

import pytest

from assent.policy.shell.limits import LONGEST
from assent.policy.shell.parser import read
from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk
from tests.unit.policy.setting import SETTING

# A hundred times what is promised: what has no limit takes longer than any machine is busy.
SECONDS = 5.0


def filled(shape: str) -> str:
    return (shape * (LONGEST // len(shape) + 1))[:LONGEST]


ENDLESS = {
    "words": filled("a "),
    "commands": filled("ls;"),
    "empty lines": "ls" + filled("\n"),
    "braces": f"rm {filled('{a,')}",
    "brackets": f"ls {filled('[a')}",
    "stars": filled("* "),
    "parentheses": filled("("),
    "braced variables": filled("${a:-"),
    "variables": f"x=a; echo {filled('$x')}",
    "redirections": filled("> a "),
    "letters of options": f"git log -{filled('abc')}",
    "backticks": filled("`"),
    "numbers": f"echo $(({filled('(1+')}",
    "conditions": f"find . {filled('( ')}",
    "values that grow": "x=aaaaaaaaaaaaaaaa;" + "x=$x$x$x$x$x$x$x$x;" * 300 + "rm $x",
    "values that are put into themselves": "x=" + "a" * 30_000 + "; y=${x//a/$x}; rm $y",
    "values that are put behind themselves": "x=aaaaaaaaaaaaaaaa;" + "x+=$x;" * 300 + "rm $x",
    "functions": "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }};" for n in range(300)) + "f300() { ls; }; f0",
    "loops": "for a in {1..32}; do " * 10 + "rm $a;" + "done;" * 10,
    "lines in lines": "x='" + "ls;" * 3_000 + "'; " + 'eval "$x";' * 50,
}


@pytest.mark.parametrize("line", ENDLESS.values(), ids=ENDLESS.keys())
def test_no_line_takes_long(line: str) -> None:
    """By what is counted while it is read, not by a clock."""
    read.cache_clear()
    start = time.process_time()
    Walk(SETTING).line(line[: LONGEST + 100])
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("shape", ["ls ", "ls;", "ls\n", "ls $x;", "'ls' ", "ls | ", "(ls);", "echo $(ls);"])
def test_line_that_is_not_looked_through_is_never_harmless(shape: str) -> None:
    """Danger could stand in the unread part."""
    assert risk(f"{filled(shape)[:40_000]}\nrm -rf ~") >= Risk.CARE


TOO_LONG_LINES = {
    "commands": "echo a;" * 1_200 + "rm -rf ~/x",
    "substitutions": "$(" * 60 + "ls" + ")" * 60,
    "a line for a shell": f"bash -c '{'echo a;' * 1_200} rm -rf ~/x'",
    "words": f"echo {'a ' * 2_000}; rm -rf ~/x",
    "bytes": "echo " + "a" * LONGEST + "; rm -rf ~/x",
    "groups": "(" * 80 + "ls" + ")" * 80,
}


@pytest.mark.parametrize("line", TOO_LONG_LINES.values(), ids=TOO_LONG_LINES.keys())
def test_line_too_long_to_read_is_danger(line: str) -> None:
    """Padding must not lower the risk that people are shown."""
    assert risk(line) == Risk.DANGER
    assert any(each.unread for act in Walk(SETTING).line(line) for each in act.all())
