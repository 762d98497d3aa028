"""What holds at one place of a line: variables, functions, the working folder."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote

import os

from assent.policy.tree import Command
from assent.policy.words import HOLE, MOST_ALTERNATIVES, Arg, Values

_UNKNOWN: Values = (HOLE,)


class Scope:
    """Copied for subshells; what they change is theirs."""

    def __init__(self, cwd: str | None, home: str, project: str) -> None:
        self.cwd = cwd
        self.home = home
        self.project = project
        self.variables: dict[str, Values] = {}
        self.functions: dict[str, Command] = {}
        self.arguments: tuple[str, ...] | None = None
        # A search path set in the line: names may then be anything.
        self.path_changed = False
        self.aliases: dict[str, str] = {}

    def copy(self) -> "Scope":
        other = Scope(self.cwd, self.home, self.project)
        other.variables = dict(self.variables)
        other.functions = dict(self.functions)
        other.aliases = dict(self.aliases)
        other.arguments = self.arguments
        other.path_changed = self.path_changed
        return other

    def lookup(self, name: str) -> Values:
        if (known := self.variables.get(name)) is not None:
            return known
        if name == "HOME":
            return (self.home,)
        if name == "PWD":
            return (self.cwd,) if self.cwd is not None else _UNKNOWN
        if name == "CLAUDE_PROJECT_DIR":
            return (self.project,)
        if name == "IFS":
            return (" \t\n",)
        if self.arguments is not None:
            if name.isdigit() and name != "0":
                place = int(name) - 1
                return (self.arguments[place] if place < len(self.arguments) else "",)
            if name in "@*":
                return (" ".join(self.arguments),)
        return _UNKNOWN

    def assign(self, name: str, values: list[str], *, append: bool = False, certain: bool = True) -> None:
        if append:
            values = [old + new for old in self.lookup(name) for new in values]
        if not certain:
            values = [*self.lookup(name), *values]
        distinct = tuple(dict.fromkeys(values))
        self.variables[name] = distinct if len(distinct) <= MOST_ALTERNATIVES else _UNKNOWN

    def forget(self, name: str) -> None:
        self.variables[name] = _UNKNOWN

    def moved(self, to: Arg) -> str | None:
        """The working folder after ``cd``."""
        if not to.known or to.glob or (self.cwd is None and not to.text.startswith("/")):
            return None
        return os.path.normpath(os.path.join(self.cwd or "/", to.text))

    def merge(self, other: "Scope") -> None:
        """After something that may not have run: both may hold."""
        for name in other.variables.keys() | self.variables.keys():
            if other.variables.get(name) != self.variables.get(name):
                both = (*self.lookup(name), *other.lookup(name))
                self.variables[name] = tuple(dict.fromkeys(both))[:MOST_ALTERNATIVES]
        self.functions |= other.functions
        self.aliases |= other.aliases
        self.path_changed |= other.path_changed
        if other.cwd != self.cwd:
            self.cwd = None
