"""Regular expressions that are compiled when they are first used: of those that a module holds, a verb needs few, and
to compile one takes longer than to import most modules."""

import re
from typing import Any, cast

_KEPT = ("search", "match", "fullmatch", "sub", "subn", "finditer", "findall", "split", "groups")


class _Later:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # From now on the methods are found in the object itself, which costs no more than those of the real one.
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update({method: getattr(compiled, method) for method in _KEPT})
        return getattr(compiled, name)


def later(pattern: str, flags: int = 0) -> "re.Pattern[str]":
    """``re.compile``, at the first use."""
    return cast("re.Pattern[str]", _Later(pattern, flags))
