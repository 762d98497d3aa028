"""The guard's own things, and how a path, a pattern or a half-known name relates to them.

Three groups: what Assent keeps (configuration, state), the code it runs (package, environment, interpreter), and the
settings of agents that hold its hooks. A path is *in* one of them, *around* one (a folder above it), or neither; a
pattern or a name with a hole counts as what it may come to. Reading matters for what is kept only.
"""

# ruff: noqa: PTH120 - paths here are text that an agent wrote

import fnmatch
import importlib.metadata
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct

from assent.paths import Paths
from assent.policy import production, world
from assent.policy.shell.words import HOLE

# Sentences that the floor and the modes look for. The first two are denied whatever else is said.
CHANGES = "It changes Assent's own files."
TAKES_ALONG = "It moves, covers or changes a folder, and Assent's own files along with it."
READS = "It reads Assent's own files."
READS_AROUND = "It reads a whole folder that Assent's own files lie in."
MAY_CHANGE = "What it changes is known only when it runs, and may be Assent's own files."
POURS = "It puts files whose names are not known where Assent's own lie."
LINKS = "It makes another way to a folder that Assent's own files lie in."
NAMES = "It names Assent's own files, and what it does to them is not known."
HOOKS = "It takes along settings that hold an agent's hooks."
SIGNALS_HUB = "It acts on Assent's own process."
SIGNALS_OTHERS = "It acts on a process that this session did not start."
SIGNALS_UNKNOWN = "It acts on a process, and whose it is cannot be told here."
FLOOR = frozenset({CHANGES, TAKES_ALONG})
# A person is asked; where the client would drop the question, it is denied.
ASKED = frozenset(
    {READS, READS_AROUND, MAY_CHANGE, POURS, LINKS, NAMES, HOOKS, SIGNALS_HUB, SIGNALS_OTHERS, SIGNALS_UNKNOWN}
)
GUARDED = FLOOR | ASKED

MOST_LOOKED_AT = 2_000
_WILD = re.compile(r"[*?\[(]")
_EXTENDED = re.compile(r"[@+?*!]\([^()]*\)")
# Names of ours that hardly anything else goes by.
_TELLING = frozenset({"rules.toml", "journal.db", "hub.lock", "hub-id", "start-hub", "in-force.json", "cookie.key"})
_SHIM = ("python", "interpreter", "hook.py", "forward.py", "variables", "replies", "run")
_ENDINGS = ("run/stopped", *(f"shim/{name}" for name in _SHIM), "keys/post", "keys/post-token")


@dataclass(frozen=True, eq=False)
class Own:
    """What belongs to the guard. Folders and files as whole paths, also by where links in them lead.

    Made once and compared by what it is, not by what it holds: it is looked up with every event."""

    kept: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    # The hub's process.
    hub: int | None = None


def of(paths: Paths) -> Own:
    """As this process sees it."""
    kept = [str(paths.config_dir), str(paths.state)]
    # A socket whose path would be too long lies elsewhere.
    kept += [str(socket.parent) for socket in (paths.hook_socket, paths.desk_socket)]
    moved = os.environ.get("CLAUDE_CONFIG_DIR") or f"{world.home()}/.claude"
    settings = [f"{moved}/settings.json", f"{moved}/settings.local.json"]
    return Own(_with_real(kept), _code(), _with_real(settings))


def _with_real(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for path in paths for each in (path, world.real(path))))


def _starts_us(launcher: str) -> bool:
    """Whether this is the command that people type, linked to our environment by what installed it."""
    return world.real(launcher).startswith(f"{sys.prefix}/")


@lru_cache(maxsize=1)
def _code() -> tuple[str, ...]:
    """The package, what was written down at its installation, its environment and its interpreter."""
    package = str(Path(__file__).parents[1])
    interpreter = getattr(sys, "_base_executable", None) or sys.executable
    paths = [package, sys.executable, interpreter, f"{sys.prefix}/bin/assent"]
    try:
        for file in importlib.metadata.files("assent") or ():
            folder = str(Path(str(file.locate())).parent)
            if folder.endswith(".dist-info"):
                paths.append(folder)
                break
    except importlib.metadata.PackageNotFoundError:
        pass
    if sys.prefix != sys.base_prefix:
        paths.append(sys.prefix)
    paths += filter(
        _starts_us, (f"{world.home()}/.local/bin/assent", "/usr/local/bin/assent", "/opt/homebrew/bin/assent")
    )
    return _with_real(os.path.normpath(path) for path in paths if path)


class Line(Struct):
    """What is known of one line beyond the place where it stands."""

    # Links that the line makes: where each is, and where it leads.
    links: dict[str, str] = {}
    # Patterns and half-known names of folders that the line changes into.
    folders: list[str] = []
    # Patterns fit hidden names, too.
    hidden: bool = False
    # Variables that the line sets, by which tools work on production.
    production: list[str] = []

    def chooses(self, variable: str, values: Iterable[str]) -> None:
        """Remembers a variable that makes tools work on production."""
        if production.chosen(variable, values):
            self.production.append(variable)

    def through(self, path: str) -> str:
        """Where the path leads once the line's own links are followed."""
        for _ in range(8):
            link_in_path = next((link for link in self.links if _lies_in(path, link)), None)
            if link_in_path is None:
                break
            path = os.path.normpath(self.links[link_in_path] + path[len(link_in_path) :])
        return path


class Relation(NamedTuple):
    """How something named in a line relates to a group of ours."""

    how: Literal["none", "in", "around"]
    # False where only what a hole comes to decides.
    sure: bool = True
    # Around it, and more than the home folder or what lies around that.
    near: bool = True


NONE = Relation("none")
_IN = Relation("in")


class _Group:
    """Paths of ours, made ready to be looked for."""

    def __init__(self, paths: Iterable[str], home: str, *, everywhere: bool) -> None:
        self.paths = tuple(dict.fromkeys(path.rstrip("/") for path in paths if path.strip("/")))
        self.below = tuple(f"{path}/" for path in self.paths)
        self.parts = tuple(path.split("/") for path in self.paths)
        self.names = frozenset(parts[-1] for parts in self.parts)
        self.around: dict[str, bool] = {}
        for path in self.paths:
            is_at_home = _lies_in(path, home)
            if not (is_at_home or everywhere):
                # Programs of the system: the folders above them are not ours to close.
                continue
            for folder in _above(path):
                is_near = folder.startswith(f"{home}/") if is_at_home else folder.count("/") > 1
                self.around[folder] = is_near and not _lies_in(home, folder)

    def relation(self, path: str) -> Relation:
        """Of a plain path."""
        if path in self.paths or path.startswith(self.below):
            return _IN
        if (near := self.around.get(path)) is not None:
            return Relation("around", near=near)
        return NONE

    def of_pattern(self, path: str, *, hidden: bool, reads: bool) -> Relation:
        """Of a pattern: what it may fit."""
        still = path[: path.rfind("/", 0, _WILD.search(path).start() + 1)] or "/"  # type: ignore[union-attr]
        if still not in self.around and not f"{still}/".startswith(self.below):
            return NONE
        names = path.split("/")
        deep = names.index("**") if "**" in names else len(names)
        best = NONE
        for place, parts in enumerate(self.parts):
            depths = _fits(names, parts, hidden=hidden or deep < len(names))
            if len(parts) in depths:
                is_aimed = self._is_aimed(names[:deep], parts, hidden=hidden)
                tells = any(map(_is_telling, names[deep:])) or (not reads and _may_tell(names[-1]))
                asks = reads or deep < len(names)
                # The disk is asked where something hangs on it.
                if (is_aimed or tells) and (not asks or self._may_be_there(names, self.paths[place], parts)):
                    if is_aimed:
                        return _IN
                    # All of the home is searched for a name like one of ours.
                    best = Relation("in", sure=False)
            nearness = [near for depth in depths if (near := self._above(parts, depth)) is not None]
            if nearness and best.how != "in":
                best = Relation("around", near=any(nearness) or (best.how == "around" and best.near))
        return best

    def _is_aimed(self, before: list[str], parts: list[str], *, hidden: bool) -> bool:
        """Whether what stands before a search of all folders leads near to ours by itself."""
        depths = _fits(before, parts, hidden=hidden)
        return len(parts) in depths or any(self._above(parts, depth) for depth in depths)

    def _above(self, parts: list[str], depth: int) -> bool | None:
        return self.around.get("/".join(parts[:depth]) or "/") if depth < len(parts) else None

    @staticmethod
    def _may_be_there(names: list[str], path: str, parts: list[str]) -> bool:
        """Whether something of ours could go by the last name of the pattern, as far as the disk tells."""
        last = names[-1]
        if last in ("*", "**", "") or (len(names) <= len(parts) and "**" not in names):
            return True
        names_there = world.names_below(path, MOST_LOOKED_AT)
        return names_there is None or any(_name_fits(name, last, hidden=True) for name in (*names_there, parts[-1]))

    def of_hole(self, path: str) -> Relation:
        """Of a name of which a part is known only when it runs."""
        before, _, rest = path.partition(HOLE)
        folder, slash, begun = before.rpartition("/")
        if not slash:
            names = rest.replace(HOLE, "/").strip("/").split("/")
            is_ours = not self.names.isdisjoint(names) or names[-1] in _TELLING
            return Relation("in", sure=False) if is_ours or rest.endswith(_ENDINGS) else NONE
        folder = os.path.normpath(folder) if folder else "/"
        relation = self.relation(folder)
        if relation.how == "in":
            return _IN
        if relation.how != "around" or not (relation.near or begun):
            return NONE
        depth = len(folder.split("/")) if folder != "/" else 1
        is_begun = any(
            len(parts) > depth and "/".join(parts[:depth]) == folder and parts[depth].startswith(begun)
            for parts in self.parts
        )
        return Relation("in", sure=False) if is_begun else NONE


class Things:
    """All groups, as seen from one project."""

    def __init__(self, own: Own, project: str, home: str) -> None:
        self.own = own
        # Who works on Assent itself edits its code like any other: there it is the project's.
        is_project = not _lies_in(home, project) and project not in ("", "/")
        code = [path for path in own.code if not (is_project and _lies_in(path, project))]
        self._kept = _Group(own.kept, home, everywhere=True)
        self._changed = _Group((*own.kept, *code), home, everywhere=False)
        self._changed.around = {**self._changed.around, **self._kept.around}
        self._settings = _Group(own.settings, home, everywhere=False)
        groups = (self._changed, self._settings)
        self._folders = frozenset(path for group in groups for path in (*group.around, *group.paths))
        self._all = tuple(path for group in groups for path in group.below)
        self._needles = tuple(path.removeprefix(f"{home}/") for path in own.kept)
        self.is_empty = not own.kept and not own.code and not own.settings

    def read(self, path: str, real: str, line: Line) -> Relation:
        return self._of(self._kept, path, real, line, reads=True)

    def changed(self, path: str, real: str, line: Line) -> Relation:
        return self._of(self._changed, path, real, line)

    def settings(self, path: str, real: str, line: Line) -> Relation:
        return self._of(self._settings, path, real, line)

    def _of(self, group: _Group, path: str, real: str, line: Line, *, reads: bool = False) -> Relation:
        direct = _related(group, path, line, reads=reads)
        if direct.how == "in" or real == path:
            return direct
        through = _related(group, real, line, reads=reads)
        return through if through.how != "none" else direct

    def is_far(self, path: str) -> bool:
        """Whether a plain path has nothing to do with any of it."""
        return path not in self._folders and not path.startswith(self._all)

    def is_at(self, folder: str) -> bool:
        """Whether the folder is ours, or one around what is."""
        return self._changed.relation(folder).how != "none"

    def is_kept(self, path: str) -> bool:
        return path in self._kept.paths or path.startswith(self._kept.below)

    def named_in(self, text: str) -> bool:
        """Whether a text names what is ours."""
        return bool([needle for needle in self._needles if needle in text])


def _related(group: _Group, path: str, line: Line, *, reads: bool) -> Relation:
    if HOLE in path:
        return group.of_hole(path)
    if _WILD.search(path):
        return group.of_pattern(path, hidden=line.hidden, reads=reads)
    return group.relation(path)


@lru_cache(maxsize=64)
def things(own: Own, project: str, home: str) -> Things:
    return Things(own, project, home)


def _lies_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/")


def _above(path: str) -> Iterator[str]:
    while path not in ("/", ""):
        path = os.path.dirname(path)
        yield path


def _fits(names: list[str], parts: list[str], *, hidden: bool) -> set[int]:
    """How many names of the path the pattern may stand for: all of them also where it names something in it."""
    states = {0}
    end = len(parts)
    for name in names:
        if name == "**":
            states = set(range(min(states), end + 1))
            continue
        states = {
            min(state + 1, end) for state in states if state == end or _name_fits(parts[state], name, hidden=hidden)
        }
        if not states:
            break
    return states


def _name_fits(name: str, pattern: str, *, hidden: bool) -> bool:
    if not _WILD.search(pattern):
        return name == pattern
    if "(" in pattern:
        pattern = _EXTENDED.sub("*", pattern)
        hidden = True
    if name[:1] == "." and pattern[:1] != "." and not hidden:
        return False
    return _expression(pattern)(name) is not None


@lru_cache(maxsize=512)
def _expression(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(fnmatch.translate(pattern.replace("[^", "[!")), re.IGNORECASE).match


def _may_tell(pattern: str) -> bool:
    """Whether names of ours end as this pattern does: ``*.toml``."""
    return pattern.strip("*?") != "" and any(_name_fits(name, pattern, hidden=True) for name in _TELLING)


def _is_telling(pattern: str) -> bool:
    letters = re.sub(r"\[[^\]]*\]|[*?]", "", pattern)
    return "assent" in letters or (
        len(letters.partition(".")[0]) > 3 and any(_name_fits(name, pattern, hidden=True) for name in _TELLING)
    )


NO_OWN = Own()
NOTHING = Things(NO_OWN, "", "")
