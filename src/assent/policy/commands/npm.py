"""npm, which the other package managers of JavaScript resemble."""

from collections.abc import Iterator

from assent.policy.commands import _js
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsInput,
    Spec,
    careful,
    changes,
    dangerous,
    each,
    known,
    queries,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

# Every option of npm is a setting, and some settings name programs: only these are known to be harmless.
LOOKS = (
    "-a -l -g -p -v -h --all --long --global --json --parseable --depth= --link --unicode? --package-lock-only"
    " --omit= --include= -w: --workspace= --workspaces -ws? --include-workspace-root --production --prod --dev"
    " --only= --location= --audit-level= --loglevel= --silent -s -q --quiet --color? --no-color --no-fund --no-audit"
    " --tag= --searchlimit= --searchopts= --searchexclude= --no-description --offline --prefer-online"
    " --prefer-offline --legacy-peer-deps --force -f --diff= --diff-name-only --diff-unified= --expect-results"
    " --sbom-format= --sbom-type= --missing --version --versions --help --usage -D -P --recursive -r --filter= -F:"
    " --cwd=read -C:read --dir=read --prefix=read --since= --compatible --format= --only-projects --lockfile-only"
    " --registry=host --pattern= --no-pager --severity= --level= --groups= --group= --environment= --no-default-rc"
)
TREE = known("Looks at what is installed and prints it.", LOOKS)
ASKS = queries("Asks the registry, and changes nothing there.", LOOKS)
_BROWSER = careful("fetch", "It opens a page in the browser.")
CLEAN = changes("delete", "It empties a cache that fills again.")
_TIDY = Spec("It installs or removes packages, and scripts run then.", f"* {_js.STEERING}", "none*", also=_js.installs)
PACK = careful(
    "project",
    "It packs the project, and scripts of the project run before that.",
    "* --pack-destination=write --out=write -o:write",
)


def or_lists(it: Invocation) -> Iterator[Finding]:
    yield from _js.steered(it)
    if it.operands:
        yield from _js.script(it, it.operands[0], _js.dashless(it.operands[1:]))
    else:
        yield nothing("It lists the project's scripts.")


def of_name(name: str) -> Spec:
    def found(it: Invocation) -> Iterator[Finding]:
        yield from _js.steered(it)
        yield from _js.script(it, Arg(name), _js.dashless(it.operands))

    return Spec("It runs a script of the project.", f"{RUN_OPTIONS} *", "none*", also=found)


RUN_OPTIONS = (
    "-s --silent --if-present -w: --workspace= --workspaces -ws? --include-workspace-root --ignore-scripts"
    " --foreground-scripts"
    " -r --recursive --parallel --stream --aggregate-output --no-bail --bail --filter= -F: --sequential"
    " --resume-from= --reporter="
    " --top-level -T -B --binaries-only --inspect? --inspect-brk? --bun -b --watch --hot --env-file=read --shell="
    " --elide-lines= -q --quiet --json"
    f" --loglevel= --color? --no-color {_js.STEERING}"
)
RUN = Spec("It runs a script of the project.", RUN_OPTIONS, "none*", also=or_lists, wraps=True)


def _config(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    if verb in ("", "list", "ls", "get", "current"):
        if any(
            "_auth" in arg.text.lower() or "password" in arg.text.lower() or "token" in arg.text.lower()
            for arg in it.operands
        ):
            yield danger("secret", "It prints the user's key to the registry.")
        else:
            yield nothing("It prints settings; keys among them are masked.")
    elif HOLE in verb:
        yield care("dynamic", "What it does with settings is known only when it runs.")
    elif verb in ("set", "delete", "rm", "unset", "edit", "fix", "import", "--set"):
        yield danger(
            "persist", "It changes settings that every later run obeys: where packages come from, what runs them."
        )
    else:
        yield care("unknown", f"Assent does not know “{it.name} {verb}”.")


CONFIG = Spec(
    "It shows or changes settings.",
    "-gl -L: --location= --global --json --long --show-origin --verbose --why --no-defaults --home -H",
    "none*",
    also=_config,
)


def _pkg(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    keys = [arg.text for arg in it.operands[1:]]
    if verb == "get":
        yield nothing("It prints what stands in package.json.")
    elif verb in ("set", "delete") and all(HOLE not in key for key in keys):
        if any(key.replace("[", ".").startswith(_OBEYED_KEYS) for key in keys):
            yield danger("persist", "It changes what runs when the project is installed, tested or built.")
        else:
            yield Effect("write", Risk.CHANGE, "It edits package.json.", "package.json")
    else:
        yield care("unknown", f"Assent does not know “{it.name} {verb}”.".replace(HOLE, "…"))


_OBEYED_KEYS = (
    "scripts",
    "bin",
    "husky",
    "hooks",
    "lint-staged",
    "publishConfig",
    "config",
    "pnpm",
    "simple-git-hooks",
    "overrides",
    "resolutions",
)


PKG = Spec(
    "It shows or edits package.json.", "--json -w: --workspace= -ws? --workspaces -f --force", "none*", also=_pkg
)


def _init(it: Invocation) -> Iterator[Finding]:
    yield from _js.steered(it)
    if it.operands:
        name = it.operands[0].text
        yield care("run", "It downloads a package and runs it to make a project.", name)
        if (address := _js.address(it.operands[0])) is not None:
            yield address
    else:
        yield Effect("write", Risk.CHANGE, "It makes a package.json.", "package.json")


_INIT = Spec("It makes a project.", f"* -w: --init-author-name= {_js.STEERING}", "none*", also=_init)


def _audits(it: Invocation) -> Iterator[Finding]:
    yield from _js.steered(it)
    if it.has("--fix") or (it.operands and it.operands[0].text == "fix"):
        yield care("install", "It replaces packages by others, and their scripts run then.")
    else:
        yield Effect("query", Risk.LOOK, "It asks the registry about known weaknesses.")


AUDIT = Spec(
    "It asks the registry about known weaknesses.",
    f"{LOOKS.replace('--registry=host', '').replace('--cwd=read -C:read --dir=read --prefix=read', '')} --fix"
    f" {_js.STEERING} --ignore= --ignore-unfixable -n:",
    "none*",
    also=_audits,
)


def _versions(it: Invocation) -> Iterator[Finding]:
    if it.operands or it.has("--new-version", "--patch", "--minor", "--major"):
        yield care("history", "It raises the version, commits and tags that, and scripts of the project run.")
    else:
        yield nothing("It prints versions.")


VERSION = Spec("It prints or raises the version.", "* --new-version=", "none*", also=_versions)


def lists_or(list_verbs: str, otherwise: Spec) -> Spec:
    """``npm owner ls``: listing is harmless, changing is not."""
    return Spec(
        "It asks the registry, or changes something there.",
        LOOKS.replace("--registry=host", "--registry= --otp= --scope="),
        verbs={**each(list_verbs, ASKS), "*": otherwise},
    )


def _explores(it: Invocation) -> Iterator[Finding]:
    rest = [arg for arg in it.operands[1:] if arg.text != "--"]
    if rest:
        yield Run(args=tuple(rest))
    else:
        yield RunsInput("sh")


_NPM_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself.", "-vhl --version --versions --help"),
    **each(
        "help hlep help-search root prefix bin completion",
        known("It only tells about itself.", "-g --global -h -l --long --prefix=read"),
    ),
    **each("ls list ll la explain why query sbom fund", TREE),
    **each("view v info show search s se find outdated ping whoami diff stars doctor", ASKS),
    **each("bugs issues docs home repo", _BROWSER),
    **each(
        "install i in ins inst insta instal isnt isnta isntal isntall add ci ic clean-install install-clean"
        " isntall-clean",
        _js.INSTALL,
    ),
    **each(
        "install-test it install-ci-test cit clean-install-test sit update up upgrade udpate link ln dedupe ddp"
        " prune rebuild rb",
        _TIDY,
    ),
    **each("uninstall un unlink remove rm r", _js.REMOVE),
    "audit": AUDIT,
    **each("run run-script rum urn", RUN),
    **{name: of_name(name) for name in ("test", "start", "stop", "restart")},
    **each("t tst", of_name("test")),
    **each("exec x", _js.EXEC),
    **each("config c", CONFIG),
    "get": known("It prints settings; keys among them are masked.", LOOKS),
    **each("set set-script", _js.SETTINGS),
    "pkg": PKG,
    **each("init create innit", _INIT),
    **each("version verison", VERSION),
    "pack": PACK,
    "cache": Spec(
        "It looks after the cache.",
        "--cache=read -f --force",
        verbs={
            **each("ls list verify", known("It lists the cache.")),
            **each("clean clear rm", CLEAN),
            "add": careful("fetch", "It downloads a package."),
        },
    ),
    "shrinkwrap": changes("write", "It writes npm-shrinkwrap.json."),
    "explore": Spec("It runs a command in a package's folder.", "--shell=run", "none*", also=_explores, wraps=True),
    "edit": careful("run", "It opens an editor in an installed package."),
    **each("publish unpublish", _js.PUBLISH),
    **each("deprecate undeprecate star unstar trust stage", _js.ACCOUNT),
    **each("owner author", lists_or("ls list", _js.ACCOUNT)),
    **each("access", lists_or("list ls get", _js.ACCOUNT)),
    **each("dist-tag dist-tags", lists_or("ls list", _js.ACCOUNT)),
    **each("team org ogr hook", lists_or("ls list", _js.ACCOUNT)),
    "profile": lists_or("get", _js.LOGIN),
    **each("login adduser add-user logout", _js.LOGIN),
    "token": dangerous("secret", "It shows, makes or takes back the user's keys to the registry."),
}

TOP = (
    "-vhg -s -q -w: --workspace= --workspaces -ws? --loglevel= --silent --version --help --json"
    " --global --location= --color? --no-color"
)


_RUN_VERBS = ("run", "run-script", "rum", "urn")


_WORDS = Spec("The words among options of the verb.", f"* {_js.STEERING}")


def top(it: Invocation) -> Iterator[Finding]:
    yield from _js.steered(it)
    if _js.folder(it) is not None:
        # The script is one of that folder, and only here both are in sight.
        words = Invocation(it.name, tuple(it.operands), _WORDS, it.setting, it.cwd).operands
        for name in words[1:2] if words and words[0].text in _RUN_VERBS else words[:1]:
            if it.name != "npm" or words[0].text in (*_RUN_VERBS, "test", "t", "tst", "start", "stop", "restart"):
                yield from _js.lines(it, name, [])
    if (
        it.operands
        and it.has("-g", "--global", "--location")
        and it.operands[0].text in ("uninstall", "un", "unlink", "remove", "rm", "r")
    ):
        yield danger("delete", "It removes a program for everything that uses it.")


COMMANDS: dict[str, Spec] = {
    **each("npm cnpm", Spec("The package manager of Node.", f"{TOP} {_js.STEERING}", verbs=_NPM_VERBS, also=top)),
    **each("npx bunx pnpx pnx", _js.EXEC),
}
