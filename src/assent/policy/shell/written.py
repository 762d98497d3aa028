"""Files that a line writes, and what it writes into them: what was there is lost, and others may run what is there."""

from typing import TYPE_CHECKING

from assent.policy import autorun
from assent.policy.emptying import overwritten
from assent.policy.shell.streams import Stream
from assent.policy.shell.words import HOLE

if TYPE_CHECKING:
    from assent.policy.shell.acts import Act
    from assent.policy.shell.env import Scope
    from assent.policy.shell.runner import Runner
    from assent.policy.shell.tree import Redirect
    from assent.policy.shell.words import Arg, Expander

_INTO_FILES = frozenset({">", ">>", ">|", "&>", "&>>"})
_OVER_FILES = frozenset({">", ">|", "&>"})
_WRITES = frozenset({"write", "persist", "tamper"})
_KEPT = _WRITES | {"fetch"}


def remember(
    runs: "Runner", redirects: "tuple[Redirect, ...]", expander: "Expander", scope: "Scope", out: Stream, act: "Act"
) -> None:
    """Remember what was written where, weigh what was there, and read what tools of the project will run of it.

    ``out`` is what the command prints."""
    if not redirects and _KEPT.isdisjoint([effect.kind for effect in act.effects]):
        return
    paths: list[str] = []
    edits: list[tuple[str, str]] = []
    for redirect in redirects:
        if redirect.op in _INTO_FILES and redirect.fd in ("", "1"):
            for arg in expander.fields(redirect.target)[0]:
                paths.append(arg.text)
                if redirect.op in _OVER_FILES and _is_that_file(arg, scope):
                    lost = overwritten(arg, out, runs.setting, scope.cwd)
                    act.effects += [] if lost is None else [lost]
    for effect in act.effects:
        if effect.kind == "fetch" and "/" in effect.target:
            # Downloaders name the file after the address.
            scope.wrote(effect.target.rstrip("/").rpartition("/")[2], Stream(None, "fetched"))
        elif effect.kind in _WRITES and effect.target and out.origin in ("fetched", "decoded", "text"):
            paths.append(effect.target)
        elif effect.kind in _WRITES and act.runs and autorun.is_of_this_kind(effect.target):
            # An edit in place: what it puts in stands among its words.
            edits += [(effect.target, arg.text) for arg in act.runs[-1].args[1:] if " " in arg.text]
    for path, text in edits:
        act.effects += autorun.effects(runs, scope.path(path), text, scope)
    for path in dict.fromkeys(paths):
        scope.wrote(path if "/" in path else f"./{path}", out)
        if out.text and out.origin == "text" and HOLE not in path and autorun.is_of_this_kind(path):
            act.effects += autorun.effects(runs, scope.path(path), out.text, scope)


def _is_that_file(arg: "Arg", scope: "Scope") -> bool:
    """Whether a pattern in the name is one that a loop goes through: ``$f``, not ``$f.new``."""
    if "*" not in arg.text:
        return True
    return any(arg.text in values for values in (*scope.variables.values(), scope.arguments or ()))
