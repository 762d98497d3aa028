"""Where a shell wants a number it works text out: names become their values, and what stands in a subscript runs."""

import re
from collections.abc import Callable, Iterable, Iterator

from assent.policy.words import HOLE

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
