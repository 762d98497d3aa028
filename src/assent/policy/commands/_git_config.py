"""Git's settings: which of them make git run programs, lead it elsewhere, or take its safety nets away."""

import re
from collections.abc import Iterator

from assent.policy.commands.spec import Finding, Invocation, Run, Spec, starts
from assent.policy.effects import Effect, care, danger
from assent.policy.words import HOLE, Arg
from assent.protocol.risk import Risk


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


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
_TAME = re.compile(
    r"|cat|true|false|:|yes|no|on|off|1|0|(?:less|more|head|most|bat|delta)(?: -[-\w=/]+)*|(?:vi|vim|nvim|nano|emacs"
    r"|ed)"
    r"|code --wait|code -w|subl -w|gpg2?|ssh|ssh-keygen|checkout|merge|rebase|none",
    re.IGNORECASE,
)
_HELPERS = re.compile(r"(?:cache|store|manager(?:-core)?|osxkeychain|libsecret|wincred)(?: --timeout[ =]\d+)?")
_SECRET = re.compile(
    r"credential\..*(?:user|pass|token|secret)|.*(?:token|passw|passwd|password|secret|apikey|api-key)\w*"
    r"|https?\.(?:.+\.)?(?:extraheader|cookiefile|proxy)|sendemail\.(?:.+\.)?smtppass",
)
_SECRET_SOUGHT = re.compile(r"credential|token|passw|secret|api.?key|extraheader|auth", re.IGNORECASE)


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
        yield danger("privilege", "It changes git's settings for everybody on this machine.")
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
