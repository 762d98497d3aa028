"""Effects on Assent's own files and processes."""

import os
import re
from collections.abc import Iterable, Iterator

from assent.policy import own
from assent.policy.effects import Effect, Kind, danger
from assent.policy.shell.spelling import LONGEST_PATH, Setting, known_real, real_path, spellings, still_part
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_LITERAL = re.compile(r"""["'`]([^"'`\n\\]{2,200})["'`]""")
_TOUCHING = frozenset({"read", "write", "delete", "mode", "secret", "dynamic", "run", "unknown"})


def guarded(kind: Kind, arg: Arg, setting: Setting, cwd: str | None, *, recursive: bool = False) -> Effect | None:
    """What it means for the guard's own things; None where they are out of reach.

    To delete something is to take along all in it, and so is to change its mode, to move it or to cover it."""
    things = setting.things
    if things.is_empty or not arg.text or len(arg.text) > LONGEST_PATH:
        return None
    if not setting.line.links and (cwd is not None or arg.text[0] == "/"):
        # Most paths are plain and lead elsewhere.
        path = arg.text if arg.text[0] == "/" else f"{cwd}/{arg.text}"
        if _is_plain(path):
            # A pattern leads nowhere but below the folder before it.
            path = still_part(path)
            if things.is_far(path) and ((real := real_path(path)) == path or things.is_far(real)):
                return None
    for path, is_sure in spellings(arg.text, setting, cwd):
        real = known_real(path)
        if kind == "read":
            relation = things.read(path, real, setting.line)
            why = own.READS if relation.how == "in" else own.READS_AROUND if recursive and relation.near else ""
        else:
            relation = things.changed(path, real, setting.line)
            why = _harm(kind, relation, recursive=recursive)
            if not why:
                relation = things.settings(path, real, setting.line)
                why = _harm_to_hooks(kind, relation, is_pattern=path != still_part(path))
        if relation.how == "none" or not why:
            continue
        if why in own.FLOOR and not (is_sure and relation.sure):
            why = own.MAY_CHANGE
        return Effect("tamper", Risk.DANGER, why, arg.text.replace(HOLE, "…"))
    return None


def _is_plain(path: str) -> bool:
    """Whether all of it is known, no name in it is none (``.``, ``..``, nothing), and it is not about processes."""
    return HOLE not in path and not path.startswith(("/proc/", "//")) and os.path.normpath(path) == path


def is_around(arg: Arg, setting: Setting, cwd: str | None) -> bool:
    """Whether the guard's own files lie somewhere below, so that it is a folder whatever else is known."""
    return any(
        setting.things.changed(path, known_real(path), setting.line).how == "around"
        for path, _ in spellings(arg.text, setting, cwd)
    )


def _harm(kind: Kind, relation: own.Relation, *, recursive: bool) -> str:
    if relation.how == "in":
        return own.CHANGES
    if relation.how == "around" and kind != "write":
        return own.TAKES_ALONG
    return own.POURS if relation.how == "around" and recursive and relation.near else ""


def _harm_to_hooks(kind: Kind, relation: own.Relation, *, is_pattern: bool) -> str:
    if relation.how == "around" and kind != "write" and relation.near:
        return own.TAKES_ALONG
    return own.HOOKS if relation.how == "in" and (is_pattern or not relation.sure) else ""


def in_program(text: str, setting: Setting, cwd: str | None, effects: Iterable[Effect]) -> Iterator[Effect]:
    """What the texts in a program name of ours, where the program does more than calculate."""
    things = setting.things
    if things.is_empty:
        return
    if things.named_in(text):
        yield danger("tamper", own.NAMES)
        return
    if all(effect.risk is Risk.LOOK for effect in effects if effect.kind in _TOUCHING):
        return
    for match in _LITERAL.finditer(text):
        literal = match[1]
        if literal.startswith("~"):
            literal = setting.home + literal[1:]
        elif any(mark in literal.partition("/")[0] for mark in "$#{}"):
            # ``"$ENV{HOME}/x"``: a language puts a value in, and the home is the likeliest.
            literal = setting.home + literal[literal.find("/") :] if "/" in literal else literal
        for spelled in (literal, f"{setting.home}/{literal.lstrip('/')}"):
            related = guarded("write", Arg(spelled), setting, cwd, recursive=True)
            if related is not None:
                yield danger("tamper", own.NAMES, literal)
                return
