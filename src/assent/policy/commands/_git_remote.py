"""Git's commands that talk to other machines: fetching, pushing, submodules, large files, mail."""

import re
from collections.abc import Iterator, Mapping

from assent.policy.commands._git_config import LIVE, MAIN, for_once, from_address, is_address, is_on, is_path, shown
from assent.policy.commands._git_throws import deinit
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, careful, changes, dangerous, known
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk


def _addresses(it: Invocation) -> list[Arg]:
    return [*(it.operands if it.has("--multiple") else it.operands[:1]), *it.all_values("--repo")]


def _fetch(it: Invocation) -> Iterator[Finding]:
    remotes = _addresses(it)
    if is_on(it, "--dry-run") and not any(is_address(arg.text) or not arg.known for arg in remotes):
        yield Effect("query", Risk.LOOK, "It asks the remote what is new, and changes no branch.")
    else:
        yield care("fetch", "It brings commits in from another machine.", ", ".join(map(shown, remotes)))
    for arg in remotes:
        yield from from_address(arg)


def _pull(it: Invocation) -> Iterator[Finding]:
    yield care("fetch", "It brings commits in and merges them into the files here.")
    yield Effect("history", Risk.CHANGE, "It merges commits into the files here.")
    for arg in _addresses(it):
        yield from from_address(arg)


def _clone(it: Invocation) -> Iterator[Finding]:
    source = it.operand(0)
    if source is not None:
        if is_path(source.text):
            yield it.path("read", source)
        yield care("fetch", "It brings a repository in.", shown(source))
        yield from from_address(source)
    if len(it.operands) > 1:
        yield it.path("write", it.operands[1])
    if it.has("--template"):
        yield danger("persist", "The copy gets its hooks from a folder, and git runs them.")
    for each in it.all_values("-c", "--config"):
        key, _, value = each.text.partition("=")
        yield from for_once(key, Arg(value, each.glob, each.splits))


def _push(it: Invocation) -> Iterator[Finding]:
    remotes = _addresses(it)
    refs = it.operands[1:]
    if is_on(it, "-n", "--dry-run"):
        yield care("fetch", "It asks the remote, and only tells what it would push.")
        return
    yield from _forced(it, refs)
    if it.has("-d", "--delete") or any(re.fullmatch(r":.+", arg.text) for arg in refs):
        yield danger("history", "It deletes branches or tags on the remote.", ", ".join(map(shown, refs)))
    if is_on(it, "--prune"):
        yield danger("history", "It deletes what is on the remote and not here.")
    for arg in remotes:
        yield from from_address(arg)
        if is_address(arg.text):
            yield danger("send", "It sends the project to an address that is no remote of it.", shown(arg))
        elif LIVE.fullmatch(arg.text):
            yield danger("remote", "A push to this remote goes live.", shown(arg))
    if is_on(it, "--no-verify"):
        yield care("history", "It pushes without the checks that the project's hooks make.")
    yield care("publish", "It sends commits to the remote.", ", ".join(map(shown, [*remotes, *refs]))[:200])


def _forced(it: Invocation, refs: list[Arg]) -> Iterator[Finding]:
    safer = "git push --force-with-lease"
    if is_on(it, "--mirror"):
        yield danger("history", "It makes the remote a copy of this: what is only there is deleted.")
    elif is_on(it, "-f", "--force") or any(arg.text.startswith("+") for arg in refs):
        yield danger(
            "history", "It overwrites commits on the remote, others' as well.", ", ".join(map(shown, refs)), safer
        )
    elif is_on(it, "--force-with-lease"):
        if any(MAIN.fullmatch(arg.text.rpartition(":")[2]) for arg in refs):
            yield danger(
                "history", "It overwrites commits of a branch that others build on.", ", ".join(map(shown, refs))
            )
        else:
            yield care("history", "It overwrites commits on the remote, unless others added some.")


def _remote_add(it: Invocation) -> Iterator[Finding]:
    yield care("persist", "It adds a place to fetch from and push to.", ", ".join(map(shown, it.operands)))
    for arg in it.operands[1:]:
        yield from from_address(arg)
    if it.has("--mirror"):
        yield care("history", "A push there would overwrite everything.")


def _set_url(it: Invocation) -> Iterator[Finding]:
    yield danger("persist", "It changes where later fetches and pushes go.", ", ".join(map(shown, it.operands)))
    for arg in it.operands[1:]:
        yield from from_address(arg)


def _remote_show(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        yield from from_address(arg)
    if any(is_address(arg.text) or not arg.known for arg in it.operands) and not it.has("-n"):
        yield care("fetch", "It asks another machine for its branches.")


def _submodule_add(it: Invocation) -> Iterator[Finding]:
    yield care("fetch", "It brings another repository into this one.", ", ".join(map(shown, it.operands)))
    for arg in it.operands[:1]:
        yield from from_address(arg)
    if len(it.operands) > 1:
        yield it.path("write", it.operands[1])


def _foreach(it: Invocation) -> Iterator[Finding]:
    """One word is a line for a shell; more of them are a command."""
    if len(it.operands) == 1:
        yield Run(line=it.operands[0])
    elif it.operands:
        yield Run(args=tuple(it.operands))


def _lfs_track(it: Invocation) -> Iterator[Finding]:
    if it.operands and not is_on(it, "--dry-run", "-d"):
        yield Effect("write", Risk.CHANGE, "It notes in .gitattributes which files are large.")


def _lfs_push(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands[:1]:
        if is_address(arg.text):
            yield danger("send", "It sends files to an address that is no remote of the project.", shown(arg))


_FETCHES = "* --multiple --upload-pack=run --dry-run --no-dry-run --depth= --deepen= --shallow-since="
" --shallow-exclude= -o: -j: --jobs="
_SECRETS = dangerous("secret", "It shows or stores the user's passwords.")

_HELPERS = ("store", "cache", "manager", "manager-core", "osxkeychain", "libsecret", "wincred", "netrc", "oauth")

_REMOTE = {
    "": known("It lists remotes."),
    "show": Spec("It tells about a remote.", "*", also=_remote_show),
    "get-url": known("It prints where a remote is."),
    "add": Spec("It adds a remote.", "-f -t: -m: --fetch --tags --no-tags --mirror?", also=_remote_add),
    "set-url": Spec("It changes where a remote is.", "--push --add --delete", also=_set_url),
    **{verb: careful("history", "It forgets a remote and what was fetched from it.") for verb in ("remove", "rm")},
    **{verb: careful("fetch", "It asks remotes and updates what is known of them.") for verb in ("update", "prune")},
    **{
        verb: changes("history", "It changes a setting of a remote.") for verb in ("rename", "set-head", "set-branches")
    },
}
_SUBMODULE = {
    **{verb: known("It tells about submodules.") for verb in ("", "status")},
    "summary": Spec("It tells about submodules.", "* -n: --summary-limit="),
    "add": Spec(
        "It adds a submodule.",
        "-f -q -b: --force --quiet --branch= --name= --reference=read --depth= --progress --ref-format=",
        also=_submodule_add,
    ),
    "update": careful("fetch", "It brings submodules in."),
    "foreach": Spec("It runs a line in every submodule.", "-q --quiet --recursive", "none*", also=_foreach, wraps=True),
    "deinit": deinit,
    "sync": careful("persist", "It takes over where submodules come from."),
    "set-url": careful("persist", "It changes where a submodule comes from."),
    **{
        verb: changes("history", "It changes settings of submodules.")
        for verb in ("init", "set-branch", "absorbgitdirs")
    },
}
_LFS = {
    **{
        verb: known("It tells about large files.")
        for verb in ("", "ls-files", "status", "env", "logs", "version", "help", "pointer", "locks", "ext", "fsck")
    },
    "track": Spec("It lists or notes large files.", "*", also=_lfs_track),
    "untrack": changes("write", "It notes in .gitattributes which files are large."),
    **{verb: careful("fetch", "It brings large files in.") for verb in ("pull", "fetch", "clone")},
    "checkout": changes("write", "It puts large files in their places."),
    "push": Spec(
        "It sends large files.", "*", does=(care("publish", "It sends large files to the remote."),), also=_lfs_push
    ),
    **{verb: careful("remote", "It locks or unlocks a file for all users.") for verb in ("lock", "unlock")},
    **{verb: careful("persist", "It changes git's settings and hooks.") for verb in ("install", "uninstall", "update")},
    "prune": careful("delete", "It deletes copies of large files that the remote has."),
    "dedup": changes("write", "It saves space."),
    "migrate": Spec(
        "It turns files into large files and back.",
        verbs={
            "info": known("It tells which files are large."),
            **{verb: dangerous("history", "It rewrites the whole history.") for verb in ("import", "export")},
        },
    ),
}
LFS = Spec("Large files.", "--version --help", verbs=_LFS)

VERBS: Mapping[str, Spec] = {
    "fetch": Spec("It fetches.", f"{_FETCHES} --refmap= --negotiation-tip=", also=_fetch),
    "pull": Spec("It fetches and merges.", f"{_FETCHES} -s: --strategy= -X:", also=_pull),
    "clone": Spec(
        "It makes a copy of a repository.",
        "* -u:run --upload-pack=run -c:none --config=none --template=none --separate-git-dir=write --reference=read"
        " --reference-if-able=read --bundle-uri=fetch -o: --origin= -b: --branch= --depth= --filter= -j: --jobs="
        " --shallow-since= --shallow-exclude= --server-option= --revision= --ref-format=",
        "none*",
        also=_clone,
    ),
    "push": Spec(
        "It pushes.",
        "-fdnquvz46 -o: --force --no-force --force-if-includes --no-force-if-includes --force-with-lease"
        " --no-force-with-lease --mirror --no-mirror --delete --prune --no-prune --all --branches --tags --no-tags"
        " --follow-tags --no-follow-tags --dry-run --no-dry-run --porcelain --quiet --verbose --progress --no-progress"
        " --set-upstream --repo= --receive-pack=run --exec=run --push-option= --signed? --no-signed --atomic"
        " --no-atomic"
        " --thin --no-thin --verify --no-verify --recurse-submodules? --no-recurse-submodules --ipv4 --ipv6",
        also=_push,
    ),
    "remote": Spec("Other places of the repository.", "-v --verbose", verbs=_REMOTE),
    "submodule": Spec("Repositories inside this one.", "-q --quiet --cached", verbs=_SUBMODULE),
    "lfs": LFS,
    "fetch-pack": careful("fetch", "It brings commits in.", "* --upload-pack=run --exec=run"),
    "send-pack": dangerous("history", "It pushes behind git's back.", "git push", "* --receive-pack=run --exec=run"),
    "http-push": dangerous("history", "It pushes behind git's back.", "git push"),
    "http-fetch": careful("fetch", "It brings commits in."),
    "backfill": careful("fetch", "It brings missing objects in."),
    **{verb: dangerous("publish", "It sends mail under the user's name.") for verb in ("send-email", "imap-send")},
    "credential": _SECRETS,
    **{f"credential-{helper}": _SECRETS for helper in _HELPERS},
    "daemon": dangerous("send", "It offers repositories to all who can reach this machine."),
    "instaweb": dangerous(
        "send", "It starts a web server that shows the repository.", "", "* -d:run --httpd=run -b:run --browser=run"
    ),
    "svn": careful("fetch", "It talks to a Subversion server, and may change it."),
    "p4": careful("fetch", "It talks to a Perforce server, and may change it."),
}
