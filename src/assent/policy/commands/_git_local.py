"""Git's commands that change the repository and its files in a way that git can undo."""

import re
from collections.abc import Iterator, Mapping

from assent.expressions import later
from assent.policy import world
from assent.policy.commands._git_config import MAIN, is_everything, is_on, secrets_of, shown
from assent.policy.commands._git_reads import DIFF, of_history
from assent.policy.commands.spec import Finding, Invocation, Run, RunsFile, Spec, Takes, careful, changes, known, reads
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.paths import locate
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

_STRATEGIES = frozenset({"ort", "recursive", "resolve", "octopus", "ours", "subtree"})
_PATCHED = later(r"^\+\+\+ (?:[a-z]/)?(\S+)", re.MULTILINE)
_MOST_PATCH = 256 * 1024


def change(why: str, target: str = "") -> Effect:
    return Effect("history", Risk.CHANGE, why, target)


def _add(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-n", "--dry-run"):
        yield nothing("It only tells what it would add.")
        return
    yield change("It stages changes for the next commit.")
    for effect in secrets_of(it, it.operands):
        assert isinstance(effect, Effect)
        yield danger("secret", "It puts a file of secrets into the history.", effect.target)


def _commit(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "--dry-run"):
        yield nothing("It only tells what it would commit.")
        return
    if is_on(it, "-n", "--no-verify"):
        yield care("history", "It commits without the checks that the project's hooks make.")
    yield change("It changes the last commit." if is_on(it, "--amend") else "It makes a commit.")


def _merged(why: str) -> Spec:
    """What makes commits out of commits. A strategy that git does not bring along is a program."""

    def found(it: Invocation) -> Iterator[Finding]:
        # Elsewhere -s signs.
        takes = ("-s", "--strategy") if it.name == "git merge" else ("--strategy",)
        for strategy in it.all_values(*takes):
            if strategy.text not in _STRATEGIES:
                yield danger("run", "It runs a program of this name to merge.", f"git-merge-{shown(strategy)}")
        if it.has("--abort", "--quit", "--skip"):
            yield care("history", "It gives up what was being merged, and what was changed meanwhile.")
        if is_on(it, "--no-verify"):
            yield care("history", "It commits without the checks that the project's hooks make.")
        yield change(why)

    return Spec(
        why, "* --output=write -s: --strategy= -X: --strategy-option= -m: -F:read --file=read --cleanup=", also=found
    )


def _branch(it: Invocation) -> Iterator[Finding]:
    names = ", ".join(map(shown, it.operands))
    if it.has("-D") or (it.has("-d", "--delete") and is_on(it, "-f", "--force")):
        yield danger("history", "It deletes a branch, merged or not.", names, "git branch -d")
    elif is_on(it, "-f", "--force") and not it.has("-m", "--move", "-c", "--copy"):
        yield danger("history", "It moves a branch to another commit; what was on it may be lost.", names)
    elif it.has("-M", "-C") or is_on(it, "-f", "--force"):
        yield care("history", "It renames or copies a branch, over another one of that name.", names)
    elif it.has("-d", "--delete"):
        yield change("It deletes a branch that is merged.", names)
    elif it.has("--edit-description"):
        yield care("run", "It opens an editor.")
    elif it.has("-m", "--move", "-c", "--copy", "-u", "--set-upstream-to", "--unset-upstream", "--set-upstream"):
        yield change("It renames or tracks a branch.", names)
    elif it.operands and not it.has(
        "-l", "--list", "--show-current", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"
    ):
        yield change("It makes a branch.", names)


def _tag(it: Invocation) -> Iterator[Finding]:
    names = ", ".join(map(shown, it.operands))
    if it.has("-d", "--delete"):
        yield danger("history", "It deletes a tag.", names)
    elif it.has("-v", "--verify", "-l", "--list", "-n", "--contains", "--no-contains", "--merged", "--no-merged"):
        return
    elif it.operands and not it.has("--points-at"):
        if is_on(it, "-f", "--force"):
            yield care("history", "It moves a tag to another commit.", names)
        yield change("It makes a tag.", names)


def _rm(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-n", "--dry-run"):
        yield nothing("It only tells what it would remove.")
        return
    is_forced = is_on(it, "-f", "--force")
    is_cached = is_on(it, "--cached")
    if it.has("--pathspec-from-file"):
        yield care("delete", "Which files it removes stands in another file.")
    for arg in it.operands:
        if is_everything(it, arg):
            yield danger("delete", "It takes every file of the project out of git.", shown(arg))
        elif is_forced and not is_cached:
            yield danger(
                "delete", "It deletes files with changes that are nowhere else.", shown(arg), "git rm without -f"
            )
        elif is_cached:
            yield change("It takes a file out of git, and leaves it where it is.", shown(arg))
        elif it.place(arg) in ("project", "whole"):
            yield change("It deletes files that git still has.", shown(arg))
        else:
            yield it.path("delete", arg)


def _mv(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-n", "--dry-run"):
        yield nothing("It only tells what it would move.")
        return
    if is_on(it, "-f", "--force"):
        yield care("write", "It moves a file over another one.")
    for arg in it.operands:
        yield change("It moves a file of the repository.") if is_everything(it, arg) else it.path("write", arg)


def _init(it: Invocation) -> Iterator[Finding]:
    if it.has("--template"):
        yield danger("persist", "The new repository gets its hooks from a folder, and git runs them later.")
    yield change("It makes a repository.")
    for arg in it.operands:
        if not is_everything(it, arg):
            yield it.path("write", arg)


def _apply(it: Invocation) -> Iterator[Finding]:
    if it.has("--stat", "--numstat", "--summary", "--check") and not it.has("--apply"):
        yield nothing("It only tells what the patch would do.")
        return
    if it.has("--unsafe-paths"):
        yield danger("write", "A patch may write anywhere, outside of the project as well.")
    yield Effect("write", Risk.CHANGE, "It changes files as a patch says.")
    if it.has("--cached") or it.value("--directory") is not None:
        return
    if not it.operands:
        yield Takes(lambda text: _patched(it, text))
    for arg in it.operands:
        target = locate(arg, it.setting, it.cwd)
        if target.place in ("project", "temp") and arg.known:
            yield from _patched(it, world.read_small(target.path, _MOST_PATCH) or "")


def _patched(it: Invocation, text: str) -> Iterator[Finding]:
    """The files that a patch names."""
    for path in dict.fromkeys(_PATCHED.findall(text)):
        if path != "/dev/null":
            yield it.path("write", Arg(path))


def _am(it: Invocation) -> Iterator[Finding]:
    if it.has("--show-current-patch"):
        yield nothing("It shows the patch at hand.")
    elif it.has("--abort", "--quit", "--skip"):
        yield care("history", "It gives up what was being applied.")
    else:
        yield change("It makes commits out of patches.")


def _format_patch(it: Invocation) -> Iterator[Finding]:
    yield from of_history(it)
    if not it.has("--stdout", "-o", "--output-directory", "--output"):
        yield Effect("write", Risk.CHANGE, "It writes commits into files.")


def _update_ref(it: Invocation) -> Iterator[Finding]:
    name = it.operand(0)
    if it.has("-d", "--delete"):
        yield danger("history", "It deletes a branch or tag behind git's back.", shown(name or Arg("")))
    elif it.has("--stdin"):
        yield danger("history", "What comes in moves and deletes branches.")
    elif name is not None and (name.text == "HEAD" or name.text.startswith("refs/heads/") or not name.known):
        yield danger("history", "It moves a branch to another commit; what was on it may be lost.", shown(name))
    else:
        yield care("history", "It moves a reference.")


def _symbolic_ref(it: Invocation) -> Iterator[Finding]:
    if it.has("-d", "--delete"):
        yield danger("history", "It deletes a reference.")
    elif len(it.operands) > 1:
        yield care("history", "It makes a reference point to another branch, without touching files.")


def _worktree_remove(it: Invocation) -> Iterator[Finding]:
    target = ", ".join(map(shown, it.operands))
    if is_on(it, "-f", "--force"):
        yield danger("delete", "It deletes a worktree with changes that are nowhere else.", target, "without --force")
    else:
        yield care("delete", "It deletes a worktree that holds no changes.", target)


def _worktree_add(it: Invocation) -> Iterator[Finding]:
    if (name := it.value("-B")) is not None:
        yield moved_branch(name)
    yield change("It makes a worktree.")


def moved_branch(name: Arg) -> Effect:
    """``checkout -B``, ``switch -C``: a branch of this name is moved if there is one."""
    if MAIN.fullmatch(name.text) or not name.known:
        return danger("history", "It moves a branch that others build on to another commit.", shown(name))
    return care("history", "It moves a branch of this name, if there is one, to another commit.", shown(name))


def _bisect_run(it: Invocation) -> Iterator[Finding]:
    yield change("It checks out commit after commit.")
    if it.operands and "/" in it.operands[0].text:
        yield RunsFile(it.operands[0])
    elif it.operands:
        yield Run(args=tuple(it.operands))


def _plain(verbs: str, why: str, kind: str = "history") -> dict[str, Spec]:
    return {verb: changes(kind, why) for verb in verbs.split()}  # type: ignore[arg-type]


_BRANCH_OPTIONS = (
    "-adDfmMcClrqvi -t? -u: --all --delete --force --move --copy --list --remotes --quiet --verbose --show-current"
    " --no-force --track? --no-track --set-upstream-to= --unset-upstream --set-upstream --edit-description --contains="
    " --no-contains= --merged= --no-merged= --points-at= --sort= --format= --column? --no-column --color? --no-color"
    " --abbrev? --no-abbrev --create-reflog --ignore-case --recurse-submodules --omit-empty"
)
_TAG_OPTIONS = (
    "-adefilsv -n? -m: -F:read -u: --list --delete --verify --annotate --sign --no-sign --local-user= --force"
    " --no-force"
    " --message= --file=read --edit --contains= --no-contains= --merged= --no-merged= --points-at= --sort= --format="
    " --column? --no-column --color? --create-reflog --ignore-case --cleanup= --trailer= --omit-empty"
)
_NOTES = {
    "": known("It lists notes."),
    "list": known("It lists notes."),
    "show": known("It shows a note."),
    "get-ref": known("It names where notes are kept."),
    **{
        verb: changes("history", "It changes notes on commits.", "* -m: -F:read --file=read --message=")
        for verb in ("add", "append", "copy", "edit", "merge")
    },
    **{verb: careful("history", "It deletes notes on commits.") for verb in ("remove", "prune")},
}
_WORKTREE = {
    "list": known("It lists worktrees."),
    "add": Spec(
        "It makes a worktree.",
        "-fdq -b: -B: --force --detach --checkout --no-checkout --lock --orphan --track --no-track --guess-remote"
        " --no-guess-remote --reason= --quiet --relative-paths --no-relative-paths",
        "write text",
        also=_worktree_add,
    ),
    "remove": Spec("It deletes a worktree.", "-f --force --no-force", also=_worktree_remove),
    "move": Spec("It moves a worktree.", "-f --force", "write*"),
    **_plain("prune lock unlock repair", "It tidies what git knows about worktrees."),
}
_BISECT = {
    "": known("It tells how to use it."),
    **{verb: known("It tells how the search stands.") for verb in ("log", "terms", "help")},
    **_plain("start good bad old new skip next reset", "It checks out commits to search for one."),
    "replay": reads("It checks out commits to search for one.", "*"),
    "run": Spec("It runs a command on commit after commit.", "*", "none*", also=_bisect_run, wraps=True),
    **{verb: careful("run", "It opens a viewer.") for verb in ("view", "visualize")},
}
_SPARSE = {
    "list": known("It lists folders that are checked out."),
    "check-rules": known("It tells which paths are checked out."),
    **_plain("init set add reapply disable", "It chooses which unchanged files are there."),
    "clean": careful("delete", "It deletes files outside of what is checked out."),
}

VERBS: Mapping[str, Spec] = {
    **dict.fromkeys(
        ("add", "stage"),
        Spec("It notes changes.", "* -n --dry-run --no-dry-run --pathspec-from-file=read --chmod=", also=_add),
    ),
    "commit": Spec(
        "It makes a commit.",
        "* -F:read --file=read -t:read --template=read -m: --message= -C: -c: --reuse-message= --reedit-message="
        " --author="
        " --date= --fixup= --squash= --trailer= --cleanup= --pathspec-from-file=read -S? -u? -n --no-verify --dry-run"
        " --no-dry-run --amend",
        also=_commit,
    ),
    "merge": _merged("It merges commits into this branch."),
    "cherry-pick": _merged("It takes a commit over to this branch."),
    "revert": _merged("It makes a commit that undoes another one."),
    "branch": Spec("It lists or makes branches.", _BRANCH_OPTIONS, also=_branch),
    "tag": Spec("It lists or makes tags.", _TAG_OPTIONS, also=_tag),
    "rm": Spec(
        "It removes files.",
        "-fnrq --force --no-force --dry-run --no-dry-run --cached --no-cached --ignore-unmatch --sparse --quiet"
        " --pathspec-from-file=read --pathspec-file-nul",
        also=_rm,
    ),
    "mv": Spec("It moves files.", "-fknv --force --no-force --dry-run --verbose --sparse", "none*", also=_mv),
    **dict.fromkeys(
        ("init", "init-db"),
        Spec(
            "It makes a repository.",
            "-q -b: --quiet --bare --template= --separate-git-dir=write --object-format= --ref-format="
            " --initial-branch="
            " --shared?",
            "none*",
            also=_init,
        ),
    ),
    "apply": Spec(
        "It changes files as a patch says.",
        "* --stat --numstat --summary --check --apply --unsafe-paths --build-fake-ancestor=write -p: -C: --directory="
        " --include= --exclude= --whitespace= --cached",
        "read*",
        also=_apply,
    ),
    "am": Spec(
        "It makes commits out of patches.",
        "* --show-current-patch? --abort --quit --skip -p: -C: --directory= --include= --exclude= --patch-format=",
        "read*",
        also=_am,
    ),
    "format-patch": Spec(
        "It writes commits into files.",
        f"{DIFF} -o:write --output-directory=write --stdout --signature-file=read --interdiff= --range-diff= --base="
        " -v:"
        " --in-reply-to= --to= --cc= --from? --suffix= --subject-prefix= --start-number=",
        also=_format_patch,
    ),
    "notes": Spec("Notes on commits.", "--ref=", verbs=_NOTES),
    "worktree": Spec("Folders in which other branches are checked out.", verbs=_WORKTREE),
    "bisect": Spec("It searches for the commit that broke something.", "* --term-old= --term-new=", verbs=_BISECT),
    "sparse-checkout": Spec("It chooses which files are there.", verbs=_SPARSE),
    "update-ref": Spec(
        "It moves a reference.", "-d -z -m: --no-deref --stdin --create-reflog --delete", also=_update_ref
    ),
    "symbolic-ref": Spec(
        "It tells where a reference points.",
        "-q -d -m: --quiet --delete --short --recurse --no-recurse",
        also=_symbolic_ref,
    ),
    "rerere": Spec(
        "How conflicts were resolved before.",
        verbs={
            "": changes("history", "It notes how conflicts were resolved."),
            **{verb: known("It tells about conflicts.") for verb in ("status", "diff", "remaining")},
            **{
                verb: careful("history", "It forgets how conflicts were resolved.")
                for verb in ("clear", "forget", "gc")
            },
        },
    ),
    **_plain(
        "update-index write-tree mktree mktag commit-tree unpack-objects index-pack pack-refs commit-graph"
        " multi-pack-index"
        " update-server-info prune-packed unpack-file refs",
        "It stores objects or names in the repository.",
    ),
    "read-tree": Spec(
        "It reads a tree into the index.",
        "* --reset --index-output=write --prefix= -u",
        also=lambda it: iter(
            (danger("history", "It puts the files back and throws changes away."),)
            if it.has("--reset", "-u")
            else (change("It changes what the next commit holds."),)
        ),
    ),
    "checkout-index": Spec(
        "It writes files from the index.",
        "* -f --force -a --all --prefix=write --temp --stage= -u -n -q",
        also=lambda it: iter(
            (danger("history", "It puts files back and throws changes away."),)
            if it.has("-f", "--force")
            else (change("It writes files that are missing."),)
        ),
    ),
}
