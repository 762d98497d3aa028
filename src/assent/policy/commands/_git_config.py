"""Git's settings: which of them make git run programs, lead it elsewhere, or take its safety nets away."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote
import os
import re
from collections.abc import Iterator

from assent.expressions import later
from assent.policy import sensitive, world
from assent.policy.commands._web import address, is_remote
from assent.policy.commands.spec import Finding, Invocation, Run, Spec, starts
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.spelling import Setting
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk


def _any(*patterns: str) -> re.Pattern[str]:
    return later("|".join(patterns))


# Names are compared in small letters; ``.+`` stands for the part in the middle: a remote, a driver, an address.
_RUNS = _any(
    r"core\.(?:pager|editor|sshcommand|gitproxy|askpass|fsmonitor|hookspath|alternaterefscommand)",
    r"sequence\.editor|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|interactive\.difffilter",
    r"diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)",
    r"credential\.(?:.+\.)?helper|pager\..+|hook\..+\.command|tar\..+\.command|trailer\..+\.(?:command|cmd)",
    r"(?:man|browser|difftool|mergetool|guitool)\..+\.(?:cmd|path)|(?:web|help)\.browser|instaweb\.\w+",
    r"sendemail\.(?:.+\.)?(?:smtpserver|sendmailcmd|tocmd|cccmd|headercmd)|imap\.tunnel",
    r"init\.templatedir|include\.path|includeif\..+\.path|uploadpack\.packobjectshook",
    r"remote\..+\.(?:uploadpack|receivepack|vcs)|submodule\..+\.update",
    r"lfs\.(?:customtransfer|extension)\..+|lfs\.(?:.+\.)?standalonetransferagent",
)
# What they name is a folder or a file that git obeys, not a line it runs.
_OBEYED = _any(r"core\.hookspath|init\.templatedir|include\.path|includeif\..+\.path|.+\.path")
_LEADS = _any(
    r"url\..+\.(?:push)?insteadof|remote\..+\.(?:url|pushurl|proxy|push|mirror)|lfs\.(?:.+\.)?(?:push)?url",
    r"https?\.(?:.+\.)?(?:proxy\w*|ssl\w+|extraheader|cookiefile|savecookies|delegation|followredirects|curloptresolve"
    r"|pinnedpubkey|emptyauth|schannel\w+)",
    r"protocol\.(?:.+\.)?allow|safe\.(?:directory|barerepository)|(?:receive|uploadpack|sendemail|imap|extensions)\..+",
    r"credential\..+|core\.(?:protecthfs|protectntfs|worktree|logallrefupdates)",
)
_THROWS = _any(r"clean\.requireforce|gc\.(?:.+\.)?(?:pruneexpire|reflogexpire\w*|worktreepruneexpire)")
_HARMLESS = _any(
    r"(?:color|column|advice|author|committer|log|status|stash|blame|pull|fetch|rebase|rerere|grep|i18n|index|feature"
    r"|gui|showbranch|transfer|versionsort|pack|notes|mailmap|format|checkout|clone|maintenance|completion|repack)\..+",
    r"user\.(?:name|email|signingkey|useconfigonly)|init\.defaultbranch|ssh\.variant|interactive\.singlekey",
    r"push\.\w+|merge\.\w+|diff\.(?!external)\w+|diff\..+\.(?:x?funcname|binary|wordregex|algorithm|cachetextconv)",
    r"commit\.\w+|tag\.\w+|gpg\.(?:format|mintrustlevel)|gpg\.ssh\.allowedsignersfile|help\.(?:autocorrect|format)",
    r"branch\.\w+|branch\..+\.(?:merge|rebase|description)|remote\..+\.(?:fetch|tagopt|prune|prunetags|skip\w+|promisor)",
    r"core\.(?:autocrlf|eol|safecrlf|ignorecase|precomposeunicode|quotepath|filemode|symlinks|abbrev|whitespace"
    r"|trustctime|checkstat|bigfilethreshold|\w*compression|packed\w+|preloadindex|untrackedcache|splitindex|comment\w+"
    r"|longpaths|multipackindex|commitgraph|usereplacerefs|notesref|warnambiguousrefs|fscache|fsync\w*|sparsecheckout\w*"
    r"|bare|deltabasecachelimit|sharedrepository|attributesfile|excludesfile|repositoryformatversion|maxtreedepth)",
    r"http\.(?:.+\.)?(?:postbuffer|version|lowspeed\w+|maxrequests|minsessions|useragent)|worktree\.\w+",
    r"gc\.(?:auto\w*|writecommitgraph|logexpiry|packrefs|aggressive\w+|cruft\w*)|(?:diff|merge)tool\.\w+",
    r"submodule\.\w+|submodule\..+\.(?:branch|active|ignore|shallow|fetchrecursesubmodules)|trailer\.\w+",
    r"lfs\.(?:concurrenttransfers|skipdownloaderrors|fetch\w+|allowincompletepush|.+\.locksverify|repositoryformatversion)",
    r"hub\.(?:host|protocol)|sequence\.\w+(?<!editor)",
)
# Programs that show or do nothing; switches that turn a program on or off; helpers that come with git.
_TAME = later(
    r"|cat|true|false|:|yes|no|on|off|1|0|(?:less|more|head|most|bat|delta)(?: -[-\w=/]+)*|(?:vi|vim|nvim|nano|emacs"
    r"|ed)"
    r"|code --wait|code -w|subl -w|gpg2?|ssh|ssh-keygen|checkout|merge|rebase|none",
    re.IGNORECASE,
)
_HELPERS = later(r"(?:cache|store|manager(?:-core)?|osxkeychain|libsecret|wincred)(?: --timeout[ =]\d+)?")
_SECRET = later(
    r"credential\..*(?:user|pass|token|secret)|.*(?:token|passw|passwd|password|secret|apikey|api-key)\w*"
    r"|https?\.(?:.+\.)?(?:extraheader|cookiefile|proxy)|sendemail\.(?:.+\.)?smtppass",
)
_SECRET_SOUGHT = later(r"credential|token|passw|secret|api.?key|extraheader|auth", re.IGNORECASE)


def _shown(text: str) -> str:
    return text.replace(HOLE, "…")[:200]


def is_secret(key: str) -> bool:
    """Whether a secret may stand under this name."""
    return _SECRET.fullmatch(key.lower()) is not None


def seeks_secrets(pattern: str) -> bool:
    return _SECRET_SOUGHT.search(pattern) is not None


def for_once(key: str, value: Arg) -> Iterator[Finding]:
    """``git -c key=value``: it holds for one command."""
    name, text = key.lower(), value.text
    if HOLE in name:
        yield care("dynamic", "Which setting of git it changes is known only when it runs.")
    elif name.startswith("alias."):
        if text.startswith("!"):
            yield danger("run", "It makes an alias that runs a line in a shell.", _shown(text))
            yield Run(line=Arg(text[1:], value.glob, value.splits))
    elif _RUNS.fullmatch(name):
        yield from _program(name, value, danger("run", f"{key} makes git run or load something.", _shown(text)))
    elif _THROWS.fullmatch(name):
        yield danger("history", f"{key} takes away what keeps git from deleting for good.", _shown(text))
    elif name.startswith("protocol.") or re.fullmatch(r"remote\..+\.(?:url|pushurl|push|mirror)", name):
        yield danger("send", f"{key} leads git to another place than this repository says.", _shown(text))
    elif _LEADS.fullmatch(name):
        yield care("fetch", f"{key} changes whom git talks to or trusts, for this command.", _shown(text))
    elif not _HARMLESS.fullmatch(name):
        yield care("unknown", f"Assent does not know git's setting {_shown(key)}.")


def for_good(key: str, value: Arg, *, everywhere: bool) -> Iterator[Finding]:
    """``git config key value``: it holds for this repository, or for all of the user's."""
    name, text = key.lower(), value.text
    if HOLE in name:
        yield care("dynamic", "Which setting of git it changes is known only when it runs.")
    elif name.startswith("alias."):
        if text.startswith("!"):
            yield danger("persist", "It makes an alias that runs a line in a shell.", _shown(text))
            yield Run(line=Arg(text[1:], value.glob, value.splits))
        else:
            yield care("persist", "It makes an alias, which later runs under another name.", _shown(text))
    elif _RUNS.fullmatch(name):
        why = f"{key} makes git run or load something, from now on."
        yield from _program(name, value, danger("persist", why, _shown(text)))
        yield _stays(everywhere)
    elif _THROWS.fullmatch(name):
        yield danger("persist", f"{key} takes away what keeps git from deleting for good.", _shown(text))
    elif _LEADS.fullmatch(name):
        yield danger("persist", f"{key} changes whom git talks to or trusts, from now on.", _shown(text))
    elif re.fullmatch(r"branch\..+\.(?:push)?remote|remote\.pushdefault", name):
        if re.search(r"[:/]", text):
            yield danger("persist", f"{key} leads git to another place, from now on.", _shown(text))
        else:
            yield _stays(everywhere)
    elif _HARMLESS.fullmatch(name):
        yield _stays(everywhere)
    else:
        yield care("unknown", f"Assent does not know git's setting {_shown(key)}.")


def _stays(everywhere: bool) -> Effect:
    if everywhere:
        return care("write", "It changes git's settings for all projects of the user.")
    return Effect("write", Risk.CHANGE, "It changes a setting of this repository.")


def _program(name: str, value: Arg, worst: Effect) -> Iterator[Finding]:
    text = value.text.strip()
    if name == "core.hookspath" and text in ("", "/dev/null"):
        yield care("history", "It switches the repository's hooks off.")
    elif name.endswith("helper") and _HELPERS.fullmatch(text):
        yield care("secret", "It lets git keep passwords with this helper.", _shown(text))
    elif not _TAME.fullmatch(text) or (text and _OBEYED.fullmatch(name)):
        yield worst
        if not _OBEYED.fullmatch(name):
            yield from starts(Arg(text.removeprefix("!")))


# --- the command


def _config(it: Invocation) -> Iterator[Finding]:
    action, words = _action(it)
    file = it.value("-f", "--file")
    if action == "read":
        if file is not None:
            yield it.path("read", file)
        yield from _read_settings(it, words)
    elif action == "edit":
        yield care("run", "It opens git's settings in an editor.")
    else:
        yield from _written(it, action, words, file)


def _action(it: Invocation) -> tuple[str, list[Arg]]:
    """What is done, and to which words. Newer ways to say it are verbs, older ones are options."""
    words = it.operands
    verb = words[0].text if words else ""
    if verb in ("list", "get", "set", "unset", "rename-section", "remove-section", "edit"):
        return {"list": "read", "get": "read", "rename-section": "section", "remove-section": "section"}.get(
            verb, verb
        ), words[1:]
    if it.has("-e", "--edit"):
        return "edit", words
    if it.has("--unset", "--unset-all"):
        return "unset", words
    if it.has("--rename-section", "--remove-section"):
        return "section", words
    if it.has("--add", "--replace-all"):
        return "set", words
    return ("set" if len(words) > 1 and not it.has(*_READS) else "read"), words


def _read_settings(it: Invocation, words: list[Arg]) -> Iterator[Finding]:
    is_pattern = it.has("--get-regexp", "--regexp")
    for word in words[:1]:
        if is_secret(word.text) or (is_pattern and seeks_secrets(word.text)):
            yield danger("secret", "A password may stand under this name.", _shown(word.text))


def _written(it: Invocation, action: str, words: list[Arg], file: Arg | None) -> Iterator[Finding]:
    if it.has("--system"):
        yield danger("privilege", "It changes git's settings for all users of this machine.")
    if file is not None:
        yield it.path("write", file)
    everywhere = it.has("--global")
    if action == "set":
        value = words[1] if len(words) > 1 else Arg("")
        yield from for_good(words[0].text if words else "", value, everywhere=everywhere)
    elif everywhere or any(_RUNS.fullmatch(word.text.lower()) or _LEADS.fullmatch(word.text.lower()) for word in words):
        yield care("persist", "It takes a setting away that git obeys.", ", ".join(_shown(word.text) for word in words))
    else:
        yield _stays(everywhere)


_READS = (
    "--get",
    "--get-all",
    "--get-regexp",
    "--get-urlmatch",
    "--get-color",
    "--get-colorbool",
    "-l",
    "--list",
    "--regexp",
)
CONFIG = Spec(
    "It reads or changes git's settings.",
    "-elz -f:none --file=none --blob= --global --system --local --worktree --get --get-all --get-regexp --get-urlmatch"
    " --get-color --get-colorbool --list --add --replace-all --unset --unset-all --rename-section --remove-section"
    " --edit"
    " --type= --bool --int --bool-or-int --bool-or-str --path --expiry-date --no-type --null --name-only --show-names"
    " --show-origin --show-scope --includes --no-includes --default= --fixed-value --all --regexp --value= --url="
    " --append"
    " --comment= --no-show-names",
    also=_config,
)


# Branches that others build on.
MAIN = later(r"(?:refs/heads/)?(?:main|master|trunk|develop|dev|production|prod|stable|release(?:[-/].*)?)")
# Remotes where a push is a deployment.
LIVE = later(r"(?:.*[-_.])?(?:heroku|dokku|prod|production|live|deploy|deployment)(?:[-_.].*)?", re.IGNORECASE)
# Files, not branches, go by such names.
_FILE = later(
    r".*\.(?:[A-Za-z][A-Za-z0-9]{1,5}|[chrm])|.*/|\.{1,2}(?:/.*)?|:[/(!^].*|Makefile|Dockerfile|LICENSE|README"
)
_LEAKED = later(
    r"AKIA|ghp_|gho_|sk_live|xox[bp]-|AIza|BEGIN.{0,12}PRIVATE|aws_secret|private_key|client_secret", re.IGNORECASE
)
_ALIAS_SECTION = later(r"\s*\[\s*alias\s*\]\s*", re.IGNORECASE)
_ALIAS = later(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*)")
_MOST_SETTINGS = 64 * 1024


def shown(arg: Arg) -> str:
    return arg.text.replace(HOLE, "…")[:200]


def is_on(it: Invocation, *options: str) -> bool:
    """Whether the switch is on in the end: git lets ``--no-force`` take ``--force`` back."""
    off = tuple(f"--no-{option[2:]}" for option in options if option.startswith("--"))
    state = False
    for option, _ in it.values:
        if option in options:
            state = True
        elif option in off:
            state = False
    return state


# --- revisions and paths


def may_be_file(it: Invocation, arg: Arg) -> bool:
    """``git checkout x``: a file is thrown back, a branch is switched to."""
    if arg.glob or _FILE.fullmatch(arg.text):
        return not _is_branch(it, arg)
    if HOLE in arg.text or it.cwd is None:
        return False
    return world.is_there(os.path.join(it.cwd, arg.text)) and not _is_branch(it, arg)


def _is_branch(it: Invocation, arg: Arg) -> bool:
    git = os.path.join(it.setting.project, ".git")
    kinds = ("refs/heads", "refs/tags", "refs/remotes/origin")
    if ".." in arg.text or not arg.known:
        return False
    return any(world.is_there(os.path.join(git, kind, arg.text)) for kind in kinds)


def is_everything(it: Invocation, arg: Arg) -> bool:
    return arg.text in (".", "./", "*", ":/", ":/*", ":", "**") or it.is_project(arg)


def secrets_of(it: Invocation, operands: list[Arg]) -> Iterator[Finding]:
    """Files that secrets go by, as they are or as they once were: ``.env``, ``HEAD:.env``."""
    for arg in operands:
        text = arg.text
        if text.startswith((":!", ":^", ":(exclude", "^")):
            continue
        path = text.partition(":")[2].removeprefix("(top)") if ":" in text else text
        if path and (sensitive.is_secret(path) or (":" not in text and arg.known and it.place(arg) == "secret")):
            yield danger("secret", "By its name, this file holds secrets, in the history as well.", shown(arg))


def outside_of(it: Invocation, operands: list[Arg]) -> Iterator[Finding]:
    """``git diff`` compares any two files once one of them is not the repository's."""
    for arg in operands:
        if arg.text.startswith(("/", "~", "../")) or it.has("--no-index"):
            yield it.path("read", arg)


def sought_secrets(values: list[Arg]) -> Iterator[Finding]:
    for value in values:
        if _LEAKED.search(value.text):
            yield danger("secret", "It looks for secrets that were once written down here.", shown(value))


# --- addresses


def is_address(text: str) -> bool:
    """Not the name of a remote."""
    return "://" in text or "::" in text or is_remote(text)


def is_path(text: str) -> bool:
    return text in (".", "..") or (text.startswith(("/", "./", "../", "~")) and not is_address(text))


def from_address(arg: Arg) -> Iterator[Finding]:
    """What talking to this address starts, beyond talking."""
    scheme, double, rest = arg.text.partition("::")
    if double and scheme.isalnum() and scheme not in ("http", "https"):
        if scheme == "ext":
            yield danger("run", "The address is a line that git runs.", shown(arg))
            yield Run(line=Arg(rest.replace("%S", "git").replace("% ", " "), arg.glob, arg.splits))
        else:
            yield danger("run", f"git would run a helper of its own for “{scheme}::”.", shown(arg))
    elif address(arg.text).host.startswith("-") or arg.text.startswith("-"):
        yield danger("run", "The address hides an option for ssh.", shown(arg))
    elif arg.splits and not arg.known:
        yield care("dynamic", "Where git connects to is known only when it runs.")


# --- aliases


def alias(name: str, setting: Setting, cwd: str | None) -> str | None:
    """What the user or the repository calls this, if a settings file that may be read says so."""
    git = world.git_folder(cwd or setting.project)
    # Worktrees share the settings of the repository they belong to.
    files = [os.path.join(git.partition("/worktrees/")[0], "config")] if git else []
    files += [os.path.join(setting.home, ".gitconfig"), os.path.join(setting.home, ".config/git/config")]
    for file in files:
        text = world.read_small(file, _MOST_SETTINGS)
        if text is not None and (expansion := _aliases(text).get(name.lower())) is not None:
            return expansion
    return None


def _aliases(text: str) -> dict[str, str]:
    aliases: dict[str, str] = {}
    is_inside = False
    for line in text.replace("\\\n", "").splitlines():
        if line.lstrip().startswith("["):
            is_inside = _ALIAS_SECTION.fullmatch(line) is not None
        elif is_inside and (entry := _ALIAS.fullmatch(line)):
            aliases[entry[1].lower()] = _unquoted(entry[2])
    return aliases


def _unquoted(text: str) -> str:
    """A value as git's settings files write it: quotes anywhere, a comment at its end."""
    made, is_quoted = "", False
    letters = iter(text)
    for letter in letters:
        if letter == "\\":
            escaped = next(letters, "")
            made += {"n": "\n", "t": "\t", "b": "\b"}.get(escaped, escaped)
        elif letter == '"':
            is_quoted = not is_quoted
        elif letter in "#;" and not is_quoted:
            break
        else:
            made += letter
    return made.strip()


def split(text: str) -> list[Arg] | None:
    """The words of an alias, as git parts them. None where a quote stays open."""
    words: list[str] = []
    word, is_open, quote = "", False, ""
    letters = iter(text)
    for letter in letters:
        if letter == "\\" and quote != "'":
            word, is_open = word + next(letters, ""), True
        elif quote:
            quote, word = ("", word) if letter == quote else (quote, word + letter)
        elif letter in "'\"":
            quote, is_open = letter, True
        elif letter.isspace():
            words += [word] if word or is_open else []
            word, is_open = "", False
        else:
            word += letter
    return None if quote else [Arg(each) for each in [*words, *([word] if word or is_open else [])]]
