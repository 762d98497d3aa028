"""Other version control than git: Subversion, Mercurial, Jujutsu, Bazaar, Fossil, CVS; and windows onto"
" repositories."""

import re
from collections.abc import Iterator, Mapping

from assent.expressions import later
from assent.policy.commands._git_config import shown
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    Spec,
    careful,
    changes,
    dangerous,
    known,
    queries,
)
from assent.policy.effects import Effect, Kind, care, danger
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_THROWS = "It throws away changes that are not committed."
_ALL_FORCE = ("-f", "--force")


def _each(verbs: str, spec: Spec) -> dict[str, Spec]:
    return dict.fromkeys(verbs.split(), spec)


def _or_danger(
    kind: Kind, why: str, grave: Effect, switches: tuple[str, ...], risk: Risk = Risk.CHANGE, options: str = "*"
) -> Spec:
    """Tame unless one of the switches is on."""

    def found(it: Invocation) -> Iterator[Finding]:
        yield grave if it.has(*switches) else Effect(kind, risk, why, ", ".join(map(shown, it.operands))[:200])

    return Spec(why, f"{options} {' '.join(switches)}", also=found)


# --- Subversion

_SVN_GLOBAL = (
    "* --diff-cmd=run --diff3-cmd=run --editor-cmd=run --config-dir=config --config-option=config -r: --revision= -m:"
    " --message= -F:read --file=read --targets=read -x: --extensions= --username= --password= --depth= --changelist="
    " -c:"
    " -l: --limit= --force -q"
)
_SERVER = later(r"[a-z+]+://|\^/")


_TELLS_NAMES = later(r".* (?:list|ls|log|info|files?|manifest|locate|status|prop\w*|p[gl]\w*|mergeinfo|history)")


def _svn_asks(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        name = arg.text.removeprefix("^/").partition("@")[0]
        if not _TELLS_NAMES.fullmatch(it.name) and name and it.path("read", Arg(name)).kind == "secret":
            yield danger("secret", "By its name, this file holds secrets, in the history as well.", name)
        if "://" in arg.text:
            yield care("fetch", "It asks the server at this address.", shown(arg))


def _svn_changes(why: str, grave: str = "") -> Spec:
    """Given an address instead of a file, it is a commit at once."""

    def found(it: Invocation) -> Iterator[Finding]:
        if any(_SERVER.match(arg.text) or HOLE in arg.text[:1] for arg in it.operands):
            yield danger("remote", grave) if grave else care("publish", "It commits to the server at once.")
        elif grave and it.has("--force"):
            yield danger("delete", _THROWS)
        else:
            yield Effect("history", Risk.CHANGE, why)

    return Spec(why, _SVN_GLOBAL, also=found)


_SVN: Mapping[str, Spec] = {
    **_each("status stat st info help h ?", known("It tells about the files here.", _SVN_GLOBAL)),
    **_each(
        "log diff di blame praise annotate ann cat list ls propget pget pg proplist plist pl mergeinfo",
        Spec("It asks the server of this copy.", _SVN_GLOBAL, also=_svn_asks),
    ),
    **_each("update up switch sw", careful("fetch", "It brings changes in.", _SVN_GLOBAL)),
    **_each("checkout co export", careful("fetch", "It makes a copy.", _SVN_GLOBAL, "text write")),
    **_each("commit ci import", careful("publish", "It commits to the server.", _SVN_GLOBAL)),
    **_each(
        "delete del remove rm", _svn_changes("It removes a file that the server has.", "It deletes on the server.")
    ),
    **_each("add mkdir copy cp move mv rename ren propset pset ps propdel pdel pd", _svn_changes("It notes a change.")),
    **_each(
        "merge patch resolve resolved upgrade changelist cl", changes("history", "It changes files here.", _SVN_GLOBAL)
    ),
    **_each("lock unlock", careful("remote", "It locks or unlocks a file for all users.", _SVN_GLOBAL)),
    **_each("propedit pedit pe", careful("run", "It opens an editor.", _SVN_GLOBAL)),
    "auth": dangerous("secret", "It shows passwords that are kept, or deletes them.", "", _SVN_GLOBAL),
    "revert": dangerous("history", _THROWS, "svn diff > saved.patch first", _SVN_GLOBAL),
    "relocate": dangerous("persist", "It changes where this copy comes from.", "", _SVN_GLOBAL),
    "cleanup": _or_danger(
        "history",
        "It tidies up after what was interrupted.",
        danger("delete", "It deletes files that the server does not have."),
        ("--remove-unversioned", "--remove-ignored"),
    ),
}

# --- Mercurial

_HG_GLOBAL = "* -R:none --repository=none --cwd=none --config=none -T: --template= -r: --rev="
_HG_REMOTE = "* -e:run --ssh=run --remotecmd=run"
_HG_TAME = later(
    r"(?:ui\.(?!editor|ssh|merge|remotecmd|patch|pager)\w+|diff\.\w+|color\.\w+|progress\.\w+|phases\.\w+)=.*|extensions\.\w+="
)


def _elsewhere(it: Invocation, *options: str) -> Iterator[Finding]:
    """A repository keeps settings that name programs, and one that the line names need not be the project's."""
    for value in it.all_values(*options):
        if not it.is_project(value):
            yield care("run", "The settings of the repository that it names may run programs.", shown(value))


def _hg_settings(it: Invocation) -> Iterator[Finding]:
    yield from _elsewhere(it, "-R", "--repository", "--cwd")
    if it.has("--debugger"):
        yield danger("run", "It starts a debugger, which runs what comes in.")
    for value in it.all_values("--config"):
        if not _HG_TAME.fullmatch(value.text) or not value.known:
            yield danger("run", "This setting can make it run programs.", shown(value))


def _hg(verbs: str, spec: Spec) -> dict[str, Spec]:
    also = spec.also

    def found(it: Invocation) -> Iterator[Finding]:
        yield from _hg_settings(it)
        if also is not None:
            yield from also(it)

    options = f"{_HG_GLOBAL} {spec.options}"
    return _each(verbs, Spec(spec.why, options, spec.operands, spec.does, also=found, wraps=spec.wraps))


def _named(tells: str, makes: str) -> Spec:
    """Without a name it lists; with one it makes."""

    def found(it: Invocation) -> Iterator[Finding]:
        if it.has("-d", "--delete", "-f", "--force", "-m", "--rename"):
            yield care("history", makes)
        elif it.operands:
            yield Effect("history", Risk.CHANGE, makes)

    return Spec(tells, "*", also=found)


def _hg_config(it: Invocation) -> Iterator[Finding]:
    if it.has("-e", "--edit"):
        yield care("run", "It opens the settings in an editor.")
    if any(arg.text.startswith("auth") for arg in it.operands):
        yield danger("secret", "Passwords may stand under this name.")


def _hg_bisect(it: Invocation) -> Iterator[Finding]:
    yield Effect("history", Risk.CHANGE, "It checks out commits to search for one.")
    for line in it.all_values("-c", "--command"):
        yield Run(line=line)


_HG: Mapping[str, Spec] = {
    **_hg(
        "status st log history diff annotate blame files grep heads identify id manifest parents paths root"
        " summary sum"
        " tags branches help version verify tip locate",
        Spec("It prints the history, or what changed.", "* --style=read", also=_svn_asks),
    ),
    **_hg("cat", Spec("It prints files of a commit.", "* -o:write --output=write -r: --rev=", "read*")),
    **_hg("config showconfig", Spec("It shows settings.", "* -e --edit", also=_hg_config)),
    **_hg("incoming in outgoing out", queries("It asks the remote what is new.", _HG_REMOTE)),
    **_hg("bookmarks bookmark", _named("It lists bookmarks.", "It makes or moves a bookmark.")),
    **_hg("branch", _named("It tells the branch.", "It names the branch of the next commit.")),
    **_hg("phase", _named("It tells phases.", "It changes phases of commits.")),
    **_hg(
        "add addremove commit ci copy cp move mv rename forget merge graft backout import patch tag resolve init"
        " recover"
        " unshelve absorb amend uncommit",
        changes("history", "It makes or notes a change."),
    ),
    **_hg(
        "remove rm",
        _or_danger("history", "It removes files that the history has.", danger("delete", _THROWS), _ALL_FORCE),
    ),
    **_hg(
        "update up checkout co",
        _or_danger("history", "It switches to a commit.", danger("history", _THROWS), ("-C", "--clean")),
    ),
    **_hg(
        "shelve",
        _or_danger(
            "history",
            "It puts changes aside.",
            danger("history", "It deletes changes that were put aside."),
            ("-d", "--delete", "--cleanup"),
        ),
    ),
    **_hg(
        "revert",
        _or_danger(
            "history",
            "It puts files back and keeps copies of what it changes.",
            danger("history", _THROWS),
            ("-C", "--no-backup"),
            Risk.CARE,
        ),
    ),
    **_hg(
        "push",
        _or_danger(
            "publish",
            "It sends commits to the remote.",
            danger("history", "It overwrites what is on the remote."),
            _ALL_FORCE,
            Risk.CARE,
            _HG_REMOTE,
        ),
    ),
    **_hg("pull fetch unbundle", careful("fetch", "It brings commits in.", _HG_REMOTE)),
    **_hg("clone", careful("fetch", "It makes a copy of a repository.", _HG_REMOTE, "text write")),
    **_hg("rebase histedit fold split evolve", careful("history", "It rewrites commits.")),
    **_hg(
        "strip debugstrip rollback prune obsolete convert censor",
        dangerous("history", "It takes commits out of the history."),
    ),
    **_hg("purge clean", dangerous("delete", "It deletes files that the history does not have.", "hg purge --print")),
    **_hg("serve", dangerous("send", "It offers the repository to all who can reach this machine.")),
    **_hg("email", dangerous("publish", "It sends mail under the user's name.")),
    **_hg("bundle", Spec("It writes commits into a file.", "*", "write text*")),
    **_hg("archive", Spec("It writes the files of a commit elsewhere.", "*", "write")),
    **_hg("export", Spec("It prints commits as patches.", "* -o:write --output=write")),
    **_hg(
        "bisect", Spec("It searches for the commit that broke something.", "* -c:none --command=none", also=_hg_bisect)
    ),
}

# --- Jujutsu

_JJ_GLOBAL = (
    "* -R:none --repository=none --config=none --config-file=config --config-toml=none --tool=run -r: -T: --template="
    " -m:"
    " --message="
)


def _jj_settings(it: Invocation) -> Iterator[Finding]:
    yield from _elsewhere(it, "-R", "--repository")
    for value in it.all_values("--config", "--config-toml"):
        if not re.match(r"(?:ui\.(?:color|paginate|graph|log)|user\.|template)", value.text):
            yield danger("run", "This setting can make it run programs.", shown(value))


def _jj(verbs: str, spec: Spec) -> dict[str, Spec]:
    return _each(
        verbs, Spec(spec.why, f"{_JJ_GLOBAL} {spec.options}", spec.operands, spec.does, also=spec.also or _jj_settings)
    )


def _jj_config(it: Invocation) -> Iterator[Finding]:
    key = it.operand(0)
    if key is not None and re.match(r"ui\.(?:editor|pager|diff|merge)|aliases|merge-tools|fix|signing|git\.", key.text):
        yield danger("persist", "From now on it runs this program.", shown(key))
    else:
        yield care("write", "It changes settings of the user.")


def _jj_exec(it: Invocation) -> Iterator[Finding]:
    if it.operands:
        yield Run(args=tuple(it.operands))


_JJ_LOOKS = Spec("It prints the history, or what changed.", "*", also=_svn_asks)
_JJ_UNDOABLE = changes("history", "It changes commits in a way that “jj undo” takes back.")
_JJ_GIT: Mapping[str, Spec] = {
    **_jj("fetch clone", careful("fetch", "It brings commits in.")),
    **_jj(
        "push",
        _or_danger(
            "publish",
            "It sends commits to the remote.",
            danger("history", "It deletes branches on the remote."),
            ("--deleted", "--tracked-deleted"),
            Risk.CARE,
        ),
    ),
    **_jj("init import export root colocation", changes("history", "It connects the repository with git.")),
    "remote": Spec(
        "Other places of the repository.",
        verbs={
            **_jj("list", known("It lists remotes.")),
            **_jj("add rename", careful("persist", "It adds a place to fetch from and push to.")),
            **_jj("set-url", dangerous("persist", "It changes where later fetches and pushes go.")),
            **_jj("remove", careful("history", "It forgets a remote.")),
        },
    ),
}
_JJ: Mapping[str, Spec] = {
    **_jj("log status st show diff evolog obslog interdiff root help version", _JJ_LOOKS),
    "": _JJ_LOOKS,
    **_jj(
        "describe desc new commit ci edit squash split rebase restore undo redo duplicate parallelize absorb resolve"
        " backout"
        " revert next prev sign unsign simplify-parents metaedit diffedit unsquash move",
        _JJ_UNDOABLE,
    ),
    **_jj("abandon", careful("history", "It hides commits; “jj undo” takes that back.")),
    **_jj("fix run", careful("project", "It runs the programs that its settings name, over files.")),
    **_each(
        "bookmark b branch tag",
        Spec(
            "Names of commits.",
            verbs={
                **_jj("list l", _JJ_LOOKS),
                **_jj("create c set s move m rename r track t untrack", _JJ_UNDOABLE),
                **_jj("delete d forget f", careful("history", "It deletes a name; “jj undo” takes that back.")),
            },
        ),
    ),
    "file": Spec(
        "Files in commits.",
        verbs={**_jj("list show annotate search", _JJ_LOOKS), **_jj("track untrack chmod", _JJ_UNDOABLE)},
    ),
    **_each(
        "operation op",
        Spec(
            "What was done to the repository.",
            verbs={
                **_jj("log show diff", _JJ_LOOKS),
                **_jj("undo revert", careful("history", "It takes an operation back.")),
                **_jj("restore", dangerous("history", "It puts the whole repository back to an earlier state.")),
                **_jj("abandon", dangerous("history", "It forgets operations, and what only they could bring back.")),
            },
        ),
    ),
    "config": Spec(
        "Settings.",
        verbs={
            **_jj("list l get g path p", known("It shows settings.")),
            **_jj("set s unset u", Spec("It changes settings.", "--user --repo --workspace", also=_jj_config)),
            **_jj("edit e", careful("run", "It opens an editor.")),
        },
    ),
    "workspace": Spec(
        "Folders.",
        verbs={
            **_jj("list root", _JJ_LOOKS),
            **_jj("add", changes("history", "It makes a folder for other commits.", "*", "write")),
            **_jj("forget rename update-stale", careful("history", "It changes what is known of a folder.")),
        },
    ),
    "sparse": Spec(
        "Which files are there.",
        verbs={
            **_jj("list", _JJ_LOOKS),
            **_jj("set reset edit", changes("history", "It chooses which files are there.")),
        },
    ),
    "util": Spec(
        "Tools.",
        verbs={
            **_jj("completion config-schema mangen markdown-help", known("It tells about itself.")),
            **_jj("gc", dangerous("history", "It deletes what could still be brought back.")),
            "exec": Spec("It runs a command.", "", "none*", also=_jj_exec, wraps=True),
        },
    ),
    "git": Spec("How it works with git.", verbs=_JJ_GIT),
}

# --- Bazaar, Fossil, CVS

_BZR: Mapping[str, Spec] = {
    **_each("whoami nick", _named("It tells a name.", "It changes a name.")),
    **_each(
        "status st stat log diff di info annotate ann blame cat ls root revno version help missing heads tags"
        " branches plugins conflicts",
        Spec("It prints the history, or what changed.", "* --using=run", also=_svn_asks),
    ),
    **_each(
        "add commit ci mv move rename mkdir merge tag init shelve unshelve resolve switch ignore bind unbind",
        changes("history", "It makes or notes a change.", "* -F:read"),
    ),
    **_each("pull update up branch get clone checkout co", careful("fetch", "It brings commits in.")),
    **_each(
        "push dpush",
        _or_danger(
            "publish",
            "It sends commits to the remote.",
            danger("history", "It overwrites what is on the remote."),
            ("--overwrite",),
            Risk.CARE,
        ),
    ),
    **_each(
        "remove rm del",
        _or_danger("history", "It removes files.", danger("delete", _THROWS), ("--force", "--no-backup")),
    ),
    **_each("revert clean-tree", dangerous("history", _THROWS)),
    **_each("uncommit break-lock remove-branch rmbranch", dangerous("history", "It takes commits out of the history.")),
    **_each("serve send", dangerous("send", "It sends the project to others.")),
}
_FOSSIL_STASH: Mapping[str, Spec] = {
    **_each("list ls show cat diff gdiff", known("It shows what was put aside.")),
    **_each("save snapshot apply pop goto", changes("history", "It puts changes aside, or brings them back.")),
    **_each("drop rm", dangerous("history", "It deletes changes that were put aside.")),
}
_FOSSIL: Mapping[str, Spec] = {
    **_each(
        "status changes timeline info ls cat finfo annotate blame praise leaves help version whatis grep tree"
        " extras describe test-diff",
        Spec("It prints the history, or what changed.", "*", also=_svn_asks),
    ),
    **_each("diff gdiff", known("It shows what changed.", "* --command=run --diff-binary?")),
    **_each(
        "add addremove rm delete forget mv rename merge undo redo tag amend close init new bisect cherrypick",
        changes("history", "It makes or notes a change."),
    ),
    "branch": _named("It tells the branch.", "It makes or closes a branch."),
    "stash": Spec("Changes put aside.", "*", verbs=_FOSSIL_STASH),
    **_each("commit ci", careful("publish", "It makes a commit, and sends it on where that is set up.")),
    **_each("update up checkout co open", careful("fetch", "It brings commits in and switches to them.", "* --force")),
    **_each("sync push pull clone", careful("fetch", "It exchanges commits with the remote.")),
    **_each("revert clean", dangerous("history", _THROWS)),
    **_each(
        "purge scrub shun rebuild deconstruct sql sqlite all",
        dangerous("history", "It rewrites or empties the repository."),
    ),
    **_each("ui server serve http cgi ssh-server", dangerous("send", "It offers the repository over the network.")),
    **_each(
        "user configuration config settings set remote remote-url hook backoffice",
        careful("persist", "It changes settings of the repository."),
    ),
}
_CVS: Mapping[str, Spec] = {
    **_each("status log diff annotate history rlog rdiff version", queries("It asks the server of this copy.")),
    **_each(
        "update up checkout co export",
        _or_danger("fetch", "It brings changes in.", danger("history", _THROWS), ("-C",), Risk.CARE),
    ),
    **_each("commit ci import tag rtag", careful("publish", "It changes the server.")),
    **_each("add remove rm edit unedit", changes("history", "It notes a change.")),
    **_each("admin release", dangerous("history", "It changes the history on the server.")),
}

_SECRET_FILES: Mapping[str, Spec] = {
    **_each("reveal cat", dangerous("secret", "It shows files that are kept secret.")),
    **_each("list whoknows usage --version", known("It tells about secret files.")),
    **_each("init add hide changes clean", careful("secret", "It changes which files are kept secret.")),
    **_each("tell killperson removeperson remove", dangerous("secret", "It changes who can read secret files.")),
}

COMMANDS: dict[str, Spec] = {
    "svn": Spec("Subversion.", f"{_SVN_GLOBAL} --version", verbs={"": known("It shows its help."), **_SVN}),
    "svnlook": known("It looks into a repository.", "* --diff-cmd=run"),
    "svnversion": known("It tells the version of a copy."),
    "svnadmin": dangerous("history", "It works on the repository itself."),
    "svnsync": careful("remote", "It copies a repository from one server to another."),
    "hg": Spec(
        "Mercurial.",
        f"{_HG_GLOBAL} --version --help -h",
        verbs={"": known("It shows its help."), **_HG},
        also=_hg_settings,
    ),
    "jj": Spec("Jujutsu.", f"{_JJ_GLOBAL} --version --help", verbs=_JJ, also=_jj_settings),
    **_each("bzr brz", Spec("Bazaar.", "* --version", verbs={"": known("It shows its help."), **_BZR})),
    "fossil": Spec("Fossil.", "", verbs={"": known("It shows its help."), **_FOSSIL}),
    "cvs": Spec("CVS.", "-qQnltvfxw -d:host -e:run -z: -s: -T: -R", verbs=_CVS),
    "git-secret": Spec("Secret files in git.", verbs=_SECRET_FILES),
    **_each(
        "tig gitk lazygit gitui git-gui git-cola gitg ungit smartgit gitkraken sourcetree gitahead",
        careful("run", "It opens a window onto the repository, in which everything can be done."),
    ),
    **_each("bfg", dangerous("history", "It rewrites the whole history.")),
    "ghq": Spec(
        "Copies of repositories.",
        verbs={
            **_each("list root", known("It lists copies.")),
            **_each("get clone create", careful("fetch", "It makes a copy of a repository.")),
            "rm": dangerous("delete", "It deletes a copy with everything in it."),
        },
    ),
}
