"""Limits on how much of a line is read. What goes beyond is not examined and never counts as harmless."""

import re
from collections.abc import Callable, Iterable, Iterator

from assent.policy.shell.words import HOLE

MOST_NAMES = 32
# Comparing two words as numbers, or asking whether a variable is set, works both out.
COMPARED = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v"})

# A digit may be an argument's name; taking a number for one costs nothing.
_NAME = re.compile(r"[A-Za-z_]\w*|\d")


def names(text: str) -> list[str]:
    return _NAME.findall(text)


def running(texts: Iterable[str], values: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """The texts among these, and among the values of the names in them, in which something runs."""
    waiting = [text for text in texts if text != HOLE]
    seen: set[str] = set()
    while waiting:
        text = waiting.pop()
        if "$(" in text or "`" in text:
            yield text
            continue
        for name in names(text):
            if name not in seen and len(seen) < MOST_NAMES:
                seen.add(name)
                waiting += (value for value in values(name) if value != HOLE)


LONGEST = 64 * 1024
DEEPEST = 40
MOST_HEREDOCS = 32
MOST_COMMANDS = 400
# A longer line cannot be reviewed by a person, and may be written to be passed over.
MOST_WORDS = 1_500
MOST_PARTS = 3_000
# Some things can be told apart only by trying; so much text is tried twice, and no more.
MOST_TRIED = LONGEST // 2


class UnreadableError(Exception):
    """The line cannot be read the way a shell would read it, so what it does is unknown."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


class TooMuchError(UnreadableError):
    """More than is looked at; no other way of reading it is tried."""


class Budget:
    """Shared by a line and all that is nested in it: text inside text multiplies."""

    def __init__(self) -> None:
        self.commands = MOST_COMMANDS
        self.heredocs = MOST_HEREDOCS
        self.words = MOST_WORDS
        self.parts = MOST_PARTS
        self.tried = MOST_TRIED
