"""Package managers of Ruby, PHP, Perl, Lua and Apple's projects."""

from collections.abc import Iterator

from assent.policy.commands import _origins, _recipes
from assent.policy.commands._either import either
from assent.policy.commands._origins import ACCOUNT, ITSELF, LOGIN, MADE_AGAIN, PUBLISH, tool
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsFile,
    Spec,
    careful,
    changes,
    dangerous,
    each,
    known,
    queries,
)
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import HOLE, Arg

# --- Ruby


def _gem_installs(it: Invocation) -> Iterator[Finding]:
    yield care("install", "It installs packages, and their scripts run then.")
    yield from _origins.registries(it, "-s", "--source", "--clear-sources")
    for arg in (*it.operands, *it.all_values("--git", "-g")):
        if (effect := _origins.from_address(arg)) is not None:
            yield effect
    if it.has("-P", "--trust-policy") and any(
        value.text.lower().startswith("no") for value in it.all_values("-P", "--trust-policy")
    ):
        yield danger("install", "It does not check where packages come from.")
    yield from _origins.guards(it.operands, "replaces")


_GEM_INSTALL = Spec(
    "It installs packages, and their scripts run then.",
    "* -s:none --source=none -i:write --install-dir=write -n:write --bindir=write -v: --version= -P:none"
    " --trust-policy=none"
    " --git=none --file=read -g:read -p:danger --http-proxy=danger",
    "none*",
    also=_gem_installs,
)


def _gem_sources(it: Invocation) -> Iterator[Finding]:
    if not it.operands and not it.unknown and all(option in ("-l", "--list") for option, _ in it.values):
        yield nothing("It lists sources.")
    else:
        yield danger("persist", "It changes where packages come from, from now on.")


def _gem_removes(it: Invocation) -> Iterator[Finding]:
    if it.operands:
        yield care("install", "It removes packages.")
    else:
        yield danger("delete", "It removes all packages.")
    yield from _origins.guards(it.operands, "removes")


def _gem_exec(it: Invocation) -> Iterator[Finding]:
    yield care("run", "It runs a program of a package, and downloads that if it is not there.")
    if it.operands:
        yield Run(args=tuple(it.operands))


_GEM = Spec(
    "The package manager of Ruby.",
    "-vhV --version --help --config-file=config -C:read --norc --debug --silent --quiet",
    verbs={
        "": ITSELF,
        **each(
            "list query contents dependency environment env which specification info help",
            known("It tells what is installed.", "* -s:host --source=host -r --remote -b --both --config-file=config"),
        ),
        **each(
            "search outdated", queries("It asks the registry, and changes nothing there.", "* -s:host --source=host")
        ),
        **each("install i update", _GEM_INSTALL),
        "fetch": careful("fetch", "It downloads a package."),
        "uninstall": Spec("It removes packages.", "*", "none*", also=_gem_removes),
        **each("cleanup pristine rebuild", careful("install", "It removes or restores packages.")),
        "sources": Spec("It lists or changes sources.", "*", "none*", also=_gem_sources),
        "exec": Spec(
            "It runs a program of a package.",
            "-g: --gem= -v: --version= --conservative --prerelease",
            "none*",
            also=_gem_exec,
            wraps=True,
        ),
        "build": careful("project", "It packs the project.", "* -o:write --output=write"),
        **each("push", PUBLISH),
        **each("yank owner", ACCOUNT),
        **each("signin signout", LOGIN),
        **each("cert", dangerous("secret", "It uses or trusts keys.")),
        **each("unpack", careful("write", "It unpacks a package.")),
        **each("open", careful("run", "It opens an editor.")),
        "server": careful("send", "It serves packages to others."),
        "generate_index": changes("write", "It writes a list of packages."),
        "mirror": careful("fetch", "It downloads all packages."),
    },
)


def _bundle_exec(it: Invocation) -> Iterator[Finding]:
    yield care("project", "It runs a command with the packages of the project.")
    if it.operands:
        yield Run(args=tuple(it.operands))


def _bundle_config(it: Invocation) -> Iterator[Finding]:
    words = [arg.text for arg in it.operands]
    names = words[1:] if words[:1] in (["set"], ["get"], ["unset"], ["list"]) else words
    if words[:1] in (["set"], ["unset"]) or (len(words) > 1 and words[0] not in ("get", "list")) or it.has("--delete"):
        is_local = any(
            name in ("path", "without", "with", "deployment", "jobs", "frozen", "bin", "clean", "retry")
            for name in names
        )
        yield (
            care("persist", "It changes settings of the project.")
            if is_local
            else danger(
                "persist", "It changes settings that every later run obeys: where packages come from, and keys."
            )
        )
    else:
        yield nothing("It prints settings; keys among them are masked.")


_BUNDLE_INSTALL = careful(
    "install",
    "It installs what the project needs, and its scripts run then.",
    "* --path=write --gemfile=file --full-index --source=danger",
)
_BUNDLE_ADD = Spec(
    "It adds packages.",
    "* --source=none -s:none --git=none --github=none --path=none -v: --version= -g: --group=",
    "none*",
    also=_gem_installs,
)
_BUNDLE = Spec(
    "It looks after the packages of a project of Ruby.",
    "-vhV --version --help --no-color --retry= --verbose --gemfile=config -r:",
    verbs={
        "": _BUNDLE_INSTALL,
        **each("-v -V -h", ITSELF),
        **each(
            "list show info check version env platform help doctor viz licenses why",
            known("It tells what is installed.", "* -f:write --file=write --gemfile=file"),
        ),
        "outdated": queries("It asks the registry for newer versions."),
        **each("install update i package cache pristine lock", _BUNDLE_INSTALL),
        "add": _BUNDLE_ADD,
        **each("remove clean", careful("install", "It removes packages.")),
        **each(
            "exec e",
            Spec(
                "It runs a command with the packages of the project.",
                "--keep-file-descriptors --no-keep-file-descriptors --gemfile=file",
                "none*",
                also=_bundle_exec,
                wraps=True,
            ),
        ),
        "config": Spec(
            "It shows or changes settings.", "* --delete --global --local --parseable", "none*", also=_bundle_config
        ),
        "console": careful("run", "It starts an interpreter that waits for input."),
        **each("init gem binstubs", changes("write", "It makes files of the project.")),
        "open": careful("run", "It opens an editor."),
        "plugin": careful("install", "Plugins run with every later command."),
        "audit": queries("It asks about known weaknesses.", ""),
    },
)

# --- PHP


def _composer_installs(it: Invocation) -> Iterator[Finding]:
    yield care("install", "It installs packages, and their scripts and plugins run then.")
    for value in it.all_values("--repository", "--repository-url"):
        yield danger("install", "It takes packages from a source that few people know.", value.text)
    if it.has("--no-secure-http"):
        yield danger("install", "It does not check who it downloads from.")
    yield from _origins.guards(it.operands, "replaces")


def _composer_config(it: Invocation) -> Iterator[Finding]:
    names = [arg.text for arg in it.operands]
    is_key = any(word in name for name in names for word in ("oauth", "token", "basic", "bearer", "auth"))
    if it.has("-l", "--list") or (len(names) == 1 and not it.has("--unset", "-e", "--editor")):
        yield (
            danger("secret", "It prints keys to registries.")
            if is_key or it.has("-a", "--auth")
            else care("secret", "It prints settings, and keys may be among them.")
            if it.has("-l", "--list")
            else nothing("It prints a setting.")
        )
    else:
        yield danger("persist", "It changes settings that every later run obeys: sources, plugins, scripts, keys.")


def _composer_script(it: Invocation) -> Iterator[Finding]:
    words = (
        [arg.text for arg in it.operands]
        if it.name.endswith(("run", "run-script", "exec"))
        else [it.name.rpartition(" ")[2]]
    )
    yield care("project", "It runs a script of the project.", words[0] if words else "")
    if it.name.endswith(" exec") and it.operands:
        yield Run(args=tuple(arg for arg in it.operands if arg.text != "--"))
    for name in words[:1]:
        for line in _recipes.scripts(it, name, "composer.json"):
            yield Run(
                line=Arg(
                    f"composer run-script {line[1:]}"
                    if line.startswith("@") and not line.startswith("@php")
                    else line.replace("@php", "php", 1)
                )
            )


_RUN = Spec(
    "It runs a script of the project.",
    "--dev --no-dev -l --list --timeout= -q -v",
    "none*",
    also=_composer_script,
    wraps=True,
)
_COMPOSER_INSTALL = Spec(
    "It installs packages.",
    "* --repository=none --repository-url=none --no-secure-http -d:write --working-dir=write",
    "none*",
    also=_composer_installs,
)
_COMPOSER = Spec(
    "The package manager of PHP.",
    "-vqnVh --version --help --quiet --verbose --no-interaction --no-plugins --no-scripts -d:config"
    " --working-dir=config --no-cache --ansi --no-ansi --profile",
    verbs={
        "": ITSELF,
        **each(
            "show info list help about licenses depends why why-not prohibits suggests fund status"
            " check-platform-reqs diagnose",
            known("It tells what is installed.", "* -d:config --working-dir=config"),
        ),
        "validate": known("It checks composer.json.", "* -d:config --working-dir=config", "read*"),
        **each(
            "search outdated audit",
            queries("It asks the registry, and changes nothing there.", "* -d:config --working-dir=config"),
        ),
        **each("browse home", careful("fetch", "It opens a page in the browser.")),
        **each("install i update u upgrade require r reinstall create-project bump", _COMPOSER_INSTALL),
        **each("remove rm uninstall", careful("install", "It removes packages from the project.")),
        **each("dump-autoload dumpautoload", changes("write", "It writes how classes are found.")),
        **each("run run-script exec", _RUN),
        "config": Spec(
            "It shows or changes settings.",
            "* -g --global -l --list --unset -e --editor -a --auth",
            "none*",
            also=_composer_config,
        ),
        "global": Spec(
            "It works for all projects.",
            "",
            verbs={
                **each("show info outdated", known("It tells what is installed.")),
                "config": _origins.SETTINGS,
                **each("remove", dangerous("delete", "It removes a program for everything that uses it.")),
                "*": careful("install", "It installs for all projects, not for this one alone."),
            },
        ),
        **each("clear-cache clearcache cc", MADE_AGAIN),
        "init": changes("write", "It makes files of the project."),
        "archive": careful("write", "It packs the project."),
        **each("self-update selfupdate", careful("install", "It replaces itself by another version.")),
        "*": Spec(
            "It runs a script of the project.", "* --help?project --version?project", "none*", also=_composer_script
        ),
    },
)

# --- Perl, Lua, Apple


def _cpan(it: Invocation) -> Iterator[Finding]:
    if it.has("-v", "-V", "--version", "--info") or (it.has("-l", "-L", "-D") and not it.has("-i")):
        yield nothing("It tells what is installed.")
    else:
        yield care("install", "It installs packages, and their scripts run then.")
        for arg in it.operands:
            if arg.text.startswith(("http:", "https:", "git:")) or HOLE in arg.text:
                yield danger("install", "It installs, and so runs, what lies at an address.", arg.text)
        yield from _origins.registries(it, "--mirror", "--from", "-M")


_POD = tool(
    "A package manager of Apple's projects.",
    "--verbose --silent --no-ansi",
    looks="env list outdated",
    asks="search spec",
    installs="install update init setup plugins",
    removes="deintegrate",
    cleans="cache",
    more={
        "trunk": either(
            r"(?:info|me)\b.*",
            "It asks the registry.",
            danger("publish", "It publishes the project, or changes who may."),
        ),
        "repo": either(r"(?:(?:list|lint)\b.*)?", "It lists sources.", care("install", "It changes sources.")),
        "lib": careful("project", "It builds the project."),
        "ipc": careful("run", "It runs parts of the project."),
    },
)
_LUAROCKS = tool(
    "A package manager of Lua.",
    "--tree= --local --server=danger",
    looks="list show which path doc config",
    asks="search",
    installs="install make build download unpack init",
    removes="remove purge",
    publishes="upload",
    tests="test lint",
)


def _pear(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    if verb in ("list", "info", "search", "version", "config-show", "config-get", "list-all", "remote-info"):
        yield nothing("It tells what is installed.")
    elif verb in ("channel-discover", "channel-add", "config-set"):
        yield danger("persist", "It changes where packages come from, from now on.")
    else:
        yield care("install", "It installs or removes packages.")


def _setup_py(it: Invocation) -> Iterator[Finding]:
    if any(arg.text in ("upload", "register", "upload_docs") for arg in it.operands):
        yield danger("publish", "It publishes the project, and that cannot be taken back.")
    yield RunsFile(Arg("setup.py"), "python")


COMMANDS: dict[str, Spec] = {
    "gem": _GEM,
    **each("bundle bundler", _BUNDLE),
    "composer": _COMPOSER,
    **each(
        "cpan cpanm cpanp",
        Spec("A package manager of Perl.", "* --mirror=none --from=none -M:none", "none*", also=_cpan),
    ),
    **each(
        "carton",
        tool(
            "A package manager of Perl.",
            looks="list tree show",
            installs="install update bundle",
            more={
                "exec": Spec(
                    "It runs a command with the packages of the project.", "", "none*", also=_bundle_exec, wraps=True
                )
            },
        ),
    ),
    "luarocks": _LUAROCKS,
    "pod": _POD,
    **each("carthage mint", careful("install", "It downloads and builds packages.")),
    **each("pear pecl", Spec("A package manager of PHP.", "*", "none*", also=_pear)),
    "setup.py": Spec("It builds or installs the project.", "*", "none*", also=_setup_py),
}
