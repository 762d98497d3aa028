"""Settings that agents obey and that a command would bring along unnamed: by git, out of an archive, with a folder.

Looked for before it runs, where that takes moments and no program. What cannot be told is not claimed: then the
watcher of the settings sees it afterwards."""

# ruff: noqa: PTH118, PTH119, PTH120 - paths here are text that an agent wrote, handled on every event

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from assent.policy import sensitive, world
from assent.policy.commands import archives
from assent.policy.commands.spec import LOOKS, Finding, Invocation, Takes
from assent.policy.effects import Effect, danger
from assent.policy.git_objects import Repository, blob_id
from assent.policy.paths import locate
from assent.policy.shell.words import HOLE, Arg

LARGEST = 1 << 20
LARGEST_PATCH = 256 << 10
MOST_TARGETS = 6
MOST_FILES = 60
MOST_ENTRIES = 400
DEEPEST = 4
# What these say changes nothing about who decides.
_HARMLESS = re.compile(
    r"\$schema|model|theme|language|outputStyle|includeCoAuthoredBy|attribution|cleanupPeriodDays|verbose|effortLevel"
    r"|alwaysThinkingEnabled|companyAnnouncements|spinner\w*|permissions\.(?:deny|ask)(?:\..*)?"
)
_HEADER = re.compile(
    r"^(?:\+\+\+ |rename to |copy to |\*\*\* )(?:[ab]/)?([^\t\n]+)|^diff --git (?:\S+) (?:b/)?(\S+)", re.MULTILINE
)

# A file that comes: its path below the folder it comes to, and what it holds, where that is known.
Coming = tuple[str, Callable[[], bytes | None]]


def why(path: str) -> str:
    return f"It brings settings that agents obey: {path}."


def _claims(folder: str, coming: Iterable[Coming], it: Invocation) -> Iterator[Effect]:
    """The first of these files that decides for agents and is not there already."""
    if locate(Arg(os.path.normpath(folder)), it.setting, it.cwd).place == "temp":
        return
    for path, content in coming:
        goal = os.path.normpath(os.path.join(folder, path))
        if not sensitive.is_deciding(goal):
            continue
        if _adds(goal, content(), world.read_bytes(world.real(goal), LARGEST)):
            shown = os.path.relpath(goal, it.setting.project) if goal.startswith(f"{it.setting.project}/") else goal
            yield danger("tamper", why(shown), goal)
            return


def _adds(path: str, incoming: bytes | None, present: bytes | None) -> bool:
    """Whether the file says more than the one that is there. Of what is not known everything is new."""
    if incoming is None or present is None:
        return incoming is None or not _is_tame(path, incoming)
    if incoming == present:
        return False
    if not sensitive.SHARED_SETTINGS.search(path):
        return True
    before, after = _leaves(present), _leaves(incoming)
    return before is None or after is None or any(leaf not in before for leaf in after)


def _is_tame(path: str, content: bytes) -> bool:
    return bool(sensitive.SHARED_SETTINGS.search(path)) and _leaves(content) == set()


def _leaves(content: bytes) -> set[str] | None:
    """What settings say, a line for each, without what changes nothing; None where they cannot be read."""
    try:
        return set(_flat(msgspec.json.decode(content), ""))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None


def _flat(value: Any, place: str) -> Iterator[str]:
    if _HARMLESS.fullmatch(place):
        return
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _flat(each, f"{place}.{name}" if place else str(name))
    elif isinstance(value, list):
        for each in value:
            yield from _flat(each, place)
    elif value not in (None, False) or place.startswith(("sandbox", "env")):
        yield f"{place}={value!r}"


# --- folders that are copied, moved or linked


def _copied(it: Invocation, *, contents: bool = False) -> Iterator[Effect]:
    target = it.value("-t", "--target-directory")
    if not it.operands:
        return
    *sources, goal = it.operands if target is None else (*it.operands, target)
    if not sources or it.cwd is None or HOLE in goal.text or goal.glob or ":" in goal.text:
        return
    folder = os.path.normpath(os.path.join(it.cwd, goal.text))
    is_into = target is not None or world.is_folder(folder) or len(sources) > 1
    is_into = is_into and not it.has("-T", "--no-target-directory")
    for source in sources[:MOST_TARGETS]:
        for path in _expanded(source, it.cwd):
            if path == it.setting.project:
                # A copy of the project obeys what the project obeys.
                continue
            merged = contents and source.text.endswith("/")
            name = (
                ""
                if merged or source.text.endswith(("/.", "/..")) or source.text in (".", "..")
                else os.path.basename(path)
            )
            yield from _claims(os.path.join(folder, name if is_into else ""), _below(path), it)


def _expanded(source: Arg, cwd: str) -> list[str]:
    if HOLE in source.text or not source.text or ":" in source.text:
        return []
    path = os.path.normpath(os.path.join(cwd, source.text))
    if not source.glob:
        return [path]
    folder, name = os.path.split(path)
    if any(mark in folder for mark in "*?["):
        return []
    # The last name is a pattern: what it stands for is looked at, a star fits no hidden name.
    return [
        f"{folder}/{each}"
        for each, _ in world.names_in(folder, MOST_ENTRIES)
        if fnmatch.fnmatchcase(each, name) and (each[0] != "." or name[0] == ".")
    ]


def _below(path: str) -> Iterator[Coming]:
    """The files that decide for agents in a folder, or the file itself."""
    if not world.is_folder(path):
        yield "", lambda: world.read_bytes(world.real(path), LARGEST)
        return
    left = [MOST_ENTRIES]
    is_agents = sensitive.is_agents(path)
    roots = [""] if is_agents else sensitive.deciding_roots()
    for root in roots:
        start = os.path.join(path, root) if root else path
        if world.is_there(start):
            yield from _walked(start, root, left)


def _walked(path: str, name: str, left: list[int], depth: int = 0) -> Iterator[Coming]:
    if not world.is_folder(path):
        yield name, lambda: world.read_bytes(world.real(path), LARGEST)
        return
    if depth > DEEPEST or left[0] <= 0:
        return
    for each, _ in world.names_in(path, left[0]):
        left[0] -= 1
        yield from _walked(f"{path}/{each}", f"{name}/{each}".lstrip("/"), left, depth + 1)


# --- archives


def _unpacked(
    it: Invocation, archive: Arg | None, folder: Arg | None, wanted: list[Arg], strip: int = 0
) -> Iterator[Effect]:
    if archive is None or it.cwd is None or HOLE in archive.text or (folder is not None and HOLE in folder.text):
        return
    chosen = tuple(arg.text.rstrip("/") for arg in wanted if HOLE not in arg.text and not arg.glob)
    names = archives.names(os.path.normpath(os.path.join(it.cwd, archive.text)))
    coming: list[Coming] = [
        ("/".join(name.removeprefix("./").split("/")[strip:]), lambda: None)
        for name in names
        if not name.endswith("/") and (len(chosen) < len(wanted) or not chosen or name.startswith(chosen))
    ]
    yield from _claims(os.path.join(it.cwd, folder.text if folder is not None else ""), coming, it)


def _by_tar(it: Invocation) -> Iterator[Finding]:
    if not it.has("-x", "--extract", "--get") or it.has("-O", "--to-stdout"):
        return
    strip = it.value("--strip-components")
    count = int(strip.text) if strip is not None and strip.text.isdigit() and len(strip.text) < 3 else 0
    archive, folder = it.value("-f", "--file"), it.value("-C", "--directory")
    if archive is not None and archive.text != "-":
        yield from _unpacked(it, archive, folder, it.operands, count)
    else:
        yield Takes(lambda _: iter(()), lambda file: _unpacked(it, file, folder, it.operands, count), only_known=True)


def _by_unzip(it: Invocation) -> Iterator[Effect]:
    if not it.has("-l", "-t", "-v", "-z", "-Z", "-p", "-c", "-h"):
        yield from _unpacked(it, it.operand(0), it.value("-d"), it.operands[1:])


# --- patches


def _of_patch(it: Invocation, text: str) -> Iterator[Effect]:
    for header in _HEADER.findall(text[:LARGEST_PATCH]):
        name = (header[0] or header[1]).strip().strip('"')
        if name and name != "/dev/null" and sensitive.is_deciding(f"/{name}"):
            yield danger("tamper", why(name), os.path.normpath(os.path.join(it.cwd or "/", name)))
            return


def _patched(it: Invocation, files: Iterable[Arg]) -> Iterator[Finding]:
    def read(arg: Arg) -> Iterator[Finding]:
        if HOLE not in arg.text and it.cwd is not None:
            content = world.read_bytes(world.real(os.path.join(it.cwd, arg.text)), LARGEST_PATCH)
            yield from _of_patch(it, (content or b"").decode("utf-8", "replace"))

    given = list(files)
    for each in given[:MOST_TARGETS]:
        yield from read(each)
    if not given:
        yield Takes(lambda text: _of_patch(it, text), read, only_known=True)


def _by_patch(it: Invocation) -> Iterator[Finding]:
    named = [*it.all_values("-i", "--input"), *it.operands[1:2]]
    if not it.has("--dry-run", "--check"):
        yield from _patched(it, named)


def _by_apply(it: Invocation) -> Iterator[Finding]:
    if not it.has("--check", "--stat", "--numstat", "--summary", "--continue", "--abort", "--skip", "--quit"):
        yield from _patched(it, it.operands)


# --- git


def _by_git(it: Invocation) -> Iterator[Effect]:
    repository = _repository(it.cwd)
    if repository is None:
        return
    top, git = repository
    verb = it.name[4:]
    if it.has("--abort", "--continue", "--quit", "--skip", "--list", "-l"):
        return
    words = [arg.text for arg in (*it.operands, *(value for _, value in it.values)) if arg.known and not arg.glob]
    commits = list(_targets(git, verb, words, it))
    # Paths limit what is taken out of a commit.
    paths = [arg.text for arg in it.operands if verb in _BY_PATH and arg.known]
    limits = [path for path in paths if git.commit(path) is None]
    folder = top
    if verb == "worktree add" and it.operands:
        folder = os.path.normpath(os.path.join(it.cwd or top, it.operands[0].text))
        limits = []
    for commit in commits[:MOST_TARGETS]:
        coming = _in_commit(git, commit, _inside(it.setting.project, top))
        yield from _claims(folder, _new_in(git, commit, verb, folder, _limited(coming, limits, top, it)), it)


_BY_PATH = frozenset({"checkout", "restore", "reset"})
# These take files out of the last commit, where no other is named.
_OF_HEAD = frozenset({"checkout", "restore", "reset", "stash", "stash push", "stash save"})


def _repository(cwd: str | None) -> tuple[str, Repository] | None:
    git = world.git_folder(cwd) if cwd else None
    if not cwd or not git or not (world.is_there(f"{git}/objects") or world.is_there(f"{git}/commondir")):
        return None
    here = os.path.normpath(cwd)
    while here != "/" and not world.is_there(f"{here}/.git"):
        here = os.path.dirname(here)
    return here, Repository(git)


def _targets(git: Repository, verb: str, words: list[str], it: Invocation) -> Iterator[str]:
    """The commits whose files come."""
    if verb.startswith("stash"):
        if verb in ("stash apply", "stash pop", "stash branch"):
            name = next((word for word in words if word.isdigit() or word.startswith("stash")), "stash")
            stashed = git.commit(f"stash@{{{name}}}" if name.isdigit() else name)
            if stashed is not None:
                # The third parent holds files that git did not know.
                yield from (stashed, *git.parents(stashed)[2:3])
        else:
            yield from filter(None, [git.commit("HEAD")])
        return
    named = [word.rpartition("..")[2] or "HEAD" for word in words]
    if verb == "pull" and len(words) > 1:
        named += [f"{words[0]}/{branch}" for branch in words[1:]]
    commits = list(dict.fromkeys(filter(None, map(git.commit, named[:20]))))
    if not commits and verb in ("pull", "merge", "rebase") and (upstream := git.upstream()) is not None:
        commits = [upstream]
    if not commits and verb in _OF_HEAD and (verb != "reset" or it.has("--hard", "--keep", "--merge")):
        commits = list(filter(None, [git.commit("HEAD")]))
    yield from commits


def _inside(project: str, top: str) -> str:
    """Where the project lies in the repository: settings stand at its top, and at the repository's."""
    return project[len(top) :].strip("/") if project.startswith(f"{top}/") else ""


def _in_commit(git: Repository, commit: str, inside: str) -> dict[str, str]:
    """The files in a commit that decide for agents, and the object of each."""
    tree = git.tree_of(commit)
    files: dict[str, str] = {}
    if tree is None:
        return files
    _collect(git, tree, "", files)
    for name in inside.split("/") if inside else ():
        entry = git.tree(tree).get(name)
        if entry is None or not entry[1]:
            return files
        tree = entry[0]
    if inside:
        _collect(git, tree, f"{inside}/", files)
    return files


def _collect(git: Repository, tree: str, prefix: str, files: dict[str, str]) -> None:
    roots = {root.partition("/")[0] for root in sensitive.deciding_roots()}
    pending = [(name, *entry) for name, entry in git.tree(tree).items() if name.lower() in roots]
    while pending and len(files) < MOST_FILES:
        path, sha, is_folder = pending.pop()
        if is_folder and path.count("/") < DEEPEST:
            pending += [(f"{path}/{name}", *entry) for name, entry in git.tree(sha).items()][:MOST_ENTRIES]
        elif not is_folder and sensitive.is_deciding(f"/{path}"):
            files[f"{prefix}{path}"] = sha


def _limited(files: dict[str, str], limits: list[str], top: str, it: Invocation) -> dict[str, str]:
    if not limits:
        return files
    whole = [os.path.relpath(os.path.join(it.cwd or top, limit), top) for limit in limits if not limit.startswith(":")]
    if len(whole) < len(limits) or "." in whole or any(mark in "".join(whole) for mark in "*?["):
        return files
    return {path: sha for path, sha in files.items() if any(f"{path}/".startswith(f"{limit}/") for limit in whole)}


def _new_in(git: Repository, commit: str, verb: str, folder: str, files: dict[str, str]) -> Iterator[Coming]:
    """Those that are not there already; of a picked commit only what it changed itself."""
    base: dict[str, str] = {}
    if verb == "cherry-pick" and (parents := git.parents(commit)):
        base = _in_commit(git, parents[0], "")
    for path, sha in files.items():
        if base.get(path) == sha:
            continue
        present = world.read_bytes(world.real(os.path.join(folder, path)), LARGEST)
        if present is None or blob_id(present) != sha:
            yield path, lambda sha=sha: git.blob(sha)  # type: ignore[misc]


_GIT_VERBS = (
    *("merge", "pull", "rebase", "cherry-pick", "checkout", "switch", "reset", "restore", "read-tree", "archive"),
    *("stash", "stash apply", "stash pop", "stash branch", "stash push", "stash save", "worktree add"),
)
_LOOKS: dict[str, Callable[[Invocation], Iterator[Finding]]] = {
    **{f"git {verb}": _by_git for verb in _GIT_VERBS},
    **{f"git-{verb}": _by_git for verb in _GIT_VERBS if " " not in verb},
    "git apply": _by_apply,
    "git am": _by_apply,
    "patch": _by_patch,
    **dict.fromkeys(("cp", "mv", "ln", "install", "ditto"), _copied),
    "rsync": lambda it: _copied(it, contents=True),
    **dict.fromkeys(("tar", "bsdtar", "gtar"), _by_tar),
    "unzip": _by_unzip,
}
LOOKS.update(_LOOKS)
