"""What is printed, and what somebody says to it."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from assent.cli import output
from assent.cli.answering.keyboard import ENTER, LEAVE, Keyboard

WIDEST = 120


class LeftError(Exception):
    """Somebody left without an answer."""


@dataclass(frozen=True, slots=True)
class Screen:
    keyboard: Keyboard

    @property
    def width(self) -> int:
        return min(shutil.get_terminal_size().columns, WIDEST)

    def show(self, lines: Sequence[str]) -> None:
        """All of it, a screenful at a time: nobody agrees to what passed by unread. Raises LeftError."""
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
