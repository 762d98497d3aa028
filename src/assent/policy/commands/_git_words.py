"""What words of a git command mean: switches that may be taken back, addresses, revisions and paths, aliases."""

# ruff: noqa: PTH118 - paths here are text that an agent wrote

import os
import re
from collections.abc import Iterator

from assent.policy import sensitive, world
from assent.policy.commands._web import address, is_remote
from assent.policy.commands.spec import Finding, Invocation, Run
from assent.policy.effects import care, danger
from assent.policy.spelling import Setting
from assent.policy.words import HOLE, Arg

# Branches that others build on.
MAIN = re.compile(r"(?:refs/heads/)?(?:main|master|trunk|develop|dev|production|prod|stable|release(?:[-/].*)?)")
# Remotes where a push is a deployment.
LIVE = re.compile(r"(?:.*[-_.])?(?:heroku|dokku|prod|production|live|deploy|deployment)(?:[-_.].*)?", re.IGNORECASE)
# Files, not branches, go by such names.
_FILE = re.compile(
    r".*\.(?:[A-Za-z][A-Za-z0-9]{1,5}|[chrm])|.*/|\.{1,2}(?:/.*)?|:[/(!^].*|Makefile|Dockerfile|LICENSE|README"
)
_LEAKED = re.compile(
    r"AKIA|ghp_|gho_|sk_live|xox[bp]-|AIza|BEGIN.{0,12}PRIVATE|aws_secret|private_key|client_secret", re.IGNORECASE
)
_ALIAS_SECTION = re.compile(r"\s*\[\s*alias\s*\]\s*", re.IGNORECASE)
_ALIAS = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*)")
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
        if text is not None and (found := _aliases(text).get(name.lower())) is not None:
            return found
    return None


def _aliases(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    is_inside = False
    for line in text.replace("\\\n", "").splitlines():
        if line.lstrip().startswith("["):
            is_inside = _ALIAS_SECTION.fullmatch(line) is not None
        elif is_inside and (entry := _ALIAS.fullmatch(line)):
            found[entry[1].lower()] = _unquoted(entry[2])
    return found


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
