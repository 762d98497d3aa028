"""Git's commands that throw work away or rewrite history, with the forms of them that do not."""

from collections.abc import Iterator, Mapping

from assent.policy import world
from assent.policy.commands._git_config import is_on, may_be_file, shown
from assent.policy.commands._git_local import change, moved_branch
from assent.policy.commands._git_reads import DIFF, of_history
from assent.policy.commands.spec import Finding, Invocation, Spec, changes, dangerous, known
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.paths import locate
from assent.policy.shell.words import Arg

_STASH_FIRST = "git stash first"
_UNCOMMITTED = "It throws away changes that are not committed."


def _thrown_away(paths: list[Arg], it: Invocation | None = None) -> Effect:
    if it is not None and paths and all(_is_as_committed(it, arg) for arg in paths):
        return change("It puts files back that are as git has them, so nothing is lost.", ", ".join(map(shown, paths)))
    return danger("history", _UNCOMMITTED, ", ".join(map(shown, paths))[:200], _STASH_FIRST)


def _is_as_committed(it: Invocation, arg: Arg) -> bool:
    """Whether it names one file that git has just as it is."""
    # Git takes patterns, too, and more behind a colon.
    is_name = arg.known and not any(mark in arg.text for mark in "*?[:")
    path = locate(arg, it.setting, it.cwd).path if is_name else ""
    return path.startswith("/") and world.is_there(path) and not world.is_folder(path) and world.is_kept(path) is True


def _checkout(it: Invocation) -> Iterator[Finding]:
    paths = it.behind
    is_new = it.has("-b", "-B", "--orphan")
    if is_on(it, "-f", "--force"):
        yield _thrown_away(it.operands)
    elif paths and not it.has("--pathspec-from-file"):
        yield _thrown_away(paths, it)
    elif it.has("--pathspec-from-file") or is_on(it, "-p", "--patch"):
        yield _thrown_away(paths or it.operands)
    elif not is_new and paths is None and (len(it.operands) > 1 or any(may_be_file(it, arg) for arg in it.operands)):
        yield _thrown_away(it.operands)
    elif (name := it.value("-B")) is not None:
        yield moved_branch(name)
    elif is_on(it, "-m", "--merge"):
        yield care("history", "It takes changes that are not committed along to another branch.")
    else:
        yield change("It switches to a branch.", ", ".join(map(shown, it.operands)))


def _switch(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-f", "--force") or is_on(it, "--discard-changes"):
        yield _thrown_away(it.operands)
    elif (name := it.value("-C", "--force-create")) is not None:
        yield moved_branch(name)
    elif is_on(it, "-m", "--merge"):
        yield care("history", "It takes changes that are not committed along to another branch.")
    else:
        yield change("It switches to a branch.", ", ".join(map(shown, it.operands)))


def _restore(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-S", "--staged") and not is_on(it, "-W", "--worktree"):
        yield change("It takes changes out of the next commit, and leaves the files.")
    else:
        yield _thrown_away(it.operands, None if it.has("--pathspec-from-file") else it)


def _reset(it: Invocation) -> Iterator[Finding]:
    if it.has("--hard", "--merge", "--keep"):
        yield danger(
            "history",
            "It throws away changes that are not committed, and commits after this one.",
            ", ".join(map(shown, it.operands)),
            _STASH_FIRST,
        )
    else:
        yield change("It moves the branch or empties the next commit, and leaves the files.")


def _clean(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-n", "--dry-run"):
        yield nothing("It only tells what it would delete.")
    elif is_on(it, "-f", "--force"):
        yield danger(
            "delete",
            "It deletes files that git does not know and cannot bring back.",
            safer="git clean -n lists them first",
        )
    elif it.has("-i", "--interactive"):
        yield danger("delete", "It deletes files that git cannot bring back, as answers to it say.")
    else:
        yield care("delete", "It deletes files that git does not know, if git's settings let it.")


def _rebase(it: Invocation) -> Iterator[Finding]:
    if it.has("--show-current-patch"):
        yield nothing("It shows the patch at hand.")
    elif it.has("--abort", "--quit", "--skip"):
        yield care("history", "It gives up what was being rebased.")
    else:
        yield care("history", "It rewrites commits of this branch.")


def _gc(it: Invocation) -> Iterator[Finding]:
    when = it.value("--prune")
    if when is not None and when.text not in ("", "never", "2.weeks.ago", "2 weeks ago"):
        yield danger("history", "It deletes commits that could still be brought back.", when.text, "git gc")
    else:
        yield change("It tidies the repository.")


def _prune(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-n", "--dry-run"):
        yield nothing("It only tells what it would delete.")
    else:
        yield danger("history", "It deletes commits that could still be brought back.", safer="git gc")


def _reflog_rid(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-n", "--dry-run"):
        yield nothing("It only tells what it would delete.")
    else:
        yield danger("history", "It deletes the record of where branches stood, which brings lost work back.")


def _repack(it: Invocation) -> Iterator[Finding]:
    if it.has("-a", "-A") and it.has("-d"):
        yield care("history", "It packs the repository, and may drop what nothing points to.")
    else:
        yield change("It packs the repository.")


def _stash_verb(why: str) -> Spec:
    return changes("history", why, "* -m: --message= --pathspec-from-file=read")


def _submodule_deinit(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-f", "--force"):
        yield danger("delete", "It deletes folders of submodules with changes that are nowhere else.")
    else:
        yield care("delete", "It deletes folders of submodules that hold no changes.")


def _replace(it: Invocation) -> Iterator[Finding]:
    if (it.operands and not it.has("-l", "--list")) or it.has("--convert-graft-file"):
        yield danger("history", "It puts another object in the place of one in the history.")


deinit = Spec("It empties submodules.", "-fq --force --no-force --all --quiet", also=_submodule_deinit)

_RIDS = Spec("It forgets where branches stood.", "* -n --dry-run --expire= --expire-unreachable=", also=_reflog_rid)
_STASH = {
    **{verb: _stash_verb("It puts changes aside.") for verb in ("", "push", "save", "create", "store", "*")},
    **{verb: _stash_verb("It brings changes back that were put aside.") for verb in ("apply", "pop", "branch")},
    "list": Spec("It lists what was put aside.", DIFF, also=of_history),
    "show": Spec("It shows what was put aside.", DIFF, also=of_history),
    "drop": dangerous("history", "It deletes changes that were put aside.", "git stash pop"),
    "clear": dangerous("history", "It deletes all changes that were put aside.", "git stash list, then drop one"),
    "export": changes("history", "It writes stashes as commits."),
    "import": changes("history", "It makes stashes of commits."),
}
_REFLOG = {
    **{verb: Spec("It prints where branches stood before.", DIFF, also=of_history) for verb in ("", "show", "*")},
    **{verb: known("It tells whether a record is kept.") for verb in ("exists", "list")},
    **dict.fromkeys(("expire", "delete", "drop"), _RIDS),
}

VERBS: Mapping[str, Spec] = {
    "checkout": Spec(
        "It switches to a branch or puts files back.",
        "-fdmpqtlN2 -3 -b: -B: -U: --force --no-force --detach --no-detach --merge --no-merge --patch --no-patch"
        " --quiet"
        " --track? --no-track --orphan= --ours --theirs --conflict= --guess --no-guess --progress --no-progress"
        " --recurse-submodules? --no-recurse-submodules --overlay --no-overlay --overwrite-ignore --no-overwrite-ignore"
        " --ignore-other-worktrees --ignore-skip-worktree-bits --pathspec-from-file= --pathspec-file-nul",
        also=_checkout,
    ),
    "switch": Spec(
        "It switches to a branch.",
        "-fdmqt -c: -C: --create= --force-create= --force --no-force --discard-changes --no-discard-changes --detach"
        " --no-detach --merge --no-merge --quiet --track? --no-track --orphan= --conflict= --guess --no-guess"
        " --progress"
        " --no-progress --recurse-submodules? --no-recurse-submodules --ignore-other-worktrees --overwrite-ignore",
        also=_switch,
    ),
    "restore": Spec(
        "It puts files back.",
        "-SWpmq2 -3 -s: --source= --staged --no-staged --worktree --no-worktree --patch --no-patch --quiet --ours"
        " --theirs"
        " --merge --conflict= --progress --no-progress --overlay --no-overlay --ignore-unmerged --recurse-submodules?"
        " --no-recurse-submodules --ignore-skip-worktree-bits --pathspec-from-file= --pathspec-file-nul",
        also=_restore,
    ),
    "reset": Spec(
        "It moves the branch.",
        "-qpN --quiet --no-quiet --hard --soft --mixed --merge --keep --patch --intent-to-add --refresh --no-refresh"
        " --recurse-submodules? --no-recurse-submodules --pathspec-from-file= --pathspec-file-nul",
        also=_reset,
    ),
    "clean": Spec(
        "It deletes files that git does not know.",
        "-dfinqxX -e: --force --no-force --interactive --dry-run --no-dry-run --quiet --exclude=",
        also=_clean,
    ),
    "rebase": Spec(
        "It rewrites commits.",
        "* -x:line --exec=line -s: --strategy= -X: --strategy-option= --onto= -C: --whitespace= --show-current-patch"
        " --abort"
        " --quit --skip",
        also=_rebase,
    ),
    "gc": Spec("It tidies the repository.", "* --prune? --no-prune --aggressive --auto --quiet --force", also=_gc),
    "prune": Spec("It deletes what nothing points to.", "-nv --dry-run --verbose --progress --expire=", also=_prune),
    "repack": Spec("It packs the repository.", "* -a -A -d --expire-to=write", also=_repack),
    "stash": Spec("It puts changes aside.", "* -m: --message= --pathspec-from-file=read", verbs=_STASH),
    "reflog": Spec("Where branches stood before.", DIFF, verbs=_REFLOG, also=of_history),
    "replace": Spec(
        "It lists replaced objects.",
        "-ldefg --list --delete --edit --force --graft --format= --raw --convert-graft-file",
        also=_replace,
    ),
    "filter-branch": dangerous(
        "history",
        "It rewrites the whole history.",
        "",
        "* -f --force --setup=line --env-filter=line --tree-filter=line --index-filter=line --parent-filter=run"
        " --msg-filter=run"
        " --commit-filter=run --tag-name-filter=run --subdirectory-filter= --original= -d:write --state-branch=",
    ),
    "filter-repo": dangerous("history", "It rewrites the whole history."),
    "fast-import": dangerous("history", "It makes commits and moves branches as what comes in says."),
    "maintenance": Spec(
        "It tidies the repository.",
        verbs={
            "run": changes("history", "It tidies the repository."),
            "is-needed": known("It tells whether there is something to tidy."),
            "start": dangerous("persist", "It makes the system tidy this repository again and again."),
            **{
                verb: dangerous("persist", "It changes what the system does regularly.")
                for verb in ("stop", "register", "unregister")
            },
        },
    ),
}
