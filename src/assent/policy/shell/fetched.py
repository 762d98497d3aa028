"""Folders that a line fills from the network, and code that it runs out of them.

``git clone … && cd x && make`` runs what it downloads as ``curl … | sh`` does."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from assent.policy import world
from assent.policy.effects import danger
from assent.policy.shell.streams import Stream
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

if TYPE_CHECKING:
    from assent.policy.shell.acts import Act
    from assent.policy.shell.env import Scope

WHY = "It runs code out of a folder that this line has just fetched."
SAFER = "fetch it, look at it, then run it"

MOST_NAMES = 20

_RUNS_CODE = frozenset({"project", "run", "install", "unknown", "remote"})
# An address of another machine: ``https://…``, ``git@host:x``, ``host:x``, ``gh:x/y``.
_REMOTE = re.compile(r"(?!file:)[a-z][\w+.-]*://\S+|[\w.-]+@[\w.-]+:\S+|[\w.-]{2,}:(?!//)[^\\\s]\S*", re.IGNORECASE)
_SHORT = re.compile(r"[\w.-]+/[\w.-]+(?:/[\w./-]+)?(?:#\S+)?")
# Commands that copy a tree from elsewhere: the words before its address, and whether ``owner/name`` is one.
_CLONES: tuple[tuple[tuple[str, ...], bool], ...] = (
    (("git", "clone"), False),
    (("git", "submodule", "add"), False),
    (("jj", "git", "clone"), False),
    (("hg", "clone"), False),
    (("svn", "checkout"), False),
    (("svn", "co"), False),
    (("svn", "export"), False),
    (("bzr", "branch"), False),
    (("fossil", "clone"), False),
    (("gh", "repo", "clone"), True),
    (("glab", "repo", "clone"), True),
    (("hub", "clone"), True),
    (("ghq", "get"), True),
    (("degit",), True),
    (("tiged",), True),
    (("giget",), True),
    (("gitpick",), True),
    (("aws", "s3", "sync"), False),
    (("aws", "s3", "cp"), False),
    (("gsutil", "cp"), False),
    (("gsutil", "rsync"), False),
    (("rclone", "copy"), False),
    (("rclone", "sync"), False),
    (("rsync",), False),
    (("scp",), False),
)
_FIRST = frozenset(words[0] for words, _ in _CLONES)
_VERBS = frozenset(word for words, _ in _CLONES for word in words[1:]) | {"download"}
_WITH_VERBS = frozenset(words[0] for words, _ in _CLONES if len(words) > 1)
_STARTERS = frozenset({"npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "dlx", "x", "exec", "-y", "--yes", "--"})
_VALUED = frozenset(
    {"-b", "--branch", "-o", "--origin", "--depth", "-c", "--config", "--reference", "-j", "--jobs", "-u", "--template"}
    | {"--upload-pack", "--filter", "--separate-git-dir", "--shallow-since", "--revision", "-e", "-i", "-P", "-C"}
    | {"--profile", "--region", "--exclude", "--include", "--rsh", "--username", "--password", "--name"}
)
_UNPACKERS = frozenset(
    {"tar", "gtar", "bsdtar", "unzip", "7z", "7za", "7zr", "7zz", "unrar", "rar", "cpio", "bsdcpio", "jar", "unar"}
    | {"ditto", "funzip", "pax"}
)
_INTO = ("-C", "-d", "-D", "--directory", "--one-top-level", "-o", "--cd")
_MIRRORS = re.compile(r"-[a-zA-Z]*[rm][a-zA-Z]*|--recursive|--mirror")
_HOST = re.compile(r"(?:https?|ftp)://([^/\s:]+)")
# A name of a file in a program that opens connections: what comes in may be kept under it.
_NAME = re.compile(r"[\"'`]([\w./-]+\.\w{1,5})[\"'`]")
_MOVERS = frozenset({"mv", "cp", "ln", "install", "rsync", "ditto", "rename"})
# Nothing is fetched or moved by others, and where nothing was, nothing runs.
CONCERNED = _FIRST | _STARTERS | _UNPACKERS | _MOVERS | {"wget"}


def concerns(args: "Sequence[Arg]") -> bool:
    """Whether the command may fetch or move a folder; behind ``npx`` and its like, by the program that is started."""
    name = args[0].text.rpartition("/")[2]
    if name in _STARTERS:
        return any(arg.text.rpartition("/")[2].partition("@")[0] in _FIRST for arg in args[1:6])
    if name in _WITH_VERBS:
        return any(arg.text in _VERBS for arg in args[1:6])
    return name in CONCERNED


def look(args: tuple[Arg, ...], scope: "Scope", stdin: Stream, act: "Act", kinds: AbstractSet[str]) -> None:
    """Add that the command runs fetched code, and remember what it fetches itself. ``kinds`` is what it does."""
    words = _started([arg.text for arg in args])
    is_fetching = _command(words) in _FIRST
    if scope.folders and not is_fetching and kinds & _RUNS_CODE:
        places = (scope.cwd, *(_path(word, scope) for word in words if word))
        runs = any(effect.kind in _RUNS_CODE and effect.risk >= Risk.CARE for effect in act.effects)
        if runs and any(_is_below(place, scope) for place in places):
            act.effects.append(danger("run", WHY, scope.cwd or "", SAFER))
    _remember(words, scope, stdin)
    if "fetch" in kinds and not is_fetching:
        for word in words[1:]:
            for name in _NAME.findall(word)[:MOST_NAMES] if " " in word or "(" in word else ():
                scope.wrote(name if "/" in name else f"./{name}", Stream(None, "fetched"))


def is_fetched(path: str, scope: "Scope") -> bool:
    return bool(scope.folders) and _is_below(path, scope)


def _path(word: str, scope: "Scope") -> str:
    """Also behind an option or an assignment: ``--prefix=y``, ``-Cy``, ``-f y/compose.yml``."""
    word = re.sub(r"^-{1,2}[\w-]*=|^-[A-Za-z](?=[\w./])", "", word)
    return word if HOLE in word else scope.path(word)


def _is_below(path: str | None, scope: "Scope") -> bool:
    if path is None:
        return any(HOLE in folder for folder in scope.folders)
    for folder, is_new in scope.folders.items():
        if path == folder or path.startswith(f"{folder}/"):
            # Over a folder that was there, only what was not there before came from elsewhere.
            return is_new or not world.exists(path)
    return False


def _started(words: list[str]) -> list[str]:
    """Without ``npx`` and its like before them."""
    while len(words) > 1 and words[0] in _STARTERS:
        words = words[1:]
    return words


def _command(words: list[str]) -> str:
    return words[0].rpartition("/")[2].partition("@")[0]


def _remember(words: list[str], scope: "Scope", stdin: Stream) -> None:
    name = _command(words)
    if words[:1] == ["gh"] and words[2:3] == ["download"]:
        goal = next((words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-D", "--dir")), ".")
        scope.folders[_path(goal, scope)] = False
    elif name == "wget" and any(_MIRRORS.fullmatch(word) for word in words):
        for host in filter(None, map(_HOST.match, words)):
            scope.folders[scope.path(host[1])] = True
    elif name in _FIRST:
        _cloned([name, *words[1:]], scope)
    elif name in _UNPACKERS:
        _unpacked(words[1:], scope, stdin)
    elif name in _MOVERS and len(words) > 2 and not words[-1].startswith("-"):
        *sources, goal = (word for word in words[1:] if not word.startswith("-"))
        for source in sources:
            if scope.folders and _is_below(_path(source, scope), scope):
                scope.folders[_path(goal, scope)] = True
            elif any(stream.origin == "fetched" for stream in scope.written(scope.path(source))):
                scope.wrote(goal if "/" in goal else f"./{goal}", Stream(None, "fetched"))


def _cloned(words: list[str], scope: "Scope") -> None:
    for beginning, is_short in _CLONES:
        if words[0] != beginning[0]:
            continue
        rest = _without_options(words[1:])
        if tuple(rest[: len(beginning) - 1]) != beginning[1:]:
            continue
        operands = rest[len(beginning) - 1 :]
        if not operands or not (_REMOTE.fullmatch(operands[0]) or HOLE in operands[0] or _is_short(operands, is_short)):
            return
        goal = operands[-1] if len(operands) > 1 else _name_of(operands[0])
        folder = goal if HOLE in goal else scope.path(goal)
        scope.folders[folder] = scope.cwd is None or folder != scope.cwd
        return


def _is_short(operands: list[str], is_short: bool) -> bool:
    return is_short and _SHORT.fullmatch(operands[0]) is not None


def _without_options(words: list[str]) -> list[str]:
    left, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in _VALUED
        else:
            left.append(word)
    return left


def _name_of(address: str) -> str:
    last = re.split(r"[/:]", address.partition("#")[0].rstrip("/"))[-1]
    return last.removesuffix(".git") or HOLE


def _unpacked(words: list[str], scope: "Scope", stdin: Stream) -> None:
    came = stdin.origin == "fetched" or any(
        stream.origin == "fetched" for word in words if word for stream in scope.written(scope.path(word))
    )
    if not came:
        return
    goal = next((words[at + 1] for at, word in enumerate(words[:-1]) if word in _INTO), "")
    goal = goal or next((word[2:] for word in words if re.match(r"-[oC][^-\s]", word)), "")
    goal = goal or next(
        (word.partition("=")[2] for word in words if word.startswith(("--directory=", "--one-top"))), ""
    )
    if scope.cwd is None and not goal.startswith("/"):
        scope.folders[HOLE] = True
        return
    folder = goal if HOLE in goal else scope.path(goal or ".")
    scope.folders[folder] = not world.exists(folder)
