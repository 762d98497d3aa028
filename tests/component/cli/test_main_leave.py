"""How the program ends: quickly, and with everything said."""

import subprocess
import sys

from tests.component.cli.conftest import DEADLINE


def left(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE)


def test_what_was_printed_is_there_and_the_code_is_told() -> None:
    """Nothing stays in a buffer, and what registered for the end runs."""
    code = (
        "import atexit; from assent.cli.main import leave; atexit.register(print, 'end'); print('x' * 9999); leave(4)"
    )
    done = left(code)
    assert (done.returncode, done.stdout, done.stderr) == (4, f"{'x' * 9999}\nend\n", "")


def test_a_thread_that_goes_on_is_waited_for() -> None:
    """Then Python ends as always."""
    code = (
        "import threading, time; from assent.cli.main import leave\n"
        "waiting = threading.Event()\n"
        "threading.Thread(target=lambda: (waiting.wait(0.05), print('done'))).start()\n"
        "leave(0)"
    )
    assert (left(code).stdout, left(code).returncode) == ("done\n", 0)


def test_output_that_cannot_be_written_is_a_failure() -> None:
    """As from every Python program: silence must not look like success."""
    code = "import sys; from assent.cli.main import leave; sys.stdout = open('/dev/full', 'w'); print('x'); leave(0)"
    done = left(code)
    assert done.returncode != 0 or "No space left" in done.stderr
