"""Text that an agent wrote as lines of a terminal: all of it, drawn so that nothing in it steers, hides or poses."""

import re
import unicodedata
from collections.abc import Iterator

from assent import hidden

# At the beginning of a line blanks are how far it is indented.
_BLANKS = re.compile(r"(?<=[^ \n]) {21,}| {41,}|\t{9,}")
_BREAKS = re.compile(r"\n{5,}")
# More signs than this on one letter climb out of their line.
_PILED = re.compile(
    r"[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0e31-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4,}"
)
_TAB = "    "


def lines(text: str, width: int, *, code: bool = True, breaks: bool = False) -> list[str]:
    """``code``: letters that pass for others are told apart, and lines break anywhere; ``breaks``: line breaks are
    drawn, so that they are told from lines that were only too long."""
    found = inert(text, code=code).split("\n")
    drawn = [f"{line}↵" for line in found[:-1]] + found[-1:] if breaks and len(found) > 1 else found
    return [part for line in drawn for part in wrapped(line, width, at_words=not code)]


def inert(text: str, *, code: bool = True) -> str:
    """Line breaks are all that is left in it."""
    text = text if code else text.replace("\r\n", "\n").removeprefix("\ufeff")
    shown = hidden.drawn(text, is_command=code)
    shown = _BLANKS.sub(lambda run: f"{'␣' if run[0][0] == ' ' else '⇥'}×{len(run[0])}", shown)
    shown = _BREAKS.sub(lambda run: f"↵×{len(run[0])}\n", shown).replace("\t", _TAB)
    shown = _PILED.sub(lambda run: "".join(map(hidden.spelled, run[0])), shown)
    if not shown.replace("\n", "").isprintable():
        shown = "".join(sign if sign == "\n" or sign.isprintable() else hidden.spelled(sign) for sign in shown)
    return shown


def flat(text: str, *, code: bool = True) -> str:
    """The same on one line."""
    return " ".join(inert(text, code=code).split())


def wrapped(line: str, width: int, *, at_words: bool) -> Iterator[str]:
    """The line in parts that are no wider; at least one, which may be empty."""
    width = max(width, 8)
    if line.isascii() and len(line) <= width:
        yield line
        return
    start, used, blank = 0, 0, 0
    for at, sign in enumerate(line):
        size = cells(sign)
        if used + size > width:
            # Where a word began not too far back, it goes to the next line whole.
            end = blank if at_words and blank > start and at - blank < width // 2 else at
            yield line[start:end].rstrip(" ") if at_words else line[start:end]
            start, used = end, cells(line[end:at])
        used += size
        if sign == " ":
            blank = at + 1
    yield line[start:]


def cells(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(_cells(sign) for sign in text)


def _cells(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
