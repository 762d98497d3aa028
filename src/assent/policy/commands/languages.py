"""Tools of other languages, by their verbs: .NET, Swift, Zig, Dart, Elixir, Haskell, OCaml and more."""

from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands._origins import BUILD, ITSELF, MADE_AGAIN, PROJECT, PUBLISH, REPL, described, registry, tool
from assent.policy.commands.spec import (
    Code,
    Finding,
    Invocation,
    Run,
    RunsFile,
    Spec,
    careful,
    dangerous,
    each,
    known,
    queries,
)
from assent.policy.effects import Effect, care, danger
from assent.policy.shell.words import Arg
from assent.protocol.decision import Risk

# --- .NET


def _other_project(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        if "/" in arg.text and it.place(arg) not in ("project", "whole"):
            yield care("run", "It works out a project from elsewhere, which is a program.", arg.text)


_NUGET = Spec(
    "It talks to the registry.",
    "",
    verbs={
        **each(
            "list locals config why verify",
            either(
                r"(?:source|all|global-packages|http-cache|temp|get|paths)?(?: .*)?(?<!--clear)(?<!-c)",
                "It lists settings and places.",
                care("install", "It changes settings or empties a cache."),
            ),
        ),
        **each("push delete", dangerous("publish", "It changes what others get.")),
        **each(
            "add update remove enable disable",
            dangerous("persist", "It changes where packages come from, from now on."),
        ),
        **each("sign trust", careful("persist", "It changes whom packages are trusted from.")),
    },
)
_EF = Spec(
    "It looks after the project's database.",
    "--version --help",
    verbs={
        "database": Spec(
            "It changes the database.",
            "",
            verbs={
                "drop": dangerous("remote", "It throws away what is in the database."),
                "update": careful("remote", "It changes the database."),
            },
        ),
        "migrations": Spec(
            "It looks after changes of the database.",
            "",
            verbs={
                **each("list has-pending-model-changes", described("It lists changes of the database.")),
                **each("add bundle optimize script", PROJECT),
                "remove": careful("project", "It removes a recorded change."),
            },
        ),
        "dbcontext": PROJECT,
    },
)
_DOTNET = Spec(
    "The tool of .NET.",
    "-h -d --version --help --info --list-sdks --list-runtimes --diagnostics",
    verbs={
        "": ITSELF,
        "help": ITSELF,
        **each("build b test run watch publish pack msbuild vstest exec store build-server format", BUILD),
        **each(
            "restore add workload", careful("install", "It installs packages, and what they bring runs with the build.")
        ),
        "list": Spec(
            "It lists packages and projects.",
            "*",
            "none*",
            does=described("It lists packages and projects.").does,
            also=_other_project,
        ),
        "package": either(
            r"(?:search|list)\b.*", "It asks for packages.", care("install", "It installs or removes packages.")
        ),
        "reference": either(
            r"list\b.*", "It lists references.", care("project", "It changes references of the project.")
        ),
        **each(
            "sln solution", either(r"(?:\S+ )?list", "It lists projects.", care("write", "It changes the solution."))
        ),
        "remove": careful("install", "It removes packages from the project."),
        "new": either(
            r"(?:list|search|details)\b.*|--list",
            "It lists templates.",
            care("run", "It makes a project from a template."),
        ),
        "clean": MADE_AGAIN,
        "nuget": _NUGET,
        "tool": Spec(
            "It looks after tools.",
            "",
            verbs={
                **each("list search", queries("It lists tools.", "*")),
                **each(
                    "install update restore run",
                    careful("install", "It installs or runs a tool.", "* --add-source=danger"),
                ),
                "uninstall": careful("install", "It removes a tool."),
                "exec": careful("run", "It downloads a tool and runs it."),
            },
        ),
        "ef": _EF,
        "user-secrets": either(
            "init|--version", "It only prepares.", danger("secret", "It shows or changes secrets of the project.")
        ),
        "dev-certs": careful("secret", "It changes certificates of this machine."),
        "script": careful("run", "It runs a program."),
        "fsi": REPL,
        "*": careful("project", "It runs a program or a tool of the project.", "* --help?project --version?project"),
    },
)

# --- Dart

_PUB = Spec(
    "It looks after packages.",
    "",
    verbs={
        **each("deps outdated", queries("It tells what the project needs.", "*")),
        **each("get add upgrade downgrade cache unpack", careful("install", "It downloads packages.")),
        "remove": careful("install", "It removes packages."),
        "publish": PUBLISH,
        "lish": PUBLISH,
        "run": PROJECT,
        "global": careful("install", "It installs or runs programs for all projects."),
        **each("login logout token uploader", dangerous("secret", "It uses the user's keys to the registry.")),
    },
)
_DART_FORMAT = either(
    r".*(?:--output=none|-o none|--set-exit-if-changed --output=none).*",
    "It says what is not in order.",
    Effect("write", Risk.CHANGE, "It rewrites programs of the project."),
)


def _dart_file(it: Invocation) -> Iterator[Finding]:
    yield RunsFile(Arg(it.name.rpartition(" ")[2]), "dart")


_DART_RUN = Spec("It runs a program.", "* --help?project --version?project", "none*", also=_dart_file)
_DART = tool(
    "The tool of Dart.",
    "-vh --verbose",
    looks="info",
    builds="compile build create",
    tests="test",
    project="run",
    more={
        "analyze": careful("project", "It checks the project, with the plugins its settings name."),
        "fix": either(
            r"--dry-run|-n",
            "It tells what it would change.",
            Effect("write", Risk.CHANGE, "It rewrites programs of the project."),
        ),
        "format": _DART_FORMAT,
        "pub": _PUB,
        "devtools": careful("send", "It serves tools to a browser."),
        "doc": BUILD,
        "*": _DART_RUN,
    },
)
_FLUTTER = tool(
    "The tool of Flutter.",
    "-vh -d: --verbose --device-id= --suppress-analytics",
    looks="doctor devices emulators channel symbolize bash-completion",
    builds="build create assemble precache gen-l10n",
    tests="test drive",
    project="run attach install logs screenshot custom-devices",
    cleans="clean",
    installs="upgrade downgrade",
    more={
        "analyze": careful("project", "It checks the project."),
        "pub": _PUB,
        "config": careful("persist", "It shows or changes settings."),
        "format": _DART_FORMAT,
    },
)

# --- others


def _stack_exec(it: Invocation) -> Iterator[Finding]:
    words = [arg for arg in it.operands if arg.text != "--"]
    if words:
        yield care("project", "It runs a command in the project's environment.")
        yield Run(args=tuple(words))


def _evaluates(it: Invocation) -> Iterator[Finding]:
    for arg in it.operands:
        yield Code("other", arg)


def _zig_compiles(it: Invocation) -> Iterator[Finding]:
    yield Run(args=(Arg(it.name.rpartition(" ")[2]), *it.handed_on))


_HASKELL_EXEC = Spec("It runs a command in the project's environment.", "*", "none*", also=_stack_exec, wraps=True)
_STACK = tool(
    "A tool of Haskell.",
    "-v --silent --resolver= --stack-yaml=read --no-terminal",
    looks="path ls query --numeric-version dot",
    builds="build haddock sdist setup hpc init new",
    tests="test bench",
    project="run",
    installs="install update upgrade",
    cleans="clean purge",
    publishes="upload",
    more={
        **each("exec runghc runhaskell", _HASKELL_EXEC),
        **each("ghci repl", REPL),
        "script": PROJECT,
        "eval": Spec("It runs a program.", "", "none*", also=_evaluates),
        "list": queries("It lists packages."),
        "config": careful("persist", "It changes settings."),
    },
)
_CABAL = tool(
    "A tool of Haskell.",
    "-v? --numeric-version",
    looks="info path list-bin outdated check gen-bounds",
    asks="list",
    builds="build haddock sdist configure freeze v2-build new-build",
    tests="test bench v2-test",
    project="run",
    installs="install update fetch get",
    cleans="clean",
    makes="init",
    publishes="upload",
    more={"exec": _HASKELL_EXEC, "repl": REPL, "report": careful("send", "It reports to others.")},
)
_OPAM = tool(
    "A package manager of OCaml.",
    "-y --yes",
    looks="list show info var env search tree lint",
    installs="install update upgrade reinstall pin init source",
    removes="remove uninstall",
    more={
        "config": either(r"(?:list|var|report)\b.*", "It prints settings.", care("run", "It may run a command.")),
        "switch": either(
            r"(?:(?:list|show|list-available)\b.*)?",
            "It lists switches.",
            care("install", "It makes or changes a switch."),
        ),
        "exec": _HASKELL_EXEC,
        "repository": either(
            r"(?:list\b.*)?", "It lists sources.", danger("persist", "It changes where packages come from.")
        ),
        "clean": MADE_AGAIN,
        "publish": PUBLISH,
    },
)
_ZIG = tool(
    "The tool of Zig.",
    "",
    looks="env targets zen libc",
    builds="build build-exe build-lib build-obj init translate-c fetch",
    tests="test",
    project="run",
    more={
        "ast-check": known("It reads programs and says what is wrong with them.", "*", "read*"),
        "fmt": either(
            r".*--check.*",
            "It says what is not in order.",
            Effect("write", Risk.CHANGE, "It rewrites programs of the project."),
        ),
        **{name: Spec("It compiles programs.", "*", "none*", also=_zig_compiles) for name in ("cc", "c++")},
        **each("ar objcopy rc dlltool lib ranlib", careful("write", "It changes programs.")),
    },
)
_REBAR = tool(
    "A tool of Erlang.",
    "",
    looks="deps tree help report",
    builds="compile release tar escriptize get-deps upgrade",
    tests="eunit ct proper dialyzer xref",
    cleans="clean",
    project="shell as do",
    more={"hex": dangerous("publish", "It publishes the project, or changes who may.")},
)
_GLEAM = tool(
    "The tool of Gleam.",
    "",
    looks="deps export",
    builds="build check docs",
    tests="test",
    project="run shell",
    makes="new",
    installs="add update",
    removes="remove",
    cleans="clean",
    publishes="publish",
    more={
        "format": either(
            r".*--check.*",
            "It says what is not in order.",
            Effect("write", Risk.CHANGE, "It rewrites programs of the project."),
        ),
        "hex": dangerous("publish", "It changes what others get."),
    },
)


def _conan(it: Invocation) -> Iterator[Finding]:
    for value in it.all_values("--url"):
        if (effect := registry(value)) is not None:
            yield effect


COMMANDS: dict[str, Spec] = {
    "dotnet": _DOTNET,
    "nuget": Spec(
        "It talks to the registry.",
        "",
        verbs={
            **each("list search", queries("It lists packages.", "*")),
            **each("install restore update pack", careful("install", "It installs packages.")),
            **each("push delete", dangerous("publish", "It changes what others get.")),
            **each("sources setapikey config", dangerous("persist", "It changes where packages come from, or keys.")),
            "": ITSELF,
            "help": ITSELF,
            "locals": careful("delete", "It lists or empties caches."),
        },
    ),
    **each("msbuild xbuild csc vbc fsc", BUILD),
    "zig": _ZIG,
    "dart": _DART,
    **each("flutter fvm", _FLUTTER),
    "stack": _STACK,
    "cabal": _CABAL,
    "opam": _OPAM,
    "rebar3": _REBAR,
    "gleam": _GLEAM,
    **each(
        "conan vcpkg",
        Spec(
            "A package manager of C++.",
            "* --url=none",
            "none*",
            does=(care("install", "It installs packages, and builds them."),),
            also=_conan,
        ),
    ),
    **each(
        "arduino-cli platformio pio west idf.py",
        either(
            r"(?:version|--version|board list|device list|core list|lib list|system info|boards)\b.*",
            "It tells about boards.",
            care("project", "It builds the project, or writes it to a board."),
        ),
    ),
    **each(
        "cast anvil hardhat truffle slither solc",
        either(
            r"(?:--version|tree|config|inspect .*|remappings|fmt --check)",
            "It only looks.",
            care("project", "It builds, tests or runs the project."),
        ),
    ),
    **each("godot unity", PROJECT),
    **each(
        "nimble shards haxelib raco lake elan ghcup juliaup",
        either(
            r"(?:list|search|show|--version|version|tool list|info)\b.*",
            "It tells about packages.",
            care("install", "It installs, builds or tests."),
        ),
    ),
}
