"""Git's commands that look: at the history, at differences, at names and objects."""

from collections.abc import Iterator, Mapping

from assent.policy.commands._git_config import (
    from_address,
    is_address,
    is_on,
    outside_of,
    secrets_of,
    shown,
    sought_secrets,
)
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, careful, changes, known, reads
from assent.policy.effects import Effect, care
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# Whatever walks the history takes the options of diff, and with them --output, which empties a file at once. Of the
# others, the drivers that --ext-diff starts come from git's settings; the rest only choose what is printed and how.
# Where -n and -l are what log and diff make of them.
_COUNTS = "-n: -l:"
DIFF = (
    f"* {_COUNTS} --output=write --ext-diff -O:read -S: -G: -U: -L: --skip= --max-count= --format= --grep= --author="
    " --committer= --since= --until= --after= --before= --date= --stat? --name-only --name-status --shortstat --numstat"
    " --no-patch -s --quiet -q --raw --summary --dirstat? -p -u --patch --cc -c -W --function-context --word-diff?"
    " --diff-filter= --find-object= --decorate? --no-index --inter-hunk-context= --ignore-matching-lines= -I:"
)
# Where they are flags.
_PLAIN_DIFF = DIFF.replace(_COUNTS, "-nl")
_PATCHES = (
    "-p",
    "-u",
    "--patch",
    "--cc",
    "-c",
    "-L",
    "-U",
    "-W",
    "--function-context",
    "--word-diff",
    "--patch-with-stat",
)
_NO_PATCHES = (
    "--stat",
    "--name-only",
    "--name-status",
    "--shortstat",
    "--numstat",
    "--no-patch",
    "-s",
    "--quiet",
    "-q",
)


def of_history(it: Invocation) -> Iterator[Finding]:
    """Commands that print commits, and what they changed if they are told to."""
    if it.has("--ext-diff"):
        yield care("run", "It runs the programs that git's settings name for comparing.")
    if it.has(*_PATCHES) or any(":" in arg.text for arg in it.operands):
        yield from secrets_of(it, [*it.operands, *it.all_values("-L")])
    yield from sought_secrets(it.all_values("-S", "-G", "--grep"))


def _of_contents(it: Invocation) -> Iterator[Finding]:
    """Commands that print what files hold."""
    if it.has("--ext-diff"):
        yield care("run", "It runs the programs that git's settings name for comparing.")
    if not it.has(*_NO_PATCHES):
        yield from secrets_of(it, [*it.operands, *it.all_values("-L")])
    yield from sought_secrets(it.all_values("-S", "-G"))


def _diff(it: Invocation) -> Iterator[Finding]:
    yield from _of_contents(it)
    yield from outside_of(it, it.operands)


def _grep(it: Invocation) -> Iterator[Finding]:
    opener = it.value("-O", "--open-files-in-pager")
    if opener is not None and not opener.text:
        yield care("run", "It opens what it finds in a pager.")
    places = it.operands if it.has("-e", "-f") else it.operands[1:]
    if not it.has("-l", "--files-with-matches", "--name-only", "-c", "--count", "-L", "-q", "--quiet"):
        yield from secrets_of(it, places)
    yield from outside_of(it, places)
    if not it.has("-e", "-f"):
        yield from sought_secrets(it.operands[:1])
    yield from sought_secrets(it.all_values("-e"))


def _archive(it: Invocation) -> Iterator[Finding]:
    if (remote := it.value("--remote")) is not None:
        yield care("fetch", "It asks another machine for an archive.", shown(remote))
        yield from from_address(remote)
    yield from secrets_of(it, it.operands)


def _hash_object(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "-w"):
        yield Effect("write", Risk.CHANGE, "It stores a file's contents in the repository.")


def _fsck(it: Invocation) -> Iterator[Finding]:
    if is_on(it, "--lost-found"):
        yield Effect("write", Risk.CHANGE, "It puts what nothing points to into a folder of the repository.")


def _merge_file(it: Invocation) -> Iterator[Finding]:
    if it.operands and not it.has("-p", "--stdout"):
        yield it.path("write", it.operands[0])


def _trailers(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        yield it.path("write" if it.has("--in-place") else "read", arg)


def _ls_remote(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands[:1]:
        yield from from_address(arg)
        if is_address(arg.text) or not arg.known:
            yield care("fetch", "It asks another machine for its branches.", shown(arg))
            return
        if "/" in arg.text:
            yield it.path("read", arg, recursive=True)
    yield Effect("query", Risk.LOOK, "It asks the remote for its branches and tags.")


def _request_pull(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands[1:2]:
        yield from from_address(arg)
        if is_address(arg.text) or not arg.known:
            yield care("fetch", "It asks another machine for its branches.", shown(arg))


def _for_each_repo(it: Invocation) -> Iterator[Finding]:
    yield care("run", "The settings of those repositories may name programs.")
    yield Run(args=(Arg("git"), *it.operands), cwd=Arg(HOLE))


def _bundle(verb: str) -> Spec:
    why = f"It {verb} a bundle of commits."
    return Spec(why, "* --version= --output=write", "write text*", does=(care("write", why),))


_HISTORY = {
    "log": "It prints the history.",
    "whatchanged": "It prints the history.",
    "rev-list": "It lists commits.",
    "range-diff": "It compares two versions of a branch.",
}
_CONTENTS = {
    "show": "It prints objects of the repository.",
    "diff-tree": "It compares two trees.",
    "diff-index": "It compares a tree with the files.",
    "diff-files": "It compares the index with the files.",
    "diff-pairs": "It compares objects.",
}
# No option of these writes, runs or sends anything.
_LOOKS = {
    "status": "It shows what has changed.",
    "rev-parse": "It prints names of commits and folders.",
    "describe": "It names a commit after the nearest tag.",
    "name-rev": "It names commits after branches.",
    "merge-base": "It finds the common ancestor of commits.",
    "merge-tree": "It tries a merge without touching files.",
    "for-each-ref": "It lists branches and tags.",
    "show-ref": "It lists branches and tags.",
    "show-branch": "It shows how branches belong together.",
    "count-objects": "It counts objects.",
    "ls-tree": "It lists names in a tree.",
    "check-ignore": "It tells which files are ignored.",
    "check-attr": "It tells attributes of files.",
    "check-mailmap": "It tells how people are called.",
    "check-ref-format": "It tells whether a name is good for a branch.",
    "cherry": "It tells which commits are missing upstream.",
    "column": "It prints lines in columns.",
    "get-tar-commit-id": "It reads which commit an archive was made from.",
    "patch-id": "It computes a number for a patch.",
    "stripspace": "It tidies blanks in a text.",
    "var": "It prints a variable of git.",
    "version": "It prints its version.",
    "verify-commit": "It checks a signature.",
    "verify-tag": "It checks a signature.",
    "verify-pack": "It checks packed objects.",
    "show-index": "It lists what is packed.",
    "last-modified": "It tells when files last changed.",
    "fmt-merge-msg": "It prints a message for a merge.",
}

VERBS: Mapping[str, Spec] = {
    **{verb: Spec(why, DIFF, also=of_history) for verb, why in _HISTORY.items()},
    **{verb: Spec(why, DIFF, also=_of_contents) for verb, why in _CONTENTS.items()},
    **{verb: known(why) for verb, why in _LOOKS.items()},
    "diff": Spec("It compares files and commits.", DIFF, also=_diff),
    "help": Spec("It shows the manual.", "* -w?care --web?care"),
    "shortlog": Spec("It counts commits by author.", f"{_PLAIN_DIFF} -w? -e --email --group=", also=of_history),
    **dict.fromkeys(
        ("blame", "annotate"),
        Spec(
            "It shows who wrote which line.",
            f"{_PLAIN_DIFF} -S:read --contents=read --ignore-revs-file=read --ignore-rev=",
            also=_of_contents,
        ),
    ),
    "cat-file": Spec("It prints objects of the repository.", "* --path=", also=_of_contents),
    "ls-files": reads("It lists names of files.", "* -X:read --exclude-from=read -x: --exclude= --with-tree=", "text*"),
    "grep": Spec(
        "It searches the files of the repository.",
        "* -O?run --open-files-in-pager?run -e: -f:read --max-depth= -A: -B: -C: -m: --max-count= --threads="
        " -l --files-with-matches --name-only -c --count -L -q --quiet --no-index",
        also=_grep,
    ),
    "archive": Spec(
        "It packs the files of a commit.",
        "-o:write --output=write --remote=none --exec=run --format= --prefix= --add-file=read --add-virtual-file="
        " --mtime="
        " -l --list -v --verbose --worktree-attributes -#",
        also=_archive,
    ),
    "ls-remote": Spec(
        "It lists branches of a remote.",
        "-bhtq -u:run --upload-pack=run --exec=run -o: --server-option= --sort= --heads --branches --tags --refs"
        " --quiet"
        " --exit-code --get-url --symref",
        also=_ls_remote,
    ),
    "fsck": Spec("It checks the repository.", "*", also=_fsck),
    "fsck-objects": Spec("It checks the repository.", "*", also=_fsck),
    "hash-object": Spec("It computes the name of a file's contents.", "* -w -t: --path=", "read*", also=_hash_object),
    "merge-file": Spec("It merges three files.", "* -L: -p --stdout", "read*", also=_merge_file),
    "interpret-trailers": Spec(
        "It reads or adds lines at the end of a message.", "* --in-place --trailer= --where=", "none*", also=_trailers
    ),
    "mailinfo": Spec("It takes a mail apart.", "* --encoding=", "write write"),
    "mailsplit": Spec("It takes a mailbox apart.", "* -o:write -d: -f:", "read*"),
    "fast-export": Spec("It prints the whole history.", f"{DIFF} --export-marks=write --import-marks=read"),
    "for-each-repo": Spec(
        "It runs a git command in many repositories.",
        "--config= --keep-going",
        "none*",
        also=_for_each_repo,
        wraps=True,
    ),
    **dict.fromkeys(
        ("bugreport", "diagnose"),
        Spec(
            "It writes a report on this installation.",
            "* -o:write --output-directory=write -s: --suffix=",
            does=(Effect("write", Risk.CHANGE, "It writes a report on this installation."),),
        ),
    ),
    "bundle": Spec(
        "It packs commits into a file.",
        verbs={
            "create": _bundle("writes"),
            "verify": reads("It checks a bundle.", "*"),
            "list-heads": reads("It lists what a bundle holds.", "*", "read text*"),
            "unbundle": changes("write", "It stores what a bundle holds in the repository.", "*", "read text*"),
        },
    ),
    "difftool": careful(
        "run", "It opens a program to compare files.", f"{DIFF} -x:run --extcmd=run -t: --tool= -g -y --gui --no-prompt"
    ),
    "mergetool": careful("run", "It opens a program to merge files."),
    "merge-index": Spec("It runs a program to merge files.", "-oq", "run text*", wraps=True),
    "hook": careful("project", "It runs hooks of the project."),
    "request-pull": Spec("It asks the remote, and prints a summary of what to pull.", "-p", also=_request_pull),
    "repo": known("It tells about the repository."),
}
