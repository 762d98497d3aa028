"""Every expression of the program that is compiled later can be."""

import subprocess
import sys

from tests.waiting import HANG

COMPILE = """
import gc
gc.disable()
from assent.expressions import _Later
from assent.learn import replayer
from assent.policy import commands
from assent.redact import structure
commands.known()
found = [each for each in gc.get_objects() if isinstance(each, _Later)]
for each in found:
    each.groups
print(len(found))
"""


def test_expressions_of_the_judge_can_be_compiled() -> None:
    """A mistake in one is found here, and not with the first line it is about."""
    done = subprocess.run([sys.executable, "-c", COMPILE], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 300
