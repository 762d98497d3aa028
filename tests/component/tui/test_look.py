"""A real terminal is asked, and nothing of its answer is left for others to read."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from assent.tui.drawing import look

# The first terminal that a new session opens becomes its own.
ASK = """
import os, select, sys
os.dup2(os.open(sys.argv[1], os.O_RDWR), 0)
from assent.tui.drawing import look
said = look.ask("/dev/tty")
left = select.select([0], [], [], 0)[0]
print(look.brightness(said) > 0.5, bool(left), flush=True)
"""
LONGEST = 20.0


def ask_in_terminal(reply: bytes) -> tuple[str, bool]:
    """What a program in a terminal finds that answers so; and whether the terminal echoes again."""
    terminal, inside = pty.openpty()
    command = [sys.executable, "-c", ASK, os.ttyname(inside)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as child:
        seen, ends = b"", time.monotonic() + LONGEST
        while b"\x1b[c" not in seen and time.monotonic() < ends:
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 1024)
        os.write(terminal, reply)
        output = child.communicate(timeout=LONGEST)[0].decode().strip()
    echoes = bool(termios.tcgetattr(inside)[3] & termios.ECHO)
    os.close(terminal)
    os.close(inside)
    return output, echoes


@pytest.mark.parametrize(
    ("reply", "is_light"),
    [(b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;1;4cjaunty", True), (b"\x1b[?1;2c", False), (b"", False)],
)
def test_terminal_is_asked_and_its_input_is_left_empty(reply: bytes, is_light: bool) -> None:
    """Also of what was typed meanwhile, and where no answer comes."""
    assert ask_in_terminal(reply) == (f"{is_light} False", True)


def test_no_terminal_is_no_trouble(tmp_path: Path) -> None:
    """A file is no terminal, and neither is nothing."""
    (tmp_path / "file").write_text("")
    assert look.ask(str(tmp_path / "file")) == b""
    assert look.ask(str(tmp_path / "missing")) == b""
