"""What builds projects by recipes: make, just, cmake, ninja and their kin. A recipe that can be read is walked."""

from collections.abc import Iterator

from assent.policy.commands import _recipes
from assent.policy.commands._either import either
from assent.policy.commands._origins import BUILD, MADE_AGAIN, PROJECT, described
from assent.policy.commands.shells import runs_script
from assent.policy.commands.spec import (
    Finding,
    Invocation,
    Run,
    RunsFile,
    RunsInput,
    Spec,
    careful,
    each,
    known,
    starts,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.variables import assigned
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_STDIN = ("-", "/dev/stdin")
_STEERS = frozenset(
    {"SHELL", ".SHELLFLAGS", "CC", "CXX", "LD", "MAKE", "PYTHON", "NODE", "AR", "RM", "INSTALL", "PATH", "MAKEFLAGS"}
)


def _make(it: Invocation) -> Iterator[Finding]:
    if it.has("-v", "--version", "-h", "--help") and not it.operands:
        yield nothing("It only tells about itself.")
        return
    folder = it.value("-C", "--directory")
    given: dict[str, str] = {}
    targets: list[str] = []
    for arg in it.operands:
        name, equals, value = arg.text.partition("=")
        if equals and HOLE not in name:
            name = name.rstrip(":+?!")
            given[name] = value
            if name in ("SHELL", ".SHELLFLAGS", "MAKEFLAGS"):
                yield danger("run", "It makes every recipe run through a program of its own choice.", arg.text)
            elif name in _STEERS:
                yield care("run", "It picks the program that recipes run.", arg.text)
                yield from starts(Arg(value)) if " " in value or "/" in value else ()
            yield from assigned(name, [value]) if name.startswith("LD_") else ()
            if "$(shell" in value or "$(eval" in value:
                yield danger("run", "A value runs a line while it is worked out.", value)
        else:
            targets.append(arg.text)
    for text in it.all_values("--eval", "-E"):
        yield care("run", "Part of the makefile stands in the line.")
        yield from _recipe(_recipes.Makefile(text.text, given), targets)
    files = it.all_values("-f", "--file", "--makefile")
    for file in files:
        yield RunsInput("makefile") if file.text in _STDIN else RunsFile(file, "makefile")
    if folder is not None and it.path("write", folder).risk > Risk.CHANGE:
        yield care("run", "It runs recipes from outside the project.", folder.text)
    is_dry = it.has("-n", "--just-print", "--dry-run", "--recon", "-q", "--question", "-p", "--print-data-base")
    yield care(
        "project",
        "It runs recipes of the project."
        if not is_dry
        else "It reads recipes of the project, and what they work out runs.",
    )
    content = _makefile(it, folder, files)
    if content is not None and not is_dry:
        yield from _recipe(_recipes.Makefile(content, given), targets, folder)


def _makefile(it: Invocation, folder: Arg | None, files: list[Arg]) -> str | None:
    names: tuple[str, ...] = ("GNUmakefile", "makefile", "Makefile")
    if files:
        if len(files) > 1 or not files[0].known or files[0].text in _STDIN:
            return None
        names = (files[0].text,)
    return _recipes.here(it, names, folder if folder is not None else Arg("."))


def _recipe(makefile: _recipes.Makefile, targets: list[str], folder: Arg | None = None) -> Iterator[Finding]:
    for line in (*makefile.at_once, *makefile.lines(targets)):
        yield Run(line=Arg(line), cwd=folder)


def _just(it: Invocation) -> Iterator[Finding]:
    if it.has(
        "-l",
        "--list",
        "--summary",
        "--version",
        "-V",
        "--help",
        "-h",
        "--evaluate",
        "--show",
        "-s",
        "--groups",
        "--variables",
        "--dump",
    ):
        if it.has("--evaluate"):
            yield care("project", "It works out values of the project, and lines in them run.")
        else:
            yield nothing("It lists recipes.")
        return
    line = it.value("-c", "--command")
    if line is not None:
        yield Run(args=(line, *it.operands))
    for value in it.all_values("--shell", "--chooser", "--tempdir", "--cygpath"):
        yield danger("run", "It makes every recipe run through a program of its own choice.", value.text)
    files = it.all_values("-f", "--justfile")
    for file in files:
        yield RunsFile(file, "just")
    yield care("project", "It runs recipes of the project.")
    names = (files[0].text,) if files and files[0].known else ("justfile", "Justfile", ".justfile")
    text = _recipes.here(it, names, it.value("-d", "--working-directory") or Arg("."))
    if text is not None:
        for recipe in _recipes.just_lines(text, [arg.text for arg in it.operands if "=" not in arg.text][:1] or []):
            yield Run(line=Arg(recipe))


# --- cmake


def _cmake(it: Invocation) -> Iterator[Finding]:
    helps = [option for option, _ in it.values if option == "-h" or option.startswith("--help")]
    if (tool := it.value("-E")) is not None:
        yield from _cmake_tool(it, tool.text, it.operands)
    elif it.has("-P"):
        for script in it.all_values("-P"):
            yield runs_script(script, "cmake")
    elif it.has("--version") or helps:
        yield nothing("It only tells about itself.")
        named = all(option in ("--help", "--help-full", "-h") or option.endswith(("-list", "s")) for option in helps)
        for arg in it.operands[0 if named else 1 :]:
            # The last word is a file that the help is written to.
            yield it.path("write", arg)
    elif it.has("--build", "--install", "--open", "--workflow"):
        yield care("project", "It builds or installs the project.")
        for target in it.all_values("--prefix"):
            yield it.path("write", target)
        if it.has("--install") and not it.has("--prefix"):
            yield care("install", "It installs for all users, if it may.")
    else:
        for value in it.all_values("-D"):
            name = value.text.partition("=")[0].partition(":")[0]
            if name.endswith(
                ("_COMPILER", "_LAUNCHER", "MAKE_PROGRAM", "TOOLCHAIN_FILE", "_LINKER", "INCLUDE", "INCLUDE_BEFORE")
            ):
                path = value.text.partition("=")[2]
                is_ours = it.place(Arg(path)) == "project" or path.startswith(("/usr/", "/opt/homebrew/"))
                if "/" in path and not is_ours:
                    yield danger("run", "It makes the build run a program of its own choice.", value.text)
        yield care("project", "It prepares the build, and what the project says runs then.")


_CMAKE_TOOL = Spec("Small commands that work everywhere.", "*", "none*")


def _cmake_tool(it: Invocation, verb: str, rest: list[Arg]) -> Iterator[Finding]:
    """``cmake -E``: small commands that work everywhere."""
    operands = Invocation(it.name, tuple(rest), _CMAKE_TOOL, it.setting, it.cwd).operands
    if verb in ("rm", "remove", "remove_directory"):
        yield Run(args=(Arg("rm"), Arg("-rf" if verb != "remove" else "-f"), *operands))
    elif verb in (
        "copy",
        "copy_directory",
        "copy_if_different",
        "rename",
        "create_symlink",
        "create_hardlink",
        "copy_directory_if_different",
    ):
        for word in operands[:-1]:
            yield it.path("read", word)
        yield from (it.path("write", word) for word in operands[-1:])
    elif verb in ("make_directory", "touch", "touch_nocreate"):
        yield from (it.path("write", word) for word in operands)
    elif verb in ("env", "time", "chdir"):
        yield Run(
            args=tuple([Arg("env"), *rest] if verb == "env" else rest if verb == "time" else rest[1:]),
            cwd=rest[0] if verb == "chdir" and rest else None,
        )
    elif verb == "cat":
        yield from (it.path("read", word) for word in operands)
    elif verb in (
        "echo",
        "echo_append",
        "capabilities",
        "environment",
        "true",
        "false",
        "sleep",
        "compare_files",
        "md5sum",
        "sha256sum",
        "",
    ):
        yield (
            care("secret", "It shows all variables, and secrets may be among them.")
            if verb == "environment"
            else nothing()
        )
    elif verb == "tar":
        yield Run(args=(Arg("tar"), *rest))
    else:
        yield care("unknown", f"Assent does not know “cmake -E {verb}”.".replace(HOLE, "…"))


_CMAKE = Spec(
    "It prepares and runs builds.",
    "* -D:none -P:none -S: -B:write -G: -T: -A: -C:file -U: -L? -LA? -LAH? -N --build:none --install:none --open:none"
    " --prefix=none --preset= --target= -t: -j? --parallel? --config= --toolchain=file --workflow --trace"
    " --graphviz=write"
    " --log-level= --fresh --version --help -h -E:none",
    "none*",
    also=_cmake,
    last="-E",
)


def _ninja(it: Invocation) -> Iterator[Finding]:
    tool = it.value("-t")
    if it.has("--version", "-h", "--help"):
        yield nothing("It only tells about itself.")
    elif tool is not None and tool.text in (
        "list",
        "targets",
        "query",
        "deps",
        "graph",
        "commands",
        "rules",
        "inputs",
        "compdb",
        "missingdeps",
        "path",
    ):
        yield nothing("It tells what would be built.")
    elif tool is not None and tool.text in ("clean", "cleandead", "recompact", "restat"):
        yield Effect("delete", Risk.CHANGE, "It removes what was built, which is made again.")
    else:
        yield care("project", "It builds the project, and what the project says runs then.")
    for file in it.all_values("-f"):
        yield RunsFile(file, "ninja")


def _task(it: Invocation) -> Iterator[Finding]:
    if it.has("-l", "--list", "-a", "--list-all", "--summary", "--version", "-h", "--help", "--status"):
        yield nothing("It lists tasks.")
    else:
        for file in it.all_values("-t", "--taskfile"):
            yield (
                RunsFile(file, "task")
                if "://" not in file.text
                else danger("run", "It runs what lies at an address, unseen.", file.text)
            )
        yield care("project", "It runs a task of the project.")
        if not it.has("-t", "--taskfile", "-g", "--global"):
            yield from _recipes.walked(
                it, _TASKFILES, lambda text: _recipes.task_lines(text, _targets(it)), it.value("-d", "--dir")
            )


_TASKFILES = tuple(
    f"{name}{middle}.{ending}"
    for name in ("Taskfile", "taskfile")
    for middle in ("", ".dist")
    for ending in ("yml", "yaml")
)


def _targets(it: Invocation) -> list[str]:
    own = it.operands if it.behind is None else it.operands[: len(it.operands) - len(it.behind)]
    return [arg.text for arg in own if "=" not in arg.text]


def _bazel(it: Invocation) -> Iterator[Finding]:
    verb = next((arg.text for arg in it.operands), "")
    for value in it.all_values("--bazelrc", "--workspace_status_command", "--override_repository"):
        yield danger("run", "A setting on the line makes the build run something else.", value.text)
    if verb in ("version", "help", "info", "license", "analyze-profile", "dump", "canonicalize-flags", ""):
        yield nothing("It only tells about itself.")
    elif verb in ("query", "cquery", "aquery", "mod"):
        yield (
            Effect("project", Risk.LOOK, "It tells about the build, and builds nothing.")
            if not it.has("--output_file")
            else care("write", "It writes what it finds.")
        )
    elif verb == "clean":
        yield Effect("delete", Risk.CHANGE, "It removes what was built, which is made again.")
    else:
        for value in it.all_values("--run_under"):
            yield from starts(value)
        yield care("project", "It builds, tests or runs the project.")


def _lerna(it: Invocation) -> Iterator[Finding]:
    verb = it.operands[0].text if it.operands else ""
    if verb in ("ls", "list", "la", "ll", "changed", "diff", "info"):
        yield nothing("It tells about the project.")
        return
    if verb == "publish":
        yield danger("publish", "It publishes packages, and that cannot be taken back.")
    elif verb == "exec":
        yield Run(args=tuple(it.operands[1:] if it.behind is None else it.behind))
    yield care("project", "It runs tasks of the project.")


_MAKE = Spec(
    "It runs recipes of the project.",
    "-BbdeikLmnpqrRsStvwhO -f:none --file=none --makefile=none -C:none --directory=none -E:none --eval=none -I:config"
    " --include-dir=config -j? --jobs? -l? --load-average? --max-load? -o: --old-file= -W: --what-if= --new-file="
    " --assume-new= --assume-old= --always-make --debug? --environment-overrides --ignore-errors --keep-going"
    " --just-print --dry-run --recon --print-data-base --question --no-builtin-rules --no-builtin-variables --silent"
    " --quiet --no-silent --stop --no-keep-going --touch --trace --version --print-directory --no-print-directory"
    " --warn-undefined-variables --output-sync? --check-symlink-times --shuffle? --jobserver-style= --help"
    " --temp-stdin=none",
    "none*",
    also=_make,
)

COMMANDS: dict[str, Spec] = {
    **each("make gmake bmake gnumake", _MAKE),
    "just": Spec(
        "It runs recipes of the project.",
        "-lnvqVhug -f:none --justfile=none -d:none --working-directory=none -c:none --command=none --shell=none"
        " --chooser=none --tempdir=none --cygpath=none --shell-arg= --list --list-heading= --list-prefix="
        " --summary --dry-run"
        " --verbose --quiet --version --help --show= -s: --evaluate --dump --fmt?care --init?care --choose?care"
        " --edit?care"
        " --set= --yes --unstable --color= --no-dotenv --dotenv-path=read --dotenv-filename= --groups --variables"
        " --unsorted --highlight --no-highlight --one --global-justfile",
        "none*",
        also=_just,
        wraps=True,
    ),
    **each("cmake ccmake cmake3", _CMAKE),
    **each("ctest cpack", careful("project", "It runs tests of the project, or packs it.")),
    **each(
        "ninja ninja-build samu",
        Spec("It builds the project.", "* -t:none -f:none -C: -j: -k: -l: -d: -w:", "none*", also=_ninja),
    ),
    **each(
        "task go-task",
        Spec(
            "It runs a task of the project.",
            "* -t:none --taskfile=none -d: --dir= -o: --output= -i: -l -a",
            "none*",
            also=_task,
        ),
    ),
    **each(
        "bazel bazelisk blaze",
        Spec(
            "It builds the project.",
            "* --run_under=none --bazelrc=none --workspace_status_command=none --override_repository=none"
            " --output_file=none --output_base=write --output_user_root=write",
            "none*",
            also=_bazel,
        ),
    ),
    **each(
        "buck buck2 pants plz",
        either(
            r"(?:query|targets|uquery|cquery|list|dependencies|peek|--version|help)\b.*",
            "It tells about the build.",
            care("project", "It builds, tests or runs the project."),
        ),
    ),
    "meson": Spec(
        "It builds the project.",
        "-v --version --help",
        verbs={
            "introspect": described("It tells about the build."),
            **each("setup compile test install dist init configure devenv subprojects wrap rewrite", BUILD),
        },
    ),
    **each("scons waf premake5 xmake tup gn qmake autoconf automake autoreconf configure aclocal autogen.sh", BUILD),
    **each("drake", PROJECT),
    **each(
        "doit invoke inv mage earthly dagger gulp grunt jake",
        either(
            r"(?:-l|--list|--tasks|-T|--version|list|help)(?: .*)?",
            "It lists tasks.",
            care("project", "It runs a task of the project."),
        ),
    ),
    "lerna": Spec("It runs tasks of the project.", "*", "none*", also=_lerna),
    **each(
        "turbo nx rush moon wireit",
        either(
            r"(?:--version|ls|list|changed|info|report|show projects?.*|query .*|graph --help|run --help)",
            "It tells about the project.",
            care("project", "It runs tasks of the project."),
        ),
    ),
    **each("poe taskipy honcho foreman overmind", PROJECT),
    **each(
        "tox nox",
        either(
            r"-l|--list|list|-a|config",
            "It lists what it would run.",
            care("project", "It makes environments and runs tests of the project."),
        ),
    ),
    "pre-commit": Spec(
        "It runs checks of the project.",
        "-Vh --version --help --color=",
        verbs={
            **each("run hook-impl try-repo", careful("project", "It runs checks of the project, and downloads them.")),
            **each("install init-templatedir", careful("persist", "From now on checks run with every commit.")),
            "uninstall": careful("persist", "Checks no longer run with every commit."),
            **each("validate-config validate-manifest", known("It checks settings.", "*", "read*")),
            **each("clean gc", MADE_AGAIN),
            **each("autoupdate migrate-config install-hooks", careful("install", "It takes newer checks.")),
            "sample-config": known("It prints an example."),
        },
    ),
    **each("lefthook husky", careful("persist", "It runs checks, or changes which run with every commit.")),
    "dune": either(
        r"--version|describe\b.*",
        "It tells about the project.",
        care("project", "It builds, tests or runs the project."),
    ),
    "cookiecutter": careful("run", "It makes a project from a template, which can run programs."),
    "copier": careful("run", "It makes a project from a template, which can run programs."),
}
