"""Wildcards: ``*`` in a text, and gitignore-like paths. Both take time linear in what they look at, or nearly."""

import fnmatch
import re
from collections.abc import Callable

from assent.policy.lazy import lazy

_STAR = re.compile(r"\\([\\*()])|(\*)")
_META = re.compile(r"[*?\[]")


class TextGlob:
    """``*`` stands for any text, and `` *`` at the end for nothing, too: ``ls *`` means ``ls``, but not ``lsof``."""

    def __init__(self, pattern: str) -> None:
        if pattern.endswith(":*"):  # the older spelling
            pattern = pattern[:-2] + " *"
        self.is_wild = any(star for _, star in _STAR.findall(pattern))
        self._parts = _pieces(pattern)
        self._bare = _pieces(pattern[:-2]) if pattern.endswith(" *") else None

        self._start = (self._bare or self._parts)[0]
        # What stands before the first star. Every text it fits begins so, perhaps without the blank at its end.
        self.start = self._parts[0]

    def fits(self, text: str) -> bool:
        if not text.startswith(self._start):
            return False
        return _fits(self._parts, text) or (self._bare is not None and _fits(self._bare, text))


def _pieces(pattern: str) -> tuple[str, ...]:
    pieces = [""]
    at = 0
    for match in _STAR.finditer(pattern):
        pieces[-1] += pattern[at : match.start()] + (match[1] or "")
        if match[2]:
            pieces.append("")
        at = match.end()
    pieces[-1] += pattern[at:]
    return tuple(pieces)


def _fits(pieces: tuple[str, ...], text: str) -> bool:
    first, last = pieces[0], pieces[-1]
    if len(pieces) == 1:
        return text == first
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in pieces[1:-1]:
        position = text.find(piece, at, end)
        if position < 0:
            return False
        at = position + len(piece)
    return True


class PathGlob:
    """A path below some folder: ``*`` within one name, ``**`` any number of names. A folder stands for all below it."""

    def __init__(self, pattern: str) -> None:
        names = [name for name in pattern.split("/") if name not in ("", ".")]
        self.is_wild = bool(_META.search(pattern))
        still = next((at for at, name in enumerate(names) if _META.search(name)), len(names))
        # The names with which every path begins that it fits, and how the next name begins.
        self.folders = tuple(names[:still])
        self.begun = _META.split(names[still], maxsplit=1)[0] if still < len(names) else ""
        # For paths in every folder: a name that is in all of them; "" where there is none, or folders are named.
        first = next((name for name in names if name != "**"), "**") if names[:1] == ["**"] else "**"
        self.anywhere = "" if _META.search(first) else first
        self._tests: tuple[Callable[[str], object] | None, ...] = tuple(_name_test(name) for name in names)

    @lazy
    def _below(self) -> "tuple[Callable[[str], object] | None, ...]":
        return (*self._tests, None)

    def fits(self, relative: str) -> bool:
        """Whether the path, or a folder around it, is meant."""
        return _walk(self._below, relative.split("/"))

    def fits_whole(self, relative: str) -> bool:
        """Whether the path itself is meant."""
        return _walk(self._tests, relative.split("/"))


def _name_test(name: str) -> Callable[[str], object] | None:
    if name == "**":
        return None
    if _META.search(name):
        return re.compile(fnmatch.translate(name)).match
    return name.__eq__


def _walk(tests: tuple[Callable[[str], object] | None, ...], names: list[str]) -> bool:
    """Wildcard matching over names, with None as the star; goes back to the latest star only."""
    test = at = 0
    star, resume = -1, 0
    while at < len(names):
        now = tests[test] if test < len(tests) else _never
        if now is None:
            star, resume = test, at
            test += 1
        elif now(names[at]):
            test, at = test + 1, at + 1
        elif star >= 0:
            resume += 1
            test, at = star + 1, resume
        else:
            return False
    return all(rest is None for rest in tests[test:])


def _never(_: str) -> bool:
    return False
