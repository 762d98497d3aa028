"""Package managers of JavaScript beside npm, and what looks after versions of Node."""

from collections.abc import Iterator

from assent.policy.commands import _js
from assent.policy.commands.npm import (
    ASKS,
    AUDIT,
    CLEAN,
    CONFIG,
    LOOKS,
    PACK,
    PKG,
    RUN,
    RUN_OPTIONS,
    TREE,
    VERSION,
    lists_or,
    of_name,
    or_lists,
    top,
)
from assent.policy.commands.spec import (
    Code,
    Finding,
    Invocation,
    Run,
    RunsFile,
    RunsInput,
    Spec,
    careful,
    dangerous,
    each,
    known,
)
from assent.policy.effects import care, danger, nothing
from assent.policy.shell.words import Arg

# --- yarn, pnpm and bun: a word they do not know is a script, or a program of the project


def _script_or_program(it: Invocation) -> Iterator[Finding]:
    name = it.name.rpartition(" ")[2]
    yield from _js.script(it, Arg(name), list(it.handed_on))
    yield Run(args=(Arg(name), *it.handed_on))


_ANY = Spec("It runs a script of the project.", "* --help?project --version?project", "none*", also=_script_or_program)


def _program(it: Invocation) -> Iterator[Finding]:
    yield from _js.steered(it)
    if it.has("-c", "--shell-mode"):
        yield Run(line=Arg(" ".join(arg.text for arg in it.operands)))
    yield from _js.program([word for word in it.operands if word.text != "--"][:1] + it.operands[1:], fetches=False)


def _node(it: Invocation) -> Iterator[Finding]:
    yield Run(args=(Arg("node"), *it.handed_on))


_PROGRAM = Spec(
    "It runs a program of the project.",
    f"-r --recursive --parallel --filter= -F: --no-bail --resume-from= --reporter= --silent {_js.STEERING} -c"
    " --shell-mode",
    "none*",
    also=_program,
    wraps=True,
)
_NODE = Spec("It starts Node.", "*", "none*", also=_node)


def _pnpm(it: Invocation) -> Iterator[Finding]:
    yield from top(it)
    if it.has("-c", "--shell-mode"):
        yield Run(line=Arg(" ".join(arg.text for arg in it.operands[1:])))


def _global(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    yield from _js.guards_of(it.operands[1:], verb)
    if verb in ("list", "bin", "dir", "ls"):
        yield nothing("It lists what is installed for all projects.")
    elif verb in ("remove", "rm", "uninstall"):
        yield danger("delete", "It removes a program for everything that uses it.")
    else:
        yield care("install", "It installs for all projects, not for this one alone.")


_YARN_VERBS: dict[str, Spec] = {
    "": Spec("It installs packages, and their scripts run then.", "*", "none*", also=_js.installs),
    **each("-v -h", known("It only tells about itself.", "-vh")),
    **each("install add up upgrade upgrade-interactive import dedupe link rebuild unplug autoclean", _js.INSTALL),
    **each("remove unlink", _js.REMOVE),
    **each("list why bin versions licenses explain constraints", TREE),
    "workspaces": Spec(
        "It looks at the parts of the project, or runs something in each.",
        "",
        verbs={
            **each("list info", TREE),
            "": TREE,
            "*": careful("project", "It runs something in parts of the project."),
        },
    ),
    **each("info outdated search", ASKS),
    "audit": AUDIT,
    "npm": Spec(
        "It talks to the registry.",
        "",
        verbs={
            "info": ASKS,
            "whoami": ASKS,
            "audit": AUDIT,
            "publish": _js.PUBLISH,
            **each("login logout", _js.LOGIN),
            "tag": lists_or("list", _js.ACCOUNT),
            "*": _js.ACCOUNT,
        },
    ),
    "config": CONFIG,
    "run": RUN,
    "test": of_name("test"),
    "start": of_name("start"),
    "exec": _PROGRAM,
    "node": _NODE,
    **each("dlx create init", _js.EXEC),
    "global": Spec("It looks after programs for all projects.", "* --prefix=none", "none*", also=_global),
    "cache": Spec(
        "It looks after the cache.",
        "",
        verbs={**each("list dir", known("It lists the cache.", "--pattern=")), "clean": CLEAN},
    ),
    **each("clean", CLEAN),
    "version": VERSION,
    "pack": PACK,
    "publish": _js.PUBLISH,
    **each("owner tag team", lists_or("list ls", _js.ACCOUNT)),
    **each("login logout", _js.LOGIN),
    "set": dangerous("persist", "It changes which yarn runs from now on, and downloads that."),
    "plugin": Spec(
        "It looks after plugins, which run with every command.",
        "",
        verbs={**each("list runtime", TREE), "*": dangerous("persist", "Plugins run with every later command.")},
    ),
    "patch": careful("install", "It changes an installed package."),
    "workspace": Spec(
        "It runs a command in a part of the project.",
        "",
        "none*",
        also=lambda it: iter(
            (
                care("project", "It runs in a part of the project."),
                *((Run(args=(Arg("yarn"), *it.operands[1:])),) if len(it.operands) > 1 else ()),
            )
        ),
        wraps=True,
    ),
    "help": known("It only tells about itself."),
    "*": _ANY,
}
_PNPM_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself.", "-vh --version --help"),
    **each(
        "install i add update up upgrade link ln import dedupe prune rebuild rb fetch install-test it ci"
        " approve-builds deploy patch patch-commit patch-remove ignored-builds",
        _js.INSTALL,
    ),
    **each("remove rm uninstall un unlink dislink", _js.REMOVE),
    **each("ls list la ll why root bin licenses config-list cat-file cat-index find-hash", TREE),
    **each("outdated view info show search s ping whoami", ASKS),
    "audit": AUDIT,
    **each("run run-script", RUN),
    "test": of_name("test"),
    "t": of_name("test"),
    "start": of_name("start"),
    "stop": of_name("stop"),
    "restart": of_name("restart"),
    "exec": _PROGRAM,
    **each("dlx x create init", _js.EXEC),
    **each("config c", CONFIG),
    "get": known("It prints settings; keys among them are masked.", LOOKS),
    "set": _js.SETTINGS,
    "env": Spec(
        "It looks after versions of Node.",
        "-g --global",
        verbs={
            **each("list ls", known("It lists versions.", "--remote")),
            "*": careful("install", "It installs or removes a version of Node."),
        },
    ),
    "store": Spec(
        "It looks after the store.",
        "",
        verbs={
            **each("status path", known("It tells about the store.")),
            "prune": CLEAN,
            "*": careful("install", "It changes the store."),
        },
    ),
    "pack": PACK,
    "publish": _js.PUBLISH,
    **each("login logout adduser", _js.LOGIN),
    **each("unpublish deprecate owner access dist-tag team token", _js.ACCOUNT),
    "setup": dangerous("persist", "It changes the shell's start-up files."),
    "self-update": careful("install", "It replaces itself by another version."),
    "server": careful("process", "It starts or ends a server of its own."),
    "doctor": TREE,
    "help": known("It only tells about itself."),
    "*": _ANY,
}


def _bun(it: Invocation) -> Iterator[Finding]:
    """Without a verb of its own bun runs a file, a script or a program; the verb was looked at before."""
    for text in it.all_values("-e", "--eval", "-p", "--print"):
        yield Code("javascript", text)
    for file in it.all_values("-r", "--preload", "--require", "--import"):
        yield RunsFile(file, "javascript")
    yield from _js.steered(it)
    if it.has("-v", "--version", "--revision", "-h", "--help"):
        yield nothing("It only tells about itself.")


def _bun_any(it: Invocation) -> Iterator[Finding]:
    name = it.name.rpartition(" ")[2]
    if name in ("-", "/dev/stdin"):
        yield RunsInput("javascript")
    elif "/" in name or "." in name:
        yield RunsFile(Arg(name), "javascript")
    else:
        yield from _js.script(it, Arg(name), list(it.handed_on))
        yield Run(args=(Arg(name), *it.handed_on))


def _bun_run(it: Invocation) -> Iterator[Finding]:
    first = it.operand(0)
    for text in it.all_values("-e", "--eval", "-p", "--print"):
        yield Code("javascript", text)
    if first is not None and first.text in ("-", "/dev/stdin"):
        yield RunsInput("javascript")
    elif first is not None and (
        "/" in first.text or first.text.endswith((".ts", ".js", ".tsx", ".jsx", ".mjs", ".cjs"))
    ):
        yield RunsFile(first, "javascript")
    else:
        yield from or_lists(it)


_TESTS = careful("project", "It runs tests of the project.", "* --preload=file -r:file --help?none")
_BUN_VERBS: dict[str, Spec] = {
    "": known("It only tells about itself.", "* -e:none"),
    "run": Spec(
        "It runs a script or a file of the project.",
        f"{RUN_OPTIONS} -r:file --preload=file -e:none --eval=none -p:none --print=none",
        "none*",
        also=_bun_run,
        wraps=True,
    ),
    "test": _TESTS,
    **each("install i add a update link ci patch", _js.INSTALL),
    **each("remove rm unlink", _js.REMOVE),
    **each("x create c init", _js.EXEC),
    **each("outdated info why audit", ASKS),
    "exec": Spec("It runs a line.", "", "run none*"),
    "build": careful(
        "project", "It bundles the project, with the plugins it names.", "* --outdir=write --outfile=write"
    ),
    "pm": Spec(
        "It looks after packages.",
        "-g --global",
        verbs={
            **each("ls list bin hash hash-string hash-print whoami view why", TREE),
            "cache": careful("delete", "It shows or empties the cache."),
            "pkg": PKG,
            "version": VERSION,
            "pack": PACK,
            **each("trust untrusted default-trusted migrate", careful("install", "It lets scripts of packages run.")),
        },
    ),
    "publish": _js.PUBLISH,
    "upgrade": careful("install", "It replaces itself by another version."),
    "repl": careful("run", "It starts an interpreter that waits for input."),
    "*": Spec(
        "It runs a script or a file of the project.", "* --help?project --version?project", "none*", also=_bun_any
    ),
}


def _passed_on(it: Invocation) -> Iterator[Finding]:
    yield Run(args=(Arg(it.name.rpartition(" ")[2]), *it.handed_on))


_PASSED_ON = Spec("It runs a package manager.", "* --help?project --version?project", "none*", also=_passed_on)

COMMANDS: dict[str, Spec] = {
    **each(
        "yarn yarnpkg",
        Spec(
            "A package manager of Node.",
            f"-vhs --version --help --cwd=none --silent -T {_js.STEERING}",
            verbs=_YARN_VERBS,
            also=top,
        ),
    ),
    "pnpm": Spec(
        "A package manager of Node.",
        "-vhgrwc -s --version --help --recursive --filter= -F: --filter-prod= --workspace-root --silent"
        " --loglevel= --reporter= --color --no-color --stream --parallel --aggregate-output"
        f" --include-workspace-root --global {_js.STEERING}",
        verbs=_PNPM_VERBS,
        also=_pnpm,
    ),
    "bun": Spec(
        "A runtime and package manager of JavaScript.",
        "-vhb -e:none --eval=none -p:none --print=none -r:none --preload=none --require=none --import=none"
        " --watch --hot --smol --bun --silent --inspect? --env-file=read --version --revision --help --filter="
        f" -F: --if-present --no-install --install= -i {_js.STEERING}",
        verbs=_BUN_VERBS,
        also=_bun,
        last="-e --eval -p --print",
    ),
    "corepack": Spec(
        "It runs package managers.",
        "-v --version",
        verbs={
            **each(
                "enable disable",
                careful("install", "It puts package managers where programs are found, or takes them away."),
            ),
            **each("prepare install use up hydrate pack cache", careful("install", "It downloads a package manager.")),
            **each("npm npx yarn pnpm pnpx", _PASSED_ON),
        },
    ),
}
