"""Patterns that others wrote, checked without letting them keep us busy."""

import re

LONGEST_PATTERN = 200
LONGEST_TEXT = 1_000
# Each one without a limit multiplies the work by the length of the text.
MOST_UNBOUNDED = 2
_NEVER = re.compile(r"\(\?|\\[1-9gk]|\)[*+?{]")
_UNBOUNDED = re.compile(r"[*+]|\{\d*,\d*\}")


def is_tame(pattern: str) -> bool:
    """Whether it can be read, and looks at a text in a time that can be foreseen."""
    if len(pattern) > LONGEST_PATTERN or _NEVER.search(pattern) or len(_UNBOUNDED.findall(pattern)) > MOST_UNBOUNDED:
        return False
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def fits(pattern: str, text: str) -> bool:
    """Somewhere in the text, as JSON Schema means it."""
    return len(text) <= LONGEST_TEXT and is_tame(pattern) and re.search(pattern, text) is not None
