"""What a line names of the guard's own where no single effect accounts for it.

Three nets behind the knowledge about commands: an unknown command that is given something of ours, a program that
reads a folder around ours, and a line that names such a folder and then acts on names known only when it runs.
"""

# ruff: noqa: PTH120 - paths here are text that an agent wrote

import os
import re
from collections.abc import Iterable, Iterator

from assent.policy import own, pids
from assent.policy.effects import Effect, Kind, danger
from assent.policy.guarded import guarded
from assent.policy.runs import Act, Ran
from assent.policy.spelling import Setting
from assent.policy.words import HOLE, Arg
from assent.protocol.risk import Risk


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Where they name nothing, they are about files of the working folder.
_POURING = frozenset({"write", "delete"})
# They tell names, dates and sizes of what lies in a folder, or only that it is there.
_LISTERS = _set(
    "ls dir vdir stat du tree file test [ find gfind fd fdfind exa eza lsd realpath readlink namei ncdu dust getfacl"
    " lsattr gio mkdir cd pushd df findmnt mountpoint echo printf"
)
# What they are given is text, or a folder that is only made.
_SAYERS = _set("echo printf mkdir test [ export local declare true false :")
# What they do below a folder they are given is not looked at by itself.
_UNMODELLED = _set("svn hg fossil bzr detox convmv rename prename mmv qmv xattr chcon restorecon")
_INTERPRETER = re.compile(r"(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua)[0-9.]*")
# They work on the environment that they lie in.
_INSTALLER = re.compile(r"pip[0-9.]*|easy_install|ensurepip|uv|poetry|pdm|wheel|python3?-config")
# Where a path may begin inside a word: behind an option, an equals sign, a colon or a comma.
_INSIDE = re.compile(r"[=:,@]")
# A plain path below the working folder.
_INNER = re.compile(r"\w[\w.@+-]*(?:/[\w.@+-]+)*/?")
# What they are given is covered, or comes out from under what covers it.
_COVERS = re.compile(
    r"u?n?mount|(?:u?mount|mount)[._]\w+|fusermount3?|bindfs|sshfs|encfs|gocryptfs|unionfs\S*|fuse-\w+"
)


def look(all_acts: list[Act], setting: Setting) -> None:
    """Adds to all acts of a line what they mean for the guard's own things together."""
    if setting.things.is_empty:
        return
    unsettled = []
    is_here = setting.things.is_at(setting.cwd)
    for act in all_acts:
        matters = False
        for effect in act.effects:
            if "…" in effect.target and _is_unsettled(effect):
                unsettled.append(act)
            matters = matters or effect.risk is not Risk.LOOK or effect.kind == "read"
        leads_out = False
        for ran in act.runs:
            if (name := _name(ran)) in pids.COMMANDS:
                act.effects += list(pids.named(name, [arg.text for arg in ran.args[1:]], setting))
            leads_out = leads_out or (matters and (is_here or ran.cwd != setting.cwd or _leads_out(ran)))
        if leads_out:
            act.effects += list(_named(act, setting))
    if unsettled and any(_is_near(ran, setting) for act in all_acts for ran in act.runs):
        for act in unsettled:
            is_change = any(
                effect.kind != "read" for effect in act.effects if "…" in effect.target and _is_unsettled(effect)
            )
            act.effects.append(danger("tamper", own.MAY_CHANGE if is_change else own.READS_AROUND))


def _leads_out(ran: Ran) -> bool:
    """Whether a word of it may be a path out of the working folder."""
    return "/" in ran.args[0].text or any(
        ("/" in arg.text and _INNER.fullmatch(arg.text) is None) or ".." in arg.text for arg in ran.args[1:]
    )


def _is_unsettled(effect: Effect) -> bool:
    """Whether only the run tells which file it is about."""
    return effect.kind in ("read", "write", "delete", "mode") and effect.why not in own.ASKED


def _is_near(ran: Ran, setting: Setting) -> bool:
    """Whether it names a folder around ours, or what may be in one."""
    if _name(ran) in _SAYERS:
        return False
    words = [arg.text for arg in ran.args[1:] if arg.text[:1] != "-" and _may_lead(arg.text, ran, setting)]
    return any(guarded("read", Arg(word), setting, ran.cwd, recursive=True) is not None for word in words)


def _may_lead(text: str, ran: Ran, setting: Setting) -> bool:
    """Whether the word may be a path out of the working folder, or that folder is one of those that matter."""
    if not text.strip(HOLE):
        return False
    return "/" in text or text == ".." or ran.cwd is None or setting.things.is_at(ran.cwd)


def _name(ran: Ran) -> str:
    return ran.args[0].text.rpartition("/")[2]


def _named(act: Act, setting: Setting) -> Iterator[Effect]:
    if any(effect.why in own.GUARDED for effect in act.effects):
        return
    is_unknown = any(effect.kind == "unknown" for effect in act.effects)
    is_harmless = all(effect.risk is Risk.LOOK for effect in act.effects)
    reads = any(effect.kind == "read" for effect in act.effects)
    for ran in act.runs:
        name = _name(ran)
        runs_module = _INTERPRETER.fullmatch(name) is not None and any(arg.text == "-m" for arg in ran.args)
        if runs_module and not is_harmless and _is_ours(ran, setting):
            yield danger("tamper", own.NAMES, ran.args[0].text)
            return
        if name in _SAYERS or (_INTERPRETER.fullmatch(name) and not runs_module):
            continue
        if _INSTALLER.fullmatch(name) and not is_harmless and _is_ours(ran, setting):
            yield danger("tamper", own.NAMES, ran.args[0].text)
            return
        if _COVERS.fullmatch(name) and _mentioned(ran, setting, takes_along=True):
            yield danger("tamper", own.TAKES_ALONG)
            return
        if reads and name not in _LISTERS and _is_near(ran, setting):
            yield danger("tamper", own.READS_AROUND)
            return
        if any(effect.kind in _POURING and not effect.target for effect in act.effects) and (
            guarded("write", Arg("."), setting, ran.cwd, recursive=True) is not None
        ):
            yield danger("tamper", own.POURS)
            return
        if not is_harmless and (
            found := _mentioned(ran, setting, is_unknown=is_unknown or runs_module or name in _UNMODELLED)
        ):
            yield danger("tamper", own.NAMES, found)
            return


def _is_ours(ran: Ran, setting: Setting) -> bool:
    """Whether the program lies in the environment that Assent runs from, and so works on that one."""
    folder = os.path.dirname(ran.args[0].text)
    return bool(folder) and guarded("write", Arg(folder), setting, ran.cwd) is not None


def _mentioned(ran: Ran, setting: Setting, *, is_unknown: bool = False, takes_along: bool = False) -> str:
    for arg in ran.args[1:]:
        text = arg.text
        if setting.things.named_in(text):
            return text[:200]
        for part in _parts(text) if _may_lead(text, ran, setting) else ():
            kind: Kind = "delete" if takes_along else "write"
            found = guarded(kind, Arg(part), setting, ran.cwd, recursive=is_unknown)
            if found is not None and (found.why in own.FLOOR or is_unknown):
                return found.target
    return ""


def _parts(text: str) -> Iterable[str]:
    """The word, and what in it may be a path of its own."""
    if "/" not in text and text[:1] == "-":
        return ()
    if text[:1] == "-":
        return (part for part in _INSIDE.split(text)[1:] if part)
    return (text, *(part for part in _INSIDE.split(text)[1:] if "/" in part))
