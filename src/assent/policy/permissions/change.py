"""Change permission, "Agents may change files here that git can bring back". The mode accept_edits counts as it."""

import re
from collections.abc import Container

from assent.policy import world
from assent.policy.effects import Effect
from assent.policy.paths import is_made_again, locate
from assent.policy.session_taint import Memory
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

_HOOKS = re.compile(
    r"/(?:\.husky|\.githooks|hooks)/|/\.?lefthook\.ya?ml$|/\.pre-commit-config\.yaml$|/\.?lint-?staged|/package\.json$"
)
_KINDS = frozenset({"write", "delete", "mode", "history"})


class ChangePermission:
    """What is covered in one project: changes inside a work tree, of what git has or has not yet seen."""

    def __init__(self, setting: Setting, memory: Memory | None) -> None:
        self._setting = setting
        self._made: Container[str] = memory.made if memory is not None else ()
        self._written = memory.written if memory is not None else {}
        self._is_repository: bool | None = None

    def covers(self, effect: Effect, cwd: str | None) -> bool:
        if effect.kind not in _KINDS or not self._in_repository():
            return False
        if effect.risk is not Risk.CHANGE:
            return effect.risk is Risk.CARE and effect.kind == "delete" and self._is_one_kept_file(effect.target, cwd)
        if not effect.target:
            # What git notes down about the whole work tree, or what a tool makes again.
            is_inside = cwd is not None and self._is_inside(cwd)
            return is_inside and not (effect.kind == "history" and self._changed_hooks())
        if "…" in effect.target:
            return False
        located = locate(Arg(effect.target, glob=any(c in effect.target for c in "*?[")), self._setting, cwd)
        if effect.kind == "history":
            return cwd is not None and self._is_inside(cwd) and not self._changed_hooks()
        if located.place == "temp":
            return effect.kind == "write"
        if located.place == "whole" and effect.kind == "write":
            # A formatter: it keeps what the files say.
            return True
        if located.place != "project" or not self._is_inside(world.real(located.path)):
            return False
        # Test runs load it by themselves.
        return not located.path.endswith("/conftest.py") and self._can_come_back(located.path)

    def _can_come_back(self, path: str) -> bool:
        """Whether nothing is lost: git has the file as it is, it is new, the session made it, or a build makes it."""
        if path in self._made or is_made_again(path, self._setting.project):
            return True
        return "*" in path or world.is_folder(path) or world.is_kept(path) is not False

    def _changed_hooks(self) -> bool:
        """Whether the session wrote what git runs by itself when it commits, merges or switches."""
        return any(_HOOKS.search(path) for path in self._written)

    def _is_one_kept_file(self, target: str, cwd: str | None) -> bool:
        """A file named by itself that git has as it is, or that the session made."""
        if not target or any(mark in target for mark in "…*?[{"):
            return False
        located = locate(Arg(target), self._setting, cwd)
        if located.place != "project" or world.is_folder(located.path):
            return False
        return located.path in self._made or (world.is_there(located.path) and world.is_kept(located.path) is True)

    def _is_inside(self, path: str) -> bool:
        roots = (self._setting.project, world.real(self._setting.project))
        return any(path == root or path.startswith(f"{root}/") for root in roots)

    def _in_repository(self) -> bool:
        if self._is_repository is None:
            self._is_repository = bool(world.git_folder(self._setting.project))
        return self._is_repository
