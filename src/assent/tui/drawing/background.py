"""Whether the terminal's own ground is light: from what it says in the environment, or by asking it.

Whatever comes back is read here to its end. Bytes left over would be taken for keys."""

import os
import re
import select
import termios
import time
import tty
from collections.abc import Mapping

# The ground's colour; then a question that every terminal answers, so that one need not wait for those that do not
# know the first.
_QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
_COLOUR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
_ANSWERED = re.compile(rb"\x1b\[\?[0-9;]*c")
# Within this a terminal on the same machine has answered; one that has not will not.
LIMIT = 0.1
# How much longer what it begins to say is waited for.
REST = 0.2
# Numbers of the usual palette that are light.
_LIGHT = frozenset({7, 9, 10, 11, 12, 13, 14, 15})
# These do not answer, or print the question.
_SILENT = frozenset({"", "dumb", "unknown", "linux"})


def is_light(environ: Mapping[str, str]) -> bool:
    """Dark where nobody knows."""
    told = _told(environ.get("COLORFGBG", ""))
    if told is not None:
        return told
    # Far away an answer may take longer than anybody waits, and arrive among the keys.
    if environ.get("TERM", "") in _SILENT or environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return False
    return brightness(ask("/dev/tty")) > 0.5


def _told(colours: str) -> bool | None:
    ground = colours.rpartition(";")[2]
    return int(ground) in _LIGHT if colours and ground.isdecimal() and int(ground) < 16 else None


def ask(terminal: str) -> bytes:
    """What the terminal answers; nothing where there is none, or where it belongs to another program just now."""
    try:
        descriptor = os.open(terminal, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return b""
    try:
        if os.tcgetpgrp(descriptor) != os.getpgrp():
            return b""
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor)
            os.write(descriptor, _QUESTION)
            return _read(descriptor)
        finally:
            # And what was typed meanwhile: nobody has seen yet what it would answer.
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
    except (OSError, termios.error):
        return b""
    finally:
        os.close(descriptor)


def _read(descriptor: int) -> bytes:
    answer = b""
    ends = time.monotonic() + LIMIT
    while _ANSWERED.search(answer) is None:
        if not select.select([descriptor], [], [], max(0.0, ends - time.monotonic()))[0]:
            break
        if not (said := os.read(descriptor, 1024)):
            break
        answer += said
        ends = max(ends, time.monotonic() + REST) if b"\x1b" in answer else ends
    return answer


def brightness(answer: bytes) -> float:
    """From black, 0, to white, 1; 0 where no colour was told."""
    found = _COLOUR.search(answer)
    if found is None:
        return 0.0
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return float(0.299 * red + 0.587 * green + 0.114 * blue)
