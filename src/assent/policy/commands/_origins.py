"""Where a package comes from: a well-known registry, another one, an address, a folder."""

import re
from collections.abc import Iterator, Mapping

from assent.expressions import later
from assent.policy.commands.spec import Finding, Invocation, Spec, careful, changes, dangerous, each, known, queries
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# Registries that packages of the public come from, and their mirrors.
_REGISTRIES = later(
    r"https://(?:[\w.-]+@)?(?:pypi\.org|test\.pypi\.org|files\.pythonhosted\.org|download\.pytorch\.org|pypi\.nvidia\.com"
    r"|pypi\.tuna\.tsinghua\.edu\.cn|mirrors\.aliyun\.com|registry\.npmjs\.org|registry\.yarnpkg\.com|registry\.npmmirror\.com"
    r"|npm\.pkg\.github\.com|npm\.jsr\.io|jsr\.io|rubygems\.org|index\.crates\.io|static\.crates\.io|repo\d?\.maven\.(?:apache\.)?org"
    r"|repo\.maven\.apache\.org|plugins\.gradle\.org|api\.nuget\.org|packagist\.org|conda\.anaconda\.org|proxy\.golang\.org"
    r"|hex\.pm|pub\.dev|formulae\.brew\.sh|flathub\.org|dl\.flathub\.org)(?:/|$)"
)
_NEAR = later(r"https?://(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)")
_ADDRESS = later(
    r"(?:[\w.-]+\s*@\s*)?(?:git\+|hg\+|svn\+|bzr\+|git:|https?:|ftp:|ssh:|git@|github:|gitlab:|bitbucket:|gist:)"
)
_SHORT = later(r"(?![.@])[\w.-]+/[\w.-]+(?:#\S+)?")
# Assent and the agents it watches, by the names of their packages.
_GUARDS = later(
    r"assent(?:-\w+)?|@anthropic-ai/claude-code|claude-code|@openai/codex|codex|@google/gemini-cli|opencode(?:-ai)?"
    r"|cc-safety-net|[\w@/-]*(?:safety-net|guard(?:rails?)?|hooks?-guard|claude-hooks)"
)

SAFER = "take it from the registry, pinned to a version"


def from_address(arg: Arg, *, short: bool = False) -> Effect | None:
    """What is installed straight from an address runs its own steps then, unreviewed.

    ``short``: ``user/repo`` is an address on a well-known host, as with npm."""
    text = arg.text.strip()
    if _ADDRESS.match(text) or (short and _SHORT.fullmatch(text)):
        return danger("install", "It installs, and so runs, what lies at an address.", _shown(arg), SAFER)
    return None


def registry(arg: Arg, *, adds: bool = False) -> Effect | None:
    """Another registry may give another package by the same name."""
    text = arg.text
    if _REGISTRIES.match(text) or _NEAR.match(text) or (adds and text.startswith((".", "/"))):
        return None
    return danger("install", "It takes packages from a registry that few people know.", _shown(arg))


def names_guard(arg: Arg) -> bool:
    name = re.split(r"(?<=.)@|[=<>~!\[ ]", arg.text.strip(), maxsplit=1)[0]
    return _GUARDS.fullmatch(name.lower().replace("_", "-")) is not None


def guards(args: list[Arg], doing: str) -> Iterator[Finding]:
    """A guard that is taken away or replaced guards nothing any more."""
    for arg in args:
        if names_guard(arg):
            yield danger("tamper", f"It {doing} an agent or what watches over it.", _shown(arg))


def registries(it: Invocation, *options: str) -> Iterator[Finding]:
    for value in it.all_values(*options):
        effect = registry(value)
        if effect is not None:
            yield effect


def addresses(it: Invocation, *, short: bool = False) -> Iterator[Finding]:
    for arg in it.operands:
        effect = from_address(arg, short=short)
        if effect is not None:
            yield effect
        elif HOLE in arg.text:
            yield care("dynamic", "What it installs is known only when it runs.", _shown(arg))


def _publishes(it: Invocation) -> Iterator[Finding]:
    tried = it.value("--dry-run")
    if tried is not None and tried.text in ("", "--dry-run", "true") and not it.has("--no-dry-run"):
        yield care("project", "It packs the project as for publishing, and does not publish it.")
    else:
        yield danger("publish", "It publishes the project, and that cannot be taken back.")


PUBLISH = Spec("It publishes the project.", "* --dry-run? --no-dry-run", "none*", also=_publishes)
ACCOUNT = dangerous("publish", "It changes what others get, or who may publish it.")
LOGIN = dangerous("secret", "It takes or gives up the user's keys to the registry.")
SETTINGS = dangerous(
    "persist", "It changes settings that every later run obeys: where packages come from, what runs them."
)


def _shown(arg: Arg) -> str:
    return arg.text.replace(HOLE, "…")[:200]


PROJECT = careful("project", "It runs code of the project.")
TESTS = careful("project", "It runs tests of the project.")
BUILD = careful("project", "It builds the project, and what the project says runs then.")
INSTALL = careful("install", "It installs packages, and their scripts run then.")
REMOVE = careful("install", "It removes packages from the project.")
REMOVE_ALL = dangerous("delete", "It removes a program for everything that uses it.")
MADE_AGAIN = changes("delete", "It removes what was built, which is made again.")
NEW = changes("write", "It makes files of the project.")
FORMAT = changes("write", "It rewrites programs of the project.")
ITSELF = known("It only tells about itself.")
REPL = careful("run", "It starts an interpreter that waits for input.")
BROWSER = careful("fetch", "It opens a page in the browser.")


def described(why: str, options: str = "*", operands: str = "text*") -> Spec:
    """Looks at the project through its own description, which is a program: nothing else of the project runs."""
    return Spec(why, options, operands, does=(Effect("project", Risk.LOOK, why),))


def tool(
    why: str,
    top: str = "",
    *,
    looks: str = "",
    asks: str = "",
    project: str = "",
    tests: str = "",
    builds: str = "",
    installs: str = "",
    removes: str = "",
    cleans: str = "",
    makes: str = "",
    formats: str = "",
    publishes: str = "",
    accounts: str = "",
    logins: str = "",
    settings: str = "",
    more: Mapping[str, Spec] | None = None,
) -> Spec:
    """Each text names verbs; ``top`` are options before the verb, for which nothing may be left open."""
    return Spec(
        why,
        f"--version --help {top}",
        verbs={
            "": ITSELF,
            "help": ITSELF,
            "version": ITSELF,
            **each(looks, known("It tells about the project or about what is installed.")),
            **each(asks, queries("It asks the registry, and changes nothing there.")),
            **each(project, PROJECT),
            **each(tests, TESTS),
            **each(builds, BUILD),
            **each(installs, INSTALL),
            **each(removes, REMOVE),
            **each(cleans, MADE_AGAIN),
            **each(makes, NEW),
            **each(formats, FORMAT),
            **each(publishes, PUBLISH),
            **each(accounts, ACCOUNT),
            **each(logins, LOGIN),
            **each(settings, SETTINGS),
            **(more or {}),
        },
    )
