"""Shell environment at one place of a line: variables, functions, the working folder."""

# ruff: noqa: PTH118, PTH119 - paths here are text that an agent wrote

import os

from assent.policy import sensitive, tool_folders
from assent.policy.shell.streams import Stream
from assent.policy.shell.tree import Command
from assent.policy.shell.words import HOLE, LONGEST_VALUE, MOST_ALTERNATIVES, OWN_PATH, Arg, Values

MOST_ITEMS = 200

_UNKNOWN: Values = (HOLE,)
# The shell itself, and what it has started last: numbers known only at run time, kept as they are written.
_PROCESSES: dict[str, Values] = {"$": ("$$",), "!": ("$!",)}


class Scope:
    """Copied for subshells; what they change is theirs."""

    # A line of an agent gets no arguments; functions and ``set --`` give some.
    arguments: tuple[str, ...] | None = ()
    # A search path set in the line: names may then be anything.
    path_changed = False
    # Folders of the project that the line puts before the others in the search path.
    path_folders: tuple[str, ...] = ()
    # ``set -a``: whatever is assigned reaches the programs that follow.
    exports_all = False
    # Variables that hold numbers only: what they are given is worked out.
    numbers: frozenset[str] = frozenset()

    def __init__(self, cwd: str | None, home: str, project: str) -> None:
        self.cwd = cwd
        self.home = home
        self.project = project
        self.variables: dict[str, Values] = {}
        self.functions: dict[str, Command] = {}
        self.arrays: dict[str, tuple[str, ...]] = {}
        self.aliases: dict[str, str] = {}
        # What the line wrote into files, by path or by name alone. One for all copies: files are shared.
        self.files: dict[str, list[Stream]] = {}
        # Folders that the line filled from the network, and whether they are new; the same for all copies.
        self.folders: dict[str, bool] = {}

    def copy(self) -> "Scope":
        """With variables, functions, aliases and arrays of its own."""
        other = object.__new__(Scope)
        other.__dict__.update(self.__dict__)
        other.variables = dict(self.variables)
        other.functions = dict(self.functions)
        other.aliases = dict(self.aliases)
        other.arrays = dict(self.arrays)
        return other

    def lookup(self, name: str) -> Values:
        if (values := self.variables.get(name)) is not None:
            return values
        if name == "HOME":
            return (self.home,)
        if name in ("TMPDIR", "TMP", "TEMP"):
            return ("/tmp",)  # noqa: S108 - the name of a place
        if name == "PWD":
            return (self.cwd,) if self.cwd is not None else _UNKNOWN
        if name in sensitive.PROJECT_VARIABLES:
            return (self.project,)
        if name in sensitive.OBEYED_VARIABLES:
            # Where it lies differs; what stands there is obeyed by every later command of the agent.
            return (f"{self.home}/{sensitive.OBEYED_VARIABLES[name]}",)
        if name in _PROCESSES:
            return _PROCESSES[name]
        if name == "PATH":
            return (OWN_PATH,)
        if name == "NVM_DIR":
            return (f"{self.home}/.nvm",)
        if name == "IFS":
            return (" \t\n",)
        if self.arguments is not None:
            if name.isdigit() and name != "0":
                place = int(name) - 1
                return (self.arguments[place] if place < len(self.arguments) else "",)
            if name in "@*":
                return (" ".join(self.arguments),)
        return _UNKNOWN

    def items(self, name: str) -> tuple[str, ...] | None:
        """Of an array, or of the arguments."""
        if name in "@*":
            return self.arguments if self.arguments is not None and len(self.arguments) <= MOST_ITEMS else None
        if (array := self.arrays.get(name)) is not None:
            return array
        # A plain variable is an array of one.
        values = self.lookup(name)
        return values if len(values) == 1 and HOLE not in values[0] else None

    def assign(self, name: str, values: list[str], *, append: bool = False, certain: bool = True) -> None:
        if append:
            values = [old + new for old in self.lookup(name) for new in values]
        if not certain:
            values = [*self.lookup(name), *values]
        self.arrays.pop(name, None)
        distinct = tuple(dict.fromkeys(value if len(value) <= LONGEST_VALUE else HOLE for value in values))
        self.variables[name] = distinct if len(distinct) <= MOST_ALTERNATIVES else _UNKNOWN

    def assign_items(self, name: str, items: tuple[str, ...] | None, *, append: bool = False) -> None:
        before = self.items(name) if append and name in self.variables else ()
        self.arrays.pop(name, None)
        if items is None or before is None or len(before) + len(items) > MOST_ITEMS:
            self.variables[name] = _UNKNOWN
        else:
            self.arrays[name] = before + items
            # Without a subscript an array is its first item.
            self.variables[name] = ((*before, *items, "")[0],)

    def searches(self, values: list[str]) -> bool:
        """Whether a new search path still finds the programs that names stand for."""
        folders = tool_folders.added(values, self.home, self.project)
        if folders is None:
            self.path_changed = True
            return False
        self.path_folders = tuple(dict.fromkeys((*folders, *self.path_folders)))
        return True

    def forget(self, name: str) -> None:
        self.variables[name] = _UNKNOWN
        self.arrays.pop(name, None)

    def moved(self, to: Arg) -> str | None:
        """The working folder after ``cd``."""
        if not to.known or to.glob or (self.cwd is None and not to.text.startswith("/")):
            return None
        return os.path.normpath(os.path.join(self.cwd or "/", to.text))

    def wrote(self, path: str, stream: Stream) -> None:
        """A path without a folder stands for a file of this name in any folder."""
        if self.cwd is not None and "/" in path:
            path = os.path.normpath(os.path.join(self.cwd, path))
        streams = self.files.setdefault(path, [])
        if stream not in streams:
            streams.append(stream)

    def path(self, text: str) -> str:
        return os.path.normpath(os.path.join(self.cwd or "/", text))

    def written(self, path: str) -> list[Stream]:
        return [*self.files.get(path, ()), *self.files.get(os.path.basename(path), ())]

    def merge(self, other: "Scope") -> None:
        """After something that may not have run: both may hold."""
        for name in other.variables.keys() | self.variables.keys():
            if other.variables.get(name) != self.variables.get(name):
                both = tuple(dict.fromkeys((*self.lookup(name), *other.lookup(name))))
                self.variables[name] = both if len(both) <= MOST_ALTERNATIVES else _UNKNOWN
                self.arrays.pop(name, None)
        for name in other.arrays.keys() | self.arrays.keys():
            if other.arrays.get(name) != self.arrays.get(name):
                self.forget(name)
        self.functions |= other.functions
        self.aliases |= other.aliases
        self.path_changed |= other.path_changed
        self.path_folders = tuple(dict.fromkeys((*self.path_folders, *other.path_folders)))
        if other.cwd != self.cwd:
            self.cwd = None
        if other.arguments != self.arguments:
            self.arguments = None
