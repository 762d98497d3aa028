"""Keyboard input of the dialogue. A key counts only after the screen could have been read: what was typed ahead,
pasted, or comes in a stream is dropped."""

import os
import select
import shutil
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from assent.cli import output
from assent.errors import AssentError

WIDEST = 120


# After something changed on the screen, keys are meant for what stood there before.
GRACE = 0.4
# Where keys never stop coming, no person reads.
MOST_NOISE = 2.0
ENTER = ("\r", "\n")
LEAVE = ("q", "\x1b", "\x04")


class NobodyError(AssentError):
    """There is no person at the keyboard, as far as can be told."""


@dataclass(slots=True)
class Keyboard:
    fd: int
    _usual: list[Any]

    def settle(self) -> None:
        """Drop what was typed before, until nothing comes for a moment. Raises NobodyError where that never happens."""
        now = time.monotonic()
        quiet, limit = now + GRACE, now + MOST_NOISE
        termios.tcflush(self.fd, termios.TCIFLUSH)
        while (left := quiet - time.monotonic()) > 0:
            if select.select([self.fd], [], [], left)[0]:
                self._read()
                quiet = time.monotonic() + GRACE
                if quiet > limit:
                    raise NobodyError("Keys keep coming, so nobody can be reading. Nothing was sent.")
        termios.tcflush(self.fd, termios.TCIFLUSH)

    def key(self, seconds: float | None = None) -> str | None:
        """One press; None if none came in that time, "" for what is no single key: a paste, an arrow."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return None
        text = self._read().decode("utf-8", "replace")
        if len(text) == 1:
            return text
        self.settle()
        return ""

    def line(self, prompt: str, *, hides: bool = False) -> str | None:
        """A typed line that ends with Enter; None for Ctrl-D."""
        given = b""
        with self.as_usual(hides=hides):
            termios.tcflush(self.fd, termios.TCIFLUSH)
            sys.stdout.write(prompt)
            sys.stdout.flush()
            while not given.endswith(b"\n"):
                part = os.read(self.fd, 4096)
                if not part:
                    output.say()
                    return None
                given += part
        if hides:
            output.say()
        return given.decode("utf-8", "replace").strip()

    @contextmanager
    def as_usual(self, *, hides: bool = False) -> Iterator[None]:
        """As the shell left it: lines with an echo, for typing and for an editor."""
        modes = [*self._usual]
        modes[3] = (modes[3] | termios.ICANON | termios.ECHO | termios.ISIG) & ~(termios.ECHO if hides else 0)
        termios.tcsetattr(self.fd, termios.TCSADRAIN, modes)
        try:
            yield
        finally:
            _press_by_press(self.fd, self._usual)

    def _read(self) -> bytes:
        try:
            data = os.read(self.fd, 1024)
        except OSError:
            data = b""
        if not data:
            raise NobodyError("The terminal is gone. Nothing was sent.")
        return data


@contextmanager
def opened() -> Iterator[Keyboard]:
    """The terminal's keyboard, pressed key by key and without an echo. Raises NobodyError without a terminal."""
    if not output.is_interactive():
        raise NobodyError("There is no terminal.")
    fd = sys.stdin.fileno()
    usual = termios.tcgetattr(fd)
    _press_by_press(fd, usual)
    try:
        yield Keyboard(fd, usual)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, usual)


def _press_by_press(fd: int, usual: list[Any]) -> None:
    modes = [*usual]
    modes[6] = [*usual[6]]
    # Ctrl-C still interrupts.
    modes[3] = (modes[3] & ~(termios.ICANON | termios.ECHO)) | termios.ISIG
    modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
    # Suspended and resumed later, it would show an outdated card.
    modes[6][termios.VSUSP] = os.fpathconf(fd, "PC_VDISABLE").to_bytes(1, "little")
    termios.tcsetattr(fd, termios.TCSADRAIN, modes)


class LeftError(Exception):
    """The user left without an answer."""


@dataclass(frozen=True, slots=True)
class Screen:
    keyboard: Keyboard

    @property
    def width(self) -> int:
        return min(shutil.get_terminal_size().columns, WIDEST)

    def show(self, lines: Sequence[str]) -> None:
        """All of it, a screenful at a time, so that nothing scrolls by unread. Raises LeftError."""
        room = max(4, shutil.get_terminal_size().lines - 2)
        for start in range(0, len(lines), room):
            if start:
                self._more(len(lines) - start)
            for line in lines[start : start + room]:
                output.say(line)
        self.keyboard.settle()

    def _more(self, count: int) -> None:
        left = f"⋯ {count} more {'line' if count == 1 else 'lines'} "
        self.prompt(f"{left}· Space goes on, q leaves")
        self.keyboard.settle()
        while (key := self.keyboard.key()) not in (" ", *ENTER):
            if key in LEAVE:
                raise LeftError
        # Over the line that asked.
        output.say("\r" + " " * (len(left) + 26) + "\r", nl=False)

    def prompt(self, text: str) -> None:
        output.say(output.styled(text, "faint"), nl=False)

    def choose(self, text: str, keys: str) -> str:
        """One of these keys, or "" for any other."""
        self.prompt(f"{text} ")
        while not (key := self.keyboard.key()):
            pass
        output.say(key if key in keys else "")
        return key if key in keys else ""

    def words(self, title: str) -> str:
        """A text in one's own words; "" if there is none."""
        return self.keyboard.line(f"{title}: ") or ""
