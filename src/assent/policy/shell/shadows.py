"""Files that programs load by their name from the folder they are started in, Python's modules above all."""

import re
import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from assent.policy import world
from assent.policy.effects import care
from assent.policy.shell import evaluated

PLACED = "Programs put here are found by their name, and run whenever it is typed."
# Below the home: folders of people, of languages and of those who manage versions.
_FOLDERS = re.compile(
    r"(?:bin|sbin|go/bin|n/bin|Applications/bin|google-cloud-sdk/bin|flutter/bin|(?:mini|ana)conda\d*/bin"
    r"|(?:mini|mamba)forge\d*/bin|Library/Python/[^/]+/bin|Library/pnpm|\.dotnet/tools|\.local/share/pnpm"
    r"|\.(?!cache/)[^/]+/(?:[^/]+/)*?(?:s?bin|shims))(?:/[^/]+)?/?"
)


def holds_programs(path: str, home: str) -> bool:
    """Whether a whole path is such a folder, or something directly in it."""
    inside = path.removeprefix(f"{home}/")
    if inside == path:
        return False
    return _FOLDERS.fullmatch(inside) is not None or path.rpartition("/")[0] in _searched(world.search_path())


@lru_cache(maxsize=4)
def _searched(variable: str) -> frozenset[str]:
    return frozenset(folder.rstrip("/") for folder in variable.split(":") if folder.startswith("/"))


if TYPE_CHECKING:
    from assent.policy.shell.acts import Act

# Folders by these names are common in projects, and no library imports them.
_LIBRARY = frozenset(sys.stdlib_module_names) - {"test", "this", "antigravity", "idlelib", "turtledemo", "lib2to3"}

_MODULES = (".py", ".pyc", ".so", ".pyd")
_PYTHON = re.compile(r"(?:.*/)?(?:python|pypy|ipython)[\d.]*")
# Manifests and settings of tools that may name programs.
_MANIFEST = re.compile(
    r"\..*|__(?:init|main)__\..*|(?:site|user)customize\..*|.*\.(?:pth|so|pyd|dll|dylib|mk|make|gradle|sbt|csproj|fsproj|vbproj"
    r"|props|targets|gemspec|rake|toml|cfg|ini)|(?:GNU)?[mM]akefile|CMakeLists\.txt|[jJ]ustfile|Taskfile\.ya?ml"
    r"|(?:package|composer|deno|tsconfig\S*|jsconfig|nx|turbo|lerna|angular|cdk|global)\.jsonc?|go\.(?:mod|work|env)"
    r"|conftest\.py|setup\.py|noxfile\.py|tasks\.py|fabfile\.py|.*(?:config|rc|file)\.[cm]?[jt]s|(?:docker-)?compose\S*\.ya?ml"
    r"|notify_on_release|cgroup\..*|Dockerfile\S*|.*\.workspace\.ya?ml|pnpm-\S*\.ya?ml|build\.rs|build\.zig",
)


def may_be_loaded(path: str) -> bool:
    """Whether a program that is started beside the file may load it, though no line names it."""
    *folders, name = path.split("/")
    if name in evaluated.FILES or _MANIFEST.fullmatch(name) or _is_module(name):
        return True
    return any(folder.startswith(".") or folder in _LIBRARY or folder == "node_modules" for folder in folders)


def _is_module(name: str, wanted: str = "") -> bool:
    """Whether a file by this name is loaded in place of a module of the library, or of the one that is wanted."""
    root, _, ending = name.partition(".")
    return (root in _LIBRARY or root == wanted != "") and (ending in ("py", "pyc") or ending.endswith(("so", "pyd")))


def _holds_program(act: "Act") -> bool:
    """Whether a Python gets its program from the line, or from what comes in."""
    words = [arg.text for ran in act.runs for arg in ran.args[1:]]
    return "-m" not in words and (any(word[:2] == "-c" or word == "-" for word in words) or not words)


def _may_import(act: "Act", name: str) -> bool:
    """Whether a program that writes a module itself may load it as well."""
    texts = [arg.text for ran in act.runs for arg in ran.args[1:] if "import" in arg.text]
    is_told = any(arg.text[:2] == "-c" for ran in act.runs for arg in ran.args[1:])
    stem = re.escape(name.partition(".")[0])
    return not is_told or any(re.search(rf"(?:import|from\b)[^;\n]*\b{stem}\b", text) for text in texts)


def look(everything: "list[Act]") -> None:
    """Adds to every Python of a line that the line itself writes a file which takes the place of a module."""
    pythons = [act for act in everything if any(_PYTHON.fullmatch(ran.args[0].text) for ran in act.runs)]
    if not pythons:
        return
    for act in everything:
        for effect in act.effects:
            if effect.kind != "write":
                continue
            name = effect.target.rpartition("/")[2]
            # A program in the line may import any module that lies beside it, one in the library only its like.
            taken = pythons if _is_module(name) else [each for each in pythons if _holds_program(each)]
            taken = [each for each in taken if each is not act or _may_import(each, name)]
            if taken and (_is_module(name) or name.endswith(_MODULES)):
                for python in taken:
                    python.effects.append(
                        care("project", f"{effect.target} takes the place of a library.", effect.target)
                    )
                return


def shadow(folder: str, module: str = "") -> str:
    """The first name in the folder that is loaded in place of a module of the library, or of ``module``; "" for none.

    A folder without a file of its own to start from is taken only where there is no such module."""
    wanted = module.partition(".")[0]
    names = world.names(folder)
    for name in names:
        if _is_module(name, wanted):
            return name
        is_package = name in _LIBRARY or name == wanted
        if is_package and any(inner.startswith("__init__.") for inner in world.names(f"{folder}/{name}")):
            return name
    # More names than are listed may hold one.
    return names[-1] if len(names) >= world.MOST_NAMES else ""
