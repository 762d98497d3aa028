"""Programs made known to a shell: a project's own environment for Python, and what version managers keep."""

import re
from typing import TYPE_CHECKING

from assent.policy import tool_folders, world
from assent.policy.effects import Effect
from assent.policy.paths import locate
from assent.policy.shell import scripts
from assent.policy.shell.parser import UnreadableError, read
from assent.policy.shell.streams import NOTHING
from assent.policy.shell.words import HOLE, OWN_PATH, Arg
from assent.protocol.decision import Risk

if TYPE_CHECKING:
    from assent.policy.shell.acts import Act
    from assent.policy.shell.env import Scope
    from assent.policy.shell.runner import Runner

_ACTIVATE = "/bin/activate"
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*")
# Since Python 3.13 the folder is named twice, the first time for Windows alone.
_FOLDER = r"""("[^"$`\\\n]*"|'[^'\n]*'|[\w/.@%+=:,-]+)"""
_FOR_WINDOWS = re.compile(
    r'case "\$\(uname\)" in\n'
    r"\s+CYGWIN\*\|MSYS\*(?:\|MINGW\*)?\)\n"
    rf"(?:\s+#.*\n)*\s+VIRTUAL_ENV=\$\(cygpath {_FOLDER}\)\n\s+export VIRTUAL_ENV\n\s+;;\n"
    rf"\s+\*\)\n(?:\s+#.*\n)*\s+export VIRTUAL_ENV={_FOLDER}\n\s+;;\nesac\n"
)
_WINDOWS_PROGRAMS = frozenset({"uname", "cygpath"})
# What an environment sets; every other effect of the script is one too many.
_ITS_VARIABLES = frozenset({"PATH", "PYTHONHOME", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT", "PS1"})


def known(file: Arg, walk: "Runner", scope: "Scope", act: "Act") -> bool:
    """Whether the script only makes programs known. Then the scope knows them, and the act that it is sourced."""
    if not file.known or file.glob:
        return False
    target = locate(file, walk.setting, scope.cwd)
    if scope.written(target.path):
        return False
    if target.place in ("home", "system") and tool_folders.is_sourced(target.path, scope.home):
        act.effects.append(
            Effect("run", Risk.LOOK, "It makes the programs of a version manager known to the shell.", target.path)
        )
        return True
    folder = target.path.removesuffix(_ACTIVATE)
    if target.place != "project" or folder == target.path or not _activates(target.path, folder, walk, scope):
        return False
    act.effects.append(Effect("project", Risk.LOOK, "It uses the project's own environment for Python.", target.path))
    scope.path_folders = (f"{folder}/bin", *scope.path_folders)
    return True


def by_name(program: Arg, walk: "Runner", scope: "Scope", act: "Act") -> bool:
    """Whether a program given by its path is what its name says: it lies where package managers put programs."""
    target = locate(program, walk.setting, scope.cwd)
    # The folder as it is written: a link from elsewhere may lead to a program of any name.
    written = world.whole(program.text, scope.cwd)
    folder, _, name = written.rpartition("/")
    if scope.written(target.path) or scope.written(written) or not _is_its_own(written, name):
        return False
    if target.place in ("home", "system") and tool_folders.is_tools(folder, scope.home):
        act.effects.append(Effect("run", Risk.LOOK, "It runs a program that a package manager keeps.", target.path))
        return True
    # The Python of an environment is a link that leads out.
    is_inside = folder.startswith(f"{scope.project}/") and folder.endswith("/bin") and target.place != "assent"
    if (
        is_inside
        and not tool_folders.covered(name, (folder,))
        and tool_folders.is_environment(folder.removesuffix("/bin"), scope.project)
    ):
        act.effects.append(Effect("project", Risk.LOOK, "It runs a program of the project's environment.", target.path))
        return True
    return False


def _is_its_own(path: str, name: str) -> bool:
    """Whether the file is a program of this name, or a Python, and no link to another one."""
    real = world.real(path).rpartition("/")[2]
    return real == name or real.startswith(name) or _PYTHON.fullmatch(real) is not None


def _activates(path: str, folder: str, walk: "Runner", scope: "Scope") -> bool:
    """Whether the script does what such scripts do, as it is read like a line, and nothing else."""
    script = scripts.look(path)
    if script.text is None or not tool_folders.is_environment(folder, scope.project):
        return False
    aside = walk.aside()
    inner = scope.copy()
    acts: list[Act] = []
    try:
        aside.script(read(_elsewhere_than_on_windows(script.text)), inner, NOTHING, acts)
    except (UnreadableError, RuntimeError, ValueError):
        return False
    if not _WINDOWS_PROGRAMS.isdisjoint((*inner.functions, *inner.aliases)):
        return False
    every = [effect for act in acts for each in act.all() for effect in each.effects]
    if any(effect.risk > Risk.LOOK and effect.target not in _ITS_VARIABLES for effect in every):
        return False
    expected = {f"{folder}/bin", OWN_PATH, HOLE, ""}
    return all(set(value.split(":")) <= expected for value in inner.lookup("PATH"))


def _elsewhere_than_on_windows(script: str) -> str:
    """The script without its part for Windows, unless it speaks of those programs in any other place, too."""
    if any(script.count(name) != 1 for name in _WINDOWS_PROGRAMS):
        return script
    return _FOR_WINDOWS.sub(r"uname >/dev/null\nexport VIRTUAL_ENV=\2\n", script)
